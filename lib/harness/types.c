/* types: targets of pointers among the inputs, as steps of a plan, and the types of C lvalues. */
#include "lib/harness/inner.h"
#include "lib/harness/shape.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum {
	CANDIDATES = 16 /* functions that a pointer may point to, besides the stub; variables */
};

/* ---- lvalues */

static uint32_t first_type(const struct build *b, const char *name, size_t n)
{
	const struct flow_unit *u;
	const struct flow_func *f = flow_find(b->flow, b->o->entry, &u);

	for (size_t i = 0; f && i < f->params; i++) {
		const struct flow_var *v = &b->u->var[f->param[i] - 1];
		if (strlen(v->name) == n && !strncmp(v->name, name, n))
			return v->type;
	}
	for (size_t i = 0; i < b->u->vars; i++) {
		const struct flow_var *v = &b->u->var[i];
		if (v->kind == 'g' && strlen(v->name) == n && !strncmp(v->name, name, n)
		    && harness_is_variable(b->flow, v->name))
			return v->type;
	}
	for (const char *const *g = b->o->global; g && *g; g++)
		for (size_t i = 0; i < b->u->vars; i++) {
			const struct flow_var *v = &b->u->var[i];
			if (v->kind == 'g' && !strcmp(v->name, *g) && strlen(*g) == n
			    && !strncmp(*g, name, n))
				return v->type;
		}
	return 0;
}

/* The type of a member; searches unnamed members as well. */
static uint32_t member_type(const struct flow_unit *u, uint32_t type, const char *name, size_t n)
{
	const struct flow_type *t = harness_type(u, type);

	for (size_t i = 0; t && i < t->members; i++) {
		const struct flow_member *m = &t->member[i];
		uint32_t inner = *m->name ? 0 : member_type(u, m->type, name, n);
		if (inner || (strlen(m->name) == n && !strncmp(m->name, name, n)))
			return inner ? inner : m->type;
	}
	return 0;
}

/* The same, or one of the structures that an object of the type may be. */
static uint32_t part_type(const struct build *b, uint32_t type, const char *name, size_t n)
{
	uint32_t part = harness_derived_part(b, type, name, n);

	return part ? part : member_type(b->u, type, name, n);
}

static size_t word(const char *s)
{
	return strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

static uint32_t target(const struct flow_unit *u, uint32_t type)
{
	const struct flow_type *t = harness_type(u, type);

	return t && (t->kind == 'p' || t->kind == 'a') ? t->of : 0;
}

uint32_t harness_lvalue(const struct build *b, const char *name)
{
	size_t n = word(name);
	uint32_t type = first_type(b, name, n);

	for (name += n; *name && type; name += n) {
		if (*name == '[') {
			n = strcspn(name, "]");
			n += name[n] == ']';
			type = target(b->u, type);
			continue;
		}
		bool arrow = name[0] == '-' && name[1] == '>';
		if (!arrow && *name != '.')
			return 0;
		name += 1 + arrow;
		n = word(name);
		type = part_type(b, arrow ? target(b->u, type) : type, name, n);
	}
	return type;
}

/* ---- functions */

/* Structures with reserved names belong to the C library, unless a file of the program defines
 * them; their content is unknown. */
bool harness_reserved(const struct flow_type *t)
{
	bool tagged =
	    t->text && (!strncmp(t->text, "struct _", 8) || !strncmp(t->text, "union _", 7));
	const char *name = tagged && !t->is_own ? strchr(t->text, '_') + 1 : "";

	return *name == '_' || (*name >= 'A' && *name <= 'Z');
}

bool harness_is_stream(const struct flow_type *t)
{
	return t->text && !strcmp(t->text, "struct _IO_FILE %s");
}

bool harness_opaque(const struct flow_type *t)
{
	return !t->size || t->kind == 'o' || harness_reserved(t);
}

/* The type of the entry's unit with the same text and size as another unit's type; 0: there is
 * none. */
static uint32_t own_type(const struct build *b, const struct flow_unit *u, uint32_t type)
{
	const struct flow_type *t = harness_type(u, type);

	if (u == b->u)
		return type;
	for (size_t i = 0; t && i < b->u->types; i++)
		if (b->u->type[i].kind == t->kind && b->u->type[i].size == t->size
		    && b->u->type[i].text && t->text && !strcmp(b->u->type[i].text, t->text))
			return (uint32_t)i + 1;
	return 0;
}

/* Is each word of the type's text known in any file: a part of the language, or a tag? */
static bool is_known_anywhere(const char *text)
{
	static const char *const words[] = { "const", "volatile", "restrict", "signed", "unsigned",
		"char", "short", "int", "long", "float", "double", "void", "_Bool", "__int128",
		"s" };
	bool tag = false, known = true;

	for (; *text && known; text += word(text) ? word(text) : 1) {
		size_t n = word(text);
		bool is_tag = tag;
		if (!n || (*text >= '0' && *text <= '9'))
			continue;
		tag = (n == 6 && !strncmp(text, "struct", n))
		    || (n == 5 && !strncmp(text, "union", n))
		    || (n == 4 && !strncmp(text, "enum", n));
		known = tag || is_tag;
		for (size_t i = 0; !known && i < sizeof words / sizeof *words; i++)
			known = strlen(words[i]) == n && !strncmp(text, words[i], n);
	}
	return known;
}

/* The text of another unit's type, for the harness, which sees only declarations of the entry's
 * unit. For a pointer to an unknown type it is a pointer of the same size. */
static const char *text_here(const struct build *b, const struct flow_unit *u, uint32_t type)
{
	static const char *const numbers[] = {
		[1] = "signed char %s", [2] = "short %s", [4] = "int %s", [8] = "long %s"
	};
	const struct flow_type *t = harness_type(u, type);

	if (!t || own_type(b, u, type) || is_known_anywhere(t->text))
		return t ? t->text : "int %s";
	if (t->kind == 'p')
		return "void *%s";
	return strchr("iucb", t->kind) && t->size < sizeof numbers / sizeof *numbers
	        && numbers[t->size]
	    ? numbers[t->size]
	    : t->text;
}

/* Describes a stub's argument, whose type is the unit's. What the stub may write to the argument's
 * target becomes an input; if the entry's unit does not know its type, it is bytes, which no
 * pointers are made of. */
static bool argument(struct build *b, const struct flow_unit *u, size_t i, uint32_t type)
{
	const struct flow_type *t = harness_type(u, type);
	bool pointer = t && t->kind == 'p';
	uint32_t here = pointer ? own_type(b, u, t->of) : 0;
	const struct flow_type *to =
	    pointer ? harness_type(here ? b->u : u, here ? here : t->of) : NULL;
	bool any = !to || to->kind == 'v';
	bool may = pointer && !strstr(t->text, "const")
	    && (any || (to->kind != 'e' && !harness_opaque(to)));
	bool writes = may && (any || here || !harness_holds_pointer(u, t->of, 0));
	bool bytes = writes && (any || !here);
	char *name = formatted("%zu", i + 1);
	char *shape = bytes ? copied("U1")
	    : writes        ? harness_shape_marked(b->u, here, 0)
	                    : copied("");

	harness_step(b, HARNESS_ARGUMENT, name, text_here(b, u, type), shape,
	    bytes        ? 1
	        : writes ? to->size
	                 : 0);
	free(shape);
	free(name);
	return writes == may && (pointer || !harness_holds_pointer(u, type, 0));
}

/* The shape of a result; a number's is the same in each unit. "": not known. */
static char *result_shape(
    const struct build *b, const struct flow_unit *u, uint32_t type, const char *name)
{
	const struct flow_type *t = harness_type(u, type);
	uint32_t own = own_type(b, u, type);

	if (own && *name)
		own = harness_taken_for(b, name, own);

	if (own)
		return harness_shape_marked(b->u, own, 0);
	return strchr("iucbf", t->kind) ? formatted("%c%llu", t->kind, (unsigned long long)t->size)
	                                : copied("");
}

bool harness_result(
    struct build *b, const struct flow_unit *u, const struct flow_type *function, const char *name)
{
	const struct flow_type *result = function ? harness_type(u, function->of) : NULL;
	bool none = !result || result->kind == 'v',
	     known = function && function->members == function->count;
	char *shape = none ? copied("v") : result_shape(b, u, function->of, name);
	enum flow_prototype takes = known ? flow_prototype(function) : FLOW_NO_PROTOTYPE;
	unsigned how = takes == FLOW_NO_PROTOTYPE ? 2 : takes == FLOW_VARIADIC ? 1 : 0;
	bool whole = *shape && !how;

	harness_step(
	    b, HARNESS_RESULT, "", result ? text_here(b, u, function->of) : "void %s", shape, how);
	for (size_t i = 0; known && i < function->members; i++)
		whole &= argument(b, u, i, function->member[i].type);
	free(shape);
	return whole;
}

static bool is_candidate(const struct build *b, const struct flow_func *f, uint32_t type)
{
	return f->type == type && !f->in_system && !f->is_harness && strcmp(f->name, b->o->entry)
	    && strcmp(f->name, "main");
}

/* Adds the stub, then the unit's functions of this type. */
static void functions(struct build *b, uint32_t type)
{
	const struct flow_type *t = harness_type(b->u, type);
	size_t n = 0;

	harness_step(b, HARNESS_FUNCTION, "", t->text, "", 0);
	harness_result(b, b->u, t, "");
	for (size_t i = 0; i < b->u->funcs && n < CANDIDATES; i++)
		if (is_candidate(b, &b->u->func[i], type)) {
			harness_step(b, HARNESS_FUNCTION, b->u->func[i].name, t->text, "", 0);
			n++;
		}
	for (size_t i = 0; i < b->u->exts && n < CANDIDATES; i++) {
		const struct flow_unit *u = NULL;
		if (b->u->ext[i].type == type && flow_find(b->flow, b->u->ext[i].name, &u)) {
			harness_step(b, HARNESS_FUNCTION, b->u->ext[i].name, t->text, "", 0);
			n++;
		}
	}
}

/* ---- targets of pointers */

/* Are elements of the variable's type of this one, or bytes? Bytes of numbers that the entry uses
 * by name are not tried. */
static bool is_of_type(const struct build *b, const struct flow_var *v, uint32_t type, bool used)
{
	const struct flow_type *t = harness_type(b->u, type), *of = harness_type(b->u, v->type);

	if (of && of->kind == 'a')
		of = harness_type(b->u, of->of);
	return of
	    && (!t || t->kind == 'v' || t == of || (t->size == 1 && (!used || of->size == 1)));
}

static bool has_variable(const struct build *b, size_t first, const char *name)
{
	for (size_t i = first; i < b->plan->n; i++)
		if (b->plan->step[i].kind == HARNESS_VARIABLE
		    && !strcmp(b->plan->step[i].name, name))
			return true;
	return false;
}

/* Did the user state that no two pointers lead to one object? */
static bool are_distinct(const struct build *b)
{
	for (const char *const *s = b->o->distinct; s && *s; s++)
		if (!strcmp(*s, "all"))
			return true;
	return false;
}

/* Adds the variables that a pointer of a caller may lead to where that makes a difference; a last
 * one without a name if that is so only for others. */
static void variables(struct build *b, uint32_t type)
{
	size_t first = b->plan->n, n = 0;
	bool others = false, distinct = are_distinct(b);

	for (const char *at = b->u->shared; at && *at && n < CANDIDATES; at += strspn(at, "\n")) {
		bool compared = !strchr("=*", *at);
		size_t length = strcspn(at, "\n");
		char *name = formatted("%.*s", (int)length - (*at == '='), at + (*at == '='));
		const struct flow_var *v = harness_global(b->u, name);
		at += length;
		if ((compared || !distinct) && v && is_of_type(b, v, type, !compared)
		    && !has_variable(b, first, name)) {
			harness_step(
			    b, HARNESS_VARIABLE, name, harness_type(b->u, v->type)->text, "", 0);
			n++;
		} else if (!compared && !distinct) {
			others |= !v
			    || harness_classes(b->u, v->type, 0) & harness_classes(b->u, type, 0);
		}
		free(name);
	}
	harness_device_variables(b, type);
	if (others && b->plan->n == first)
		harness_step(b, HARNESS_VARIABLE, "", "", "", 0);
}

size_t harness_variables(const struct harness_plan *p, size_t i)
{
	size_t n = 0;

	while (p->step[i].kind == HARNESS_TYPE && i + 1 + n < p->n
	    && p->step[i + 1 + n].kind == HARNESS_VARIABLE)
		n++;
	return n;
}

void harness_put_variables(FILE *f, const struct harness_plan *p, size_t i)
{
	size_t n = harness_variables(p, i);

	if (n)
		fprintf(f, "static const void *const duct_variables%s[] = {", p->step[i].name);
	for (size_t k = 1; k <= n; k++)
		fprintf(
		    f, *p->step[i + k].name ? " (const void *)&%s," : " 0,%s", p->step[i + k].name);
	if (n)
		fputs(" };\n", f);
}

static void describe(struct build *b, size_t i)
{
	uint32_t type = b->pointees[i];
	const struct flow_type *t = harness_type(b->u, type);
	uint64_t larger = harness_derived_size(b, type);
	char *name = formatted("%zu", i + 1);

	if (!t || t->kind == 'v') {
		harness_step(b, HARNESS_TYPE, name, "", "U1", 1);
		variables(b, type);
	} else if (t->kind == 'e') {
		harness_step(b, HARNESS_TYPE, name, t->text, "", 0);
		functions(b, type);
	} else if (harness_is_stream(t)) {
		harness_step(b, HARNESS_TYPE, name, t->text, "S", 0);
	} else if (harness_opaque(t)) {
		harness_step(b, HARNESS_TYPE, name, t->text, "", 0);
		if (t->size) {
			char *text = formatted("%.*s", (int)strcspn(t->text, "%"), t->text);
			harness_limit(b, "zero", text, 0);
			free(text);
		}
	} else {
		char *declared = larger ? harness_derived_text(b, type, larger) : copied(t->text);
		char *shape = larger ? harness_derived_shape(b, type, larger)
		                     : harness_shape_whole(b->u, type);
		harness_step(b, HARNESS_TYPE, name, declared, shape, larger ? larger : t->size);
		free(shape);
		free(declared);
		variables(b, type);
		if (harness_shape_fixes(b->u, type, 0)) {
			char *text = formatted("%.*s", (int)strcspn(t->text, "%"), t->text);
			for (size_t n = strlen(text); n && text[n - 1] == ' ';)
				text[--n] = 0;
			harness_limit(b, "members", text, 0);
			free(text);
		}
	}
	free(name);
}

void harness_types(struct build *b)
{
	while (b->described < b->n_pointees)
		describe(b, b->described++);
}
