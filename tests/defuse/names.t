#!/bin/bash
# What variables of pairs are called. The tables that the macros of <ctype.h> read are no variables; errno is one.
. "$ROOT/tests/lib/tap.sh"
cat >a.c <<'X'
#include <ctype.h>
#include <errno.h>
int classes(const char *s) { return isspace(s[0]) ? 1 : isdigit(s[1]) ? 2 : toupper(s[2]) == tolower(s[3]) ? 3 : errno; }
X
cfg-dump a.c | defuse >pairs
check "the characters are used, and errno" '[ "$(awk -F "\t" "\$1 == \"use\" { print \$NF }" pairs | sort | uniq -c | tr -s " \n" " ")" \
	= " 1 *s 1 errno 4 s 1 s[1] 1 s[2] 1 s[3] " ] || { cat pairs; false; }'
cat >b.c <<'X'
#include <string.h>
struct s { char *name; };
size_t lengths(const char *p, struct s *q, char **v, int i)
{
	char own[4] = "x";
	return strlen(p + 1) + strlen(q->name) + strlen(v[i]) + strlen(own) + strlen(strchr(p, 'x')); }
X
cfg-dump b.c | defuse >pairs
check "what a library function reads is called after the pointer that it gets, or the variable" '[ "$(awk -F "\t" "
	\$1 == \"use\" { library[\$2] = \$5 == \"library\" } \$1 == \"pair\" && library[\$4] { print \$NF }" pairs | sort | tr "\n" " ")" \
	= "(pointer) *p *p *q->name *v[*] own " ] || { cat pairs; false; }'
finish
