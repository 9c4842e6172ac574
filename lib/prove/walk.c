/* walk: visits each location once, in order, and computes what every slot holds there, as an
 * expression over the slots at the last cut. From this follow the next state of the system and when
 * a pair is exercised. */
#include "lib/prove/returns.h"
#include "lib/base/grow.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void prove_note(struct encoding *m, bool narrows, const char *fmt, ...)
{
	char *text;
	va_list ap;
	va_start(ap, fmt);
	text = formatted_list(fmt, ap);
	va_end(ap);
	for (uint32_t i = 0; i < m->notes; i++)
		if (!strcmp(m->note[i].text, text)) {
			free(text);
			return;
		}
	*PUSH(m->note, m->notes) = (struct note){ text, narrows };
}

expr prove_fresh(struct encoding *m, unsigned width)
{
	char name[32];
	snprintf(name, sizeof name, "f%u", m->fresh++);
	return expr_input(m->pool, expr_var(m->pool, name, INPUT_UINT, width));
}

/* ---- states */

/* If the conditions differ in one conjunct only, which one of them negates, returns the common
 * part. */
static expr common(struct encoding *m, expr a, expr b)
{
	if (expr_op(m->pool, a) != OP_AND || expr_op(m->pool, b) != OP_AND)
		return 0;
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 2; k++)
			if (expr_operand(m->pool, a, i) == expr_operand(m->pool, b, k)
			    && expr_operand(m->pool, a, 1 - i)
			        == expr_not(m->pool, expr_operand(m->pool, b, 1 - k)))
				return expr_operand(m->pool, a, i);
	return 0;
}

static expr join(struct encoding *m, expr a, expr b)
{
	expr whole = common(m, a, b);
	return whole ? whole : prove_or(m, a, b);
}

static void merge(
    struct walk *w, struct symbolic_state *to, const struct symbolic_state *from, expr guard)
{
	struct encoding *m = w->m;
	if (!to->met) {
		to->v = reserved(m->ts.slots + 1, sizeof *to->v);
		memcpy(to->v, from->v, m->ts.slots * sizeof *to->v);
		to->guard = guard;
		to->met = true;
		return;
	}
	for (uint32_t i = 0; i < m->ts.slots; i++)
		if (to->v[i] != from->v[i])
			to->v[i] = prove_ite(m, guard, from->v[i], to->v[i]);
	to->guard = join(m, to->guard, guard);
}

/* The state at a cut becomes the next state of the system. */
static void step(struct walk *w, uint32_t cut, const struct symbolic_state *from, expr guard)
{
	struct encoding *m = w->m;
	for (uint32_t i = 0; i < m->ts.slots; i++)
		if (m->ts.slot[i].next != from->v[i])
			m->ts.slot[i].next = prove_ite(m, guard, from->v[i], m->ts.slot[i].next);
	m->ts.pc_next = prove_ite(m, guard, prove_const(m, m->ts.pc_width, cut), m->ts.pc_next);
}

/* Reads the values of all phis before it sets any. */
static void set_phis(struct walk *w, uint32_t to, uint32_t from_block, struct symbolic_state *s)
{
	struct encoding *m = w->m;
	const struct location *n = &m->location[to];
	const struct flow_unit *u = prove_unit(m, n->frame);
	const struct frame *f = &m->frame[n->frame];
	uint32_t low = m->index[f->unit].func[f->func - 1].first;
	for (uint32_t i = n->first; i < n->last && u->inst[i - 1].op == FLOW_PHI; i++) {
		const struct flow_inst *phi = &u->inst[i - 1];
		unsigned width = prove_width(phi);
		if (!width)
			continue;
		expr value = 0;
		for (uint32_t k = 0; k + 1 < phi->operands; k += 2)
			if (u->operand[phi->first + k + 1].id == from_block)
				value = prove_operand(w, &u->operand[phi->first + k], width);
		s->v[f->reg[i - low] - 1] = value ? value : prove_fresh(m, width);
	}
}

static void go(struct walk *w, uint32_t to, expr cond)
{
	struct encoding *m = w->m;
	expr guard = prove_and(m, w->now.guard, cond);
	if (m->location[to].frame == w->frame
	    && prove_calls_again(
	        m, w->frame, m->location[w->location].block, m->location[to].block))
		return;
	struct symbolic_state s = { reserved(m->ts.slots + 1, sizeof *s.v), 0, true };
	memcpy(s.v, w->now.v, m->ts.slots * sizeof *s.v);
	if (m->location[to].frame == w->frame && m->location[w->location].block != 0)
		set_phis(w, to, m->location[w->location].block, &s);
	if (m->location[to].frame == w->frame)
		prove_passes(w, m->location[to].block, cond, &s);
	if (prove_never(m, guard))
		;
	else if (m->cut[to])
		step(w, m->cut[to], &s, guard);
	else
		merge(w, &w->state[to], &s, guard);
	free(s.v);
}

/* ---- the ends of locations */

static uint32_t node_of(const struct walk *w, uint32_t block)
{
	const struct frame *f = &w->m->frame[w->frame];
	return f->location[block - prove_unit(w->m, w->frame)->func[f->func - 1].first_block];
}

static const struct flow_branch *decided(const struct walk *w, const struct flow_inst *i)
{
	const struct flow_unit *u = prove_unit(w->m, w->frame);
	const struct flow_operand *o = i->operands ? &u->operand[i->first + i->operands - 1] : NULL;
	const struct flow_branch *b = o && o->kind == '?' ? &u->branch[o->id - 1] : NULL;
	return b && b->kind != 'a' ? b : NULL;
}

static void take(struct walk *w, const struct flow_branch *b, uint32_t outcome, expr cond)
{
	prove_taken(w, b->first + outcome, cond);
	prove_choose(w, b, b->first + outcome, cond);
}

static void branch(struct walk *w, const struct flow_inst *i)
{
	struct encoding *m = w->m;
	const struct flow_operand *o = &prove_unit(m, w->frame)->operand[i->first];
	const struct flow_branch *b = decided(w, i);
	expr cond;
	if (o->kind == '!') {
		go(w, node_of(w, o->id), prove_bool(m, true));
		return;
	}
	cond = prove_operand(w, &o[0], 1);
	if (b) {
		take(w, b, 0, cond);
		take(w, b, 1, expr_not(m->pool, cond));
	}
	go(w, node_of(w, o[1].id), cond);
	go(w, node_of(w, o[2].id), expr_not(m->pool, cond));
}

static void choose(struct walk *w, const struct flow_inst *i)
{
	struct encoding *m = w->m;
	const struct flow_operand *o = &prove_unit(m, w->frame)->operand[i->first];
	const struct flow_branch *b = decided(w, i);
	unsigned width = o->kind == '%' ? prove_width(&prove_unit(m, w->frame)->inst[o->id - 1])
	    : b                         ? b->width
	                                : 0;
	expr value = prove_operand(w, o, width ? width : 64), rest = prove_bool(m, true);
	for (uint32_t k = 2; k + 1 < i->operands && o[k + 1].kind == '!'; k += 2) {
		expr is = o[k].kind == '#' && width
		    ? prove_equal(m, value, prove_const(m, width, (uint64_t)o[k].value))
		    : prove_fresh(m, 1);
		is = prove_and(m, rest, is);
		rest = prove_and(m, rest, expr_not(m->pool, is));
		if (b)
			take(w, b, (k - 2) / 2, is);
		go(w, node_of(w, o[k + 1].id), is);
	}
	if (b)
		take(w, b, (uint32_t)b->cases, rest);
	go(w, node_of(w, o[1].id), rest);
}

static void computed(struct walk *w, const struct flow_inst *i)
{
	struct encoding *m = w->m;
	const struct flow_operand *o = &prove_unit(m, w->frame)->operand[i->first];
	for (uint32_t k = 0; k < i->operands; k++)
		if (o[k].kind == '!')
			go(w, node_of(w, o[k].id), prove_fresh(m, 1));
}

static void leave(struct walk *w, uint32_t inst, const struct flow_inst *i)
{
	struct encoding *m = w->m;
	const struct frame *f = &m->frame[w->frame];
	if (f->back == NONE) {
		prove_note_result(w, i);
		return;
	}
	prove_called(w, inst, true);
	if (f->result && i->operands)
		w->now.v[f->result - 1] = prove_operand(w,
		    &prove_unit(m, w->frame)->operand[i->first], m->ts.slot[f->result - 1].width);
	go(w, f->back, prove_bool(m, true));
}

/* Passes the arguments to the callee, as 64 bits; where cond holds, this one is called. */
static void enter(struct walk *w, uint32_t callee, const struct flow_inst *i, expr cond)
{
	const struct frame *f = &w->m->frame[callee];
	for (uint32_t k = 0; k < f->args; k++) {
		unsigned width;
		w->now.v[f->arg[k]] = prove_argument(w, i, k, &width);
	}
	go(w, f->location[0], cond);
}

/* Through a pointer, any of the functions is called. */
static void enter_all(struct walk *w, uint32_t callee, const struct flow_inst *i)
{
	expr rest = prove_bool(w->m, true);
	for (uint32_t next; callee != NONE; callee = next) {
		expr one =
		    (next = w->m->frame[callee].beside) == NONE ? rest : prove_fresh(w->m, 1);
		enter(w, callee, i, prove_and(w->m, rest, one));
		rest = prove_and(w->m, rest, expr_not(w->m->pool, one));
	}
}

/* ---- instructions */

/* Does the instruction read memory that other code may change at any time? */
static bool is_volatile(const struct walk *w, uint32_t inst)
{
	const struct flow_unit *u = prove_unit(w->m, w->frame);
	uint32_t k = w->m->index[w->m->frame[w->frame].unit].access[inst - 1];
	for (; k && k <= u->accesses && u->access[k - 1].inst == inst; k++)
		if (strchr(u->access[k - 1].how, 'v'))
			return true;
	return false;
}

/* After an access through a pointer, the pointer is not null. */
static void access(struct walk *w, const struct flow_operand *o)
{
	prove_resolve(w, o, prove_operand(w, o, 64));
	w->now.guard = prove_and(w->m, w->now.guard, expr_not(w->m->pool, w->null));
}

static expr read_at(struct walk *w, uint32_t inst, const struct flow_operand *o, unsigned width)
{
	unsigned bytes = (width + 7) / 8;
	expr table = prove_table_read(w, prove_operand(w, o, 64), bytes);
	return table
	    ? table
	    : prove_read_written(w, inst, prove_extract(w->m, 0, width, prove_read(w, bytes)));
}

static void load(struct walk *w, uint32_t inst, const struct flow_inst *i)
{
	const struct flow_operand *o = &prove_unit(w->m, w->frame)->operand[i->first];
	unsigned bytes = (i->width + 7) / 8;
	expr value = 0;
	access(w, o);
	if (prove_width(i) && is_volatile(w, inst))
		value = prove_fresh(w->m, i->width);
	else if (prove_width(i))
		value = read_at(w, inst, o, i->width);
	prove_set(w, inst, value);
	prove_used(w, inst, 0, (uint64_t)bytes * 8);
}

/* The bits that a store changes: of a bit-field only its own. */
static bool written_bits(const struct walk *w, uint32_t inst, uint64_t *bit, uint64_t *bits)
{
	const struct flow_unit *u = prove_unit(w->m, w->frame);
	uint32_t k = w->m->index[w->m->frame[w->frame].unit].access[inst - 1];
	for (; k && k <= u->accesses && u->access[k - 1].inst == inst; k++) {
		const struct flow_access *a = &u->access[k - 1];
		if (!a->is_def || !strchr(a->how, 'b'))
			continue;
		*bit = a->bit;
		*bits = a->bits;
		return a->bits > 0;
	}
	return true;
}

static void store(struct walk *w, uint32_t inst, const struct flow_inst *i)
{
	struct encoding *m = w->m;
	const struct flow_operand *o = &prove_unit(m, w->frame)->operand[i->first];
	unsigned bytes = (i->width + 7) / 8;
	uint64_t bit = 0, bits = (uint64_t)bytes * 8;
	bool exact = written_bits(w, inst, &bit, &bits);
	expr value = i->width && i->width <= 64 ? prove_operand(w, &o[0], i->width) : 0;
	access(w, &o[1]);
	if (value && i->width < bytes * 8)
		value = expr_make(m->pool, OP_ZEXT, bytes * 8, value, 0, 0);
	prove_stores(w, inst, bytes, value);
	if (value)
		prove_write(w, bytes, value);
	for (uint32_t k = 0; k < w->pointees && !value; k++)
		prove_change(w, &w->pointee[k], bytes);
	prove_note_written(w, inst);
	prove_written(w, inst, bit, exact ? bits : (uint64_t)bytes * 8, exact);
}

static struct pointee *keep_targets(const struct walk *w)
{
	struct pointee *kept = zeroed(w->pointees + 1, sizeof *kept);
	for (uint32_t i = 0; i < w->pointees; i++)
		kept[i] = w->pointee[i];
	return kept;
}

/* copy TO FROM SIZE, fill TO BYTE SIZE */
static void copy(struct walk *w, uint32_t inst, const struct flow_inst *i)
{
	struct encoding *m = w->m;
	const struct flow_operand *o = &prove_unit(m, w->frame)->operand[i->first];
	bool sized = o[2].kind == '#' && o[2].value > 0, fill = i->op == FLOW_FILL;
	uint64_t size = sized ? (uint64_t)o[2].value : 0;
	struct pointee *from = NULL;
	uint32_t froms = 0;
	expr elsewhere = prove_bool(m, true);
	if (!fill) {
		prove_resolve(w, &o[1], prove_operand(w, &o[1], 64));
		prove_used(w, inst, 0, sized ? size * 8 : UINT64_C(1) << 40);
		from = keep_targets(w);
		froms = w->pointees;
		elsewhere = w->elsewhere;
	}
	prove_resolve(w, &o[0], prove_operand(w, &o[0], 64));
	if (is_volatile(w, inst))
		sized = false;
	if (fill && sized && o[1].kind == '#')
		prove_fill(w, (uint8_t)o[1].value, size);
	else if (!fill && sized)
		prove_copy(w, w->pointee, w->pointees, from, froms, elsewhere, size);
	else
		for (uint32_t k = 0; k < w->pointees; k++)
			prove_change(w, &w->pointee[k], size);
	prove_note_written(w, inst);
	prove_written(w, inst, 0, size ? size * 8 : UINT64_C(1) << 40, size > 0);
	free(from);
}

/* An atomic operation, an operation on vectors or an unknown one: it may read and write the targets
 * of its operands. */
static void other(struct walk *w, uint32_t inst, const struct flow_inst *i)
{
	prove_called(w, inst, false);
	for (uint32_t k = 0; k < i->operands; k++) {
		const struct flow_operand *o = &prove_unit(w->m, w->frame)->operand[i->first + k];
		if (!strchr("%^&$", o->kind))
			continue;
		prove_resolve(w, o, prove_operand(w, o, 64));
		for (uint32_t t = 0; t < w->pointees; t++)
			prove_havoc(w, w->pointee[t].object, w->pointee[t].cond);
	}
	prove_note_written(w, inst);
	prove_called(w, inst, true);
}

static bool leads_on(const struct walk *w, const struct flow_inst *i)
{
	for (uint32_t k = 0; k < i->operands; k++)
		if (prove_unit(w->m, w->frame)->operand[i->first + k].kind == '!')
			return true;
	return false;
}

/* False when control does not continue after the instruction. */
static bool instruction(struct walk *w, uint32_t inst)
{
	const struct flow_inst *i = &prove_unit(w->m, w->frame)->inst[inst - 1];
	const struct flow_branch *b;
	switch (i->op) {
	case FLOW_LOAD: load(w, inst, i); return true;
	case FLOW_STORE: store(w, inst, i); return true;
	case FLOW_COPY:
	case FLOW_FILL: copy(w, inst, i); return true;
	case FLOW_PHI:
	case FLOW_ALLOCA: return true;
	case FLOW_BR: branch(w, i); return false;
	case FLOW_SWITCH: choose(w, i); return false;
	case FLOW_GOTO: computed(w, i); return false;
	case FLOW_RET: leave(w, inst, i); return false;
	case FLOW_UNREACHABLE: return false;
	case FLOW_CALL: prove_call(w, inst, i); return true;
	case FLOW_ASM: w->m->broken = "inline assembly is not modelled"; return true;
	case FLOW_SELECT:
		if ((b = decided(w, i))) {
			expr cond =
			    prove_operand(w, &prove_unit(w->m, w->frame)->operand[i->first], 1);
			prove_taken(w, b->first, cond);
			prove_taken(w, b->first + 1, expr_not(w->m->pool, cond));
		}
		break;
	case FLOW_OTHER: other(w, inst, i); break;
	default:
		if (leads_on(w, i))
			w->m->broken = "a jump of an unknown kind is not modelled";
		break;
	}
	prove_set(w, inst, prove_value(w, inst, i));
	prove_computed(w, inst);
	return true;
}

/* ---- activations */

/* The arguments of the root are inputs, with the names of its parameters if each parameter is one
 * argument. */
static void name_arguments(struct walk *w)
{
	struct encoding *m = w->m;
	const struct frame *f = &m->frame[0];
	const struct flow_unit *u = prove_unit(m, 0);
	const struct flow_func *func = &u->func[f->func - 1];
	bool is_main = !strcmp(func->name, "main");
	for (uint32_t k = 0; k < f->args && f->args == func->params; k++) {
		const struct flow_var *v = &u->var[func->param[k] - 1];
		uint64_t size = u->type[v->type - 1].size;
		bool counts = is_main && k == 0 && size == 4;
		if (size && size <= 8 && strchr("iucb", u->type[v->type - 1].kind))
			*PUSH(m->input, m->inputs) =
			    (struct prove_input){ copied(counts ? "args" : v->name),
				    counts ? 'u' : u->type[v->type - 1].kind, (uint16_t)(size * 8),
				    w->now.v[f->arg[k]], counts };
	}
}

/* Sets the memory to its state when an activation begins; for the root, all memory. */
static void begin(struct walk *w)
{
	struct encoding *m = w->m;
	const struct frame *f = &m->frame[w->frame];
	const struct flow_unit *u = prove_unit(m, w->frame);
	bool root = !w->frame;
	for (uint32_t i = 0; i < m->objects; i++) {
		const struct object *o = &m->object[i];
		bool fixed = o->frame == NONE;
		for (uint32_t k = 0; k < o->cells && (o->frame == w->frame || (root && fixed)); k++)
			w->now.v[o->cell[k].slot] = fixed && !m->arbitrary && !m->early
			        && !(m->loose && m->written[o->alias])
			    ? prove_initial(m, o, &o->cell[k])
			    : prove_fresh(m, o->cell[k].size * 8);
	}
	for (uint32_t k = 0; k < m->index[f->unit].vars[f->func - 1].n; k++)
		if (f->defined[k])
			w->now.v[f->defined[k] - 1] = prove_bool(m, false);
	for (size_t k = 0; k < u->homes; k++) { /* structs that are passed in memory */
		const struct flow_var *v = &u->var[u->home[k].var - 1];
		struct flow_operand arg = { .kind = '^', .id = u->home[k].argument };
		struct pointee to = { NONE, prove_const(m, 64, 0), prove_bool(m, true) };
		if (v->func != f->func || v->kind != 'p')
			continue;
		to.object = f->object[u->home[k].var - m->index[f->unit].vars[f->func - 1].first];
		prove_resolve(w, &arg, prove_operand(w, &arg, 64));
		if (to.object != NONE)
			prove_copy(w, &to, 1, w->pointee, w->pointees, w->elsewhere,
			    m->object[to.object].size);
	}
	if (root && m->startup)
		prove_startup_begin(w);
	prove_enter(w);
}

static void start_root(struct walk *w)
{
	struct encoding *m = w->m;
	w->now.guard = prove_equal(m, m->ts.pc, prove_const(m, m->ts.pc_width, 0));
	for (uint32_t i = 0; i < m->ts.slots; i++)
		w->now.v[i] = prove_fresh(m, m->ts.slot[i].width);
	name_arguments(w);
}

/* Outside code ran since the last call: memory that it may write holds any value, and definitions
 * that it may make are made. */
static void call_again(struct walk *w)
{
	struct encoding *m = w->m;
	for (uint32_t i = 0; i < m->objects; i++) {
		const struct object *o = &m->object[i];
		bool kept;
		/* a constant never changes, and may be numbered after the lists were made */
		if (o->frame != NONE || o->constant)
			continue;
		kept = (m->closed && m->closed[o->alias])
		    || (alias_object(m->alias, o->alias)->kind == ALIAS_VARIABLE
		        && !m->written[o->alias]);
		if (!kept)
			prove_havoc(w, i, prove_bool(m, true));
	}
	prove_arm(w);
}

/* Does the harness's loop of calls begin here, where other code may run before each call? */
static bool calls_next(const struct encoding *m, const struct location *n)
{
	return (m->closed || m->primed) && !n->frame && n->block == m->calls
	    && n->first == m->index[m->frame[0].unit].block[n->block - 1].first;
}

/* pc: 0 the entry, 1 ended, k + 1 the cut k. */
static void start_cut(struct walk *w, uint32_t cut)
{
	struct encoding *m = w->m;
	w->now.guard = prove_equal(m, m->ts.pc, prove_const(m, m->ts.pc_width, cut));
	for (uint32_t i = 0; i < m->ts.slots; i++)
		w->now.v[i] = m->ts.slot[i].latch;
	if (m->startup)
		prove_startup_cut(w);
	for (uint32_t i = 0; i < m->renewals; i++)
		if (m->renewal[i].cut == cut)
			prove_renew_object(w, m->renewal[i].object);
}

static void walk_location(struct walk *w, uint32_t location)
{
	struct encoding *m = w->m;
	const struct location *n = &m->location[location];
	struct symbolic_state *s = &w->state[location];
	uint32_t cut = m->cut[location];
	bool on = true;
	if (!cut && !s->met)
		return;
	w->location = location;
	w->frame = n->frame;
	w->at++;
	w->now =
	    cut ? (struct symbolic_state){ reserved(m->ts.slots + 1, sizeof *s->v), 0, true } : *s;
	s->v = NULL;
	if (cut == 1)
		start_root(w);
	else if (cut)
		start_cut(w, cut);
	if (n->starts)
		begin(w);
	if (calls_next(m, n))
		call_again(w);
	if (n->first > m->index[m->frame[n->frame].unit].block[n->block - 1].first) {
		prove_called(w, n->first - 1, true);
		prove_returned(w, n->first - 1);
	} else {
		prove_begun(w, n->block);
	}
	for (uint32_t i = n->first; i < n->last && on; i++)
		on = instruction(w, i);
	if (n->callee != NONE) {
		prove_called(w, n->last, false);
		enter_all(w, n->callee, &prove_unit(m, n->frame)->inst[n->last - 1]);
	}
	free(w->now.v);
}

static uint32_t most_insts(const struct encoding *m)
{
	uint32_t most = 0;
	for (uint32_t f = 0; f < m->frames; f++) {
		uint32_t n = m->index[m->frame[f].unit].func[m->frame[f].func - 1].n;
		most = n > most ? n : most;
	}
	return most;
}

void prove_walk(struct encoding *m)
{
	struct walk w = { .m = m };
	uint32_t insts = most_insts(m);
	for (m->ts.pc_width = 1; (UINT64_C(1) << m->ts.pc_width) < m->ts.cuts + 1u;
	    m->ts.pc_width++)
		;
	m->ts.pc = expr_input(m->pool, expr_var(m->pool, "pc", INPUT_UINT, m->ts.pc_width));
	m->ts.pc_next = prove_const(m, m->ts.pc_width, 1);
	w.state = zeroed(m->locations, sizeof *w.state);
	w.reg = zeroed(insts, sizeof *w.reg);
	w.reg_at = zeroed(insts, sizeof *w.reg_at);
	for (uint32_t i = 0; i < m->ordered && !m->broken && !m->late; i++)
		if (prove_memory_left() < m->spare)
			m->late = "memory limit reached";
		else if (clock_now() < m->deadline)
			walk_location(&w, m->order[i]);
		else
			m->late = PROVE_LATE;
	for (uint32_t i = 0; i < m->outputs && m->beyond; i++)
		if (m->output[i].deep)
			m->output[i].bad = prove_or(m, m->output[i].bad, m->beyond);
	for (uint32_t i = 0; i < m->locations; i++)
		free(w.state[i].v);
	free(w.state);
	free(w.reg);
	free(w.reg_at);
	free(w.pointee);
}
