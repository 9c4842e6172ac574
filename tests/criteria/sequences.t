#!/bin/sh
# Labels that follow each other: which steps some input comes to, compared with running all inputs natively.
# limit: 60
. "$ROOT/tests/lib/tap.sh"
cat >steps.c <<X
#include "duct.h"
duct_sequence(order);
duct_sequence(never);
int f(int a, int b, int c)
{
	int list[3] = { a, b, c }, r = 0;
	for (int i = 0; i < 3; i++) {
		duct_step(order, 2, list[i] == 7);
		if (list[i] > 8)
			duct_step(order, 1, list[i] % 2 == 1);
		duct_step(order, 3, list[i] == 8);
		if (i == 0)
			duct_step(never, 2, list[i] == 5);
		duct_step(never, 1, i == 1);
		r += list[i];
	}
	return r;
}
X
duct concolic steps.c --entry f --calls 1 --range a=0..9 --range b=0..9 --range c=0..9 --quiet --time 30 --out t --store s.db -- -I"$ROOT/share" >text 2>&1
ok $? "a session"
duct report s.db --criterion labels | awk -F'\t' '!/^#/ && NF > 5 { print $5, $6 == "covered" }' | sort >ours
cat >all.c <<X
#include <stdio.h>
#include <string.h>
#include "duct.h"
static const char *met[10];
static void note(const char *name) { for (int i = 0; i < 10; i++) { if (met[i] && !strcmp(met[i], name)) return; if (!met[i]) { met[i] = name; return; } } }
#define duct_reached note
#include "steps.c"
int main(void)
{
	for (int i = 0; i < 1000; i++) {
		duct_sequence_order = duct_sequence_never = 0;
		f(i % 10, i / 10 % 10, i / 100);
	}
	for (int i = 0; met[i]; i++)
		puts(met[i]);
	return 0;
}
X
cc -w -I"$ROOT/share" -o all all.c >log 2>&1 && ./all | sort >native
awk '$NF == 1 { sub(/ 1$/, ""); print }' ours | diff native - >log
ok $? "the steps that some input comes to"
check "all steps are objectives" '[ "$(wc -l <ours)" = 5 ] && grep -q "^never 2 0" ours && grep -q "^order 3 1" ours'
make -C t check >log 2>&1
ok $? "the tests pass"
finish
