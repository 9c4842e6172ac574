#!/bin/sh
exec lua5.4 "$ROOT/tests/gen/aliases.lua" 1 8
