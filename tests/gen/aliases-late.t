#!/bin/sh
exec lua5.4 "$ROOT/tests/gen/aliases.lua" 26 30 la
