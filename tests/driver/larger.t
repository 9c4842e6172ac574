#!/bin/sh
# Structures that stand at the beginning of larger ones: an object that a pointer to such a part leads to may be each of
# those that the program casts it to, by casts or container_of(); or several parts.
cd "$(mktemp -d)" || exit 1
trap 'rm -rf "$PWD"' EXIT
n=0
ok() { n=$((n + 1)) && if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; sed 's/^/# /' out; fi; }

cat >a.c <<'END'
#include <stddef.h>
typedef struct { int type; unsigned long refs; } base;
typedef struct { base b; size_t size, entries; base **table; } arr;
struct str { base b; char *value; unsigned kind : 3, : 0; size_t length; };
typedef struct { base b; double value; } real;
#define container_of(p, t, m) ((t *)((char *)p - offsetof(t, m)))
base *get(const base *j, size_t i)
{
	arr *a;
	if (!j || j->type != 1)
		return NULL;
	a = container_of(j, arr, b);
	if (i >= a->entries)
		return NULL;
	return a->table[i];
}
static size_t len(const base *j)
{
	if (j->type == 1) return ((const arr *)j)->entries;
	if (j->type == 2) return ((struct str *)(void *)j)->length;
	if (j->type == 3) return ((real *)j)->value > 1.5;
	return ((struct str *)j)->kind == 5;
}
int both(const base *j, const base *k)
{
	if (!j || !k) return 0;
	if (len(j) != len(k)) return 1;
	if (j->type == 2 && k->type == 2) return ((struct str *)j)->value[0] == ((struct str *)k)->value[0] ? 2 : 3;
	if (j->type == 1 && k->type == 1) return ((arr *)j)->table[0] == ((const arr *)k)->table[0] ? 4 : 5;
	return 6;
}
END
duct test a.c --time 15 --runs 2000 >out 2>&1
grep -q '^branches: 30 of 30 covered' out
ok $? "all that depends on the larger structures is covered"
! grep -q '^findings:' out
ok $? "their pointers are no numbers that are followed"
make -C a-duct check >out 2>&1 && grep -q ' 0 failed' out
ok $? "tests declare objects that hold each of them"
duct test a.c:get --len 'j[0].arr.table=0..2' --runs 50 -o b >out 2>&1 &&
	grep -q 'at most 2 elements' out
ok $? "--len knows their members"

# Bytes of larger structures are not the only ones that there may be.
cat >c.c <<'END'
struct part { int a; };
struct whole { struct part p; char *text; int *more; };
int whole(struct part *p) { return p->a == 1 ? *((struct whole *)p)->text == 'x' : 0; }
int parts(struct part *p) { if (p[2].a == 7) return 1; return p[3].a == -9 ? 2 : p[5].a == 4 ? 3 : 0; }
END
duct test c.c:parts --time 10 -o c >out 2>&1
grep -q '^branches: 6 of 6 covered' out
ok $? "arrays of the part have any numbers"
cat >e.c <<'END'
struct bytes { long n; };
int follow(struct bytes *b) { return *(int *)b->n == 3; }
END
duct dft e.c --entry follow --quiet --runs 30 --time 4 >out 2>&1
grep -q 'follow: the address of an object begins at b\[0\].n' out && grep -q 'b\[0\].n is no address of an object here' out &&
	grep -q 'failures: none' out && ! grep -q 'compiler.s at' out
ok $? "a number that is followed is a need, and a limit in the same words"

cat >d.c <<'END'
struct part { int a, b; };
struct call { struct part p; int (*run)(int); };
int call(struct part *p) { return p->a == 1 ? ((struct call *)p)->run(3) : 0; }
int parts(struct part *p) { return p[1].a == 7; }
int second(struct part *p) { if (p[1].b == 9) return 1; return 0; }
END
duct test d.c:second --time 5 -o d >out 2>&1
grep -q '^branches: 2 of 2 covered' out && ! grep -q 'some members of part are fixed' out
ok $? "where one of a larger structure has a function, a number is there in an element of an array of the smaller one"
echo "1..$n"
