/* state: variables that outlive a call, that the entry reads, and that the program or code outside
 * of it may write: what an earlier call left in them may change what a later one does. */
#include "lib/flow/flow.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SETTERS = 8 }; /* functions, and variables written by other units, that are listed at most */
enum { GIVEN = 24 };  /* variables set by other functions that are listed at most */
enum { VALUES = 8 };  /* constants listed for a variable at most */
enum { WRITTEN = 1, READ = 2, OUTSIDE = 4 }; /* OUTSIDE: code outside of the program may write it */

/* The variable of an address operand, or of the instructions that compute it; 0: none. */
static uint32_t variable_of(const uint32_t *from, const struct flow_operand *o)
{
	return o->kind == '&' ? o->id : o->kind == '%' ? from[o->id - 1] : 0;
}

/* How an instruction uses a variable whose address is operand `operand`: all but loads, comparisons
 * and address computations may write it; a store to it does not read it. */
static uint8_t use_of(const struct flow_inst *in, size_t operand)
{
	switch (in->op) {
	case FLOW_LOAD:
	case FLOW_COMPARE: return READ;
	case FLOW_ADDR:
	case FLOW_CAST: return 0;
	case FLOW_STORE: return operand == 1 ? WRITTEN : WRITTEN | READ;
	default: return WRITTEN | READ;
	}
}

static void mark_instruction(
    const struct flow_unit *u, size_t i, bool is_reached, uint32_t *from, uint8_t *how)
{
	const struct flow_inst *in = &u->inst[i];

	for (size_t k = 0; k < in->operands; k++) {
		uint32_t var = variable_of(from, &u->operand[in->first + k]);
		if (!var)
			continue;
		how[var - 1] |= use_of(in, k) & (is_reached ? WRITTEN | READ : WRITTEN);
		if (in->op == FLOW_ADDR || in->op == FLOW_CAST)
			from[i] = var;
	}
}

/* Notes how the functions of a unit use variables; left_out: functions to ignore, or NULL. */
static void mark_unit(
    const struct flow_unit *u, const bool *reached, const bool *left_out, uint8_t *how)
{
	uint32_t *from = zeroed(u->insts + 1, sizeof *from);

	for (size_t i = 0; i < u->insts; i++) {
		uint32_t func = u->inst[i].block ? u->block_func[u->inst[i].block - 1] : 0;
		if (func && !u->func[func - 1].is_harness && !(left_out && left_out[func - 1]))
			mark_instruction(u, i, reached[func - 1], from, how);
	}
	for (size_t i = 0; i < u->relocs; i++)
		if (u->reloc[i].target.kind == '&')
			how[u->reloc[i].target.id - 1] |= WRITTEN | READ;
	free(from);
}

static bool is_seen_elsewhere(const struct flow_var *v)
{
	return v->kind == 'g' && !v->is_static && *v->name;
}

bool flow_has_code(const struct flow *f)
{
	for (size_t i = 0; i < f->units; i++)
		if (f->unit[i].insts && !f->unit[i].inst)
			return false;
	return true;
}

static bool has_main(const struct flow *f)
{
	for (size_t i = 0; i < f->units; i++)
		for (size_t k = 0; k < f->unit[i].funcs; k++) {
			const struct flow_func *func = &f->unit[i].func[k];
			if (func->blocks && !func->is_harness && !func->is_static
			    && !strcmp(func->name, "main"))
				return true;
		}
	return false;
}

bool flow_is_whole(const struct flow *f)
{
	return has_main(f) && !flow_misses_code(f);
}

/* How all units use the variable of unit `unit`. */
static uint8_t join(const struct flow *f, uint8_t *const *how, size_t unit, size_t var, bool whole)
{
	const struct flow_var *v = &f->unit[unit].var[var];
	uint8_t all = how[unit][var] | (!whole && is_seen_elsewhere(v) ? OUTSIDE : 0);

	for (size_t i = 0;
	    is_seen_elsewhere(v) && (all & (WRITTEN | READ)) != (WRITTEN | READ) && i < f->units;
	    i++)
		for (size_t k = 0; k < f->unit[i].vars; k++)
			if (how[i][k] && is_seen_elsewhere(&f->unit[i].var[k])
			    && !strcmp(v->name, f->unit[i].var[k].name))
				all |= how[i][k];
	return all;
}

/* Calls found(f, unit, variable, how, arg) for each variable that the entry's behaviour at a later
 * call depends on. */
static void each_state(const struct flow *f, const char *entry,
    void (*found)(const struct flow *, size_t, size_t, uint8_t, void *), void *arg)
{
	bool **reached = flow_reachable(f, entry), whole = flow_is_whole(f);
	uint8_t **how = zeroed(f->units + 1, sizeof *how);

	for (size_t i = 0; i < f->units; i++) {
		how[i] = zeroed(f->unit[i].vars + 1, 1);
		mark_unit(&f->unit[i], reached[i], NULL, how[i]);
	}
	for (size_t i = 0; i < f->units; i++)
		for (size_t k = 0; k < f->unit[i].vars; k++) {
			const struct flow_var *v = &f->unit[i].var[k];
			uint8_t all;
			if ((v->kind != 'g' && v->kind != 's') || v->defined != 1 || !*v->name)
				continue;
			all = join(f, how, i, k, whole);
			if (all & READ && all & (WRITTEN | OUTSIDE))
				found(f, i, k, all, arg);
		}
	for (size_t i = 0; i < f->units; i++)
		free(how[i]);
	free(how);
	flow_marks_free(f, reached);
}

static void put_state(const struct flow *f, size_t unit, size_t var, uint8_t how, void *out)
{
	fprintf(out, "%s %s\n", how & WRITTEN ? "calls" : "global", f->unit[unit].var[var].name);
}

char *flow_state(const struct flow *f, const char *entry)
{
	char *text = NULL;
	size_t size;
	FILE *out = text_stream(&text, &size);

	each_state(f, entry, put_state, out);
	fclose(out);
	return text;
}

/* ---- functions that change it */

/* By unit and variable: marks it if it is a part of the state, or another unit's declaration of
 * one. */
static void mark_state(const struct flow *f, size_t unit, size_t var, uint8_t how, void *arg)
{
	const struct flow_var *v = &f->unit[unit].var[var];
	bool **state = arg;

	(void)how;
	state[unit][var] = true;
	for (size_t i = 0; is_seen_elsewhere(v) && i < f->units; i++)
		for (size_t k = 0; k < f->unit[i].vars; k++)
			state[i][k] |= is_seen_elsewhere(&f->unit[i].var[k])
			    && !strcmp(v->name, f->unit[i].var[k].name);
}

static bool writes(const struct flow_unit *u, size_t i, const uint32_t *from, const bool *state)
{
	const struct flow_inst *in = &u->inst[i];

	for (size_t k = 0; k < in->operands; k++) {
		uint32_t var = variable_of(from, &u->operand[in->first + k]);
		if (var && state[var - 1] && use_of(in, k) & WRITTEN)
			return true;
	}
	return false;
}

/* Which functions of a unit have an instruction that may write a part of the state. */
static void mark_writers(const struct flow_unit *u, const bool *state, bool *writer)
{
	uint32_t *from = zeroed(u->insts + 1, sizeof *from);
	uint8_t *how = zeroed(u->vars + 1, 1);

	for (size_t i = 0; i < u->insts; i++) {
		uint32_t func = u->inst[i].block ? u->block_func[u->inst[i].block - 1] : 0;
		if (!func)
			continue;
		mark_instruction(u, i, true, from, how);
		writer[func - 1] |= writes(u, i, from, state);
	}
	free(how);
	free(from);
}

/* Functions that write a part of the state, directly or through calls. */
static bool **setters(const struct flow *f, bool *const *state)
{
	bool **writer = zeroed(f->units + 1, sizeof *writer), **all;

	for (size_t i = 0; i < f->units; i++) {
		writer[i] = zeroed(f->unit[i].funcs + 1, sizeof **writer);
		mark_writers(&f->unit[i], state[i], writer[i]);
	}
	all = flow_reaching(f, writer);
	flow_marks_free(f, writer);
	return all;
}

/* Lists global variables of the unit that code of other, missing units may write: "=NAME". */
static void put_outside(
    const struct flow *f, const struct flow_unit *u, bool *const *state, FILE *out)
{
	const bool *mine = state[u - f->unit];
	size_t n = 0;

	for (size_t k = 0; !flow_is_whole(f) && k < u->vars && n < SETTERS; k++)
		if (mine[k] && is_seen_elsewhere(&u->var[k]) && u->var[k].defined == 1) {
			fprintf(out, "=%s\n", u->var[k].name);
			n++;
		}
}

/* The variable of the state whose address each return of the function gives; 0: none. */
static uint32_t handed_out(const struct flow_unit *u, size_t func, const bool *state)
{
	uint32_t var = 0;

	for (size_t i = 0; i < u->insts; i++) {
		const struct flow_inst *in = &u->inst[i];
		const struct flow_operand *o = &u->operand[in->first];
		if (in->op != FLOW_RET || !in->block || u->block_func[in->block - 1] != func + 1)
			continue;
		if (!in->operands || o->kind != '&' || !state[o->id - 1] || (var && var != o->id))
			return 0;
		var = o->id;
	}
	return var;
}

/* ---- variables that are set outside of the entry */

struct setters {
	const struct flow_unit *u;
	bool *const *inside; /* functions that the entry reaches, or that a harness may call */
	uint8_t **outside;   /* by unit and variable: how other functions use it */
	FILE *out;
	size_t n;
};

/* Can a harness call it, with a value for each parameter that is a number or a pointer? */
static bool is_callable(const struct flow_unit *u, const struct flow_func *func)
{
	for (size_t i = 0; i < func->params; i++) {
		uint32_t type = u->var[func->param[i] - 1].type;
		if (!type || !strchr("iucbfp", u->type[type - 1].kind))
			return false;
	}
	return true;
}

static void add_reached(const struct flow *f, const char *name, bool **inside)
{
	bool **more = flow_reachable(f, name);

	for (size_t i = 0; more && i < f->units; i++)
		for (size_t k = 0; k < f->unit[i].funcs; k++)
			inside[i][k] |= more[i][k];
	flow_marks_free(f, more);
}

static bool is_same(const struct flow_unit *u, const struct flow_var *v, const struct flow_unit *of,
    const struct flow_var *w)
{
	return u == of ? v == w
	               : is_seen_elsewhere(v) && is_seen_elsewhere(w) && !strcmp(v->name, w->name);
}

/* Adds the constants that the instruction stores to the variable; false if it may write another
 * value. */
static bool add_constant(const struct flow_unit *u, const struct flow_inst *in, size_t operand,
    const struct flow_type *type, int64_t *value, size_t *n)
{
	const struct flow_operand *o = &u->operand[in->first];
	size_t k = 0;

	if (in->op == FLOW_LOAD)
		return true;
	if (in->op != FLOW_STORE || operand != 1 || o[1].value || o->kind != '#' || o->name
	    || in->width != type->size * 8)
		return false;
	while (k < *n && value[k] != o->value)
		k++;
	if (k == VALUES)
		return false;
	value[k] = o->value;
	*n += k == *n;
	return true;
}

static bool is_of_program(const struct flow_unit *u, const struct flow_inst *in)
{
	uint32_t func = in->block ? u->block_func[in->block - 1] : 0;

	return func && !u->func[func - 1].is_harness;
}

/* Do the program's functions write only constants to the variable? Finds them. */
static bool find_constants(const struct flow *f, const struct flow_unit *of,
    const struct flow_var *v, const struct flow_type *type, int64_t *value, size_t *n)
{
	for (const struct flow_unit *u = f->unit; u < f->unit + f->units; u++) {
		for (size_t i = 0; i < u->insts; i++) {
			const struct flow_inst *in = &u->inst[i];
			for (size_t k = 0; is_of_program(u, in) && k < in->operands; k++) {
				const struct flow_operand *o = &u->operand[in->first + k];
				if (o->kind == '&' && is_same(u, &u->var[o->id - 1], of, v)
				    && !add_constant(u, in, k, type, value, n))
					return false;
			}
		}
		for (size_t i = 0; i < u->relocs; i++)
			if (u->reloc[i].target.kind == '&'
			    && is_same(u, &u->var[u->reloc[i].target.id - 1], of, v))
				return false;
	}
	return *n;
}

static bool has_addresses(const struct flow_unit *u, size_t var)
{
	for (size_t i = 0; i < u->relocs; i++)
		if (u->reloc[i].object.kind == '&' && u->reloc[i].object.id == var + 1)
			return true;
	return false;
}

static bool declares(const struct flow_unit *u, const char *name)
{
	for (size_t i = 0; i < u->vars; i++)
		if (is_seen_elsewhere(&u->var[i]) && !strcmp(u->var[i].name, name))
			return true;
	return false;
}

static bool is_set_outside(const struct setters *g, const struct flow *f,
    const struct flow_unit *of, const struct flow_var *v)
{
	for (const struct flow_unit *u = f->unit; u < f->unit + f->units; u++)
		for (size_t k = 0; k < u->vars; k++)
			if (g->outside[u - f->unit][k] & WRITTEN && is_same(u, &u->var[k], of, v))
				return true;
	return false;
}

static void put_given(const struct flow *f, size_t unit, size_t var, uint8_t how, void *arg)
{
	struct setters *g = arg;
	const struct flow_unit *u = &f->unit[unit];
	const struct flow_var *v = &u->var[var];
	const struct flow_type *type = v->type ? &u->type[v->type - 1] : NULL;
	int64_t value[VALUES];
	size_t n = 0;

	if (v->kind != 'g' || !type || g->n == GIVEN || (u != g->u && !declares(g->u, v->name))
	    || (!(how & OUTSIDE) && !is_set_outside(g, f, u, v)))
		return;
	g->n++;
	fprintf(g->out, "*%s%s", v->name, has_addresses(u, var) ? " &" : "");
	if (!(how & OUTSIDE) && strchr("iucb", type->kind) && type->size <= sizeof *value
	    && find_constants(f, u, v, type, value, &n))
		for (size_t i = 0; i < n; i++)
			fprintf(g->out, " %" PRId64, value[i]);
	putc('\n', g->out);
}

static void put_all_given(const struct flow *f, const char *entry, struct setters *g)
{
	g->outside = zeroed(f->units + 1, sizeof *g->outside);
	for (size_t i = 0; i < f->units; i++) {
		const struct flow_unit *u = &f->unit[i];
		bool *other = zeroed(u->funcs + 1, 1);
		g->outside[i] = zeroed(u->vars + 1, 1);
		mark_unit(u, other, g->inside[i], g->outside[i]);
		free(other);
	}
	each_state(f, entry, put_given, g);
	for (size_t i = 0; i < f->units; i++)
		free(g->outside[i]);
	free(g->outside);
}

char *flow_setters(const struct flow *f, const char *entry)
{
	const struct flow_unit *u = NULL;
	bool **state = zeroed(f->units + 1, sizeof *state), **setter,
	     **inside = flow_reachable(f, entry);
	char *text = NULL;
	size_t size, n = 0;
	FILE *out = text_stream(&text, &size);

	for (size_t i = 0; i < f->units; i++)
		state[i] = zeroed(f->unit[i].vars + 1, sizeof **state);
	each_state(f, entry, mark_state, state);
	setter = setters(f, state);
	flow_find(f, entry, &u);
	for (size_t i = 0; u && i < u->funcs && n < SETTERS; i++) {
		const struct flow_func *func = &u->func[i];
		bool other = func->first_block && !func->is_static && !func->is_harness
		    && !func->in_system && !func->is_variadic && strcmp(func->name, "main")
		    && strcmp(func->name, entry);
		if (other && setter[u - f->unit][i]) {
			uint32_t var = handed_out(u, i, state[u - f->unit]);
			fprintf(out, "%s%s%s\n", func->name, var ? " " : "",
			    var ? u->var[var - 1].name : "");
			n++;
			if (is_callable(u, func))
				add_reached(f, func->name, inside);
		}
	}
	if (u) {
		put_outside(f, u, state, out);
		put_all_given(f, entry, &(struct setters){ .u = u, .inside = inside, .out = out });
	}
	fclose(out);
	flow_marks_free(f, setter);
	flow_marks_free(f, state);
	flow_marks_free(f, inside);
	return text;
}
