/* closed: state that the calls of the harness alone write. Any call of an entry may follow any
 * others, so that variables which the program writes may hold anything. Those that no other code
 * can name, and that only functions write which outside code reaches through the harness's
 * functions, hold what earlier calls of these left there: an encoding makes any number of calls,
 * the first one with initial values. If that is all the state, and no pointers come in, this is the
 * question about the harness's calls, and a proof holds for every caller. Else it is the question
 * about any call, and all else may hold anything before each call. */
#include "lib/prove/inner.h"

#include "lib/clib/clib.h"

#include <stdlib.h>
#include <string.h>

/* By function: does the harness call it any number of times? This holds for the entry and what it
 * calls through functions of its own. Other functions that the harness calls itself begin a run
 * (--init). */
static bool *called_by_harness(const struct pair_view *v)
{
	struct alias *a = v->d->alias;
	const char *entry = v->d->options.alias.entry;
	bool *called = zeroed(alias_functions(a), sizeof *called);
	for (size_t i = 0; i < alias_calls(a); i++) {
		const struct alias_call *c = alias_call(a, i);
		bool harness = alias_function_of(a, c->func, NULL, NULL)->is_harness,
		     root = c->func == alias_root(a, entry);
		for (size_t k = 0; harness && k < c->callees; k++) {
			const struct flow_func *f = alias_function_of(a, c->callee[k], NULL, NULL);
			called[c->callee[k]] |= !root || (entry && !strcmp(f->name, entry));
		}
	}
	return called;
}

bool prove_is_primed(struct alias *a, const char *entry)
{
	for (size_t i = 0; i < alias_calls(a); i++) {
		const struct alias_call *c = alias_call(a, i);
		for (size_t k = 0; c->func == alias_root(a, entry) && k < c->callees; k++) {
			const struct flow_func *f = alias_function_of(a, c->callee[k], NULL, NULL);
			if (!f->is_harness && (!entry || strcmp(f->name, entry)))
				return true;
		}
	}
	return false;
}

/* By function: may it run without a call by the harness? This holds for main, functions whose name
 * or address other code may use, and their callees, except for those in `by`. */
static bool *run_otherwise(struct alias *a, const bool *by)
{
	size_t n = alias_functions(a), back;
	const uint32_t *called_back = alias_called_back(a, &back);
	bool *runs = zeroed(n, sizeof *runs), more = true;
	for (uint32_t f = 0; f < n; f++) {
		const struct flow_func *func = alias_function_of(a, f, NULL, NULL);
		runs[f] = !by[f] && !func->is_harness
		    && (!func->is_static || func->address_taken || func->constructor
		        || func->destructor);
	}
	for (size_t i = 0; i < back; i++)
		runs[called_back[i]] |= !by[called_back[i]];
	while (more) {
		more = false;
		for (size_t i = 0; i < alias_calls(a); i++) {
			const struct alias_call *c = alias_call(a, i);
			for (size_t k = 0; runs[c->func] && k < c->callees; k++) {
				uint32_t callee = c->callee[k];
				more |= !runs[callee] && !by[callee];
				runs[callee] |= !by[callee];
			}
		}
	}
	return runs;
}

/* May the library function end the run, jump, or send a signal? Then outside code may go on in the
 * middle of a call, or functions that were registered with atexit or as handlers may run. */
static bool interrupts(const struct alias_call *c)
{
	const struct clib *f = c->name && !c->callees ? clib_find(c->name) : NULL;
	return f && clib_does(f, "ejs2");
}

/* False if outside code may run in the middle of a call, or if static code has a second name. */
static bool is_plain(const struct alias *a)
{
	for (size_t i = 0; i < alias_flow(a)->units; i++)
		if (alias_flow(a)->unit[i].aliases)
			return false;
	for (size_t i = 0; i < alias_calls(a); i++) {
		const struct alias_call *c = alias_call(a, i);
		if (c->unknown || interrupts(c) || (c->name && !strcmp(c->name, "duct_rt_back")))
			return false;
	}
	return true;
}

/* Can no other unit name the object or know its address? */
static bool is_hidden(const struct pair_view *v, uint32_t object)
{
	const struct alias_object *o = alias_object(v->d->alias, object);
	const struct flow_var *var = &v->d->flow->unit[o->unit].var[o->id - 1];
	return !o->escaped && (var->kind == 's' || var->is_static);
}

bool *prove_find_closed(const struct pair_view *v, const bool *written)
{
	struct alias *a = v->d->alias;
	bool *by, *otherwise, *elsewhere, *closed = zeroed(alias_objects(a), sizeof *closed);
	if (!is_plain(a))
		return closed;
	by = called_by_harness(v);
	otherwise = run_otherwise(a, by);
	elsewhere = summary_written_by(v->d->flow, a, otherwise);
	for (uint32_t i = 0; i < alias_objects(a); i++) {
		const struct alias_object *o = alias_object(a, i);
		closed[i] = o->kind == ALIAS_VARIABLE && o->owner == ALIAS_NONE && written[i]
		    && is_hidden(v, i) && !elsewhere[i];
	}
	free(elsewhere);
	free(otherwise);
	free(by);
	return closed;
}

static bool takes_pointer(const struct flow_unit *u, const struct flow_func *f)
{
	for (size_t i = 0; i < f->params; i++) {
		uint32_t type = u->var[f->param[i] - 1].type;
		if (!type || !strchr("iucbfe", u->type[type - 1].kind))
			return true;
	}
	return f->is_variadic;
}

bool prove_is_closed(const struct pair_view *v)
{
	struct alias *a = v->d->alias;
	bool *by = called_by_harness(v), *written = prove_find_written(v),
	     *of = prove_find_closed(v, written), closed = true;
	for (uint32_t f = 0; f < alias_functions(a); f++) {
		uint32_t unit, id;
		const struct flow_func *func = alias_function_of(a, f, &unit, &id);
		closed &=
		    !by[f] || func->is_harness || !takes_pointer(&v->d->flow->unit[unit], func);
	}
	for (uint32_t i = 0; i < alias_objects(a); i++) {
		const struct alias_object *o = alias_object(a, i);
		closed &=
		    o->kind != ALIAS_VARIABLE || o->owner != ALIAS_NONE || !written[i] || of[i];
	}
	free(of);
	free(written);
	free(by);
	return closed;
}
