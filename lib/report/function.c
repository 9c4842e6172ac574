/* function: a test as a C function: the steps of the plan with the test's values. */
#include "lib/report/emit.h"
#include "lib/report/lines.h"
#include "lib/report/shapes.h"
#include "lib/report/quote.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void input(struct emit *e, const struct harness_step *s)
{
	char *name = emit_input(e, s->name);
	const struct harness_step *of = harness_extern(e->s->plan, s->name);
	char *shape = of ? extern_shape(e->s, of, s->shape) : copied(s->shape);

	e->is_const = of && strpbrk(of->shape, harness_device(of) ? "c" : "cv");
	emit_walk(e, shape, name, s->name, s->name, 0, false);
	e->is_const = false;
	free(shape);
	free(name);
}

/* Is it a global of which this test has a value? */
static bool is_given(const struct emit *e, const struct harness_step *s)
{
	size_t n = strlen(s->name);

	for (size_t i = 0; i < e->input.n; i++) {
		const char *name = e->input.v[i].name;
		if (!strncmp(name, s->name, n) && (!name[n] || strchr("[.?", name[n])))
			return true;
	}
	return false;
}

/* Of a HARNESS_STATE? */
static bool is_state(const struct harness_step *s)
{
	return s->kind == HARNESS_INPUT && s[-1].kind == HARNESS_STATE;
}

static bool is_watched(const struct harness_plan *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_WATCH && *p->step[i].shape
		    && !strcmp(p->step[i].name, name))
			return true;
	return false;
}

/* Compares an object's elements with what was left in them. */
static void compare_object(struct emit *e, const struct test_object *o)
{
	enum { TEXT = 64 };
	const char *shape = o->type && strncmp(o->type->shape, "U1", 2) ? o->type->shape : "";
	uint64_t count;

	if (o->kind == OBJECT_TEXT || o->kind == OBJECT_STREAM)
		return;
	if (!*shape
	    || (shape[1] == '1' && (*shape == 'c' || (strchr("iu", *shape) && o->count > TEXT)))) {
		emit_characters(e, o->pointer, o->name, o->count);
		return;
	}
	char *each = object_shape(o, shape, &count);
	for (uint64_t i = 0; i < count; i++) {
		char *name = formatted("%s[%" PRIu64 "]", o->pointer, i),
		     *lvalue = object_element(o, i);
		emit_walk(e, each, name, lvalue, lvalue, 0, false);
		free(lvalue);
		free(name);
	}
	free(each);
}

/* Collects what the call left in globals and in the targets of its parameters. */
size_t tests_wrote(const struct session_tests *s, const struct view_test *t, struct wrote **list)
{
	struct values values;
	struct emit e = { .s = s, .t = t, .left = &values };
	struct input wrote;

	*list = NULL;
	if (s->program || t->failure || !tests_sure(t) || !t->wrote.n)
		return 0;
	for (size_t i = 0; i < t->input.n; i++)
		e.copies |= !strncmp(t->input.v[i].name, "uninit", 6);
	e.input = emit_from_begin(&t->input, &t->input);
	wrote = emit_from_begin(&t->wrote, &t->input);
	values_open(&values, &e.input);
	e.values = values;
	objects_open(&e);
	values_open(&e.values, &wrote);
	for (size_t i = 0; i < e.objects.n; i++)
		compare_object(&e, &e.objects.v[i]);
	for (size_t i = 0; i < s->plan->n; i++) {
		const struct harness_step *step = &s->plan->step[i];
		e.watched = step->kind == HARNESS_WATCH;
		if (step->kind == HARNESS_INPUT && !plan_hides(s->plan, step->name)
		    && !(
		        is_state(step) && (!is_given(&e, step) || is_watched(s->plan, step->name))))
			input(&e, step);
		else if (e.watched && *step->shape)
			emit_walk(&e, step->shape, step->name, step->name, step->name, 0, false);
	}
	objects_close(&e);
	values_close(&e.values);
	values_close(&values);
	input_clear(&e.input);
	input_clear(&wrote);
	*list = e.wrote;
	return e.wrotes;
}

void tests_free_wrote(struct wrote *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i].lvalue);
		free(list[i].value);
	}
	free(list);
}

static bool is_own_name(const struct emit *e, const char *parameter)
{
	for (size_t i = 0; i < e->objects.n; i++)
		if (e->objects.v[i].is_parameter && !strcmp(e->objects.v[i].pointer, parameter))
			return true;
	return false;
}

/* The initial value of a parameter, or NULL. Caller frees. */
static char *parameter_value(struct emit *e, const struct harness_step *in)
{
	char *name = emit_input(e, in->name), *text = NULL;
	size_t size;

	if (*in->shape == 'p' && strchr(in->shape, '@')) {
		text = objects_pointer(e, name, in->shape);
	} else if (*in->shape == '{' && !e->is_old) {
		text = emit_initial(e, in->shape, name, in->name, 0);
		text = text ? text : copied("{ 0 }");
	} else if (strchr("iucbf", *in->shape) && strtoull(in->shape + 1, NULL, 10) <= 8) {
		FILE *f = text_stream(&text, &size);
		emit_scalar(e, f, in->shape, values_find(&e->values, name));
		fclose(f);
	}
	free(name);
	return text;
}

static const struct harness_step *input_of(const struct harness_plan *p, const char *parameter)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_INPUT && !strcmp(p->step[i].name, parameter))
			return &p->step[i];
	return NULL;
}

/* Declares a parameter, with its value if that is an initialiser. */
static void parameter(struct emit *e, const struct harness_step *s)
{
	const struct harness_step *in = input_of(e->s->plan, s->name);
	char *text, *value;

	if (is_own_name(e, s->name))
		return;
	text = harness_declare(s->type, s->name);
	value = in ? parameter_value(e, in) : NULL;
	fprintf(in && e->scalars && *in->shape != 'p' ? e->scalars : e->declarations, "\t%s%s%s;\n",
	    text ? text : s->name, value ? " = " : "", value ? value : "");
	if (!value) {
		fprintf(e->f, "\tduct_zero(&%s, sizeof %s);\n", s->name, s->name);
		if (in)
			input(e, in);
	}
	free(value);
	free(text);
}

static const char *arguments_of_main(uint64_t n)
{
	return n == 0 ? ""
	    : n == 1  ? "duct_argc()"
	    : n == 2  ? "duct_argc(), duct_argv()"
	              : "duct_argc(), duct_argv(), duct_environ()";
}

static void program(struct emit *e)
{
	uint64_t n = 0;

	for (size_t i = 0; i < e->s->plan->n; i++)
		if (e->s->plan->step[i].kind == HARNESS_MAIN)
			n = e->s->plan->step[i].count;
	if (!tests_main_returns(e->s))
		fprintf(e->f, "\t(main)(%s);\n\tduct_exit(%d);  /* it may return no value */\n",
		    arguments_of_main(n), e->t->exit_status);
	else
		fprintf(e->f, "\tduct_exit((main)(%s));\n", arguments_of_main(n));
}

/* Writes the expected value: the confirmed one, else the observed one. */
static void expected(struct emit *e, const char *observed, const char *confirmed)
{
	fputs(confirmed ? confirmed : observed, e->f);
}

static void remark(struct emit *e, const char *observed, const char *confirmed)
{
	if (confirmed && strcmp(confirmed, observed) && !strstr(observed, "*/"))
		fprintf(e->f, ");  /* confirmed; %s was observed */\n", observed);
	else
		fprintf(e->f, ");  /* %s */\n", confirmed ? "confirmed" : "observed");
}

/* A call before the last one: its result is unknown. */
static void earlier_call(struct emit *e, const char *name)
{
	fprintf(e->f, "\t%s%s(", *e->s->plan->step[0].shape == 'v' ? "" : "(void)", name);
	harness_put_arguments(e->f, e->s->plan);
	fputs(");\n", e->f);
}

static void compare_wrote(struct emit *e)
{
	struct wrote *list;
	size_t n = tests_wrote(e->s, e->t, &list);

	for (const struct wrote *w = list; w < list + n; w++) {
		const char *confirmed = tests_confirmed(e->s, e->t, w->lvalue);
		fprintf(e->f, "\t%s(%s, ",
		    w->size           ? "DUCT_BYTES"
		        : w->is_float ? "DUCT_SAME"
		                      : "DUCT_EQUAL",
		    w->lvalue);
		expected(e, w->value, confirmed);
		if (w->size)
			fprintf(e->f, ", %zu", w->size);
		remark(e, w->value, confirmed);
	}
	tests_free_wrote(list, n);
}

static void call(struct emit *e)
{
	const struct harness_step *entry = &e->s->plan->step[0];
	const char *name = harness_is_hidden(e->s->plan) ? "duct_entry" : entry->name;
	char *what = tests_what(e->t), *result = tests_result(e->s, e->t);
	const char *confirmed = tests_confirmed(e->s, e->t, NULL);

	if (e->turn < e->calls) {
		earlier_call(e, name);
	} else if (result) {
		fprintf(e->f, "\t%s(%s(", *entry->shape == 'f' ? "DUCT_SAME" : "DUCT_EQUAL", name);
		harness_put_arguments(e->f, e->s->plan);
		fputs(*entry->shape == 'p' ? ") != 0, " : "), ", e->f);
		expected(e, result, confirmed);
		remark(e, result, confirmed);
	} else {
		const char *use = strchr("iucbpf", *entry->shape)
		    ? *entry->shape == 'f' ? "DUCT_FAILS_F(" : "DUCT_FAILS("
		    : "";
		fprintf(e->f, "\t%s%s(", use, name);
		harness_put_arguments(e->f, e->s->plan);
		fprintf(e->f, ")%s;", *use ? *entry->shape == 'p' ? " != 0)" : ")" : "");
		if (what)
			fprintf(e->f, "  /* observed: %s */", what);
		putc('\n', e->f);
	}
	free(result);
	free(what);
}

static void step(struct emit *e, const struct harness_step *s)
{
	switch (s->kind) {
	case HARNESS_PARAM: parameter(e, s); break;
	case HARNESS_INPUT: /* what the tests define is 0 before */
		if (is_state(s) && (e->turn > 1 || !is_given(e, s)))
			break;
		e->global = e->turn > 1 || !harness_extern(e->s->plan, s->name);
		if (!plan_hides(e->s->plan, s->name)
		    && (e->turn == 1 || !extern_constant(e->s, s->name)))
			input(e, s);
		e->global = false;
		break;
	case HARNESS_INIT:
		if (e->turn == 1)
			fprintf(e->f, "\t%s();\n", s->name);
		break;
	case HARNESS_ASSUME: fprintf(e->f, "\tduct_assume((%s) != 0);\n", s->name); break;
	case HARNESS_CALL: (e->s->program ? program : call)(e); break;
	}
}

static void steps(struct emit *e)
{
	for (size_t i = 0; i < e->s->plan->n; i++)
		step(e, &e->s->plan->step[i]);
}

/* Writes the inputs that the function did not use; the runner supplies them by name. */
static size_t value_table(struct emit *e)
{
	size_t n = 0;

	for (size_t i = 0; i < e->input.n; i++) {
		const struct input_value *v = &e->input.v[i];
		if (e->values.used[i] || v->kind == 'o'
		    || !strncmp(v->name, ".set.", strlen(".set.")))
			continue;
		if (!n++)
			fprintf(e->f, "static const struct duct_value duct_values_%s[] = {\n",
			    tests_label(e->s, e->t));
		fputs("\t{ ", e->f);
		value_print_bytes(e->f, v->name, strlen(v->name));
		fprintf(e->f, ", 0x%" PRIx64 "u, 0x%" PRIx64 "u, %u, %u },  /* ", v->value.lo,
		    v->value.hi, v->width, v->offset);
		value_print(e->f, v);
		fputs(" */\n", e->f);
	}
	if (n)
		fputs("\t{ 0, 0, 0, 0, 0 }\n};\n\n", e->f);
	return n;
}

static FILE *memory(char **text)
{
	/* nothing reads it, but fclose() writes it after this function has returned */
	static size_t size;
	FILE *f = text_stream(text, &size);

	return f;
}

static void comment(struct emit *e)
{
	enum { LISTED = 8 };
	char *what = tests_what(e->t), *text = NULL;
	FILE *f = memory(&text);
	size_t n = 0;

	fprintf(f, "%s%s%s", e->t->origin, what ? ": " : "", what ? what : "");
	for (size_t i = 0; i < e->t->n; i++) {
		const struct view_objective *o = &e->s->v->objective[e->t->covers[i]];
		if (o->test != e->t->number)
			continue;
		if (n++ < LISTED) {
			fprintf(f, "\n * first to take %u:%u ", o->line, o->col);
			side_print(f, o);
		}
	}
	if (n > LISTED)
		fprintf(f, "\n * and %zu more", n - LISTED);
	if (e->t->ub)
		fprintf(f, "\n * may differ elsewhere: %s", e->t->ub);
	fclose(f);
	fputs("/* ", e->f);
	quote_comment(e->f, text);
	fputs(" */\n", e->f);
	free(text);
	free(what);
}

/* Writes a text indented by one more level. */
static void indent(FILE *f, const char *text)
{
	for (; *text; text++) {
		if (*text != '\n')
			putc('\t', f);
		fprintf(f, "%.*s\n", (int)strcspn(text, "\n"), text);
		text += strcspn(text, "\n");
	}
}

/* Writes one of several calls as a block with its own parameters. */
static void block(struct emit *e)
{
	FILE *f = e->f, *declarations = e->declarations;
	char *own = NULL, *statements = NULL;

	e->declarations = memory(&own);
	e->f = memory(&statements);
	emit_between(e);
	steps(e);
	fclose(e->declarations);
	fclose(e->f);
	e->f = f;
	e->declarations = declarations;
	fputs("\t{\n", f);
	indent(f, own);
	if (*own)
		putc('\n', f);
	indent(f, statements);
	fputs("\t}\n", f);
	free(own);
	free(statements);
}

static bool has_lengths(const struct emit *e)
{
	for (size_t i = 0; i < e->objects.n; i++)
		if (e->objects.v[i].length)
			return true;
	return false;
}

/* Writes objects, then parameters that point to them; before both the scalars that determine sizes
 * of objects. */
static void body_of(struct emit *e, FILE *declarations)
{
	char *objects = NULL, *parameters = NULL, *scalars = NULL;
	FILE *pointers = memory(&parameters);

	e->declarations = memory(&objects);
	emit_objects(e);
	emit_given(e);
	fclose(e->declarations);
	e->declarations = pointers;
	e->scalars = has_lengths(e) && e->calls == 1 ? memory(&scalars) : NULL;
	for (e->turn = 1; e->turn <= e->calls; e->turn++)
		if (e->calls > 1)
			block(e);
		else
			steps(e);
	if (!e->s->program)
		compare_wrote(e);
	fclose(pointers);
	if (e->scalars)
		fclose(e->scalars);
	fprintf(declarations, "%s%s%s", scalars ? scalars : "", objects, parameters);
	free(scalars);
	free(objects);
	free(parameters);
}

unsigned tests_function(FILE *f, const struct session_tests *s, const struct view_test *t)
{
	struct emit e = { .s = s, .t = t, .is_old = tests_old(s) };
	char *body = NULL, *declarations = NULL, *functions = NULL;

	if (!tests_valid(t))
		return 0;
	e.input = emit_from_begin(&t->input, &t->input);
	values_open(&e.values, &e.input);
	objects_open(&e);
	e.f = memory(&body);
	e.functions = memory(&functions);
	FILE *head = memory(&declarations);
	body_of(&e, head);
	fclose(head);
	fclose(e.f);
	fclose(e.functions);
	e.f = f;
	fputs(functions, f);
	unsigned has = tests_environment(f, s, t, &e.values);
	if (value_table(&e))
		has |= TEST_VALUES;
	comment(&e);
	fprintf(f, "static void duct_test_%s(void)\n{\n%s%s%s}\n\n", tests_label(s, t),
	    declarations, *declarations ? "\n" : "", body);
	free(functions);
	free(declarations);
	free(body);
	stubs_close(&e);
	objects_close(&e);
	values_close(&e.values);
	input_clear(&e.input);
	return has;
}
