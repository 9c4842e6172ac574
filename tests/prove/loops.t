#!/bin/sh
# limit: 100
exec lua5.4 "$ROOT/tests/prove/loops.lua" 1 3 2
