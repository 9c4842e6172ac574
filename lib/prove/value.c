/* value: operands, and instructions that only compute. Whatever is not represented is a fresh
 * value. */
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>

unsigned prove_width(const struct flow_inst *i)
{
	bool test = i->op == FLOW_COMPARE;
	if (i->op == FLOW_FLOAT && i->name && strlen(i->name) == 4)
		test = !!strstr(
		    "foeq fogt foge folt fole fone ford funo fueq fugt fuge fult fule fune",
		    i->name);
	test |= i->op == FLOW_FLOAT && i->name && !strcmp(i->name, "fclass");
	return test ? 1 : i->width <= 64 ? i->width : 0;
}

static uint32_t first_inst(const struct walk *w)
{
	const struct frame *f = &w->m->frame[w->frame];
	return w->m->index[f->unit].func[f->func - 1].first;
}

static expr fit(struct walk *w, expr e, unsigned width)
{
	unsigned have = e ? expr_width(w->m->pool, e) : 0;
	if (!have || have < width)
		return prove_fresh(w->m, width);
	return prove_extract(w->m, 0, width, e);
}

void prove_set(struct walk *w, uint32_t inst, expr value)
{
	uint32_t k = inst - first_inst(w), slot = w->m->frame[w->frame].reg[k];
	w->reg[k] = value;
	w->reg_at[k] = w->at;
	if (slot && value)
		w->now.v[slot - 1] = value;
}

static expr base_address(struct encoding *m, uint32_t object, int64_t add)
{
	return object == NONE ? 0 : prove_const(m, 64, prove_address(object) + (uint64_t)add);
}

/* The address of a variable; 0: not known. */
static expr variable(struct walk *w, const struct flow_operand *o)
{
	struct encoding *m = w->m;
	const struct frame *f = &m->frame[w->frame];
	const struct flow_unit *u = prove_unit(m, w->frame);
	const struct flow_var *v = &u->var[o->id - 1];
	if (!v->func || v->kind == 's') {
		expr at = base_address(m,
		    prove_object_find(m, alias_variable(m->alias, f->unit, o->id), NONE), o->value);
		return at && v->is_weak
		    ? prove_ite(m, prove_fresh(m, 1), at, prove_const(m, 64, (uint64_t)o->value))
		    : at;
	}
	for (size_t k = 0; k < u->homes; k++)
		if (u->home[k].var == o->id && v->kind != 'p')
			return expr_make(m->pool, OP_ADD, 64, w->now.v[f->arg[u->home[k].argument]],
			    prove_const(m, 64, (uint64_t)o->value), 0);
	return base_address(
	    m, f->object[o->id - m->index[f->unit].vars[f->func - 1].first], o->value);
}

static expr by_place(struct walk *w, const struct flow_operand *o)
{
	struct encoding *m = w->m;
	struct alias_place *place;
	size_t n = alias_points_to(
	    m->alias, m->frame[w->frame].unit, m->frame[w->frame].number, o, &place);
	bool local = n && alias_object(m->alias, place[0].object)->owner != ALIAS_NONE;
	uint32_t object =
	    n == 1 ? prove_object_find(m, place[0].object, local ? w->frame : NONE) : NONE;
	free(place);
	return base_address(m, object, o->value);
}

static expr result_of(struct walk *w, const struct flow_operand *o)
{
	uint32_t k = o->id - first_inst(w), slot = w->m->frame[w->frame].reg[k];
	if (prove_unit(w->m, w->frame)->inst[o->id - 1].op == FLOW_ALLOCA)
		return by_place(w, o);
	if (w->reg_at[k] == w->at)
		return w->reg[k];
	return slot ? w->now.v[slot - 1] : 0;
}

expr prove_operand(struct walk *w, const struct flow_operand *o, unsigned width)
{
	struct encoding *m = w->m;
	const struct frame *f = &m->frame[w->frame];
	switch (o->kind) {
	case '~':
		if (o->name)
			return prove_fresh(m, width); /* fall through */
	case '#': return prove_const(m, width, (uint64_t)o->value);
	case '%': return fit(w, result_of(w, o), width);
	case '^': return fit(w, o->id < f->args ? w->now.v[f->arg[o->id]] : 0, width);
	case '&': return fit(w, variable(w, o), width);
	case '$': return fit(w, by_place(w, o), width);
	default: return prove_fresh(m, width);
	}
}

/* ---- numbers that are addresses */

static bool may_point(struct walk *w, const struct flow_operand *o)
{
	struct encoding *m = w->m;
	const struct frame *f = &m->frame[w->frame];
	struct alias_place *place;
	int8_t *known = o->kind == '%' ? &m->index[f->unit].pointer[o->id - 1] : NULL;
	size_t n;
	if (o->kind == '#' || o->kind == '-' || o->kind == '~')
		return false;
	if (known && *known >= 0)
		return *known;
	n = alias_points_to(m->alias, f->unit, f->number, o, &place);
	free(place);
	if (known)
		*known = n > 0;
	return n > 0;
}

bool prove_any_pointer(struct walk *w, const struct flow_inst *i)
{
	const struct flow_unit *u = prove_unit(w->m, w->frame);
	for (uint32_t k = 0; k < i->operands; k++)
		if (may_point(w, &u->operand[i->first + k]))
			return true;
	return false;
}

/* Do both addresses lie in one object? Then their order and difference are those of their
 * offsets. */
static expr one_object(struct encoding *m, expr a, expr b)
{
	expr half = prove_const(m, 64, 0x80000000u);
	expr x = prove_extract(m, 32, 32, expr_make(m->pool, OP_ADD, 64, a, half, 0));
	expr y = prove_extract(m, 32, 32, expr_make(m->pool, OP_ADD, 64, b, half, 0));
	expr low = expr_make(m->pool, OP_ULE, 1, prove_const(m, 32, prove_address(0) >> 32), x, 0);
	return prove_and(m, prove_equal(m, x, y), low);
}

/* ---- operations */

static const struct {
	const char *name;
	enum op op;
	bool swap, negate;
} binary[] = {
	{ "add", OP_ADD, 0, 0 },
	{ "sub", OP_SUB, 0, 0 },
	{ "mul", OP_MUL, 0, 0 },
	{ "udiv", OP_UDIV, 0, 0 },
	{ "sdiv", OP_SDIV, 0, 0 },
	{ "urem", OP_UREM, 0, 0 },
	{ "srem", OP_SREM, 0, 0 },
	{ "and", OP_AND, 0, 0 },
	{ "or", OP_OR, 0, 0 },
	{ "xor", OP_XOR, 0, 0 },
	{ "shl", OP_SHL, 0, 0 },
	{ "lshr", OP_LSHR, 0, 0 },
	{ "ashr", OP_ASHR, 0, 0 },
	{ "eq", OP_EQ, 0, 0 },
	{ "ne", OP_EQ, 0, 1 },
	{ "ult", OP_ULT, 0, 0 },
	{ "ule", OP_ULE, 0, 0 },
	{ "ugt", OP_ULT, 1, 0 },
	{ "uge", OP_ULE, 1, 0 },
	{ "slt", OP_SLT, 0, 0 },
	{ "sle", OP_SLE, 0, 0 },
	{ "sgt", OP_SLT, 1, 0 },
	{ "sge", OP_SLE, 1, 0 },
	{ "umin", OP_ULT, 0, 0 },
	{ "umax", OP_ULT, 1, 0 },
	{ "smin", OP_SLT, 0, 0 },
	{ "smax", OP_SLT, 1, 0 },
};

static expr make_binary(struct walk *w, size_t k, unsigned width, expr a, expr b)
{
	struct encoding *m = w->m;
	enum op op = binary[k].op;
	bool test = op == OP_EQ || op == OP_ULT || op == OP_ULE || op == OP_SLT || op == OP_SLE;
	expr e = expr_make(
	    m->pool, op, test ? 1 : width, binary[k].swap ? b : a, binary[k].swap ? a : b, 0);
	if (test && strlen(binary[k].name) > 3) /* the minimum or maximum */
		return prove_ite(m, e, a, b);
	if (op == OP_SHL || op == OP_LSHR
	    || op == OP_ASHR) /* too far: the result depends on the processor */
		e = prove_ite(m, expr_make(m->pool, OP_ULT, 1, b, prove_const(m, width, width), 0),
		    e, prove_fresh(m, width));
	return binary[k].negate ? expr_not(m->pool, e) : e;
}

expr prove_binary(struct walk *w, const char *name, unsigned width, expr a, expr b)
{
	for (size_t k = 0; k < sizeof binary / sizeof *binary; k++)
		if (!strcmp(binary[k].name, name))
			return make_binary(w, k, width, a, b);
	return 0;
}

static expr binary_value(struct walk *w, const struct flow_inst *i, size_t k)
{
	struct encoding *m = w->m;
	const struct flow_operand *o = &prove_unit(m, w->frame)->operand[i->first];
	expr a, b, e;
	if (i->operands < 2 || !i->width || i->width > 64)
		return 0;
	a = prove_operand(w, &o[0], i->width);
	b = prove_operand(w, &o[1], i->width);
	e = make_binary(w, k, i->width, a, b);
	if (binary[k].op == OP_ADD || binary[k].op == OP_EQ || i->width < 64
	    || !prove_any_pointer(w, i))
		return e;
	if (i->op != FLOW_COMPARE && binary[k].op != OP_SUB)
		return prove_fresh(m, expr_width(m->pool, e));
	return prove_ite(m, one_object(m, a, b), e, prove_fresh(m, expr_width(m->pool, e)));
}

static unsigned operand_width(const struct walk *w, const struct flow_operand *o)
{
	return o->kind == '%' ? prove_width(&prove_unit(w->m, w->frame)->inst[o->id - 1]) : 0;
}

static expr cast(struct walk *w, const struct flow_inst *i)
{
	const struct flow_operand *o = &prove_unit(w->m, w->frame)->operand[i->first];
	unsigned from = operand_width(w, o);
	enum op op = *i->name == 'z' ? OP_ZEXT : OP_SEXT;
	if (*i->name == 't')
		return may_point(w, o)
		    ? 0
		    : fit(w, prove_operand(w, o, from ? from : i->width), i->width);
	return from && from <= i->width && i->width <= 64
	    ? expr_make(w->m->pool, op, i->width, prove_operand(w, o, from), 0, 0)
	    : 0;
}

static expr address(struct walk *w, const struct flow_inst *i)
{
	struct encoding *m = w->m;
	const struct flow_operand *o = &prove_unit(m, w->frame)->operand[i->first];
	expr e = expr_make(
	    m->pool, OP_ADD, 64, prove_operand(w, &o[0], 64), prove_operand(w, &o[1], 64), 0);
	for (uint32_t k = 2; k + 1 < i->operands; k += 2) {
		unsigned width = operand_width(w, &o[k]);
		expr index = prove_operand(w, &o[k], width ? width : 64);
		if (width && width < 64)
			index = expr_make(m->pool, OP_SEXT, 64, index, 0, 0);
		e = expr_make(m->pool, OP_ADD, 64, e,
		    expr_make(m->pool, OP_MUL, 64, index, prove_operand(w, &o[k + 1], 64), 0), 0);
	}
	return e;
}

/* 0 if the result is not represented. The caller makes one fresh value, because each use must see
 * the same one. */
static expr compute(struct walk *w, const struct flow_inst *i)
{
	struct encoding *m = w->m;
	const struct flow_operand *o = &prove_unit(m, w->frame)->operand[i->first];
	if (!i->name)
		return 0;
	if (i->op == FLOW_FLOAT)
		return prove_float(w, i, i->operands ? operand_width(w, o) : 0);
	if (i->op == FLOW_CAST)
		return cast(w, i);
	if (i->op == FLOW_ADDR)
		return address(w, i);
	if (i->op == FLOW_SELECT)
		return i->width <= 64
		    ? prove_ite(m, prove_operand(w, &o[0], 1), prove_operand(w, &o[1], i->width),
		          prove_operand(w, &o[2], i->width))
		    : 0;
	if (!strcmp(i->name, "abs") && i->width <= 64 && !prove_any_pointer(w, i)) {
		expr a = prove_operand(w, &o[0], i->width), zero = prove_const(m, i->width, 0);
		return prove_ite(m, expr_make(m->pool, OP_SLT, 1, a, zero, 0),
		    expr_make(m->pool, OP_NEG, i->width, a, 0, 0), a);
	}
	for (size_t k = 0; k < sizeof binary / sizeof *binary; k++)
		if (!strcmp(i->name, binary[k].name))
			return binary_value(w, i, k);
	return 0;
}

expr prove_value(struct walk *w, uint32_t inst, const struct flow_inst *i)
{
	unsigned width = prove_width(i);
	expr e = width ? compute(w, i) : 0;
	(void)inst;
	return e || !width ? e : prove_fresh(w->m, width);
}
