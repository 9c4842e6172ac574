#!/bin/sh
# limit: 200
exec lua5.4 "$ROOT/tests/prove/oracle.lua" small 1 1 1
