#!/bin/sh
# Labels that follow each other, and conjunctions of labels: which steps some input comes to, compared with running all inputs natively.
# limit: 60
. "$ROOT/tests/lib/tap.sh"
cat >steps.c <<X
#include "duct.h"
duct_sequence(order);
duct_sequence(never);
duct_conjunction(all);
duct_conjunction(none);
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
		duct_part(all, 1, 2, list[i] == 3);
		duct_part(all, 2, 2, list[i] == 4 && i < 2);
		duct_part(none, 1, 2, i == 0 && list[i] == 6);
		duct_part(none, 2, 2, i == 2 && list[i] == 6 && list[0] != 6);
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
#define duct_reached own
#include "duct.h"
#undef duct_reached
static const char *met[10];
static void note(const char *name) { for (int i = 0; i < 10; i++) { if (met[i] && !strcmp(met[i], name)) return; if (!met[i]) { met[i] = name; return; } } }
#define duct_reached note
#include "steps.c"
int main(void)
{
	for (int i = 0; i < 1000; i++) {
		duct_sequence_order = duct_sequence_never = duct_conjunction_all = duct_conjunction_none = 0;
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
check "a conjunction that a run meets, and one that none does" 'grep -q "^all 1" ours && grep -q "^none 0" ours'
check "all steps are objectives" '[ "$(wc -l <ours)" = 7 ] && grep -q "^never 2 0" ours && grep -q "^order 3 1" ours'
make -C t check >log 2>&1
ok $? "the tests pass"
finish
