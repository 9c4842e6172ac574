#!/bin/sh
exec lua5.4 "$ROOT/tests/flowtest/jobs.lua" 1 4
