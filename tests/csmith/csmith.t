#!/bin/sh
exec lua5.4 "$ROOT/tests/csmith/csmith.lua" 1 3
