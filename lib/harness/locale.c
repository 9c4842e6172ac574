/* locale: limits of functions whose answers depend on the locale. A program that sets no locale has
 * that of C; callers of an entry may have set one. */
#include "lib/base/grow.h"
#include "lib/clib/clib.h"
#include "lib/harness/inner.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A call in its unit. */
struct call_site {
	const struct flow_unit *u;
	const struct flow_call *call;
	const struct clib *c;
};

static const struct flow_inst *instruction(const struct call_site *s)
{
	return s->u->inst && s->call->inst ? &s->u->inst[s->call->inst - 1] : NULL;
}

/* Argument k of the call; NULL: it has none, or is not known. */
static const struct flow_operand *argument(const struct call_site *s, uint32_t k)
{
	const struct flow_inst *i = instruction(s);

	return i && k + 1 < i->operands ? &s->u->operand[i->first + k + 1] : NULL;
}

/* The string that is argument k; NULL: it is not constant. *n: its length. */
static const char *text(const struct call_site *s, uint32_t k, size_t *n)
{
	const struct flow_operand *o = argument(s, k);

	for (size_t i = 0; o && o->kind == '$' && !o->value && i < s->u->contents; i++) {
		const struct flow_bytes *b = &s->u->bytes[i];
		if (b->kind == '$' && b->id == o->id) {
			*n = strnlen((const char *)b->bytes, b->known);
			return (const char *)b->bytes;
		}
	}
	return NULL;
}

/* ---- what of an answer depends on it? */

/* The last instruction of the call's function. */
static uint32_t last_of_function(const struct call_site *s)
{
	uint32_t last = s->call->inst, block;

	while (last < s->u->insts && (block = s->u->inst_block[last])
	    && s->u->block_func[block - 1] == s->call->func)
		last++;
	return last;
}

/* Is an operand of the instruction one of the n values from `first` on that are marked? */
static bool uses(
    const struct flow_unit *u, uint32_t inst, uint32_t first, const bool *mark, uint32_t n)
{
	const struct flow_inst *i = &u->inst[inst - 1];

	for (uint32_t k = 0; k < i->operands; k++) {
		const struct flow_operand *o = &u->operand[i->first + k];
		if (o->kind == '%' && o->id >= first && o->id - first < n && mark[o->id - first])
			return true;
	}
	return false;
}

/* The bits of entries of the table of classes that the program looks at, where it reads the table
 * as the macros of <ctype.h> do; else all. */
static uint64_t mask_of(const struct call_site *s)
{
	uint32_t first = s->call->inst, last = instruction(s) ? last_of_function(s) : first;
	bool *value = zeroed(last - first + 1, sizeof *value);
	uint64_t mask = 0;

	value[0] = true;
	for (uint32_t inst = first + 1; inst <= last; inst++) {
		const struct flow_inst *i = &s->u->inst[inst - 1];
		const struct flow_operand *o = &s->u->operand[i->first];
		if (!uses(s->u, inst, first, value, last - first + 1))
			continue;
		if (i->op == FLOW_LOAD || i->op == FLOW_ADDR || i->op == FLOW_CAST)
			value[inst - first] = true;
		else if (i->name && !strcmp(i->name, "and") && o[1].kind == '#')
			mask |= (uint64_t)o[1].value & UINT16_MAX;
		else
			mask = UINT16_MAX;
	}
	free(value);
	return mask ? mask : UINT16_MAX;
}

/* The function whose class the macros call these bits. */
static const char *class_of(uint64_t mask)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} classes[] = { { _ISupper, "isupper" }, { _ISlower, "islower" }, { _ISalpha, "isalpha" },
		{ _ISspace, "isspace" }, { _ISprint, "isprint" }, { _ISgraph, "isgraph" },
		{ _ISblank, "isblank" }, { _IScntrl, "iscntrl" }, { _ISpunct, "ispunct" },
		{ _ISalnum, "isalnum" } };

	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (mask == classes[i].bit)
			return classes[i].name;
	return "isalpha";
}

/* Has the format a conversion of floating-point numbers or of wide characters? Also false: of
 * digits in groups. */
static bool converts(const char *format, size_t n)
{
	for (const char *at = format, *end = format + n; at < end; at++) {
		bool wide = false;
		if (*at != '%')
			continue;
		while (++at < end && !isalpha((unsigned char)*at) && *at != '%' && *at != '[')
			if (*at == '\'')
				return true;
		for (; at < end && strchr("hlLqjzt", *at); at++)
			wide |= *at == 'l';
		if (at < end && strchr(wide ? "sc[aAeEfFgGCS" : "aAeEfFgGCS", *at))
			return true;
	}
	return false;
}

static bool is_used(const struct call_site *s)
{
	uint32_t last = instruction(s) ? last_of_function(s) : 0;
	bool used = !last;

	for (uint32_t inst = s->call->inst + 1; inst <= last && !used; inst++)
		used = uses(s->u, inst, s->call->inst, &(bool){ true }, 1);
	return used;
}

/* Does a call with a format depend on it? Output does not come back, but its length does. */
static bool is_formatted(const struct call_site *s)
{
	size_t n;

	for (uint32_t k = 0; k < clib_args(s->c); k++) {
		struct clib_arg a = clib_arg(s->c, k);
		if (a.access != 'r' || !strchr("FGHI", a.extent) || !a.extent)
			continue;
		const char *format = text(s, k, &n);
		return (!format || converts(format, n)) && (!clib_does(s->c, "o") || is_used(s));
	}
	return false;
}

/* The function that depends on the locale, as programs call it; NULL: none does. */
static const char *dependent(const struct call_site *s)
{
	static const char tables[][2][20] = { { "__ctype_tolower_loc", "tolower" },
		{ "__ctype_toupper_loc", "toupper" } };

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (!strcmp(s->c->name, tables[i][0]))
			return tables[i][1];
	if (!strcmp(s->c->name, "__ctype_b_loc")) {
		uint64_t mask = mask_of(s) & ~(uint64_t)(_ISdigit | _ISxdigit);
		return mask ? class_of(mask) : NULL;
	}
	return *s->c->locale || (instruction(s) && is_formatted(s)) ? s->c->name : NULL;
}

/* ---- all calls */

struct locale_calls {
	const struct flow *flow;
	bool *const *reached;
	struct build *build; /* gets limits; NULL: the names go to `out` */
	const char *kind;    /* of the limits */
	FILE *out;
};

static bool is_defined(const struct locale_calls *w, const char *name)
{
	const struct flow_unit *u;

	return flow_find(w->flow, name, &u) != NULL;
}

static void tell(const struct locale_calls *w, const char *name)
{
	if (!w->build)
		fprintf(w->out, "%s\n", name);
	else if (!harness_has_limit(w->build, name))
		harness_limit(w->build, w->kind, name, 0);
}

static bool is_reached(const struct locale_calls *w, size_t unit, uint32_t func)
{
	return func && (!w->reached || w->reached[unit][func - 1]);
}

static void calls(const struct locale_calls *w, size_t unit)
{
	const struct flow_unit *u = &w->flow->unit[unit];

	for (size_t k = 0; k < u->calls; k++) {
		struct call_site s = { u, &u->call[k], NULL };
		const char *name = NULL;
		if (s.call->callee && is_reached(w, unit, s.call->func)
		    && (s.c = clib_find(s.call->callee)))
			name = dependent(&s);
		if (name && !is_defined(w, s.call->callee))
			tell(w, name);
	}
}

/* A library function whose address a function that is reached has, or an initialiser. */
static void pointer(const struct locale_calls *w, const struct flow_operand *o)
{
	const struct clib *c = o->kind == '@' ? clib_find(o->name) : NULL;

	if (c && *c->locale && !is_defined(w, o->name))
		tell(w, c->name);
}

static void pointers(const struct locale_calls *w, size_t unit)
{
	const struct flow_unit *u = &w->flow->unit[unit];

	for (size_t i = 0; u->inst && i < u->insts; i++) {
		const struct flow_inst *inst = &u->inst[i];
		uint32_t block = u->inst_block[i];
		if (!block || !is_reached(w, unit, u->block_func[block - 1]))
			continue;
		for (uint32_t k = inst->op == FLOW_CALL; k < inst->operands; k++)
			pointer(w, &u->operand[inst->first + k]);
	}
	for (size_t i = 0; i < u->relocs; i++)
		pointer(w, &u->reloc[i].target);
}

char *harness_locale(const struct flow *f, const char *entry)
{
	bool **reached = flow_reachable(f, entry);
	struct locale_calls w = { f, reached, NULL, NULL, NULL };
	char *text = NULL;
	size_t size;

	w.out = text_stream(&text, &size);
	for (size_t i = 0; i < f->units; i++) {
		calls(&w, i);
		pointers(&w, i);
	}
	fclose(w.out);
	flow_marks_free(f, reached);
	return text;
}

/* ---- the limits */

static bool sets_locale(const struct locale_calls *w)
{
	static const char *const sets[] = { "setlocale", "newlocale", "uselocale" };

	for (size_t i = 0; i < w->flow->units; i++)
		for (size_t k = 0; k < w->flow->unit[i].calls; k++) {
			const struct flow_call *c = &w->flow->unit[i].call[k];
			for (size_t n = 0; c->callee && n < sizeof sets / sizeof *sets; n++)
				if (!strcmp(c->callee, sets[n]) && is_reached(w, i, c->func))
					return true;
		}
	return false;
}

void harness_locale_limits(struct build *b, bool *const *reached, bool program)
{
	struct locale_calls w = { b->flow, reached, b, "locale", NULL };
	bool sets = sets_locale(&w);

	if (sets)
		w.kind = "concrete";
	for (size_t i = 0; program && sets && i < b->flow->units; i++)
		calls(&w, i);
	for (const char *at = program || !b->u->locale ? "" : b->u->locale; *at;
	    at += strspn(at, "\n")) {
		char *name = copied_part(at, strcspn(at, "\n"));
		tell(&w, name);
		at += strlen(name);
		free(name);
	}
}
