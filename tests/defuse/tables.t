#!/bin/bash
# The tables that the macros of <ctype.h> read are no variables; errno is one.
. "$ROOT/tests/lib/tap.sh"
cat >a.c <<'X'
#include <ctype.h>
#include <errno.h>
int classes(const char *s) { return isspace(s[0]) ? 1 : isdigit(s[1]) ? 2 : toupper(s[2]) == tolower(s[3]) ? 3 : errno; }
X
cfg-dump a.c | defuse >pairs
check "the characters are used, and errno" '[ "$(awk -F "\t" "\$1 == \"use\" { print \$NF }" pairs | sort | uniq -c | tr -s " \n" " ")" \
	= " 1 *s 1 errno 4 s 1 s[1] 1 s[2] 1 s[3] " ] || { cat pairs; false; }'
finish
