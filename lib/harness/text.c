/* text: a plan as C, put behind the source file that defines the entry. Only names that begin
 * with duct_ and compiler builtins are used, so that macros and functions of the program
 * do not get in the way. */
#include "lib/harness/harness.h"
#include "lib/harness/shape.h"

#include <stdlib.h>
#include <string.h>

static const char head[] =
	"extern void duct_rt_input(void *, __SIZE_TYPE__, const char *, const char *);\n"
	"extern unsigned duct_rt_choice(const char *, unsigned);\n"
	"extern void duct_rt_result(long long);\n"
	"extern void duct_rt_watch(const void *, __SIZE_TYPE__, const char *, const char *);\n"
	"extern void duct_assume(int);\n";

/* A choice that is open. One among pointers is made by an index, so that the run does not decide it: see --aliases. */
struct choice {
	uint64_t next, cases;
	uint64_t same;               /* others that it may be */
	uint64_t null;               /* the case that is NULL; cases: none */
	unsigned id;
	bool skip;                   /* in a case that is written already */
};

struct writer {
	FILE *f;
	const struct harness_plan *p;
	int nesting;
	unsigned ids;
	struct choice choice[32];
};

char *
harness_declare(const char *type, const char *name)
{
	const char *at = strstr(type, "%s");
	char *text;

	if (!at || asprintf(&text, "%.*s%s%s", (int)(at - type), type, name, at + 2) < 0)
		return NULL;
	return text;
}

static void
indent(struct writer *w, int back)
{
	for (int i = -1; i < 2 * w->nesting - back; i++)
		putc('\t', w->f);
}

static void
write_input(struct writer *w, const struct harness_step *s)
{
	char *shape = strdup(s->shape);

	harness_shape_plain(shape);
	indent(w, 0);
	if (s->count & 2) {
		uint64_t n = strtoull(shape, NULL, 10), size = strtoull(strchr(shape, '*') + 1, NULL, 10);
		fprintf(w->f, "duct_rt_input((void *)%s, %llu, \"%s\", \"%s\");\n", s->name,
		        (unsigned long long)(n * size), s->name, shape);
	} else {
		fprintf(w->f, "duct_rt_input((void *)&%s, sizeof %s, \"%s\", \"%s\");\n", s->name, s->name,
		        s->name, shape);
	}
	free(shape);
}

/* What the cases of the choice at this step are. */
static struct choice
look_ahead(const struct harness_plan *p, size_t i)
{
	struct choice c = { .cases = p->step[i].count, .null = p->step[i].count };
	uint64_t at = 0;
	int depth = 1;

	while (depth > 0 && ++i < p->n) {
		const struct harness_step *s = &p->step[i];

		depth += (s->kind == HARNESS_CHOOSE) - (s->kind == HARNESS_CLOSE);
		if (depth != 1)
			continue;
		if (s->kind == HARNESS_CASE && p->step[i + 1].kind == HARNESS_NULL)
			c.null = at;
		at += s->kind == HARNESS_CASE;
		c.same += s->kind == HARNESS_SAME;
	}
	return c;
}

static void
open_choice(struct writer *w, size_t i)
{
	const struct harness_step *s = &w->p->step[i];
	struct choice *c;

	if (w->nesting == 31)
		abort();             /* the depth of pointers is far less */
	indent(w, 0);
	c = &w->choice[w->nesting + 1];
	*c = look_ahead(w->p, i);
	if (!c->same) {
		fprintf(w->f, "switch (duct_rt_choice(\"%s?\", %lluu)) {\n", s->name, (unsigned long long)s->count);
	} else {
		c->id = ++w->ids;
		fprintf(w->f, "unsigned duct_choice%u = duct_rt_choice(\"%s?\", %lluu);\n", c->id, s->name,
		        (unsigned long long)s->count);
		indent(w, 0);
		fprintf(w->f, "static void *duct_one%u[%llu];\n", c->id, (unsigned long long)c->same + 1);
		indent(w, 0);
		if (c->null < c->cases)
			fprintf(w->f, "if (duct_choice%u == %lluu) *(void **)&%s = (void *)0; else {\n", c->id,
			        (unsigned long long)c->null, s->name);
		else
			fputs("{\n", w->f);
	}
	w->nesting++;
}

static void
open_case(struct writer *w)
{
	struct choice *c = &w->choice[w->nesting];
	uint64_t n = c->next++;

	if (c->same) {
		c->skip = n == c->null;
		return;
	}
	if (n) {
		indent(w, 0);
		fputs("break;\n", w->f);
	}
	indent(w, 1);
	if (n + 1 < c->cases)
		fprintf(w->f, "case %llu:\n", (unsigned long long)n);
	else
		fputs("default:\n", w->f);
}

/* The first is an object of its own. */
static void
close_choice(struct writer *w, const struct harness_step *s)
{
	struct choice *c = &w->choice[w->nesting];

	if (c->same) {
		indent(w, 0);
		fprintf(w->f, "duct_one%u[0] = (void *)%s;\n", c->id, s->name);
		indent(w, 0);
		fprintf(w->f, "*(void **)&%s = duct_one%u[duct_choice%u - %du];\n", s->name, c->id, c->id, c->null == 0);
	}
	w->nesting--;
	indent(w, 0);
	fputs("}\n", w->f);
}

static void
write_same(struct writer *w, const struct harness_step *s)
{
	const struct choice *c = &w->choice[w->nesting];

	indent(w, 0);
	fprintf(w->f, "duct_one%u[%llu] = (void *)%s;\n", c->id,
	        (unsigned long long)(c->next - 1 - (c->null == 0)), s->shape);
}

static void
write_pointer(struct writer *w, const struct harness_step *s)
{
	indent(w, 0);
	fprintf(w->f, "*(void **)&%s = ", s->name);
	if (s->kind == HARNESS_NULL)
		fputs("(void *)0;\n", w->f);
	else
		fprintf(w->f, "__builtin_calloc(%lluu, %s%s);\n", (unsigned long long)s->count,
		        *s->type ? "sizeof *" : "1", *s->type ? s->name : "");
}

static void
declare(struct writer *w, const struct harness_step *s)
{
	char *text = harness_declare(s->type, s->name);

	indent(w, 0);
	fprintf(w->f, "%s;\n", text ? text : s->name);
	indent(w, 0);
	fprintf(w->f, "__builtin_memset((void *)&%s, 0, sizeof %s);\n", s->name, s->name);
	free(text);
}

static void
arguments(struct writer *w)
{
	const char *comma = "";

	for (size_t i = 0; i < w->p->n; i++)
		if (w->p->step[i].kind == HARNESS_PARAM) {
			fprintf(w->f, "%s%s", comma, w->p->step[i].name);
			comma = ", ";
		}
}

/* A parameter called like the function hides it: then it is called through a pointer. */
static bool
hidden(const struct harness_plan *p)
{
	for (size_t i = 1; i < p->n; i++)
		if (p->step[i].kind == HARNESS_PARAM && !strcmp(p->step[i].name, p->step[0].name))
			return true;
	return false;
}

static void
call(struct writer *w)
{
	const struct harness_step *entry = &w->p->step[0];
	const char *name = hidden(w->p) ? "duct_entry" : entry->name;

	indent(w, 0);
	if (strchr("iucb", *entry->shape)) {
		fprintf(w->f, "duct_rt_result((long long)%s(", name);
		arguments(w);
		fputs("));\n", w->f);
	} else if (*entry->shape == 'p') {
		fprintf(w->f, "duct_rt_result((void *)%s(", name);
		arguments(w);
		fputs(") != (void *)0);\n", w->f);
	} else if (*entry->shape == 'f') {
		fprintf(w->f, "union { double d; long long i; } duct_bits = { (double)%s(", name);
		arguments(w);
		fputs(") };\n\tduct_rt_result(duct_bits.i);\n", w->f);
	} else {
		fprintf(w->f, "%s(", name);
		arguments(w);
		fputs(");\n", w->f);
	}
}

/* The compiler says of a bad expression where it stands. */
static void
assume(struct writer *w, const struct harness_step *s)
{
	const char *colon = strrchr(s->shape, ':');

	if (colon)
		fprintf(w->f, "#line %s \"%.*s\"\n", colon + 1, (int)(colon - s->shape), s->shape);
	else
		fputs("#line 1 \"--assume\"\n", w->f);
	fprintf(w->f, "duct_assume((%s) != 0);\n#line 1 \"duct-harness\"\n", s->name);
}

static void
define_stub(FILE *f, const struct harness_step *s)
{
	char *define = harness_declare(s->type, s->name), *local = harness_declare(s[1].type, "duct_any");
	char *shape = strdup(s[1].shape);

	harness_shape_plain(shape);
	fprintf(f, "#ifdef __clang__\n#pragma clang diagnostic ignored \"-Wc23-extensions\"\n#endif\n%s\n{\n", define);
	if (*shape == 'p')
		fputs("\treturn 0;\n", f);
	else if (*shape != 'v')
		fprintf(f, "\t%s;\n\t__builtin_memset((void *)&duct_any, 0, sizeof duct_any);\n"
		        "\tduct_rt_input((void *)&duct_any, sizeof duct_any, \"%s()\", \"%s\");\n\treturn duct_any;\n", local,
		        s->name, shape);
	fputs("}\n", f);
	free(define);
	free(local);
	free(shape);
}

static void
declare_inits(FILE *f, const struct harness_plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_INIT && *p->step[i].type) {
			char *text = harness_declare(p->step[i].type, p->step[i].name);
			fprintf(f, "%s;\n", text);
			free(text);
		}
}

static void
watch(struct writer *w, const struct harness_step *s)
{
	char *shape = strdup(s->shape);

	harness_shape_plain(shape);
	indent(w, 0);
	if (*shape)
		fprintf(w->f, "duct_rt_watch((const void *)&%s, sizeof %s, \"%s\", \"%s\");\n", s->name, s->name, s->name, shape);
	free(shape);
}

static void
write_step(struct writer *w, size_t i)
{
	const struct harness_step *s = &w->p->step[i];

	if (w->nesting && w->choice[w->nesting].skip && s->kind != HARNESS_CASE && s->kind != HARNESS_CLOSE)
		return;
	switch (s->kind) {
	case HARNESS_PARAM: declare(w, s); break;
	case HARNESS_INPUT: write_input(w, s); break;
	case HARNESS_CHOOSE: open_choice(w, i); break;
	case HARNESS_CASE: open_case(w); break;
	case HARNESS_CLOSE: close_choice(w, s); break;
	case HARNESS_END:
		indent(w, 0);
		fprintf(w->f, "((char *)%s)[%llu] = 0;\n", s->name, (unsigned long long)s->count - 1);
		break;
	case HARNESS_SAME: write_same(w, s); break;
	case HARNESS_NULL:
	case HARNESS_NEW:
		write_pointer(w, s);
		break;
	case HARNESS_INIT:
		indent(w, 0);
		fprintf(w->f, "%s();\n", s->name);
		break;
	case HARNESS_ASSUME: assume(w, s); break;
	case HARNESS_WATCH: watch(w, s); break;
	case HARNESS_CALL: call(w); break;
	}
}

char *
harness_text(const struct flow *f, const struct harness_options *o, char **narrowing, char **error)
{
	struct harness_plan *p = harness_plan(f, o, narrowing, error);
	struct writer w = { .p = p };
	char *text = NULL;
	size_t size;

	if (!p)
		return NULL;
	if (p->step[0].count & 4) {
		harness_plan_free(p);
		return strdup("");
	}
	if (!(w.f = open_memstream(&text, &size)))
		abort();
	fputs(head, w.f);
	if (hidden(p))
		fprintf(w.f, "static __typeof__(&%s) const duct_entry = &%s;\n", p->step[0].name, p->step[0].name);
	declare_inits(w.f, p);
	fputs("int duct_harness(void);\nint\nduct_harness(void)\n{\n", w.f);
	for (size_t i = 0; i < p->n; i++)
		write_step(&w, i);
	fputs("\treturn 0;\n}\n", w.f);
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_STUB)
			define_stub(w.f, &p->step[i]);
	harness_plan_free(p);
	fclose(w.f);
	return text;
}
