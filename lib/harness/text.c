/* text: the plan as C text, appended to the source file that defines the entry. It uses only names
 * that begin with duct_ and compiler builtins, so that the program's macros and functions cannot
 * interfere. */
#include "lib/harness/inner.h"
#include "lib/protocol/abi.h"
#include "lib/base/grow.h"
#include "lib/harness/shape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Warnings that the user's flags enable are about the user's text, not about this one; but `=` in
 * an assumption is reported. */
static const char quiet[] = "#ifdef __clang__\n"
                            "#pragma clang diagnostic ignored \"-Weverything\"\n"
                            "#pragma clang diagnostic warning \"-Wparentheses\"\n"
                            "#endif\n";
static const char head[] =
    "extern void duct_rt_input(void *, __SIZE_TYPE__, const char *, const char *);\n"
    "struct duct_type { const char *shape; unsigned long long size; const void *const *function; unsigned long long functions; };\n"
    "extern void duct_rt_types(const struct duct_type *, unsigned);\n"
    "extern void duct_rt_array(void *, __SIZE_TYPE__, const char *, unsigned);\n"
    "extern void duct_rt_device(void *, __SIZE_TYPE__);\n"
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

struct plan_text {
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

	if (!at)
		return NULL;
	if (part && part < at)
		return formatted("%.*s%s%.*s%s%s", (int)(part - type), type, va_list_meant,
		    (int)(at - part - (long)sizeof va_list_part + 1),
		    part + sizeof va_list_part - 1, name, at + 2);
	return formatted("%.*s%s%s", (int)(at - type), type, name, at + 2);
}

bool harness_is_va_list(const struct harness_step *v)
{
	return strstr(v->type, va_list_part);
}

/* Makes the bytes at an address inputs. */
static void write_at(
    struct plan_text *w, const struct harness_step *s, const char *address, const char *bytes)
{
	char *shape = copied(s->shape);

	harness_shape_plain(shape);
	fprintf(w->f, "\tduct_rt_input((void *)%s, %s, \"%s\", \"%s\");\n", address, bytes, s->name,
	    shape);
	free(shape);
}

static void write_input(struct plan_text *w, const struct harness_step *s)
{
	const struct harness_step *of = harness_extern(w->p, s->name);
	char *shape = copied(s->shape), *type = strchr(shape, '@');

	if (of && harness_device(of))
		fprintf(w->f, "\tduct_rt_device((void *)%#" PRIx64 ", %" PRIu64 ");\n",
		    harness_device(of), harness_device_room(w->p, of));
	if (of && strchr(of->shape, 'a')) {
		bool device = harness_device(of);
		fprintf(w->f, "\tduct_rt_array((void *)%s%s, %d, \"%s\", %s);\n", device ? "" : "&",
		    s->name, device ? (int)harness_device_room(w->p, of) : HARNESS_RESERVE, s->name,
		    type ? type + 1 : "0");
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
static void write_rule(struct plan_text *w, const struct harness_step *s)
{
	if (s->count)
		fputs("#line 1 \"--len\"\n", w->f);
	fprintf(w->f, "\tduct_rt_rule(\"%s\", \"%s\", (unsigned long long)(%s));\n", s->name,
	    s->shape, s->type);
	if (s->count)
		fputs("#line 1 \"duct-harness\"\n", w->f);
}

/* For proofs, a value that a limit keeps zero in runs may be anything. */
static void tell_fixed(struct plan_text *w, const struct harness_step *s)
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

static void declare(struct plan_text *w, const struct harness_step *s)
{
	char *text = harness_declare(s->type, s->name);

	fprintf(w->f, "\t%s;\n", text ? text : s->name);
	fprintf(w->f, "\t__builtin_memset((void *)&%s, 0, sizeof %s);\n", s->name, s->name);
	tell_fixed(w, s);
	free(text);
}

static void call(struct plan_text *w)
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
static void assume(struct plan_text *w, const struct harness_step *s)
{
	const char *colon = strrchr(s->shape, ':');

	if (colon)
		fprintf(w->f, "#line %s \"%.*s\"\n", colon + 1, (int)(colon - s->shape), s->shape);
	else
		fputs("#line 1 \"--assume\"\n", w->f);
	fprintf(w->f, "duct_assume((%s) != 0);\n#line 1 \"duct-harness\"\n", s->name);
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
static void define_other(struct plan_text *w, size_t i)
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

static void define_others(struct plan_text *w)
{
	const struct harness_plan *p = w->p;

	if (!has_others(p))
		return;
	for (size_t i = 0; i < p->n; i++)
		if (is_other(p, i))
			define_other(w, i);
}

/* Before the entry is called, calls the other functions, one at a time, as often as the runtime
 * requests. */
static void call_others(struct plan_text *w)
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

/* In a table of addresses and sizes, which the runtime maps before anything runs. */
static void map_device(FILE *f, const struct harness_plan *p, const struct harness_step *s)
{
	char *name = formatted("%#" PRIx64, harness_device(s));

	harness_put_device(f, s);
	fprintf(f,
	    "__asm__(\".pushsection duct_devices,\\\"aw\\\"\\n.balign 8\\n.quad %s, %" PRIu64 ", 0"
	    "\\n.ascii \\\"%s\\\"\\n.zero %zu\\n.popsection\");\n",
	    name, harness_device_room(p, s), name,
	    sizeof((struct duct_device *)NULL)->name - strlen(name));
	free(name);
}

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
		if (harness_device(&p->step[i]))
			map_device(f, p, &p->step[i]);
		else if (p->step[i].kind == HARNESS_EXTERN)
			define_extern(f, &p->step[i]);
}

/* Constants have one value, whatever is called how often. */
static bool is_constant(const struct plan_text *w, const struct harness_step *s)
{
	const struct harness_step *of =
	    s->kind == HARNESS_INPUT ? harness_extern(w->p, s->name) : NULL;

	return of && strchr(of->shape, 'c');
}

static void constants(struct plan_text *w)
{
	for (size_t i = 0; i < w->p->n; i++)
		if (is_constant(w, &w->p->step[i]))
			write_input(w, &w->p->step[i]);
}

/* For the entry `main`: called before it. */
static void define_start(struct plan_text *w)
{
	fputs("void duct_harness_start(void);\nvoid\nduct_harness_start(void)\n{\n", w->f);
	if (harness_has_types(w->p))
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

static void watch(struct plan_text *w, const struct harness_step *s)
{
	char *shape = copied(s->shape);

	harness_shape_plain(shape);
	if (*shape)
		fprintf(w->f, "duct_rt_watch((const void *)&%s, sizeof %s, \"%s\", \"%s\");\n",
		    s->name, s->name, s->name, shape);
	free(shape);
}

/* The input that follows a HARNESS_STATE. */
static void write_state(struct plan_text *w, const struct harness_step *s)
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

static void write_step(struct plan_text *w, const struct harness_step *s)
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
static void define_harness(struct plan_text *w)
{
	const struct harness_plan *p = w->p;

	fputs("int duct_harness(void);\nint\nduct_harness(void)\n{\n", w->f);
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_INIT)
			fprintf(w->f, "\t%s();\n", p->step[i].name);
	if (harness_has_types(p))
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

/* If no option names globals, macros may have the same names: undefines them. */
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
	struct plan_text w = { .p = p };
	char *text = NULL;
	size_t size;

	if (!p)
		return NULL;
	if (p->step[0].count & 4 && !has_stubs(p) && !has_externs(p)) {
		harness_plan_free(p);
		return copied("");
	}
	w.f = text_stream(&text, &size);
	fputs(quiet, w.f);
	fputs(head, w.f);
	if (harness_is_hidden(p))
		fprintf(w.f, "static __typeof__(&%s) const duct_entry = &%s;\n", p->step[0].name,
		    p->step[0].name);
	undefine_macros(w.f, p);
	declare_inits(w.f, p);
	define_externs(w.f, p);
	harness_define_types(w.f, p);
	if (!(p->step[0].count & 4)) {
		define_others(&w);
		define_harness(&w);
	} else if (has_externs(p)) {
		define_start(&w);
	}
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_STUB)
			harness_define_stub(w.f, &p->step[i], harness_has_types(p));
	harness_plan_free(p);
	fclose(w.f);
	return text;
}
