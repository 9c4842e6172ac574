/* between: calls of other functions before the entry, as inputs .between, .between#2, ... say: 0
 * goes on to the entry, k calls the k-th HARNESS_OTHER of the plan. */
#include "lib/report/emit.h"
#include "lib/report/shapes.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t choice(struct emit *e, uint64_t i)
{
	const struct input_value *v = i > 1 ? values_find_f(&e->values, ".between#%" PRIu64, i)
	                                    : values_find(&e->values, ".between");

	return v ? v->value.lo : 0;
}

static const struct harness_step *other(const struct harness_plan *p, uint64_t k)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_OTHER && !--k)
			return &p->step[i];
	return NULL;
}

/* The argument for a parameter in this function's call number e->turn. */
static char *argument(struct emit *e, const struct harness_step *s)
{
	char *name = emit_input(e, s->name), *text = NULL;
	size_t size;

	if (*s->shape == 'p') {
		text = strchr(s->shape, '@') ? objects_pointer(e, name, s->shape) : copied("NULL");
	} else {
		FILE *f = text_stream(&text, &size);
		emit_scalar(e, f, s->shape, values_find(&e->values, name));
		fclose(f);
	}
	free(name);
	return text;
}

static void write_global(struct emit *e, const struct harness_step *s)
{
	char *name = emit_input(e, s->name);

	e->global = true;
	emit_walk(e, s->shape, name, s->name, s->name, 0, false);
	e->global = false;
	free(name);
}

/* Writes to what the function returned, in a block of its own. */
static void write_returned(struct emit *e, const struct harness_step *s)
{
	char *name = emit_input(e, s->name),
	     *to = formatted(*s->shape >= '0' && *s->shape <= '9' ? "%s" : "(*%s)", s->name);

	e->global = true;
	emit_walk(e, s->shape, name, to, to, 0, false);
	e->global = false;
	free(to);
	free(name);
	fputs("\t}\n", e->f);
}

static void call(struct emit *e, const struct harness_step *f)
{
	const struct harness_step *end = f + 1;

	if (*f->type) {
		write_global(e, f + 1);
		return;
	}
	while (end->kind == HARNESS_PASSED)
		end++;
	if (end->kind == HARNESS_RETURNED) {
		char *declared = harness_declare(end->type, end->name);
		fprintf(e->f, "\t{\n\t%s = %s(", declared, f->name);
		free(declared);
	} else {
		fprintf(e->f, "\t(void)%s(", f->name);
	}
	for (const struct harness_step *s = f + 1; s->kind == HARNESS_PASSED; s++) {
		char *text = argument(e, s);
		fprintf(e->f, "%s%s", s > f + 1 ? ", " : "", text);
		free(text);
	}
	fputs(");\n", e->f);
	if (end->kind == HARNESS_RETURNED)
		write_returned(e, end);
}

void emit_between(struct emit *e)
{
	uint64_t turn = e->turn, k;

	for (uint64_t n = 1; n < e->calls && (k = choice(e, ++e->between)); n++) {
		const struct harness_step *f = other(e->s->plan, k);
		e->turn = 0;
		for (uint64_t i = 1; i <= e->between; i++)
			e->turn += choice(e, i) == k;
		if (f)
			call(e, f);
	}
	e->turn = turn;
}
