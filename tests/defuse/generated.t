#!/bin/sh
exec lua5.4 "$ROOT/tests/defuse/oracle.lua" generated 1 15
