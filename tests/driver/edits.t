#!/bin/sh
exec lua5.4 "$ROOT/tests/driver/edits.lua" 1 3
