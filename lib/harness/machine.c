/* machine: limits of sessions, from what libraries and the machine hold and callers may have
 * set. */
#include "lib/base/grow.h"
#include "lib/harness/inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_among(const char *const *names, const char *name)
{
	while (*names && strcmp(*names, name))
		names++;
	return *names;
}

/* ---- variables of libraries */

/* Is the value the same in each program, an input, or before `main` known? */
static bool is_plain(const char *name, bool program)
{
	static const char *const always[] = { "stdin", "stdout", "stderr", "environ", "__environ",
		NULL };
	static const char *const first[] = { "optarg", "optind", "opterr", "optopt", NULL };

	return is_among(always, name) || (program && is_among(first, name));
}

static bool has_line(const char *lines, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = lines; at && *at; at += strspn(at, "\n")) {
		size_t length = strcspn(at, "\n"), skip = *at == '-';
		if (length == n + skip && !strncmp(at + skip, name, n))
			return true;
		at += length;
	}
	return false;
}

char *harness_libraries(const struct flow *f, const char *entry, const char *undefined)
{
	bool **reached = flow_reachable(f, entry), program = !strcmp(entry, "main");
	char *text = NULL;
	size_t size;
	FILE *out = text_stream(&text, &size);

	for (size_t i = 0; i < f->units; i++)
		for (size_t k = 0; k < f->unit[i].vars; k++) {
			const struct flow_var *v = &f->unit[i].var[k];
			if (v->kind == 'g' && !v->defined && !is_plain(v->name, program)
			    && !harness_is_defined(f, v->name) && !has_line(undefined, v->name)
			    && harness_is_used(f, reached, v->name))
				fprintf(out, "%s\n", v->name);
		}
	fclose(out);
	flow_marks_free(f, reached);
	return text;
}

static void limit(struct build *b, const char *name)
{
	if (!harness_has_limit(b, name))
		harness_limit(b, "concrete", name, 0);
}

/* Of a whole program, all that its files declare. */
static void program_variables(struct build *b)
{
	for (size_t i = 0; i < b->flow->units; i++)
		for (size_t k = 0; k < b->flow->unit[i].vars; k++) {
			const struct flow_var *v = &b->flow->unit[i].var[k];
			if (v->kind == 'g' && !v->defined && !is_plain(v->name, true)
			    && !harness_is_defined(b->flow, v->name)
			    && !harness_extern(b->plan, v->name))
				limit(b, v->name);
		}
}

static void entry_variables(struct build *b)
{
	for (const char *at = b->u->libraries; at && *at; at += strspn(at, "\n")) {
		size_t n = strcspn(at, "\n");
		char *name = copied_part(at, n);
		limit(b, name);
		free(name);
		at += n;
	}
}

static void error_number(struct build *b, bool *const *reached)
{
	for (size_t i = 0; i < b->flow->units; i++)
		for (size_t k = 0; k < b->flow->unit[i].calls; k++) {
			const struct flow_call *c = &b->flow->unit[i].call[k];
			if (c->callee && c->func && (!reached || reached[i][c->func - 1])
			    && !strcmp(c->callee, "__errno_location")
			    && !harness_has_limit(b, "errno")) {
				harness_limit(b, "zero", "errno", 0);
				return;
			}
		}
}

void harness_machine(struct build *b)
{
	const char *entry = b->plan->step[0].name;
	bool **reached = flow_reachable(b->flow, entry), program = !strcmp(entry, "main");

	(program ? program_variables : entry_variables)(b);
	if (!program)
		error_number(b, reached);
	harness_locale_limits(b, reached, program);
	flow_marks_free(b->flow, reached);
}
