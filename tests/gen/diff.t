#!/bin/sh
exec lua5.4 "$ROOT/tests/gen/diff.lua" 1 5
