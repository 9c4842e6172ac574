#!/bin/sh
exec lua5.4 "$ROOT/tests/defuse/runtime.lua" sources
