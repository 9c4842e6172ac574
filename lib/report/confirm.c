/* confirm: observed results and those confirmed by a person, in files OBSERVED and CONFIRMED beside
 * the tests. Lines of ID, NAME and VALUE, separated by TABs; VALUE is "LVALUE = VALUE" for memory
 * after the call. CONFIRMED is never written here. */
#include "lib/report/tests.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *tests_label(const struct session_tests *s, const struct view_test *t)
{
	return s->names->name[t - s->v->test];
}

void tests_read_confirmed(struct session_tests *s)
{
	char *path, *line = NULL;
	size_t room = 0;
	FILE *f;

	path = formatted("%s/CONFIRMED", s->dir);
	f = fopen(path, "r");
	free(path);
	while (f && getline(&line, &room, f) > 0) {
		char *rest = line, *id = strsep(&rest, "\t"), *value;
		line[strlen(id)] = 0;
		strsep(&rest, "\t");
		if (!rest)
			continue;
		value = rest;
		value[strcspn(value, "\n")] = 0;
		*PUSH(s->confirmed, s->confirmeds) =
		    (struct confirmed){ copied(id), copied(value) };
	}
	if (f)
		fclose(f);
	free(line);
}

void tests_free_confirmed(struct session_tests *s)
{
	for (size_t i = 0; i < s->confirmeds; i++) {
		free(s->confirmed[i].id);
		free(s->confirmed[i].value);
	}
	free(s->confirmed);
}

/* The value in "LVALUE = VALUE", or in "VALUE" if lvalue is NULL; NULL: the line is about another
 * one. */
static const char *value_for(const char *text, const char *lvalue)
{
	size_t n = lvalue ? strlen(lvalue) : 0;

	if (!lvalue)
		return strstr(text, " = ") ? NULL : text;
	return !strncmp(text, lvalue, n) && !strncmp(text + n, " = ", 3) ? text + n + 3 : NULL;
}

const char *tests_confirmed(
    const struct session_tests *s, const struct view_test *t, const char *lvalue)
{
	const char *value;

	for (size_t i = s->confirmeds; i-- > 0;) /* the last line wins */
		if (!strcmp(s->confirmed[i].id, s->names->id[t - s->v->test])
		    && (value = value_for(s->confirmed[i].value, lvalue)))
			return value;
	return NULL;
}

char *tests_result(const struct session_tests *s, const struct view_test *t)
{
	char kind = *s->plan->step[0].shape, *text = NULL;
	struct input_value v = { .kind = kind == 'u' ? INPUT_UINT
		    : kind == 'f'                    ? INPUT_FLOAT
		                                     : INPUT_INT,
		.width = 64,
		.value = { (uint64_t)t->result, 0 } };
	size_t size;
	FILE *f;

	if (s->program || !t->has_result || t->failure || !tests_sure(t) || !strchr("iucbpf", kind))
		return NULL;
	f = text_stream(&text, &size);
	tests_value(f, s, s->plan->step[0].shape, &v);
	fclose(f);
	return text;
}

void tests_observed(FILE *f, const struct session_tests *s)
{
	for (size_t i = 0; i < s->v->tests; i++) {
		size_t k = s->names->order[i];
		char *result = tests_result(s, &s->v->test[k]);
		struct wrote *list;
		size_t n = tests_wrote(s, &s->v->test[k], &list);
		if (result)
			fprintf(f, "%s\t%s\t%s\n", s->names->id[k], s->names->name[k], result);
		for (const struct wrote *w = list; w < list + n; w++)
			fprintf(f, "%s\t%s\t%s = %s\n", s->names->id[k], s->names->name[k],
			    w->lvalue, w->value);
		tests_free_wrote(list, n);
		free(result);
	}
}
