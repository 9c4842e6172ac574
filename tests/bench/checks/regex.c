/* Looks for regular expressions in lines, by backtracking over a compiled pattern: characters, ., classes, *, +, ?, ^, $,
 * groups and |. */
#include "tests/bench/concrete/work.h"
#include <stdlib.h>
#include <string.h>

enum kind { CHARACTER, ANY, CLASS, SPLIT, JUMP, FIRST, LAST, MATCH };

struct step { enum kind kind; unsigned char c; int x, y; const unsigned char *set; };
struct program { struct step *step; int used, room; const char *rest; };

static int add(struct program *p, enum kind kind, int c)
{
	if (p->used == p->room) {
		p->room = p->room ? 2 * p->room : 8;
		p->step = realloc(p->step, (size_t)p->room * sizeof *p->step);
		if (!p->step)
			exit(1);
	}
	p->step[p->used] = (struct step){ kind, (unsigned char)c, 0, 0, NULL };
	return p->used++;
}

static void insert(struct program *p, int at, enum kind kind)
{
	add(p, kind, 0);
	for (int i = p->used - 1; i > at; i--) {
		p->step[i] = p->step[i - 1];
		if (p->step[i].kind == SPLIT || p->step[i].kind == JUMP) {
			p->step[i].x++;
			p->step[i].y++;
		}
	}
	p->step[at] = (struct step){ kind, 0, 0, 0, NULL };
}

static void choice(struct program *p);

static void class(struct program *p)
{
	unsigned char *set = calloc(256, 1);
	int at = add(p, CLASS, 0);

	if (!set)
		exit(1);
	while (*p->rest && *p->rest != ']') {
		unsigned from = (unsigned char)*p->rest++, to = from;

		if (p->rest[0] == '-' && p->rest[1] != ']') {
			to = (unsigned char)p->rest[1];
			p->rest += 2;
		}
		while (from <= to)
			set[from++] = 1;
	}
	if (*p->rest)
		p->rest++;
	p->step[at].set = set;
}

static void atom(struct program *p)
{
	char c = *p->rest++;

	if (c == '(') {
		choice(p);
		if (*p->rest == ')')
			p->rest++;
	} else if (c == '[') {
		class(p);
	} else {
		add(p, c == '.' ? ANY : c == '^' ? FIRST : c == '$' ? LAST : CHARACTER, c);
	}
}

static void repeated(struct program *p)
{
	int at = p->used, split;

	atom(p);
	switch (*p->rest) {
	case '*':
	case '?':
		insert(p, at, SPLIT);
		if (*p->rest == '*')
			p->step[add(p, JUMP, 0)].x = at;
		p->step[at].x = at + 1;
		p->step[at].y = p->used;
		break;
	case '+':
		split = add(p, SPLIT, 0);
		p->step[split].x = at;
		p->step[split].y = p->used;
		break;
	default:
		return;
	}
	p->rest++;
}

static void choice(struct program *p)
{
	int at = p->used, jump;

	while (*p->rest && *p->rest != '|' && *p->rest != ')')
		repeated(p);
	if (*p->rest != '|')
		return;
	p->rest++;
	insert(p, at, SPLIT);
	jump = add(p, JUMP, 0);
	p->step[at].x = at + 1;
	p->step[at].y = p->used;
	choice(p);
	p->step[jump].x = p->used;
}

struct text { const char *begin, *end; unsigned long tried; };

static const char *match(const struct program *p, struct text *t, int at, const char *s)
{
	for (;;) {
		const struct step *step = &p->step[at++];
		const char *end;

		t->tried++;
		switch (step->kind) {
		case MATCH:
			return s;
		case JUMP:
			at = step->x;
			continue;
		case SPLIT:
			if ((end = match(p, t, step->x, s)))
				return end;
			at = step->y;
			continue;
		case FIRST:
			if (s != t->begin)
				return NULL;
			continue;
		case LAST:
			if (s != t->end)
				return NULL;
			continue;
		default:
			break;
		}
		if (s == t->end || (step->kind == CHARACTER && *s != (char)step->c) ||
		    (step->kind == CLASS && !step->set[(unsigned char)*s]))
			return NULL;
		s++;
	}
}

static unsigned search(const struct program *p, const char *begin, const char *end)
{
	struct text t = { begin, end, 0 };
	unsigned sum = 0;

	for (const char *s = begin; s <= end; s++) {
		const char *to = match(p, &t, 0, s);

		if (to)
			sum = sum * 31 + (unsigned)(to - s);
	}
	return sum + (unsigned)t.tried;
}

unsigned work(void)
{
	static const char *const patterns[] = { "(a|b)*c+d?", "[a-f]+x[0-9]*", "^.*e.*e.*$", "(ab|cd|e[fg])+h", "a?b?c?d?e?abcde" };
	char line[120];
	unsigned x = 1, sum = 0;

	for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		struct program p = { NULL, 0, 0, patterns[i] };

		choice(&p);
		add(&p, MATCH, 0);
		for (unsigned k = 0; k < 8000; k++) {
			for (unsigned n = 0; n < sizeof line; n++)
				line[n] = "abcdefxgh5"[(x = x * 1664525 + 1013904223) / 429496730];
			sum = sum * 31 + search(&p, line, line + sizeof line);
		}
		for (int k = 0; k < p.used; k++)
			if (p.step[k].kind == CLASS)
				free((void *)p.step[k].set);
		free(p.step);
	}
	return sum;
}
