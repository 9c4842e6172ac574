/* pointed: the functions that calls through pointers may reach, by their types. */
#include "lib/base/grow.h"
#include "lib/base/texts.h"
#include "lib/flow/flow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct flow_pointed {
	const struct flow *fl;
	struct texts texts; /* signatures, from number 1 on */
	uint32_t **func;    /* by unit and function */
	uint32_t **call;    /* by unit and call */
	bool *converted;    /* by number: pointers to such functions are converted to other types */
	size_t room;
	bool any; /* nothing is certain */
};

/* Larger integers are passed as several words. */
enum { LARGEST_WORD = 8 };

/* The part of a signature that describes a result or a parameter; false: it has none. */
static bool put_type(const struct flow_unit *u, uint32_t id, FILE *out)
{
	const struct flow_type *t = id && id <= u->types ? &u->type[id - 1] : NULL;

	if (t && strchr("iucb", t->kind) && t->size && t->size <= LARGEST_WORD)
		fprintf(out, " i%" PRIu64, t->size);
	else if (t && t->kind == 'f')
		fprintf(out, " f%" PRIu64, t->size);
	else if (t && (t->kind == 'p' || t->kind == 'a'))
		fputs(" p", out);
	else if (t && t->kind == 'v')
		fputs(" v", out);
	else
		return false;
	return true;
}

enum flow_prototype flow_prototype(const struct flow_type *t)
{
	const char *name = t ? strstr(t->text, "(%s)(") : NULL, *s = name ? name + 5 : NULL;
	bool dots =
	    false; /* the last parameter; those of parameters that are functions are deeper */

	if (!s || *s == ')')
		return FLOW_NO_PROTOTYPE;
	for (int depth = 1; *s && depth; s++) {
		depth += (*s == '(') - (*s == ')');
		dots |= depth == 1 && *s == '.';
	}
	return dots ? FLOW_VARIADIC : FLOW_PROTOTYPE;
}

/* The signature of a function type; NULL: not certain. The caller frees it. */
static char *signature(const struct flow_unit *u, uint32_t id)
{
	const struct flow_type *t = id && id <= u->types ? &u->type[id - 1] : NULL;
	char *text = NULL;
	size_t size;
	FILE *out;

	if (!t || t->kind != 'e' || flow_prototype(t) != FLOW_PROTOTYPE)
		return NULL;
	out = text_stream(&text, &size);
	bool good = put_type(u, t->of, out);
	for (size_t i = 0; good && i < t->members; i++)
		good = put_type(u, t->member[i].type, out);
	fclose(out);
	if (good)
		return text;
	free(text);
	return NULL;
}

static uint32_t number_of(struct flow_pointed *p, const struct flow_unit *u, uint32_t type)
{
	char *text = signature(u, type);
	uint32_t number = text ? texts_number(&p->texts, text) : 0;

	free(text);
	return number;
}

/* Pointers without a prototype may lead to any function. */
static void note_conversions(struct flow_pointed *p, const struct flow_unit *u)
{
	for (size_t i = 0; i < u->conversions; i++) {
		uint32_t from = number_of(p, u, u->converted[i].from),
		         to = number_of(p, u, u->converted[i].to);
		p->any = p->any
		    || flow_prototype(&u->type[u->converted[i].from - 1]) == FLOW_NO_PROTOTYPE;
		if (!from || from == to)
			continue;
		GROW(p->converted, p->room, from + 1);
		p->converted[from] = true;
	}
}

static uint32_t number_of_function(struct flow_pointed *p, const struct flow_unit *u, uint32_t type)
{
	uint32_t n = p->any ? 0 : number_of(p, u, type);

	return n < p->room && p->converted[n] ? 0 : n;
}

/* A function of another unit that is declared with a different type may be called as either
 * type. */
static void compare_declarations(struct flow_pointed *p, struct flow_names *names, uint32_t unit)
{
	const struct flow_unit *u = &p->fl->unit[unit];
	struct flow_meaning m;

	for (size_t i = 0; i < u->exts; i++)
		if (u->ext[i].address_taken && flow_names_find(names, unit, u->ext[i].name, &m)
		    && number_of(p, u, u->ext[i].type) != p->func[m.unit][m.func])
			p->func[m.unit][m.func] = 0;
}

struct flow_pointed *flow_pointed_new(const struct flow *fl)
{
	struct flow_pointed *p = zeroed(1, sizeof *p);
	struct flow_names *names = flow_names_new(fl);

	p->fl = fl;
	p->func = zeroed(fl->units + 1, sizeof *p->func);
	p->call = zeroed(fl->units + 1, sizeof *p->call);
	for (size_t i = 0; i < fl->units; i++)
		note_conversions(p, &fl->unit[i]);
	for (size_t i = 0; i < fl->units; i++) {
		const struct flow_unit *u = &fl->unit[i];
		p->func[i] = zeroed(u->funcs + 1, sizeof **p->func);
		p->call[i] = zeroed(u->calls + 1, sizeof **p->call);
		for (size_t k = 0; k < u->funcs; k++)
			p->func[i][k] = number_of_function(p, u, u->func[k].type);
		for (size_t k = 0; k < u->calls; k++)
			if (u->call[k].signature)
				p->call[i][k] = texts_number(&p->texts, u->call[k].signature);
	}
	for (uint32_t i = 0; i < fl->units; i++)
		compare_declarations(p, names, i);
	flow_names_free(names);
	return p;
}

void flow_pointed_free(struct flow_pointed *p)
{
	for (size_t i = 0; p && i < p->fl->units; i++) {
		free(p->func[i]);
		free(p->call[i]);
	}
	if (p) {
		texts_close(&p->texts);
		free(p->converted);
		free(p->func);
		free(p->call);
	}
	free(p);
}

uint32_t flow_pointed_function(const struct flow_pointed *p, uint32_t unit, uint32_t func)
{
	return p->func[unit][func];
}

uint32_t flow_pointed_call(const struct flow_pointed *p, uint32_t unit, size_t call)
{
	return p->call[unit][call];
}
