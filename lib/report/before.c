/* before: elements before what a pointer points to. A run tells their number as P.before, and names
 * them P[-1], P[-2], ...; a C object counts from its begin. */
#include "lib/report/emit.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char word[] = ".before";

/* The length of the pointer's name in a note P.before; 0: it is no such note. */
static size_t pointer_of(const struct input_value *v)
{
	size_t n = strlen(v->name), end = sizeof word - 1;

	return v->kind == INPUT_OBJECT && n > end && !strcmp(v->name + n - end, word) ? n - end : 0;
}

/* Names of pointers that objects contain begin with those of the pointers to these: longer ones
 * come first. */
static int by_length(const void *a, const void *b)
{
	size_t n = strlen((*(const struct input_value *const *)a)->name),
	       m = strlen((*(const struct input_value *const *)b)->name);

	return (n < m) - (n > m);
}

/* P[i]... becomes P[i + before]... where it is an element of the note's pointer. */
static void rename_element(struct input_value *v, const struct input_value *note)
{
	size_t n = pointer_of(note);
	char *end, *name;
	int64_t i;

	if (strncmp(v->name, note->name, n) || v->name[n] != '[')
		return;
	i = strtoll(v->name + n + 1, &end, 10);
	if (i + (int64_t)note->value.lo < 0)
		return; /* it is not in the block that the call frees */
	name =
	    formatted("%.*s[%" PRIu64 "%s", (int)n, note->name, (uint64_t)i + note->value.lo, end);
	free(v->name);
	v->name = name;
}

struct input emit_from_begin(const struct input *in, const struct input *of)
{
	const struct input_value **note = NULL;
	struct input out = { 0 };
	size_t notes = 0;

	for (size_t i = 0; i < in->n; i++) {
		const struct input_value *v = &in->v[i];
		input_add(&out, v->name, v->kind, v->width, v->value);
		out.v[i].offset = v->offset;
	}
	for (size_t i = 0; i < of->n; i++)
		if (pointer_of(&of->v[i]))
			*PUSH(note, notes) = &of->v[i];
	if (notes)
		qsort(note, notes, sizeof *note, by_length);
	for (size_t i = 0; i < notes; i++)
		for (size_t k = 0; k < out.n; k++)
			rename_element(&out.v[k], note[i]);
	free(note);
	return out;
}
