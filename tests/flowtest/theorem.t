#!/bin/sh
# limit: 600
exec lua5.4 "$ROOT/tests/flowtest/theorem.lua" 4 8
