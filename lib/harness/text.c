/* text: the plan as C text, appended to the source file that defines the entry. It uses only names
 * that begin with duct_ and compiler builtins, so that the program's macros and functions cannot
 * interfere. */
#include "lib/harness/inner.h"
#include "lib/base/grow.h"
#include "lib/harness/shape.h"

#include <stdlib.h>
#include <string.h>

/* Warnings that the user's flags ask for are about the user's text, not about this one; but a `=`
 * in an assumption is told. */
static const char quiet[] = "#ifdef __clang__\n"
                            "#pragma clang diagnostic ignored \"-Weverything\"\n"
                            "#pragma clang diagnostic warning \"-Wparentheses\"\n"
                            "#endif\n";
static const char head[] =
    "extern void duct_rt_input(void *, __SIZE_TYPE__, const char *, const char *);\n"
    "struct duct_type { const char *shape; unsigned long long size; const void *const *function; unsigned long long functions; };\n"
    "extern void duct_rt_types(const struct duct_type *, unsigned);\n"
    "extern void duct_rt_array(void *, __SIZE_TYPE__, const char *, unsigned);\n"
    "extern void duct_rt_rule(const char *, const char *, unsigned long long);\n"
    "extern unsigned duct_rt_calls(void);\n"
    "extern unsigned duct_rt_between(unsigned);\n"
    "extern int duct_rt_state(const char *, int);\n"
    "extern void duct_rt_back(void (*const *)(void), unsigned, const char *);\n"
    "extern void duct_rt_limit(const char *, const char *, __UINT64_TYPE__);\n"
    "extern void duct_rt_stubbed(void *, const char *, const char *, __SIZE_TYPE__);\n"
    "extern void duct_rt_result(long long);\n"
    "extern void duct_exit(int) __asm__(\"exit\") __attribute__((noreturn));\n"
    "extern void duct_rt_watch(const void *, __SIZE_TYPE__, const char *, const char *);\n"
    "extern void duct_assume(int);\n";

struct writer {
	FILE *f;
	const struct harness_plan *p;
};

/* The element type of va_list, which has no name in C: its name in debugging information, and text
 * that compilers accept for it. */
static const char va_list_part[] = "struct __va_list_tag",
                  va_list_meant[] = "__typeof__(**(__builtin_va_list *)0)";

char *harness_declare(const char *type, const char *name)
{
	const char *at = strstr(type, "%s"), *part = strstr(type, va_list_part);
	char *text;
	int n;

	if (!at)
		return NULL;
	if (part && part < at)
		n = asprintf(&text, "%.*s%s%.*s%s%s", (int)(part - type), type, va_list_meant,
		    (int)(at - part - (long)sizeof va_list_part + 1),
		    part + sizeof va_list_part - 1, name, at + 2);
	else
		n = asprintf(&text, "%.*s%s%s", (int)(at - type), type, name, at + 2);
	return n < 0 ? NULL : text;
}

/* The bytes at an address become inputs. */
static void write_at(
    struct writer *w, const struct harness_step *s, const char *address, const char *bytes)
{
	char *shape = strdup(s->shape);

	harness_shape_plain(shape);
	fprintf(w->f, "\tduct_rt_input((void *)%s, %s, \"%s\", \"%s\");\n", address, bytes, s->name,
	    shape);
	free(shape);
}

static void write_input(struct writer *w, const struct harness_step *s)
{
	const struct harness_step *of = harness_extern(w->p, s->name);
	char *shape = strdup(s->shape), *type = strchr(shape, '@');

	if (of && strchr(of->shape, 'a')) {
		fprintf(w->f, "\tduct_rt_array((void *)&%s, %d, \"%s\", %s);\n", s->name,
		    HARNESS_RESERVE, s->name, type ? type + 1 : "0");
		free(shape);
		return;
	}
	free(shape);
	char *address = formatted("&%s", s->name), *bytes = formatted("sizeof %s", s->name);
	write_at(w, s, address, bytes);
	free(bytes);
	free(address);
}

/* An expression over parameters is compiled inside the harness; #line attributes errors in it to
 * the option. */
static void write_rule(struct writer *w, const struct harness_step *s)
{
	if (s->count)
		fputs("#line 1 \"--len\"\n", w->f);
	fprintf(w->f, "\tduct_rt_rule(\"%s\", \"%s\", (unsigned long long)(%s));\n", s->name,
	    s->shape, s->type);
	if (s->count)
		fputs("#line 1 \"duct-harness\"\n", w->f);
}

/* To proofs, what a limit keeps zero in runs may be anything. */
static void tell_fixed(struct writer *w, const struct harness_step *s)
{
	for (size_t i = 0; i < w->p->n; i++) {
		const struct harness_step *l = &w->p->step[i];
		if (l->kind == HARNESS_LIMIT && !strcmp(l->name, s->name)
		    && (!strcmp(l->type, "zero") || !strcmp(l->type, "members"))) {
			fprintf(w->f, "\tduct_rt_array((void *)&%s, sizeof %s, \"%s\", 0);\n",
			    s->name, s->name, s->name);
			return;
		}
	}
}

static void declare(struct writer *w, const struct harness_step *s)
{
	char *text = harness_declare(s->type, s->name);

	fprintf(w->f, "\t%s;\n", text ? text : s->name);
	fprintf(w->f, "\t__builtin_memset((void *)&%s, 0, sizeof %s);\n", s->name, s->name);
	tell_fixed(w, s);
	free(text);
}

static void call(struct writer *w)
{
	const struct harness_step *entry = &w->p->step[0];
	const char *name = harness_is_hidden(w->p) ? "duct_entry" : entry->name;

	if (entry->count & 2)
		fprintf(
		    w->f, "duct_rt_va_outside((const void *)%s, \"%s\");\n\t", name, entry->name);
	if (strchr("iucb", *entry->shape)) {
		fprintf(w->f, "duct_rt_result((long long)%s(", name);
		harness_put_arguments(w->f, w->p);
		fputs("));\n", w->f);
	} else if (*entry->shape == 'p') {
		fprintf(w->f, "duct_rt_result((void *)%s(", name);
		harness_put_arguments(w->f, w->p);
		fputs(") != (void *)0);\n", w->f);
	} else if (*entry->shape == 'f') {
		fprintf(w->f, "union { double d; long long i; } duct_bits = { (double)%s(", name);
		harness_put_arguments(w->f, w->p);
		fputs(") };\n\tduct_rt_result(duct_bits.i);\n", w->f);
	} else {
		fprintf(w->f, "%s(", name);
		harness_put_arguments(w->f, w->p);
		fputs(");\n", w->f);
	}
}

/* #line lets compiler errors point to where the expression was given. */
static void assume(struct writer *w, const struct harness_step *s)
{
	const char *colon = strrchr(s->shape, ':');

	if (colon)
		fprintf(w->f, "#line %s \"%.*s\"\n", colon + 1, (int)(colon - s->shape), s->shape);
	else
		fputs("#line 1 \"--assume\"\n", w->f);
	fprintf(w->f, "duct_assume((%s) != 0);\n#line 1 \"duct-harness\"\n", s->name);
}

/* Is it a va_list, as a parameter is adjusted? */
static bool is_va_list(const struct harness_step *v)
{
	return strstr(v->type, va_list_part);
}

char *harness_stub_head(const struct harness_step *s, const char *name, const char *parameter)
{
	const struct harness_step *r = s + 1;
	char *text = NULL, *heading;
	size_t size, n = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		no_memory();
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
		return strdup(s->name);
	char *name = formatted("duct_stub_of_%s", s->name),
	     *heading = harness_stub_head(s, name, parameter);

	fprintf(f, "%s __asm__(\"%s\");\n", heading, s->name);
	free(heading);
	return name;
}

/* Of a function without a prototype clang drops arguments that its definition does not name, and
 * proofs forget them, unless their types differ. */
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
	     *shape = strdup(ends ? "v" : s[1].shape);

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
		char *plain = strdup(v->shape);
		harness_shape_plain(plain);
		if (*plain && !is_va_list(v))
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

/* Of a function that nothing defines. */
static void define_named(FILE *f, const struct harness_step *s, bool types)
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

/* A number that is an input, as a local of its name or as this global. */
static void back_input(FILE *f, const struct harness_step *s, bool local)
{
	char *text = local ? harness_declare(s->type, s->name) : NULL, *shape = strdup(s->shape);

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

static bool has_types(const struct harness_plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_TYPE)
			return true;
	return false;
}

static void define_types(FILE *f, const struct harness_plan *p)
{
	bool types = has_types(p);

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
		char *shape = strdup(s->shape);
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

/* ---- functions that may be called before the entry */

static bool is_other(const struct harness_plan *p, size_t i)
{
	const struct harness_step *s = &p->step[i];

	return s->kind == HARNESS_OTHER && !(*s->type && harness_is_state(p, s->name));
}

static bool has_others(const struct harness_plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (is_other(p, i))
			return true;
	return false;
}

/* Defines duct_between_NAME, which calls the function of step i with inputs, or makes the global
 * an input. */
static void define_other(struct writer *w, size_t i)
{
	const struct harness_step *f = &w->p->step[i], *end = f + 1;

	fprintf(w->f, "static void\nduct_between_%s(void)\n{\n", f->name);
	if (*f->type) {
		write_input(w, end);
		fputs("}\n", w->f);
		return;
	}
	for (; end->kind == HARNESS_PASSED; end++)
		declare(w, end);
	for (const struct harness_step *s = f + 1; s < end; s++)
		write_input(w, s);
	if (end->kind == HARNESS_RETURNED)
		fprintf(w->f, "\tvoid *%s = (void *)", end->name);
	else
		putc('\t', w->f);
	fprintf(w->f, "%s(", f->name);
	for (const struct harness_step *s = f + 1; s < end; s++)
		fprintf(w->f, "%s%s", s > f + 1 ? ", " : "", s->name);
	fputs(");\n", w->f);
	if (end->kind == HARNESS_RETURNED) {
		char *bytes = formatted("%llu", (unsigned long long)end->count);
		write_at(w, end, end->name, bytes);
		free(bytes);
	}
	fputs("}\n", w->f);
}

static void define_others(struct writer *w)
{
	const struct harness_plan *p = w->p;

	if (!has_others(p))
		return;
	for (size_t i = 0; i < p->n; i++)
		if (is_other(p, i))
			define_other(w, i);
}

/* Before the entry is called: the others, one at a time, as often as the runtime says. */
static void call_others(struct writer *w)
{
	const struct harness_plan *p = w->p;
	unsigned n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += is_other(p, i);
	if (!n)
		return;
	fprintf(w->f,
	    "\tfor (unsigned duct_other; (duct_other = duct_rt_between(%u)) != 0;) {\n"
	    "\tswitch (duct_other) {\n",
	    n);
	n = 0;
	for (size_t i = 0; i < p->n; i++)
		if (is_other(p, i))
			fprintf(
			    w->f, "\tcase %u: duct_between_%s(); break;\n", ++n, p->step[i].name);
	fputs("\t}\n\t}\n", w->f);
}

/* ---- globals that nothing else defines */

/* In assembler, so that the compiler knows nothing of their values and of their sizes. */
static void define_extern(FILE *f, const struct harness_step *s)
{
	bool bytes = strchr(s->shape, 'b'), thread = strchr(s->shape, 't');
	unsigned long long size = strchr(s->shape, 'a') ? HARNESS_RESERVE : s->count;
	char *type = harness_declare(s->type, "");

	fprintf(f,
	    "__asm__(\".pushsection %s,\\\"aw%s\\\",@nobits\\n.balign 16\\n.globl %s\\n"
	    ".type %s,%s\\n.size %s,%llu\\n%s: .zero %llu\\n.popsection\");\n",
	    thread ? ".tbss" : ".bss", thread ? "T" : "", s->name, s->name,
	    thread ? "@tls_object" : "@object", s->name, size, s->name, size);
	if (!bytes)
		fprintf(f, "extern %s%s%s__typeof__(%s) %s;\n", thread ? "__thread " : "",
		    strchr(s->shape, 'c') ? "const " : "", strchr(s->shape, 'v') ? "volatile " : "",
		    type, s->name);
	free(type);
}

static bool has_externs(const struct harness_plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_EXTERN)
			return true;
	return false;
}

static void define_externs(FILE *f, const struct harness_plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_EXTERN)
			define_extern(f, &p->step[i]);
}

/* Constants have one value, whatever is called how often. */
static bool is_constant(const struct writer *w, const struct harness_step *s)
{
	const struct harness_step *of =
	    s->kind == HARNESS_INPUT ? harness_extern(w->p, s->name) : NULL;

	return of && strchr(of->shape, 'c');
}

static void constants(struct writer *w)
{
	for (size_t i = 0; i < w->p->n; i++)
		if (is_constant(w, &w->p->step[i]))
			write_input(w, &w->p->step[i]);
}

/* For the entry `main`: called before it. */
static void define_start(struct writer *w)
{
	fputs("void duct_harness_start(void);\nvoid\nduct_harness_start(void)\n{\n", w->f);
	if (has_types(w->p))
		fputs(
		    "\tduct_rt_types(duct_types, sizeof duct_types / sizeof *duct_types);\n", w->f);
	for (size_t i = 0; i < w->p->n; i++)
		if (w->p->step[i].kind == HARNESS_INPUT)
			write_input(w, &w->p->step[i]);
	fputs("}\n", w->f);
}

static void declare_inits(FILE *f, const struct harness_plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_INIT && *p->step[i].type) {
			char *text = harness_declare(p->step[i].type, p->step[i].name);
			fprintf(f, "%s;\n", text);
			free(text);
		}
}

static void watch(struct writer *w, const struct harness_step *s)
{
	char *shape = strdup(s->shape);

	harness_shape_plain(shape);
	if (*shape)
		fprintf(w->f, "duct_rt_watch((const void *)&%s, sizeof %s, \"%s\", \"%s\");\n",
		    s->name, s->name, s->name, shape);
	free(shape);
}

/* The input that follows a HARNESS_STATE. */
static void write_state(struct writer *w, const struct harness_step *s)
{
	fprintf(w->f, "if (duct_call == duct_calls && duct_rt_state(\"%s\", %d)) {\n", s->name,
	    (int)s->count);
	if (*s->type)
		fprintf(w->f, "\t__typeof__(%s) duct_first = %s;\n", s->name, s->name);
	write_input(w, s + 1);
	if (*s->type)
		fprintf(w->f, "duct_assume(%s);\n", s->type);
	fputs("}\n", w->f);
}

static void write_step(struct writer *w, const struct harness_step *s)
{
	switch (s->kind) {
	case HARNESS_PARAM: declare(w, s); break;
	case HARNESS_GLOBAL: tell_fixed(w, s); break;
	case HARNESS_INPUT:
		if (!is_constant(w, s) && s[-1].kind != HARNESS_STATE)
			write_input(w, s);
		break;
	case HARNESS_STATE: write_state(w, s); break;
	case HARNESS_RULE: write_rule(w, s); break;
	case HARNESS_ASSUME: assume(w, s); break;
	case HARNESS_WATCH: watch(w, s); break;
	case HARNESS_CALL: call(w); break;
	}
}

/* Writes duct_harness: initialisation, then the call of the entry. */
static void define_harness(struct writer *w)
{
	const struct harness_plan *p = w->p;

	fputs("int duct_harness(void);\nint\nduct_harness(void)\n{\n", w->f);
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_INIT)
			fprintf(w->f, "\t%s();\n", p->step[i].name);
	if (has_types(p))
		fputs(
		    "\tduct_rt_types(duct_types, sizeof duct_types / sizeof *duct_types);\n", w->f);
	constants(w);
	fputs(
	    "\tfor (unsigned duct_calls = duct_rt_calls(), duct_call = duct_calls; duct_call; duct_call--) {\n",
	    w->f);
	call_others(w);
	for (size_t i = 0; i < p->n; i++)
		write_step(w, &p->step[i]);
	fputs("\t}\n\treturn 0;\n}\n", w->f);
}

/* That no one asked for globals by their names means that macros may have these, too. */
static void undefine_macros(FILE *f, const struct harness_plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_STATE)
			fprintf(f, "#undef %s\n", p->step[i].name);
}

static bool has_stubs(const struct harness_plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_STUB)
			return true;
	return false;
}

char *harness_text(
    const struct flow *f, const struct harness_options *o, char **narrowing, char **error)
{
	struct harness_plan *p = harness_plan(f, o, narrowing, error);
	struct writer w = { .p = p };
	char *text = NULL;
	size_t size;

	if (!p)
		return NULL;
	if (p->step[0].count & 4 && !has_stubs(p) && !has_externs(p)) {
		harness_plan_free(p);
		return strdup("");
	}
	if (!(w.f = open_memstream(&text, &size)))
		no_memory();
	fputs(quiet, w.f);
	fputs(head, w.f);
	if (harness_is_hidden(p))
		fprintf(w.f, "static __typeof__(&%s) const duct_entry = &%s;\n", p->step[0].name,
		    p->step[0].name);
	undefine_macros(w.f, p);
	declare_inits(w.f, p);
	define_externs(w.f, p);
	define_types(w.f, p);
	if (!(p->step[0].count & 4)) {
		define_others(&w);
		define_harness(&w);
	} else if (has_externs(p)) {
		define_start(&w);
	}
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_STUB)
			define_named(w.f, &p->step[i], has_types(p));
	harness_plan_free(p);
	fclose(w.f);
	return text;
}
