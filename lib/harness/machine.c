/* machine: limits of sessions by what libraries and the machine hold, and callers may have set. */
#include "lib/harness/inner.h"

#include <string.h>

static bool is_among(const char *const *names, const char *name)
{
	while (*names && strcmp(*names, name))
		names++;
	return *names;
}

static bool is_told(const struct harness_plan *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_LIMIT && !strcmp(p->step[i].name, name))
			return true;
	return false;
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

static void variables(struct build *b, bool *const *reached, bool program)
{
	for (size_t i = 0; i < b->flow->units; i++)
		for (size_t k = 0; k < b->flow->unit[i].vars; k++) {
			const struct flow_var *v = &b->flow->unit[i].var[k];
			if (v->kind == 'g' && !v->defined && !is_told(b->plan, v->name)
			    && !is_plain(v->name, program) && !harness_is_defined(b->flow, v->name)
			    && !harness_extern(b->plan, v->name)
			    && harness_is_used(b->flow, reached, v->name))
				harness_limit(b, "concrete", v->name, 0);
		}
}

/* ---- functions whose answers depend on the locale, and errno */

static const char *const sets[] = { "setlocale", "newlocale", "uselocale", NULL };
/* Of others, such as isalpha() and printf(), only characters above 127 and the decimal point. */
static const char *const locale[] = { "localeconv", "nl_langinfo", "strcoll", "strxfrm", "strerror",
	"strerror_r", "strsignal", "btowc", "wctob", "mblen", "mbtowc", "wctomb", "mbstowcs",
	"wcstombs", "mbrlen", "mbrtowc", "wcrtomb", "mbsrtowcs", "wcsrtombs", "iswalnum",
	"iswalpha", "iswlower", "iswprint", "iswpunct", "iswspace", "iswupper", "towlower",
	"towupper", "wcwidth", "wcswidth", "wcscoll", NULL };

static void functions(struct build *b, bool *const *reached, bool program)
{
	bool any = !program;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < b->flow->units; i++)
			for (size_t k = 0; k < b->flow->unit[i].calls; k++) {
				const struct flow_call *c = &b->flow->unit[i].call[k];
				if (!c->callee || !c->func || (reached && !reached[i][c->func - 1]))
					continue;
				if (!pass)
					any |= is_among(sets, c->callee);
				else if (any && is_among(locale, c->callee)
				    && !is_told(b->plan, c->callee))
					harness_limit(b, "concrete", c->callee, 0);
				else if (!program && !strcmp(c->callee, "__errno_location")
				    && !is_told(b->plan, "errno"))
					harness_limit(b, "zero", "errno", 0);
			}
}

void harness_machine(struct build *b)
{
	const char *entry = b->plan->step[0].name;
	bool **reached = flow_reachable(b->flow, entry), program = !strcmp(entry, "main");

	variables(b, reached, program);
	functions(b, reached, program);
	flow_marks_free(b->flow, reached);
}
