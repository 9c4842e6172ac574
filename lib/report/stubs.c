/* stubs: functions that stand for what a pointer to a function is: each gives the answers f(), f()#2, ... of the test. */
#include "lib/report/emit.h"
#include "lib/report/shapes.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Behind the parenthesis that closes the one at s. */
static const char *
closing(const char *s)
{
	int depth = 0;

	do
		depth += (*s == '(') - (*s == ')');
	while (*s++ && depth);
	return s;
}

/* One parameter, [s, end), with a name: "const void *", "int (*)(int)", "char [4]". */
static void
parameter(FILE *f, const char *s, const char *end, unsigned number)
{
	const char *at = memchr(s, '(', (size_t)(end - s));

	if (at && at[1] == '*') {
		for (at++; at < end && *at == '*'; at++)
			;
	} else {
		at = memchr(s, '[', (size_t)(end - s));
		at = at ? at : end;
	}
	fprintf(f, "%.*s%sa%u%.*s", (int)(at - s), s, at > s && isalnum((unsigned char)at[-1]) ? " " : "", number,
	        (int)(end - at), at);
}

/* The parameters in "(int, char *)", named; their number. */
static unsigned
parameters(FILE *f, const char *s)
{
	const char *end = closing(s) - 1, *from = s + 1;
	unsigned n = 0;
	int depth = 0;

	if (end - from == 4 && !strncmp(from, "void", 4)) {
		fputs("(void)", f);
		return 0;
	}
	putc('(', f);
	for (const char *at = from; from < end; at++) {
		depth += (*at == '(') - (*at == ')');
		if (at != end && (depth || *at != ','))
			continue;
		fputs(n ? ", " : "", f);
		if (!strncmp(from, "...", 3))
			fputs("...", f);
		else
			parameter(f, from, at, ++n);
		from = at + 1 + strspn(at + 1, " ");
	}
	putc(')', f);
	return n;
}

/* `type`, a function's declarator, with the name and named parameters. */
static unsigned
head(FILE *f, const char *type, const char *name)
{
	const char *at = strstr(type, "%s"), *open = at ? strchr(at, '(') : NULL;
	unsigned n;

	if (!open) {
		fprintf(f, "void %s(void)", name);
		return 0;
	}
	fprintf(f, "%.*s%s%.*s", (int)(at - type), type, name, (int)(open - at - 2), at + 2);
	n = parameters(f, open);
	fputs(closing(open), f);
	return n;
}

/* What it gives, as the declarator of an array. Caller frees. */
static char *
answers_type(const char *type)
{
	const char *at = strstr(type, "%s"), *open = at ? strchr(at, '(') : NULL;

	if (!open || !strncmp(type, "void %s(", 8) || !strncmp(type, "void (%s)(", 10))
		return NULL;
	return emit_format("%.*sanswers[]%.*s%s", (int)(at - type), type, (int)(open - at - 2), at + 2, closing(open));
}

static const struct input_value *
answer(struct emit *e, const char *pointer, unsigned n)
{
	return n == 1 ? values_find_f(&e->values, "%s()", pointer) : values_find_f(&e->values, "%s()#%u", pointer, n);
}

static void
unused(FILE *f, unsigned parameters)
{
	for (unsigned i = 1; i <= parameters; i++)
		fprintf(f, "%s(void)a%u%s", i == 1 ? "\t" : ", ", i, i == parameters ? ";\n" : "");
}

static void
body(struct emit *e, FILE *f, const char *pointer, const char *type, unsigned parameters)
{
	char *declaration = answers_type(type);
	const struct input_value *v;
	unsigned met = 0, n = 0;         /* all, and those up to the last that is not 0 */

	if (!declaration) {
		unused(f, parameters);
		return;
	}
	while ((v = answer(e, pointer, met + 1))) {
		met++;
		n = v->value.lo || v->value.hi ? met : n;
	}
	fprintf(f, "\tstatic const %s = { ", declaration);
	for (unsigned i = 1; i <= n; i++) {
		value_print(f, answer(e, pointer, i));
		fputs(", ", f);
	}
	fprintf(f, "0 };\n%s", n ? "\tstatic unsigned calls;\n\n" : "\n");
	unused(f, parameters);
	if (n)
		fprintf(f, "\treturn answers[calls < %u ? calls++ : %u];\n", n, n);
	else
		fputs("\treturn answers[0];\n", f);
	free(declaration);
}

static bool
is_defined(struct emit *e, const char *name)
{
	for (size_t i = 0; i < e->stubs; i++)
		if (!strcmp(e->stub[i], name))
			return true;
	e->stub = realloc(e->stub, (e->stubs + 1) * sizeof *e->stub);
	if (!e->stub)
		abort();
	e->stub[e->stubs++] = strdup(name);
	return false;
}

/* "int (%s)(void)" is "int %s(void)". */
static char *
bare(const char *type)
{
	const char *at = strstr(type, "(%s)");

	return at ? emit_format("%.*s%%s%s", (int)(at - type), type, at + 4) : strdup(type);
}

char *
stub_name(struct emit *e, uint64_t k)
{
	char *type = bare(plan_type(e->s->plan, k)->type);
	char *told = plan_stub(e->s->plan, k), *name = emit_format("%s_in_%s", told, tests_label(e->s, e->t));

	if (e->functions && !is_defined(e, name)) {
		fprintf(e->functions, "/* What %s answers, call by call. */\nstatic ", told);
		unsigned n = head(e->functions, type, name);
		fputs("\n{\n", e->functions);
		body(e, e->functions, told, type, n);
		fputs("}\n\n", e->functions);
	}
	free(type);
	free(told);
	return name;
}

void
stubs_close(struct emit *e)
{
	for (size_t i = 0; i < e->stubs; i++)
		free(e->stub[i]);
	free(e->stub);
}
