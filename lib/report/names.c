/* names: names such as ENTRY_returns_1_when_not_a_le_b: how the test ends, and its last condition
 * outcome that no earlier test takes. Tests with equal names get their id appended. */
#include "lib/report/hash.h"
#include "lib/report/names.h"
#include "lib/report/value.h"
#include "lib/base/grow.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 48 }; /* maximum characters of a condition */

static const struct {
	const char *sign, *word;
} signs[] = {
	{ "->", "" },
	{ "<=", "le" },
	{ ">=", "ge" },
	{ "==", "eq" },
	{ "!=", "ne" },
	{ "&&", "and" },
	{ "||", "or" },
	{ "<<", "shl" },
	{ ">>", "shr" },
	{ "<", "lt" },
	{ ">", "gt" },
	{ "!", "not" },
	{ "+", "plus" },
	{ "-", "minus" },
	{ "*", "times" },
	{ "/", "over" },
	{ "%", "mod" },
	{ "&", "and" },
	{ "|", "or" },
	{ "'\\0'", "nul" },
	{ "'\\n'", "newline" },
	{ "' '", "space" },
};

/* Appends an underscore and a word; other characters than letters and digits become underscores. */
static void add_word(FILE *f, const char *s, size_t n)
{
	putc('_', f);
	for (size_t i = 0; i < n; i++)
		putc(isalnum((unsigned char)s[i]) ? s[i] : '_', f);
}

/* Appends C text in words; what has no word is omitted. */
static void add_text(FILE *f, const char *s, size_t most)
{
	const char *end = s + strnlen(s, most);

	while (s < end) {
		size_t n = 0, k = 0;
		while (isalnum((unsigned char)s[n]) || s[n] == '_')
			n++;
		if (n) {
			add_word(f, s, n);
			s += n;
			continue;
		}
		while (k < sizeof signs / sizeof *signs
		    && strncmp(s, signs[k].sign, strlen(signs[k].sign)))
			k++;
		if (k < sizeof signs / sizeof *signs && *signs[k].word)
			add_word(f, signs[k].word, strlen(signs[k].word));
		s += k < sizeof signs / sizeof *signs ? strlen(signs[k].sign) : 1;
	}
}

static void add_side(FILE *f, const struct view_objective *o)
{
	fputs(o->side == FLOW_FALSE ? "_when_not" : "_when", f);
	add_text(f, o->text, WORDS);
	if (o->side == FLOW_CASE)
		fprintf(f, "_is_%s%" PRIu64, o->value < 0 ? "minus_" : "",
		    o->value < 0 ? -(uint64_t)o->value : (uint64_t)o->value);
	else if (o->side == FLOW_DEFAULT)
		fputs("_is_another", f);
}

/* Appends a number: 1.5 becomes 1_5. */
static void add_float(FILE *f, double d)
{
	char text[40];

	snprintf(text, sizeof text, "%.6g", d);
	fputs(*text == '-' ? "_returns_minus_" : "_returns_", f);
	for (const char *s = text + (*text == '-'); *s; s++)
		putc(isalnum((unsigned char)*s) ? *s : '_', f);
}

static void add_result(FILE *f, const struct store_view *v, int64_t result)
{
	/* the plan's entry step: kind, name, type, kind of the result */
	const char *s = strstr(v->plan, "\ne\t"), *kind = s;
	double d;

	for (int field = 0; kind && field < 3; field++)
		kind = strchr(kind + 1, '\t');
	switch (kind ? kind[1] : 'v') {
	case 'v':
	case 's': break;
	case 'p': fputs(result ? "_returns_a_pointer" : "_returns_null", f); break;
	case 'f':
		memcpy(&d, &result, sizeof d);
		add_float(f, d);
		break;
	default:
		fprintf(f, "_returns_%s%" PRIu64, result < 0 ? "minus_" : "",
		    result < 0 ? -(uint64_t)result : (uint64_t)result);
	}
}

/* A function without result: names the first object that it wrote. */
static void add_wrote(FILE *f, const struct view_test *t)
{
	if (!t->wrote.n) {
		fputs("_returns", f);
		return;
	}
	fputs("_writes_", f);
	for (const char *s = t->wrote.v->name; *s; s++)
		putc(isalnum((unsigned char)*s) ? *s : '_', f);
}

/* Merges adjacent underscores and removes trailing ones. */
static void tidy(char *s)
{
	char *to = s;

	for (char *from = s; *from; from++)
		if (*from != '_' || (to > s && to[-1] != '_' && from[1]))
			*to++ = *from;
	while (to > s && to[-1] == '_')
		to--;
	*to = 0;
}

static char *describe(const struct store_view *v, const struct view_test *t)
{
	const struct view_objective *last = NULL;
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	fputs(v->entry, f);
	if (t->failure)
		fprintf(f, "_fails_with_%s", t->end);
	else if (strcmp(t->end, "exit"))
		fprintf(f, "_ends_by_%s", t->end);
	else if (t->has_result)
		add_result(f, v, t->result);
	else if (strcmp(v->entry, "main") && !t->exit_status)
		add_wrote(f, t);
	else
		fprintf(f, "_exits_%d", t->exit_status);
	for (size_t i = 0; i < t->n; i++) {
		const struct view_objective *o = &v->objective[t->covers[i]];
		if (o->test == t->number && (!last || o > last))
			last = o;
	}
	if (last)
		add_side(f, last);
	fclose(f);
	tidy(text);
	return text;
}

static void hash(const struct store_view *v, const struct view_test *t, char id[17])
{
	uint64_t h = hash_add(HASH_START, v->entry, strlen(v->entry) + 1);

	for (size_t i = 0; i < t->input.n; i++) {
		const struct input_value *x = &t->input.v[i];
		h = hash_add(h, x->name, strlen(x->name) + 1);
		h = hash_add(h, &x->width, sizeof x->width);
		h = hash_add(h, &x->value, sizeof x->value);
	}
	snprintf(id, 17, "%016" PRIx64, h);
}

static int by_name(const void *a, const void *b, void *names)
{
	const struct test_names *n = names;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	int c = strcmp(n->name[i], n->name[j]);

	if (!c)
		c = strcmp(n->id[i], n->id[j]);
	return c ? c : (i > j) - (i < j);
}

static void append(char **name, const char *text)
{
	char *longer = formatted("%s_%s", *name, text);

	free(*name);
	*name = longer;
}

/* Appends ids to the names of a group of equal names, sorted by id. */
static void tell_apart(struct test_names *n, const size_t *order, size_t group)
{
	for (size_t i = 0, same = 0; i < group; i++) {
		char number[24];
		same = i && !strcmp(n->id[order[i]], n->id[order[i - 1]]) ? same + 1 : 0;
		append(&n->name[order[i]], n->id[order[i]]);
		snprintf(number, sizeof number, "%zu", same + 1);
		if (same)
			append(&n->name[order[i]], number);
	}
}

struct test_names *test_names(const struct store_view *v)
{
	struct test_names *n = zeroed(1, sizeof *n);

	n->name = zeroed(v->tests + 1, sizeof *n->name);
	n->id = zeroed(v->tests + 1, sizeof *n->id);
	n->order = zeroed(v->tests + 1, sizeof *n->order);
	for (size_t i = 0; i < v->tests; i++) {
		n->name[i] = v->test[i].name ? copied(v->test[i].name) : describe(v, &v->test[i]);
		hash(v, &v->test[i], n->id[i]);
		n->order[i] = i;
	}
	qsort_r(n->order, v->tests, sizeof *n->order, by_name, n);
	for (size_t i = 0, end; i < v->tests; i = end) {
		for (end = i + 1;
		    end < v->tests && !strcmp(n->name[n->order[i]], n->name[n->order[end]]); end++)
			;
		if (end - i > 1 && !v->test[n->order[i]].name)
			tell_apart(n, n->order + i, end - i);
	}
	qsort_r(n->order, v->tests, sizeof *n->order, by_name, n);
	return n;
}

void test_names_free(struct test_names *n, const struct store_view *v)
{
	for (size_t i = 0; i < v->tests; i++)
		free(n->name[i]);
	free(n->name);
	free(n->id);
	free(n->order);
	free(n);
}
