#!/bin/sh
# limit: 300
# One token: const, var, procedure, a name, call, begin, if, while, a period, another.
exec lua5.4 "$ROOT/tests/latest/parsers.lua" pl0 1 - 10
