#!/bin/sh
exec lua5.4 "$ROOT/tests/prove/obligation.lua" calls 5
