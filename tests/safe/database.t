#!/bin/sh
# A compile_commands.json that is too deep, too large or no file.
result() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; sed 's/^/# /' out | tail -n 5; fi; }
echo 'int f(void) { return 1; }' >f.c
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "[" }' >deep.json
timeout 20 cfg-dump -p deep.json f.c >out 2>&1
[ $? = 3 ] && grep -q 'deep.json: lists and objects are nested more than 16 deep' out; result $? "nested without end"
truncate -s 1T large.json
timeout 20 cfg-dump -p large.json f.c >out 2>&1
[ $? = 3 ] && grep -q 'large.json: not a regular file of at most 256 MiB' out; result $? "too large"
mkfifo pipe.json
timeout 20 cfg-dump -p pipe.json f.c >out 2>&1
[ $? = 3 ] && grep -q 'pipe.json: not a regular file of at most 256 MiB' out; result $? "a pipe"
echo "1..3"
