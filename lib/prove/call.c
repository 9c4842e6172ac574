/* call: effects of calls that the encoding does not enter: assumptions, inputs, library functions.
 * Any other call may write everything that unknown code can reach. */
#include "lib/prove/returns.h"

#include "lib/clib/clib.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

static const struct flow_operand *argument(
    const struct walk *w, const struct flow_inst *i, uint32_t k)
{
	static const struct flow_operand none = { .kind = '-' };
	return k + 1 < i->operands ? &prove_unit(w->m, w->frame)->operand[i->first + k + 1] : &none;
}

static const struct alias_call *call_of(const struct walk *w, uint32_t inst)
{
	uint32_t at = w->m->index[w->m->frame[w->frame].unit].call[inst - 1];
	return at ? alias_call(w->m->alias, at - 1) : NULL;
}

/* Havocs everything that other code may write. */
static void havoc_all(struct walk *w, bool internal)
{
	for (uint32_t i = 0; i < w->m->objects; i++) {
		const struct object *o = &w->m->object[i];
		if (!o->constant && (o->frame == NONE || o->escaped || (internal && o->taken)))
			prove_havoc(w, i, prove_bool(w->m, true));
	}
}

static bool is_undefined(const struct encoding *m, const struct object *o)
{
	return o->kind == '&' && o->frame == NONE && !m->flow->unit[o->unit].var[o->id - 1].defined;
}

/* Havocs globals of other units: they may belong to the library, such as optarg. */
static void havoc_undefined(struct walk *w)
{
	for (uint32_t i = 0; i < w->m->objects; i++)
		if (is_undefined(w->m, &w->m->object[i]))
			prove_havoc(w, i, prove_bool(w->m, true));
}

/* Effects of functions of the program that are not followed. */
static void inside(struct walk *w, const struct alias_call *c)
{
	struct encoding *m = w->m;
	if (!summary_comes_back(m->summary, c))
		w->now.guard = prove_bool(m, false);
	for (uint32_t i = 0; i < m->objects; i++) {
		const struct object *o = &m->object[i];
		if (!o->constant && (o->frame == NONE || o->escaped || o->taken)
		    && (m->buffered
		        || summary_may_write(
		            m->summary, c, o->alias, o->escaped, is_undefined(m, o))))
			prove_havoc(w, i, prove_bool(m, true));
	}
}

static bool points_to_function(struct walk *w, const struct flow_operand *o)
{
	struct encoding *m = w->m;
	struct alias_place *place;
	size_t n = alias_points_to(
	    m->alias, m->frame[w->frame].unit, m->frame[w->frame].number, o, &place);
	bool found = false;
	for (size_t i = 0; i < n; i++)
		found |= alias_object(m->alias, place[i].object)->kind == ALIAS_FUNCTION;
	free(place);
	return found;
}

/* At most how many bytes a library function writes where argument k points; 0: not known. */
static uint64_t written_at_most(
    struct walk *w, const struct alias_call *c, const struct flow_inst *i, uint32_t k)
{
	const struct clib *f = c->name ? clib_find(c->name) : NULL;
	struct clib_most most = f ? clib_most(clib_arg(f, k)) : (struct clib_most){ 0, -1, -1, 0 };
	int16_t times[2] = { most.a, most.b };
	uint64_t bytes = (uint64_t)most.bytes;

	for (int n = 0; n < 2; n++) {
		unsigned width;
		struct value v;
		if (times[n] >= 0
		    && (!expr_is_const(
		            w->m->pool, prove_argument(w, i, (uint32_t)times[n], &width), &v)
		        || __builtin_mul_overflow(bytes, v.lo, &bytes)))
			return 0;
	}
	return bytes;
}

/* A library function may write the targets of its arguments, and the targets of pointers in
 * these. */
static void library(struct walk *w, const struct alias_call *c, const struct flow_inst *i)
{
	size_t back;
	havoc_undefined(w);
	if (w->m->buffered)
		havoc_all(w, (alias_called_back(w->m->alias, &back), back));
	for (uint32_t k = 0; k + 1 < i->operands; k++) {
		const struct flow_operand *o = argument(w, i, k);
		char effect = alias_effect(c, k);
		if (o->kind == '#' || o->kind == '~' || (effect != 'w' && effect != 'b'))
			continue;
		if (points_to_function(w, o)) {
			havoc_all(w, true);
			return;
		}
		uint64_t bytes = written_at_most(w, c, i, k);
		prove_resolve(w, o, prove_operand(w, o, 64));
		for (uint32_t t = 0; t < w->pointees; t++)
			prove_change(w, &w->pointee[t], bytes);
	}
}

const char *prove_text(struct walk *w, const struct flow_operand *o, char *buf, size_t size)
{
	const struct flow_unit *u = prove_unit(w->m, w->frame);
	for (size_t i = 0; o->kind == '$' && i < u->contents; i++)
		if (u->bytes[i].kind == '$' && u->bytes[i].id == o->id
		    && u->bytes[i].known < size) {
			memcpy(buf, u->bytes[i].bytes, u->bytes[i].known);
			buf[u->bytes[i].known] = 0;
			return buf;
		}
	return NULL;
}

/* How often has the walk met this input? Each call of a stub gives a new input, named as runs name
 * it. */
static unsigned times_met(const struct encoding *m, const char *name)
{
	size_t n = strlen(name);
	unsigned times = 0;
	for (uint32_t i = 0; i < m->inputs; i++)
		times += !strncmp(m->input[i].name, name, n)
		    && (!m->input[i].name[n] || m->input[i].name[n] == '#');
	return times;
}

/* Adds `count` inputs of `bytes` each. A truth value is one bit, whatever its size. */
void prove_add_inputs(struct walk *w, const struct pointee *to, const char *name, char kind,
    unsigned count, unsigned bytes)
{
	struct encoding *m = w->m;
	struct value offset;
	unsigned times = times_met(m, name);
	expr_is_const(m->pool, to->offset, &offset);
	for (unsigned k = 0; k < count; k++) {
		expr fresh = prove_fresh(m, kind == 'b' ? 1 : bytes * 8), value = fresh;
		struct prove_input in = {
			.kind = kind, .width = (uint16_t)(bytes * 8), .value = fresh
		};
		in.name = count > 1 ? formatted("%s[%u]", name, k)
		    : times         ? formatted("%s#%u", name, times + 1)
		                    : copied(name);
		if (kind == 'b')
			value = expr_make(m->pool, OP_ZEXT, bytes * 8, fresh, 0, 0);
		prove_put(w, to->object, (int64_t)offset.lo + k * bytes, bytes, value, to->cond);
		*PUSH(m->input, m->inputs) = in;
	}
}

/* An input of the harness: address, size, name and shape. The shape is `i4`, or `10*4:i4` for ten
 * elements, as the harness writes it. */
static void input(struct walk *w, const struct flow_inst *i)
{
	const struct flow_operand *at = argument(w, i, 0), *size = argument(w, i, 1);
	char name[256], shape[64], kind = 0;
	unsigned count = 1, step = 0, bytes = 0;
	bool named = prove_text(w, argument(w, i, 2), name, sizeof name),
	     known = prove_text(w, argument(w, i, 3), shape, sizeof shape);
	struct value offset;
	prove_resolve(w, at, prove_operand(w, at, 64));
	if (known && sscanf(shape, "%u*%u:%c%u", &count, &step, &kind, &bytes) != 4) {
		count = 1;
		known = sscanf(shape, "%c%u", &kind, &bytes) == 2;
		step = bytes;
	}
	if (named && known && strchr("iucbf", kind) && step == bytes && bytes && bytes <= 8
	    && count <= 4096 && w->pointees == 1 && size->kind == '#'
	    && size->value == (int64_t)count * bytes
	    && expr_is_const(w->m->pool, w->pointee[0].offset, &offset)) {
		struct pointee to = w->pointee[0];
		prove_add_inputs(w, &to, name, kind, count, bytes);
		return;
	}
	if (named && !strncmp(shape, "p8@", 3) && w->pointees == 1
	    && expr_is_const(w->m->pool, w->pointee[0].offset, &offset)) {
		struct pointee to = w->pointee[0];
		if (prove_pointee_input(w, &to, name))
			return;
		prove_resolve(w, at, prove_operand(w, at, 64));
	}
	for (uint32_t t = 0; t < w->pointees; t++)
		prove_havoc(w, w->pointee[t].object, w->pointee[t].cond);
}

/* The object that the first argument points to gets any value. */
static void written(struct walk *w, const struct flow_inst *i)
{
	const struct flow_operand *at = argument(w, i, 0);

	prove_resolve(w, at, prove_operand(w, at, 64));
	for (uint32_t t = 0; t < w->pointees; t++)
		prove_havoc(w, w->pointee[t].object, w->pointee[t].cond);
}

static bool is_one_of(const char *name, const char *list)
{
	const char *at = strstr(list, name);
	size_t n = strlen(name);
	return at && n && (at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]);
}

/* The path ends unless the argument is true. */
static void assume(struct walk *w, const struct flow_inst *i)
{
	struct encoding *m = w->m;
	expr cond = prove_operand(w, argument(w, i, 0), 32);
	w->now.guard = prove_and(
	    m, w->now.guard, expr_not(m->pool, prove_equal(m, cond, prove_const(m, 32, 0))));
	prove_note(m, true, "the assumptions in the program hold");
}

static bool known(struct walk *w, const char *name, const struct flow_inst *i)
{
	if (is_one_of(name, "duct_assume __VERIFIER_assume"))
		assume(w, i);
	else if (is_one_of(name, "duct_symbolic duct_rt_input"))
		input(w, i);
	else if (!strcmp(name, "duct_rt_array"))
		written(w, i);
	else if (
	    !is_one_of(name,
	        "duct_assert duct_rt_result duct_rt_choice duct_rt_calls duct_rt_between duct_rt_back duct_rt_watch duct_rt_rule duct_rt_device"
	        " duct_rt_types duct_rt_state"))
		return false;
	return true;
}

/* A call that may return a second time, such as setjmp: by then anything may have been written, and
 * any definition made. */
static expr again(struct walk *w, const char *name, unsigned width)
{
	struct encoding *m = w->m;
	bool jump = strstr(name, "setjmp") != NULL;
	expr value = prove_fresh(m, width ? width : 32);
	expr cond = jump ? expr_not(m->pool,
	                       prove_equal(m, value, prove_const(m, expr_width(m->pool, value), 0)))
	                 : prove_fresh(m, 1);
	for (uint32_t i = 0; i < m->ts.slots; i++)
		w->now.v[i] = prove_ite(m, cond, prove_fresh(m, m->ts.slot[i].width), w->now.v[i]);
	w->at++; /* the slots hold values from before the call */
	prove_note(m, false, "when %s returns again, anything may have changed", name);
	return value;
}

static bool returns_again(const struct alias_call *c)
{
	const struct clib *f = c && c->name && !c->callees ? clib_find(c->name) : NULL;
	return f ? clib_does(f, "2")
	         : c && c->name && !c->callees && !strcmp(c->name, "llvm.eh.sjlj.setjmp");
}

expr prove_argument(struct walk *w, const struct flow_inst *i, uint32_t k, unsigned *width)
{
	struct encoding *m = w->m;
	const struct flow_unit *u = prove_unit(m, w->frame);
	const struct flow_operand *o = k + 1 < i->operands ? &u->operand[i->first + k + 1] : NULL;
	expr value;
	*width = o && o->kind == '%' ? prove_width(&u->inst[o->id - 1]) : o ? 64 : 0;
	value = *width ? prove_operand(w, o, *width) : prove_fresh(m, 64);
	return *width && *width < 64 ? expr_make(m->pool, OP_ZEXT, 64, value, 0, 0) : value;
}

/* Constrains the result of a function of the program that is not entered, by what is known of
 * it. */
static void returned(
    struct walk *w, const struct alias_call *c, const struct flow_inst *i, expr value)
{
	struct encoding *m = w->m;
	struct prove_result r = { .guard = w->now.guard, .value = value };
	if (!c || c->callees != 1 || c->external || c->unknown || (!m->returns && !m->records))
		return;
	r.function = c->callee[0];
	r.args = i->operands ? i->operands - 1 : 0;
	r.arg = zeroed(r.args, sizeof *r.arg);
	for (uint32_t k = 0; k < r.args; k++) {
		unsigned width;
		r.arg[k] = prove_argument(w, i, k, &width);
		if (width < 64)
			r.arg[k] = prove_extract(m, 0, width ? width : 1, r.arg[k]);
	}
	if (m->returns)
		w->now.guard = prove_and(m, w->now.guard, prove_returns_claim(m, m->returns, &r));
	if (m->records)
		*PUSH(m->result, m->results) = r;
	else
		free(r.arg);
}

/* The result of a call. byte: it is a byte of standard input. */
static expr result_of(struct walk *w, const struct alias_call *c, const struct flow_inst *i,
    bool byte, unsigned width)
{
	expr value = 0;
	if (byte && width == 32)
		return prove_any_byte(w, true);
	if (w->m->once && c && c->name && !c->callees && !strcmp(c->name, "duct_rt_between"))
		return prove_const(w->m, width, 0);
	if (c && c->name && !c->callees && !c->unknown) {
		value = prove_float_call(w, c->name, i);
		value = value ? value : prove_given(w, c->name, i, width);
	}
	return value ? value : prove_fresh(w->m, width);
}

void prove_call(struct walk *w, uint32_t inst, const struct flow_inst *i)
{
	const struct alias_call *c = call_of(w, inst);
	size_t back = 0;
	unsigned width = prove_width(i);
	bool byte = c && c->name && !c->callees && prove_reads_byte(w, c->name, i);
	expr read = 0;
	prove_called(w, inst, false);
	if (prove_too_deep(w->m, w->frame, c)) {
		prove_note(w->m, false, "recursion is followed for %u activations of a function",
		    w->m->depth[c->callee[0]]);
		w->m->beyond =
		    w->m->beyond ? prove_or(w->m, w->m->beyond, w->now.guard) : w->now.guard;
	}
	if (w->m->startup && c && c->name && !c->callees && c->external && !c->unknown)
		read = prove_startup_call(w, c->name, i, width);
	if (!read && (!c || !c->name || c->callees || !known(w, c->name, i))) {
		bool internal = !c || c->callees
		    || (c->unknown && (alias_called_back(w->m->alias, &back), back));
		if (c && !c->callees && c->external && !c->unknown)
			library(w, c, i);
		else if (c && c->callees && !c->external && !c->unknown)
			inside(w, c);
		else
			havoc_all(w, internal);
	}
	for (uint32_t k = 0; k < w->m->ghosts;
	    k++) { /* definitions in functions that are not followed */
		const struct ghost *g = &w->m->ghost[k];
		uint32_t by = prove_written_by(w->m, g->def)->func;
		if (g->frame == NONE && (w->m->outside[by] || w->m->below[by]))
			w->now.v[g->slot] = prove_bool(w->m, true);
	}
	prove_called(w, inst, true);
	if (returns_again(c))
		prove_set(w, inst, again(w, c->name, width));
	else if (width) {
		expr value = read ? read : result_of(w, c, i, byte, width);
		prove_set(w, inst, value);
		returned(w, c, i, value);
	}
	if (byte || (c && c->name && !c->callees && prove_is_nondet(c->name)))
		prove_add_nondet(w, c->name, i->width,
		    width
		        ? prove_operand(w, &(struct flow_operand){ .kind = '%', .id = inst }, width)
		        : 0);
}
