#!/bin/sh
# limit: 300
exec lua5.4 "$ROOT/tests/latest/parsers.lua" pl0 4 995
