#!/bin/sh
exec lua5.4 "$ROOT/tests/conform/conform.lua" more
