#!/bin/sh
# limit: 150
# Two tokens: 35 paths, one of them a program.
exec lua5.4 "$ROOT/tests/latest/parsers.lua" pl0 2 8000 35
