#!/bin/sh
# limit: 300
# Eight drawn combinations of strategies and options; tests/bench/run combine has 200 more.
exec lua5.4 "$ROOT/tests/driver/combine.lua" 1 8
