/* plan: writes and parses the text form of a plan, one step a line. */
#include "lib/harness/harness.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

static const char head[] = "plan 1\n";
static const char digits[] = "0123456789";
static const char kinds[] = "empgdiyhzjqbafrvwuoktlnx";

void harness_plan_free(struct harness_plan *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n; i++) {
		free(p->step[i].name);
		free(p->step[i].type);
		free(p->step[i].shape);
	}
	free(p->step);
	free(p);
}

char *harness_plan_print(const struct harness_plan *p)
{
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	fputs(head, f);
	for (size_t i = 0; i < p->n; i++) {
		const struct harness_step *s = &p->step[i];
		fprintf(f, "%c\t%s\t%s\t%s\t%llu\n", s->kind, s->name, s->type, s->shape,
		    (unsigned long long)s->count);
	}
	fclose(f);
	return text;
}

/* Bounds of a plan that is read, as a store may come from anyone: elements of an array, bytes of a
 * scalar. */
enum { MOST_ELEMENTS = 1 << 30, MOST_BYTES = 16 };

/* Are the counts and the widths in the shape within these bounds? */
static bool is_bounded(const char *shape)
{
	char *end;

	for (const char *s = shape + strcspn(shape, digits); *s; s = end + strcspn(end, digits)) {
		bool leaf = s > shape && strchr("iucbfU", s[-1])
		    && (s == shape + 1 || s[-2] == ':' || s[-2] == '=');
		unsigned long long n = strtoull(s, &end, 10);
		if ((*end == '*' && n > MOST_ELEMENTS) || (leaf && n > MOST_BYTES))
			return false;
	}
	return true;
}

static bool parse_line(char *line, struct harness_step *s)
{
	char *field[5], *save = line, *end;
	size_t n = 0;

	while (n < 5 && (field[n] = strsep(&save, "\t")))
		n++;
	if (n != 5 || save || strlen(field[0]) != 1 || !strchr(kinds, *field[0]))
		return false;
	s->kind = *field[0];
	s->count = strtoull(field[4], &end, 10);
	if (end == field[4] || *end || !is_bounded(field[3]))
		return false;
	s->name = copied(field[1]);
	s->type = copied(field[2]);
	s->shape = copied(field[3]);
	return true;
}

static char *complain(unsigned long line, const char *what)
{
	return formatted("plan:%lu: %s", line, what);
}

struct harness_plan *harness_plan_parse(const char *text, char **error)
{
	struct harness_plan *p = zeroed(1, sizeof *p);
	char *copy = copied(text), *save = copy, *line;
	unsigned long number = 1;

	*error = NULL;
	if (strncmp(copy, head, sizeof head - 1))
		goto bad;
	p->step = zeroed(strlen(text) / 8 + 1, sizeof *p->step);
	save += sizeof head - 1;
	while ((line = strsep(&save, "\n")) && (*line || save)) {
		number++;
		p->n++;
		if (!parse_line(line, &p->step[p->n - 1]))
			goto bad;
	}
	if (p->n && p->step[p->n - 1].kind != HARNESS_CALL)
		goto bad;
	free(copy);
	return p;
bad:
	*error = complain(number, "malformed plan");
	free(copy);
	harness_plan_free(p);
	return NULL;
}

char *harness_plan_text(
    const struct flow *f, const struct harness_options *o, char **narrowing, char **error)
{
	struct harness_plan *p = harness_plan(f, o, narrowing, error);
	char *text = p ? harness_plan_print(p) : NULL;

	harness_plan_free(p);
	return text;
}

char *harness_assumptions(const struct harness_plan *p)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = text_stream(&text, &size);

	for (size_t i = 0; i < p->n; i++) {
		const struct harness_step *s = &p->step[i];
		const char *word = s->kind == HARNESS_INIT ? "after "
		    : s->kind == HARNESS_STUB              ? "stub "
		                                           : "";
		const char *what = s->kind == HARNESS_ASSUME ? s->type : s->name;
		if (strchr("baf", s->kind) && *what
		    && !(s->kind == HARNESS_STUB && s->count & HARNESS_FOUND))
			fprintf(f, "%s%s%s", ftell(f) ? "; " : "", word, what);
	}
	fclose(f);
	if (size)
		return text;
	free(text);
	return NULL;
}

void harness_put_arguments(FILE *f, const struct harness_plan *p)
{
	const char *comma = "";

	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_PARAM) {
			fprintf(f, "%s%s", comma, p->step[i].name);
			comma = ", ";
		}
}

bool harness_is_hidden(const struct harness_plan *p)
{
	for (size_t i = 1; i < p->n; i++)
		if (p->step[i].kind == HARNESS_PARAM && !strcmp(p->step[i].name, p->step[0].name))
			return true;
	return false;
}

/* ---- functions that callbacks call back */

static bool is_number(const char *shape)
{
	return *shape && strchr("iucb", *shape) && !shape[1 + strspn(shape + 1, "0123456789")];
}

static bool takes_numbers(const struct harness_step *other)
{
	for (const struct harness_step *s = other + 1; s->kind == HARNESS_PASSED; s++)
		if (!is_number(s->shape))
			return false;
	return true;
}

const struct harness_step *harness_input(const struct harness_plan *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_INPUT && !strcmp(p->step[i].name, name))
			return &p->step[i];
	return NULL;
}

/* Has the entry a parameter for the callback, and numbers besides? */
static bool reenters(const struct harness_plan *p, const char *type)
{
	bool passed = false;

	if (p->step[0].count & 6 || harness_is_hidden(p))
		return false;
	for (size_t i = 0; i < p->n; i++) {
		if (p->step[i].kind != HARNESS_PARAM)
			continue;
		const struct harness_step *in = harness_input(p, p->step[i].name);
		bool is_callback =
		    in && !strncmp(in->shape, "p8@", 3) && !strcmp(in->shape + 3, type);
		if (!in || (!is_callback && !is_number(in->shape)))
			return false;
		passed |= is_callback;
	}
	return passed;
}

const struct harness_step *harness_back(const struct harness_plan *p, const char *type, size_t k)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_OTHER && takes_numbers(&p->step[i]) && !--k)
			return &p->step[i];
	return k == 1 && reenters(p, type) ? &p->step[0] : NULL;
}
