#!/bin/sh
# limit: 120
exec lua5.4 "$ROOT/tests/prove/extents.lua" 1 12
