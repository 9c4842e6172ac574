/* back: functions that a callback calls before it returns, as the inputs F().back, F().back#2, ...
 * say call by call: 0 none, k the k-th that harness_back gives. Their arguments are the inputs
 * back_NAME, back_NAME#2, ... */
#include "lib/report/emit.h"
#include "lib/report/shapes.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

/* Index of the first input from i on with this name, whatever its number; the end: none. */
static size_t next_input(const struct emit *e, size_t i, const char *name)
{
	size_t n = strlen(name);

	for (; i < e->input.n; i++) {
		const char *own = e->input.v[i].name;
		if (!strncmp(own, name, n) && (!own[n] || own[n] == '#'))
			break;
	}
	return i;
}

/* The number that the input for NAME after input i has. */
static void number(struct emit *e, FILE *f, size_t i, const char *name, const char *shape)
{
	char *input = formatted("back_%s", name);

	i = next_input(e, i, input);
	emit_scalar(
	    e, f, shape, i < e->input.n ? values_find(&e->values, e->input.v[i].name) : NULL);
	free(input);
}

static void other(struct emit *e, FILE *f, size_t i, const struct harness_step *s)
{
	if (*s->type)
		fprintf(f, "%s = ", s->name);
	else
		fprintf(f, "(void)%s(", s->name);
	for (const struct harness_step *k = s + 1; k->kind == HARNESS_PASSED; k++) {
		fputs(k > s + 1 ? ", " : "", f);
		number(e, f, i, k->name, k->shape);
	}
	fputs(*s->type ? ";\n" : ");\n", f);
}

static void again(struct emit *e, FILE *f, size_t i, const struct harness_step *s, const char *self)
{
	const struct harness_plan *p = e->s->plan;
	const char *comma = "";

	fprintf(f, "(void)%s(", s->name);
	for (size_t k = 0; k < p->n; k++) {
		const char *name = p->step[k].name;
		if (p->step[k].kind != HARNESS_PARAM)
			continue;
		const char *shape = harness_input(p, name)->shape;
		fputs(comma, f);
		if (*shape == 'p')
			fputs(self, f);
		else
			number(e, f, i, name, shape);
		comma = ", ";
	}
	fputs(");\n", f);
}

char *emit_back(struct emit *e, const char *told, const char *type, const char *self)
{
	char *name = formatted("%s().back", told), *text = NULL;
	size_t turn = 0, written = 0, size;
	FILE *f = text_stream(&text, &size);

	for (size_t i = 0; (i = next_input(e, i, name)) < e->input.n; i++) {
		uint64_t k = values_find(&e->values, e->input.v[i].name)->value.lo;
		const struct harness_step *s = k ? harness_back(e->s->plan, type, k) : NULL;
		turn++;
		if (!s)
			continue;
		if (!written++)
			fputs("\t{\n\t\tstatic unsigned turns;\n\n\t\tswitch (++turns) {\n", f);
		fprintf(f, "\t\tcase %zu: ", turn);
		if (s->kind == HARNESS_OTHER)
			other(e, f, i, s);
		else
			again(e, f, i, s, self);
		fputs("\t\t\tbreak;\n", f);
	}
	if (written)
		fputs("\t\t}\n\t}\n", f);
	fclose(f);
	free(name);
	return text;
}
