#!/bin/sh
exec lua5.4 "$ROOT/tests/dft/aliases.lua" 1 6
