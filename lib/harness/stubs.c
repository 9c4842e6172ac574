/* stubs: C text of functions that replace undefined ones, and of objects that pointers of each type
 * may lead to. */
#include "lib/harness/inner.h"
#include "lib/base/grow.h"
#include "lib/harness/shape.h"

#include <stdlib.h>
#include <string.h>

char *harness_stub_head(const struct harness_step *s, const char *name, const char *parameter)
{
	const struct harness_step *r = s + 1;
	char *text = NULL, *heading;
	size_t size, n = 0;
	FILE *f = text_stream(&text, &size);

	fprintf(f, "%s(", name);
	for (const struct harness_step *v = r + 1; v->kind == HARNESS_ARGUMENT; v++) {
		char *local = formatted("%s%s", parameter, v->name);
		char *declared = harness_declare(v->type, local);
		fprintf(f, "%s%s", n++ ? ", " : "", declared);
		free(declared);
		free(local);
	}
	fprintf(f, "%s)", r->count == 1 ? n ? ", ..." : "..." : n ? "" : "void");
	fclose(f);
	heading = r->count == 2 ? harness_declare(s->type, name) : harness_declare(r->type, text);
	free(text);
	return heading;
}

char *harness_stub_name(FILE *f, const struct harness_step *s, const char *parameter)
{
	if (!(s->count & HARNESS_FOREIGN))
		return copied(s->name);
	char *name = formatted("duct_stub_of_%s", s->name),
	     *heading = harness_stub_head(s, name, parameter);

	fprintf(f, "%s __asm__(\"%s\");\n", heading, s->name);
	free(heading);
	return name;
}

/* Clang drops arguments of a function without a prototype that its definition does not name; proofs
 * then have no value for them, unless their types differ. */
static char *head_of(const struct harness_step *s, const char *name)
{
	if (s->kind != HARNESS_STUB || s[1].count != 2)
		return harness_stub_head(s, name, "duct_p");
	char *text = formatted("%s(duct_p)", name), *heading = harness_declare(s[1].type, text),
	     *whole = formatted("%s long double duct_p;", heading);

	free(text);
	free(heading);
	return whole;
}

/* Defines a stub. Its result is the input TOLD(), what it writes to the target of its Nth argument
 * TOLD().N. A stub that a function pointer may call is reported as a limit; a named stub is listed
 * as such in the report. Of a function that may do more it is weak, so that proofs do not rely on
 * it. */
static void define_stub(FILE *f, const struct harness_step *s, const char *name, const char *told,
    bool types, const char *back)
{
	bool ends = s->kind == HARNESS_STUB && s->count & HARNESS_ENDS;
	char *heading = head_of(s, name), *local = harness_declare(s[1].type, "duct_any"),
	     *shape = copied(ends ? "v" : s[1].shape);

	harness_shape_plain(shape);
	fprintf(f, "%s%s\n{\n", s->count & HARNESS_MORE ? "__attribute__((weak)) " : "", heading);
	if (types)
		fputs("\tduct_rt_types(duct_types, sizeof duct_types / sizeof *duct_types);\n", f);
	if (s->kind != HARNESS_STUB)
		fprintf(f, "\tduct_rt_limit(\"callback\", \"%s\", 0);\n", told);
	if (back)
		fprintf(f, "\tduct_rt_back(%s, sizeof %s / sizeof *%s, \"%s\");\n", back, back,
		    back, told);
	for (const struct harness_step *v = s + 2; v->kind == HARNESS_ARGUMENT && s[1].count != 2;
	    v++) {
		char *plain = copied(v->shape);
		harness_shape_plain(plain);
		if (*plain && !harness_is_va_list(v))
			fprintf(f,
			    "\tduct_rt_stubbed((void *)duct_p%s, \"%s().%s\", \"*%llu:%s\", %llu);\n",
			    v->name, told, v->name, (unsigned long long)v->count,
			    strcmp(plain, "U1") ? plain : "u1", (unsigned long long)v->count);
		free(plain);
	}
	if (*shape != 'v')
		fprintf(f, "\t%s;\n\t__builtin_memset((void *)&duct_any, 0, sizeof duct_any);\n",
		    local);
	if (*shape && *shape != 'v')
		fprintf(f,
		    "\tduct_rt_input((void *)&duct_any, sizeof duct_any, \"%s()\", \"%s\");\n",
		    told, shape);
	fputs(ends ? "\tduct_exit(1);\n" : *shape != 'v' ? "\treturn duct_any;\n" : "", f);
	fputs("}\n", f);
	free(heading);
	free(local);
	free(shape);
}

void harness_define_stub(FILE *f, const struct harness_step *s, bool types)
{
	char *name = harness_stub_name(f, s, "duct_p");

	define_stub(f, s, name, s->name, types, NULL);
	free(name);
}

/* ---- targets of pointers */

/* The name of a function type's stub in reports: that of the first input pointer of this type. */
static const char *pointer_name(
    const struct harness_plan *p, const char *type, char *to, size_t room)
{
	char mark[24];

	snprintf(mark, sizeof mark, "p8@%s", type);
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_INPUT && !strcmp(p->step[i].shape, mark))
			return p->step[i].name;
	snprintf(to, room, "callback%s", type);
	return to;
}

static size_t functions_of(const struct harness_plan *p, size_t i)
{
	size_t n = 0;

	for (i++; i < p->n && strchr("hrv", p->step[i].kind); i++)
		n += p->step[i].kind == HARNESS_FUNCTION;
	return n;
}

/* An input that is a number, as a local of its name or as this global. */
static void back_input(FILE *f, const struct harness_step *s, bool local)
{
	char *text = local ? harness_declare(s->type, s->name) : NULL, *shape = copied(s->shape);

	harness_shape_plain(shape);
	if (text)
		fprintf(f, "\t%s = 0;\n", text);
	fprintf(f, "\tduct_rt_input((void *)&%s, sizeof %s, \"back_%s\", \"%s\");\n", s->name,
	    s->name, s->name, shape);
	free(shape);
	free(text);
}

/* Calls the entry with this callback, or another function. */
static void define_back(
    FILE *f, const struct harness_plan *p, const struct harness_step *s, const char *stub)
{
	const char *comma = "";

	if (s->kind == HARNESS_OTHER) {
		for (const struct harness_step *k = s + 1; k->kind == HARNESS_PASSED; k++)
			back_input(f, k, !*s->type);
		if (*s->type)
			return;
		fprintf(f, "\t%s(", s->name);
		for (const struct harness_step *k = s + 1; k->kind == HARNESS_PASSED; k++)
			fprintf(f, "%s%s", k > s + 1 ? ", " : "", k->name);
		fputs(");\n", f);
		return;
	}
	for (size_t i = 0; i < p->n; i++) {
		const struct harness_step *in = &p->step[i];
		if (in->kind == HARNESS_PARAM && *harness_input(p, in->name)->shape != 'p') {
			struct harness_step number = *in;
			number.shape = harness_input(p, in->name)->shape;
			back_input(f, &number, true);
		}
	}
	fprintf(f, "\t%s(", s->name);
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_PARAM) {
			bool number = *harness_input(p, p->step[i].name)->shape != 'p';
			fprintf(f, "%s%s", comma, number ? p->step[i].name : stub);
			comma = ", ";
		}
	fputs(");\n", f);
}

/* Defines the functions that a stub may call; their list's name, or NULL. */
static char *define_backs(FILE *f, const struct harness_plan *p, const char *type, const char *stub)
{
	const struct harness_step *s;
	size_t n;

	for (n = 0; (s = harness_back(p, type, n + 1)); n++) {
		fprintf(f, "static void\nduct_back%s_%zu(void)\n{\n", type, n);
		define_back(f, p, s, stub);
		fputs("}\n", f);
	}
	if (!n)
		return NULL;
	fprintf(f, "static void (*const duct_backs%s[])(void) = {", type);
	for (size_t i = 0; i < n; i++)
		fprintf(f, " duct_back%s_%zu,", type, i);
	fputs(" };\n", f);
	return formatted("duct_backs%s", type);
}

/* Defines the candidates for the function type at step i, and their first, the stub. */
static void define_functions(FILE *f, const struct harness_plan *p, size_t i)
{
	const struct harness_step *type = &p->step[i];
	char stub[48], other[48], *text;

	snprintf(stub, sizeof stub, "duct_stub%s", type->name);
	text = harness_stub_head(&p->step[i + 1], stub, "duct_p");
	fprintf(f, "static %s;\nstatic const void *const duct_functions%s[] = { (const void *)%s",
	    text, type->name, stub);
	for (size_t k = i + 1; k < p->n && strchr("hrv", p->step[k].kind); k++)
		if (p->step[k].kind == HARNESS_FUNCTION && *p->step[k].name)
			fprintf(f, ", (const void *)%s", p->step[k].name);
	fputs(" };\n", f);
	free(text);
	char *back = define_backs(f, p, type->name, stub);
	define_stub(f, &p->step[i + 1], stub, pointer_name(p, type->name, other, sizeof other),
	    false, back);
	free(back);
}

bool harness_has_types(const struct harness_plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_TYPE)
			return true;
	return false;
}

void harness_define_types(FILE *f, const struct harness_plan *p)
{
	bool types = harness_has_types(p);

	for (size_t i = 0; i < p->n; i++) {
		if (p->step[i].kind == HARNESS_TYPE && functions_of(p, i))
			define_functions(f, p, i);
		harness_put_variables(f, p, i);
		if (p->step[i].kind == HARNESS_TYPE && *p->step[i].shape == 'S')
			fputs(
			    "extern void *duct_model_stream(const char *);\n"
			    "static const void *const duct_streams[] = { (const void *)duct_model_stream };\n",
			    f);
	}
	if (types)
		fputs("static const struct duct_type duct_types[] = {\n", f);
	for (size_t i = 0; i < p->n; i++) {
		const struct harness_step *s = &p->step[i];
		size_t n = s->kind == HARNESS_TYPE ? functions_of(p, i) : 0;
		char *shape = copied(s->shape);
		harness_shape_plain(shape);
		if (n)
			fprintf(f, "\t{ \"\", 0, duct_functions%s, %zu },\n", s->name, n);
		else if (s->kind == HARNESS_TYPE && *shape == 'S')
			fputs("\t{ \"S\", 0, duct_streams, 1 },\n", f);
		else if (s->kind == HARNESS_TYPE && (n = harness_variables(p, i)))
			fprintf(f, "\t{ \"%s\", %llu, duct_variables%s, %zu },\n",
			    strcmp(shape, "U1") ? shape : "u1", (unsigned long long)s->count,
			    s->name, n);
		else if (s->kind == HARNESS_TYPE)
			fprintf(f, "\t{ \"%s\", %llu, 0, 0 },\n",
			    strcmp(shape, "U1") ? shape : "u1", (unsigned long long)s->count);
		free(shape);
	}
	if (types)
		fputs("};\n", f);
}
