#!/bin/sh
# limit: 300
exec lua5.4 "$ROOT/tests/prove/callers.lua" 1 30
