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
	"extern void duct_rt_result(long long);\n";

struct writer {
	FILE *f;
	const struct harness_plan *p;
	int nesting;
	uint64_t next_case[32], cases[32];   /* of the choices that are open */
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

static void
open_choice(struct writer *w, const struct harness_step *s)
{
	indent(w, 0);
	fprintf(w->f, "switch (duct_rt_choice(\"%s?\", %lluu)) {\n", s->name, (unsigned long long)s->count);
	if (w->nesting == 31)
		abort();             /* the depth of pointers is far less */
	w->nesting++;
	w->next_case[w->nesting] = 0;
	w->cases[w->nesting] = s->count;
}

static void
open_case(struct writer *w)
{
	uint64_t n = w->next_case[w->nesting]++;

	if (n) {
		indent(w, 0);
		fputs("break;\n", w->f);
	}
	indent(w, 1);
	if (n + 1 < w->cases[w->nesting])
		fprintf(w->f, "case %llu:\n", (unsigned long long)n);
	else
		fputs("default:\n", w->f);
}

static void
write_pointer(struct writer *w, const struct harness_step *s)
{
	indent(w, 0);
	fprintf(w->f, "*(void **)&%s = ", s->name);
	switch (s->kind) {
	case HARNESS_NULL:
		fputs("(void *)0;\n", w->f);
		break;
	case HARNESS_NEW:
		fprintf(w->f, "__builtin_calloc(%lluu, %s%s);\n", (unsigned long long)s->count,
		        *s->type ? "sizeof *" : "1", *s->type ? s->name : "");
		break;
	default:
		fprintf(w->f, "(void *)%s;\n", s->shape);
	}
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

static void
write_step(struct writer *w, const struct harness_step *s)
{
	switch (s->kind) {
	case HARNESS_PARAM: declare(w, s); break;
	case HARNESS_INPUT: write_input(w, s); break;
	case HARNESS_CHOOSE: open_choice(w, s); break;
	case HARNESS_CASE: open_case(w); break;
	case HARNESS_CLOSE:
		w->nesting--;
		indent(w, 0);
		fputs("}\n", w->f);
		break;
	case HARNESS_END:
		indent(w, 0);
		fprintf(w->f, "((char *)%s)[%llu] = 0;\n", s->name, (unsigned long long)s->count - 1);
		break;
	case HARNESS_NULL:
	case HARNESS_NEW:
	case HARNESS_SAME:
		write_pointer(w, s);
		break;
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
	fputs("int duct_harness(void);\nint\nduct_harness(void)\n{\n", w.f);
	for (size_t i = 0; i < p->n; i++)
		write_step(&w, &p->step[i]);
	fputs("\treturn 0;\n}\n", w.f);
	harness_plan_free(p);
	fclose(w.f);
	return text;
}
