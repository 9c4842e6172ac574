/* extern: global variables that the program declares and nothing defines, and memory at addresses
 * that it states: the tests define them and give them values. */
#include "lib/report/shapes.h"
#include "lib/report/tests.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Elements that arrays of unknown length have at least: functions that no test calls use them, too.
 */
enum { LENGTH = 1024 };

/* Elements of an array of unknown length that any test has: of inputs NAME[I], and of what was
 * touched, NAME.bytes. */
static uint64_t elements(const struct session_tests *s, const struct harness_step *of)
{
	size_t n = strlen(of->name);
	uint64_t most = 1;

	for (size_t i = 0; i < s->v->tests; i++)
		for (size_t k = 0; k < s->v->test[i].input.n; k++) {
			const struct input_value *v = &s->v->test[i].input.v[k];
			const char *at = v->name + n;
			if (strncmp(v->name, of->name, n))
				continue;
			at += *at == '#' ? 1 + strspn(at + 1, "0123456789") : 0;
			uint64_t met = *at == '['  ? strtoull(at + 1, NULL, 10) + 1
			    : strcmp(at, ".bytes") ? 0
			                           : (v->value.lo + of->count - 1) / of->count;
			most = met > most ? met : most;
		}
	return most;
}

char *extern_shape(const struct session_tests *s, const struct harness_step *of, const char *shape)
{
	const struct harness_step *type =
	    strchr(of->shape, 'a') ? plan_type(s->plan, shape_target(shape)) : NULL;
	char *text;

	if (!type)
		return copied(shape);
	text = formatted("%" PRIu64 "*%" PRIu64 ":%s", elements(s, of), type->count, type->shape);
	return text;
}

bool extern_constant(const struct session_tests *s, const char *name)
{
	const struct harness_step *of = harness_extern(s->plan, name);

	return of && strchr(of->shape, 'c');
}

/* The declarator `int %s[]` with a length. Caller frees. */
static char *with_length(const char *type, uint64_t n)
{
	const char *at = strstr(type, "[]");
	char *text;

	if (!at)
		return copied(type);
	text = formatted("%.*s[%" PRIu64 "]%s", (int)(at - type), type, n, at + 2);
	return text;
}

/* Variables that cannot be assigned are defined in assembler: a C compiler would know the value of
 * a constant. */
static void define_hidden(FILE *f, const struct harness_step *of, uint64_t size)
{
	char *type = harness_declare(of->type, "");

	fprintf(f,
	    "__asm__(\".pushsection .data\\n.balign 16\\n.globl %s\\n%s: .zero %" PRIu64
	    "\\n.popsection\");\n",
	    of->name, of->name, size);
	if (!strchr(of->shape, 'b'))
		fprintf(f, "extern %s%s__typeof__(%s) %s;\n",
		    strchr(of->shape, 'c') ? "const " : "",
		    strchr(of->shape, 'v') ? "volatile " : "", type, of->name);
	free(type);
}

static void define_device(FILE *f, const struct session_tests *s, const struct harness_step *of)
{
	fprintf(f, "/* The source states this address: each test says what is there. */\n");
	harness_put_device(f, of);
	fprintf(f,
	    "__attribute__((constructor)) static void map_%s(void)\n{\n\tduct_device(%#" PRIx64
	    ", %" PRIu64 ");\n}\n",
	    of->name, harness_device(of), harness_device_room(s->plan, of));
}

static void define(FILE *f, const struct session_tests *s, const struct harness_step *of)
{
	uint64_t n = strchr(of->shape, 'a') ? elements(s, of) : 1;

	if (harness_device(of)) {
		define_device(f, s, of);
		return;
	}
	fputs("/* Nothing defines it: each test says what it is. */\n", f);
	if (strpbrk(of->shape, "cvb")) {
		define_hidden(f, of, n * of->count);
		return;
	}
	char *type = with_length(of->type, n > LENGTH ? n : LENGTH),
	     *text = harness_declare(type, of->name);
	fprintf(f, "%s%s;\n", strchr(of->shape, 't') ? "__thread " : "", text);
	free(text);
	free(type);
}

void tests_externs(FILE *f, const struct session_tests *s)
{
	bool any = false;

	for (size_t i = 0; i < s->plan->n; i++)
		if (s->plan->step[i].kind == HARNESS_EXTERN) {
			define(f, s, &s->plan->step[i]);
			any = true;
		}
	if (any)
		fputs("\n", f);
}
