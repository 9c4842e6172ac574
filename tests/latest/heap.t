#!/bin/sh
# limit: 300
exec lua5.4 "$ROOT/tests/latest/theorem.lua" 1 2 heap
