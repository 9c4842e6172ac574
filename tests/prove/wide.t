#!/bin/sh
# limit: 200
exec lua5.4 "$ROOT/tests/prove/oracle.lua" wide 1 2 1
