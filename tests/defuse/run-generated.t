#!/bin/sh
exec lua5.4 "$ROOT/tests/defuse/runtime.lua" generated 1 6
