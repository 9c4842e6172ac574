#!/bin/sh
# limit: 600
exec lua5.4 "$ROOT/tests/latest/theorem.lua" 1 5
