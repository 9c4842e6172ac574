#!/bin/sh
exec lua5.4 "$ROOT/tests/examples/agree.lua" 3 4
