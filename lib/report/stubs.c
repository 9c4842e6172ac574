/* stubs: functions in place of targets of function pointers and of undefined functions: each
 * returns the test's answers f(), f()#2, ... and writes f().N to the target of its Nth argument. */
#include "lib/report/emit.h"
#include "lib/report/shapes.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

static const char *result_of(const struct harness_step *stub)
{
	return stub[1].kind == HARNESS_RESULT ? stub[1].shape : "v";
}

static void head(FILE *f, const struct harness_step *s, const char *name)
{
	char *heading = harness_stub_head(s, name, "a");

	fprintf(f, "%s\n{\n", heading);
	free(heading);
}

/* Writes the inputs TOLD().N to the target of the Nth argument, at most MOST bytes
 * (lib/runtime/grow.c). */
static void writes(FILE *f, const struct harness_step *s, const char *told)
{
	enum { MOST = 256 };

	for (const struct harness_step *v = s + 2; s[1].count != 2 && v->kind == HARNESS_ARGUMENT;
	    v++)
		if (*v->shape)
			fprintf(f, "\tduct_symbolic((void *)a%s, %d, \"%s().%s\");\n", v->name,
			    MOST, told, v->name);
		else
			fprintf(f, "\t(void)a%s;\n", v->name);
}

/* The body of a stub that gets its results by name. */
static void told_body(FILE *f, const struct harness_step *s, const char *told, const char *back)
{
	bool ends = s->kind == HARNESS_STUB && s->count & HARNESS_ENDS;
	const char *shape = ends ? "v" : result_of(s);
	char *local = *shape == 'v' || *shape == 'p' ? NULL : harness_declare(s[1].type, "answer");

	if (local)
		fprintf(f,
		    "\t%s;\n\n\tduct_zero(&answer, sizeof answer);\n\tduct_symbolic(&answer, sizeof answer, \"%s()\");\n",
		    local, told);
	fputs(back, f);
	writes(f, s, told);
	if (local)
		fputs("\treturn answer;\n", f);
	else if (*shape == 'p')
		fprintf(f, "\treturn duct_given(\"%s()\");\n", told);
	else if (ends)
		fputs("\tduct_exit(1);\n", f);
	free(local);
}

static bool is_stub(const struct harness_step *s)
{
	return s->kind == HARNESS_STUB || (s->kind == HARNESS_FUNCTION && !*s->name);
}

void tests_stubs(FILE *f, const struct harness_plan *p)
{
	size_t any = 0;

	for (size_t i = 0; i + 1 < p->n; i++) {
		const struct harness_step *s = &p->step[i];
		if (is_stub(s) && !any++)
			fputs(
			    "#ifdef __clang__\n#pragma clang diagnostic ignored \"-Wc23-extensions\"\n#endif\n"
			    "void duct_symbolic(void *object, __SIZE_TYPE__ size, const char *name);\n"
			    "void duct_exit(int status) __asm__(\"exit\") __attribute__((noreturn));\n\n",
			    f);
		if (s->kind != HARNESS_STUB)
			continue;
		fputs("/* Nothing defines it: each test says what it gives. */\n", f);
		char *name = harness_stub_name(f, s, "a");
		fputs(s[1].count == 2 ? "__extension__ " : "", f);
		head(f, s, name);
		free(name);
		told_body(f, s, s->name, "");
		fputs("}\n\n", f);
	}
}

/* Is the pointer of that name, after the parentheses, one that a stub writes behind an argument? */
static bool is_behind(const char *open)
{
	const char *at = open + 2;

	at += *at == '#' ? 1 + strspn(at + 1, "0123456789") : 0;
	return *at == '.' && at[1] >= '0' && at[1] <= '9';
}

static void give(struct emit *e, const struct input_value *v, const char *open)
{
	size_t n = strlen(v->name) - 1;
	char *name = copied_part(v->name, n);
	const char *shape = plan_shape(e->s->plan, name, n);
	char *address = shape && *shape == 'p' ? objects_pointer(e, name, shape) : NULL;

	if (address && is_behind(open))
		fprintf(e->f, "\tduct_give_behind(\"%s\", %u, %s);\n", name, v->offset, address);
	else if (address && v->value.lo)
		fprintf(e->f, "\tduct_give(\"%s\", %s);\n", name, address);
	free(address);
	free(name);
}

/* Sets the pointers that stubs return, or write behind their arguments, before the call. */
void emit_given(struct emit *e)
{
	for (size_t i = 0; i < e->input.n; i++) {
		const struct input_value *v = &e->input.v[i];
		const char *open = strstr(v->name, "()");
		if (v->kind == INPUT_CHOICE && open && v->name[strlen(v->name) - 1] == '?'
		    && (!strpbrk(open, "[.") || is_behind(open)))
			give(e, v, open);
	}
}

static const struct input_value *answer(struct emit *e, const char *pointer, unsigned n)
{
	return n == 1 ? values_find_f(&e->values, "%s()", pointer)
	              : values_find_f(&e->values, "%s()#%u", pointer, n);
}

/* The body of a stub with scalar results: an array of answers, after which all are 0. */
static void counted_body(
    struct emit *e, FILE *f, const struct harness_step *s, const char *told, const char *back)
{
	char *declaration = harness_declare(s[1].type, "answers[]");
	const struct input_value *v;
	unsigned met = 0, n = 0; /* all answers; those up to the last nonzero one */

	while ((v = answer(e, told, met + 1))) {
		met++;
		n = v->value.lo || v->value.hi ? met : n;
	}
	fprintf(f, "\tstatic const %s = { ", declaration);
	for (unsigned i = 1; i <= n; i++) {
		value_print(f, answer(e, told, i));
		fputs(", ", f);
	}
	fprintf(f, "0 };\n%s%s", n ? "\tstatic unsigned calls;\n\n" : "\n", back);
	writes(f, s, told);
	if (n)
		fprintf(f, "\treturn answers[calls < %u ? calls++ : %u];\n", n, n);
	else
		fputs("\treturn answers[0];\n", f);
	free(declaration);
}

static bool is_defined(struct emit *e, const char *name)
{
	for (size_t i = 0; i < e->stubs; i++)
		if (!strcmp(e->stub[i], name))
			return true;
	*PUSH(e->stub, e->stubs) = copied(name);
	return false;
}

char *stub_name(struct emit *e, uint64_t k)
{
	const struct harness_step *s = plan_function(e->s->plan, k, 0);
	char *told = plan_stub(e->s->plan, k),
	     *name = formatted("%s_in_%s", told, tests_label(e->s, e->t));

	if (e->functions && !is_defined(e, name)) {
		char *back = emit_back(e, told, plan_type(e->s->plan, k)->name, name);
		fprintf(e->functions, "/* The results of %s, call by call. */\nstatic ", told);
		head(e->functions, s, name);
		if (strchr("iucb", *result_of(s)))
			counted_body(e, e->functions, s, told, back);
		else
			told_body(e->functions, s, told, back);
		fputs("}\n\n", e->functions);
		free(back);
	}
	free(told);
	return name;
}

void stubs_close(struct emit *e)
{
	for (size_t i = 0; i < e->stubs; i++)
		free(e->stub[i]);
	free(e->stub);
}
