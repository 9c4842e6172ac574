/* watch: ghosts. A ghost follows one definition in one activation, or in all: it is armed where the
 * definition writes, and cleared where everything that it wrote is overwritten. A pair is exercised
 * where its use reads while the ghost is armed. An argument is written at the entry of the
 * activations that the call begins; a result is written where the callee returns, and read after
 * the call. */
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>

uint32_t *prove_at(struct map *map, uint32_t frame, uint32_t inst)
{
	bool fresh;
	return map_at(map, (uint64_t)(frame + 1) << 32 | inst, &fresh);
}

static uint32_t add_change(
    struct encoding *m, uint32_t frame, uint32_t inst, bool arms, uint32_t ghost)
{
	uint32_t *head = prove_at(&m->changes_at, frame, inst);
	for (uint32_t e = *head; e; e = m->change[e - 1].next)
		if (m->change[e - 1].ghost == ghost && m->change[e - 1].arms == arms)
			return e - 1;
	*PUSH(m->change, m->changes) =
	    (struct ghost_change){ .next = *head, .arms = arms, .ghost = ghost };
	*head = m->changes;
	return m->changes - 1;
}

/* The access that writes; for an argument, that of the parameter at entry. */
const struct defuse_access *prove_written_by(const struct encoding *m, uint32_t def)
{
	const struct defuse_access *a = &m->defuse->access[def];
	return a->kind == DEFUSE_ARGUMENT ? &m->defuse->access[a->formal_of] : a;
}

/* May the definition write in this activation? For an argument, only if its call began the
 * activation; a root that starts in any state may have been called from anywhere. */
static bool writes_in(const struct encoding *m, uint32_t def, uint32_t frame)
{
	const struct defuse_access *a = &m->defuse->access[def];
	const struct frame *f = &m->frame[frame];
	if (f->number != prove_written_by(m, def)->func)
		return false;
	return a->kind != DEFUSE_ARGUMENT
	    || (f->up == NONE ? m->arbitrary || m->loose
	                      : f->call == a->inst && m->frame[f->up].unit == a->unit);
}

/* The object of a place, as an activation of the definition sees it. */
static uint32_t object_of(const struct encoding *m, uint32_t alias, uint32_t frame)
{
	const struct alias_object *a = alias == ALIAS_NONE ? NULL : alias_object(m->alias, alias);
	if (!a)
		return NONE;
	if (a->owner == ALIAS_NONE || a->kind == ALIAS_POINTEE)
		return prove_object_find(m, alias, NONE);
	for (; frame != NONE; frame = m->frame[frame].up)
		if (m->frame[frame].number == a->owner)
			return prove_object_find(m, alias, frame);
	return NONE;
}

/* How many bytes does the ghost remember the offset of, if it remembers where the definition wrote?
 * If the definition is the initial content of an array, the ghost follows an arbitrary byte, so
 * that it is cleared where this byte is overwritten. */
static unsigned kept_bytes(
    const struct encoding *m, const struct defuse_access *def, const struct defuse_place *p)
{
	const struct flow_inst *i =
	    def->inst ? &m->flow->unit[def->unit].inst[def->inst - 1] : NULL;
	if (def->kind == DEFUSE_INCOMING)
		return p->stride || p->size > 64;
	return p->stride && def->kind == DEFUSE_ACCESS && i && i->op == FLOW_STORE
	    ? (i->width + 7) / 8
	    : 0;
}

static uint32_t find_ghost(struct encoding *m, uint32_t access, const struct defuse_place *p,
    uint32_t frame, uint32_t object)
{
	const struct defuse_access *def = prove_written_by(m, access);
	struct ghost g = { access, *p, object, frame, 0, 0, 0 };
	for (uint32_t k = m->ghosts; k-- > 0 && m->ghost[k].def == access;)
		if (!memcmp(&m->ghost[k].place, p, sizeof *p) && m->ghost[k].object == object
		    && m->ghost[k].frame == frame)
			return k;
	g.slot = ts_slot(&m->ts, SLOT_GHOST, 1);
	if (object != NONE && (g.bytes = kept_bytes(m, def, p)))
		g.at = 1 + ts_slot(&m->ts, SLOT_GHOST, 64);
	*PUSH(m->ghost, m->ghosts) = g;
	if (object != NONE)
		*PUSH(m->object[object].ghost, m->object[object].ghosts) = m->ghosts - 1;
	return m->ghosts - 1;
}

/* Adds the use, in an activation that a ghost watches. */
static void add_goal(struct encoding *m, const struct defuse_pair *p, uint32_t output,
    uint32_t ghost, uint32_t frame)
{
	const struct defuse_access *use = &m->defuse->access[p->use];
	uint32_t change = add_change(m, frame, use->inst, false, ghost), *head;
	if (p->outcome == DEFUSE_C) {
		*PUSH(m->goal, m->goals) =
		    (struct goal){ output, change, m->change[change].goals, 0, 0 };
		m->change[change].goals = m->goals;
		return;
	}
	if (!m->change[change].slot)
		m->change[change].slot = 1 + ts_slot(&m->ts, SLOT_USE, 1);
	head = prove_at(&m->goals_at, frame, p->outcome + 1);
	*PUSH(m->goal, m->goals) = (struct goal){ output, change, *head, 0, 0 };
	*head = m->goals;
}

/* Does the pair belong to a single activation? Others may belong to any: pairs of a global, seen
 * across functions, or of a local whose address is passed to a recursive call. */
static bool is_local(
    const struct encoding *m, const struct defuse_pair *p, const struct defuse_place *place)
{
	const struct defuse_access *def = prove_written_by(m, p->def),
	                           *use = &m->defuse->access[p->use];
	const struct defuse_options *o = &m->defuse->options;
	if (def->func != use->func)
		return false;
	if (!o->inter && !o->paper)
		return true;
	return place->object != ALIAS_NONE
	    && alias_object(m->alias, place->object)->owner == def->func
	    && !alias_is_recursive(m->alias, def->func);
}

/* The object of a place in an activation; NONE: it may also be a local of an earlier activation, to
 * which a recursive call has passed a pointer. */
static uint32_t object_in(
    const struct encoding *m, const struct defuse_place *place, uint32_t frame)
{
	uint32_t object = object_of(m, place->object, frame);
	const struct alias_object *a =
	    place->object == ALIAS_NONE ? NULL : alias_object(m->alias, place->object);
	bool shared = object != NONE && m->object[object].taken && a->owner != ALIAS_NONE
	    && alias_is_recursive(m->alias, a->owner);
	return shared ? NONE : object;
}

static void watch_local(struct encoding *m, const struct defuse_pair *p,
    const struct defuse_place *place, uint32_t output)
{
	const struct defuse_access *def = prove_written_by(m, p->def);
	for (uint32_t f = 0; f < m->frames; f++) {
		uint32_t g;
		if (!writes_in(m, p->def, f))
			continue;
		g = find_ghost(m, p->def, place, f, object_in(m, place, f));
		if (def->inst)
			add_change(m, f, def->inst, true, g);
		add_goal(m, p, output, g, f);
	}
}

static void watch_global(struct encoding *m, const struct defuse_pair *p,
    const struct defuse_place *place, uint32_t output)
{
	const struct defuse_access *def = prove_written_by(m, p->def),
	                           *use = &m->defuse->access[p->use];
	bool fixed = place->object != ALIAS_NONE
	    && alias_object(m->alias, place->object)->owner == ALIAS_NONE;
	uint32_t g =
	    find_ghost(m, p->def, place, NONE, fixed ? object_of(m, place->object, NONE) : NONE);
	for (uint32_t f = 0; f < m->frames; f++) {
		if (def->inst && writes_in(m, p->def, f))
			add_change(m, f, def->inst, true, g);
		if (m->frame[f].number == use->func)
			add_goal(m, p, output, g, f);
	}
}

/* Objects that the alias analysis assumes behind an entry's pointers may not be objects of the
 * encoding when a harness calls the entry. */
static bool is_made_up(const struct encoding *m, const struct defuse_place *place)
{
	uint8_t kind = place->object == ALIAS_NONE ? ALIAS_FUNCTION
	                                           : alias_object(m->alias, place->object)->kind;
	return m->harness && (kind == ALIAS_POINTEE || kind == ALIAS_BEYOND)
	    && prove_object_find(m, place->object, NONE) == NONE;
}

static void watch(struct encoding *m, const struct defuse_pair *p, const struct defuse_place *place,
    uint32_t output)
{
	if (is_local(m, p, place))
		watch_local(m, p, place, output);
	else
		watch_global(m, p, place, output);
}

static bool reads_object(const struct defuse_access *use, uint32_t object)
{
	bool reads = false;
	for (uint32_t k = 0; k < use->places; k++)
		reads |= use->place[k].object == object;
	return reads;
}

/* Definition and use may each mean several places through pointers, and an incoming value belongs
 * to any place: there is a ghost for each. */
static void watch_all(struct encoding *m, const struct defuse_pair *p, uint32_t output)
{
	const struct defuse_access *def = prove_written_by(m, p->def),
	                           *use = &m->defuse->access[p->use];
	bool any = def->kind == DEFUSE_INCOMING || !def->places, met = !is_made_up(m, &p->place);
	if (def->kind == DEFUSE_INCOMING && use->places && !reads_object(use, p->place.object))
		met = false; /* it is where the use reads, which comes next */
	if (met)
		watch(m, p, &p->place, output);
	for (uint32_t k = 0; k < use->places && any; k++)
		if (!is_made_up(m, &use->place[k])) {
			watch(m, p, &use->place[k], output);
			met = true;
		}
	for (uint32_t i = 0; i < def->places && !any; i++)
		for (uint32_t k = 0; k < use->places; k++)
			if (place_meets(&def->place[i], &use->place[k])
			    && !is_made_up(m, &use->place[k])) {
				struct defuse_place both =
				    place_common(&def->place[i], &use->place[k]);
				watch(m, p, &both, output);
				met = true;
			}
	if (!met)
		watch(m, p, &p->place, output);
}

/* The slot whose content a function returns; NONE: there is none. */
static struct defuse_place return_slot(struct encoding *m, const struct defuse_access *def)
{
	const struct flow_unit *u = &m->flow->unit[def->unit];
	const struct flow_inst *i = &u->inst[def->inst - 1];
	struct defuse_place slot = { .object = ALIAS_NONE };
	struct alias_place *place;
	if ((i->op == FLOW_STORE || i->op == FLOW_COPY)
	    && alias_points_to(m->alias, def->unit, def->func,
	        &u->operand[i->first + (i->op == FLOW_STORE)], &place)) {
		slot.object = place[0].object;
		slot.size = alias_object(m->alias, slot.object)->size * 8;
		free(place);
	}
	return slot;
}

/* May the function have activations that the encoding does not follow? A root in any state stands
 * for all of them. */
static bool may_be_below(const struct encoding *m, uint32_t func)
{
	return m->below[func] && !(m->arbitrary && func == m->frame[0].number);
}

/* Watches a result in each activation that the call begins. If the call is not followed, nothing is
 * known of the result. */
static void watch_result(struct encoding *m, const struct defuse_pair *p, uint32_t output)
{
	const struct defuse_access *def = &m->defuse->access[p->def],
	                           *use = &m->defuse->access[p->use];
	struct defuse_place slot = return_slot(m, def);
	uint32_t callers = 0, callees = 0, at = m->index[use->unit].call[use->inst - 1];
	const struct alias_call *call = at ? alias_call(m->alias, at - 1) : NULL;
	for (uint32_t f = 0; f < m->frames; f++) {
		const struct frame *it = &m->frame[f];
		uint32_t g;
		if (it->number == use->func && prove_too_deep(m, f, call))
			m->output[output].deep |= may_be_below(m, use->func);
		else
			callers += it->number == use->func;
		if (it->number != def->func || it->up == NONE || it->call != use->inst
		    || m->frame[it->up].number != use->func)
			continue;
		callees++;
		g = find_ghost(m, p->def, &slot, f, object_of(m, slot.object, f));
		add_change(m, f, def->inst, true, g);
		add_goal(m, p, output, g, it->up);
	}
	m->output[output].unfollowed = callees < callers;
}

void prove_watch(struct encoding *m, const uint32_t *goal, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t func = prove_function_of(m->defuse, m->asked, goal[i]);
		*PUSH(m->output, m->outputs) = (struct output){ .bad = prove_bool(m, false),
			.goal = goal[i],
			.func = func,
			.deep = may_be_below(m, func) };
		if (goal[i] & PROVE_OUTCOME)
			prove_watch_condition(
			    m, &m->asked->outcome[goal[i] & ~PROVE_OUTCOME], func, m->outputs - 1);
		else if (m->defuse->access[m->defuse->pair[goal[i]].use].kind == DEFUSE_RESULT)
			watch_result(m, &m->defuse->pair[goal[i]], m->outputs - 1);
		else
			watch_all(m, &m->defuse->pair[goal[i]], m->outputs - 1);
	}
}

/* ---- while walking */

void prove_bad(struct walk *w, uint32_t output, expr cond)
{
	struct output *o = &w->m->output[output];
	o->bad = prove_or(w->m, o->bad, prove_and(w->m, w->now.guard, cond));
}

static void set(struct walk *w, uint32_t slot, expr cond, bool to)
{
	w->now.v[slot] = prove_ite(w->m, cond, prove_bool(w->m, to), w->now.v[slot]);
}

/* Does offset lie in low .. low + n - 1? */
static expr within(struct encoding *m, expr offset, int64_t low, uint64_t n)
{
	expr from = expr_make(m->pool, OP_SUB, 64, offset, prove_const(m, 64, (uint64_t)low), 0);
	return n ? expr_make(m->pool, OP_ULT, 1, from, prove_const(m, 64, n), 0)
	         : prove_bool(m, false);
}

static int64_t down(int64_t bits)
{
	return bits >> 3;
}
static int64_t up(int64_t bits)
{
	return (bits + 7) >> 3;
}

/* Bits of an access, counted from the byte that its address points to. */
struct bit_range {
	uint64_t bit, bits;
};

/* Does an access there touch the bytes that the ghost watches? */
static expr touches(
    struct walk *w, const struct ghost *g, const struct pointee *t, struct bit_range x)
{
	struct encoding *m = w->m;
	int64_t low = down((int64_t)x.bit), bytes = up((int64_t)(x.bit + x.bits)) - low, from, to;
	struct value v;
	if (g->at) /* bytes at - bytes + 1 .. at + g->bytes - 1 */
		return within(m, expr_make(m->pool, OP_SUB, 64, t->offset, w->now.v[g->at - 1], 0),
		    1 - bytes, g->bytes + (uint64_t)bytes - 1);
	if (g->place.stride)
		return prove_bool(m, true);
	if (expr_is_const(m->pool, t->offset, &v)) {
		from = (int64_t)v.lo * 8 + (int64_t)x.bit;
		return prove_bool(m,
		    from < g->place.offset + (int64_t)g->place.size
		        && from + (int64_t)x.bits > g->place.offset);
	}
	from = down(g->place.offset) - low;
	to = up(g->place.offset + (int64_t)g->place.size) - low;
	return within(m, t->offset, from - bytes + 1, (uint64_t)(to - from + bytes - 1));
}

/* Does it overwrite all of these bytes? */
static expr covers(
    struct walk *w, const struct ghost *g, const struct pointee *t, struct bit_range x)
{
	struct encoding *m = w->m;
	int64_t bytes = (int64_t)x.bits / 8, from,
	        size = up(g->place.offset + (int64_t)g->place.size) - down(g->place.offset);
	struct value v;
	if (g->at) {
		expr ahead = expr_make(m->pool, OP_SUB, 64, w->now.v[g->at - 1], t->offset, 0);
		return x.bit || x.bits % 8 || bytes < (int64_t)g->bytes
		    ? prove_bool(m, false)
		    : within(m, ahead, 0, (uint64_t)bytes - g->bytes + 1);
	}
	if (g->place.stride)
		return prove_bool(m, false);
	if (expr_is_const(m->pool, t->offset, &v)) {
		from = (int64_t)v.lo * 8 + (int64_t)x.bit;
		return prove_bool(m,
		    from <= g->place.offset
		        && from + (int64_t)x.bits >= g->place.offset + (int64_t)g->place.size);
	}
	if (x.bit || x.bits % 8 || bytes < size)
		return prove_bool(m, false);
	return within(
	    m, t->offset, down(g->place.offset) - (bytes - size), (uint64_t)(bytes - size) + 1);
}

static void arm_at(struct walk *w, const struct ghost *g, const struct pointee *t)
{
	struct encoding *m = w->m;
	expr choose = prove_or(m, prove_fresh(m, 1), expr_not(m->pool, w->now.v[g->slot]));
	choose = prove_and(m, choose, t->cond);
	w->now.v[g->at - 1] = prove_ite(m, choose, t->offset, w->now.v[g->at - 1]);
	set(w, g->slot, choose, true);
}

/* The definition writes. If the ghost remembers an offset, one of the written offsets is chosen. */
static void arm(struct walk *w, const struct ghost *g, struct bit_range x)
{
	if (g->object == NONE || prove_written_by(w->m, g->def)->formal) {
		set(w, g->slot, prove_bool(w->m, true), true);
		return;
	}
	for (uint32_t i = 0; i < w->pointees; i++) {
		const struct pointee *t = &w->pointee[i];
		if (t->object == g->object && g->at)
			arm_at(w, g, t);
		else if (t->object == g->object)
			set(w, g->slot, prove_and(w->m, t->cond, touches(w, g, t, x)), true);
	}
}

static bool is_definition(struct walk *w, uint32_t inst, uint32_t ghost)
{
	for (uint32_t e = *prove_at(&w->m->changes_at, w->frame, inst); e;
	    e = w->m->change[e - 1].next)
		if (w->m->change[e - 1].arms && w->m->change[e - 1].ghost == ghost)
			return true;
	return false;
}

/* An access to the targets. exact: it writes all of these bits, whatever they held. */
void prove_written(struct walk *w, uint32_t inst, uint64_t bit, uint64_t bits, bool exact)
{
	struct encoding *m = w->m;
	struct bit_range x = { bit, bits };
	for (uint32_t i = 0; i < w->pointees && exact; i++) {
		const struct pointee *t = &w->pointee[i];
		const struct object *o = &m->object[t->object];
		for (uint32_t k = 0; k < o->ghosts; k++)
			if (!is_definition(w, inst, o->ghost[k]))
				set(w, m->ghost[o->ghost[k]].slot,
				    prove_and(m, t->cond, covers(w, &m->ghost[o->ghost[k]], t, x)),
				    false);
	}
	for (uint32_t e = *prove_at(&m->changes_at, w->frame, inst); e; e = m->change[e - 1].next)
		if (m->change[e - 1].arms)
			arm(w, &m->ghost[m->change[e - 1].ghost], x);
}

/* A definition that other code than the encoding may make can have been made at any time. */
static expr armed(const struct walk *w, const struct ghost *g)
{
	return w->m->beside[prove_written_by(w->m, g->def)->func] ? prove_bool(w->m, true)
	                                                          : w->now.v[g->slot];
}

static void use(struct walk *w, const struct ghost_change *e, expr cond)
{
	if (e->slot)
		w->now.v[e->slot - 1] = cond;
	for (uint32_t k = e->goals; k; k = w->m->goal[k - 1].next)
		prove_bad(w, w->m->goal[k - 1].output, cond);
}

/* May an access to the targets read the place of a ghost whose object is not one of the encoding?
 * This object may be any of the targets that escaped. */
static expr reads_unknown(const struct walk *w, const struct ghost *g)
{
	struct encoding *m = w->m;
	uint32_t at = g->place.object;
	expr cond = w->elsewhere;
	if (at == ALIAS_NONE || alias_object(m->alias, at)->kind != ALIAS_KNOWN)
		return prove_bool(m, true);
	for (uint32_t i = 0; i < w->pointees; i++) {
		const struct object *o = &m->object[w->pointee[i].object];
		if (o->escaped || o->taken)
			cond = prove_or(m, cond, w->pointee[i].cond);
	}
	return cond;
}

void prove_used(struct walk *w, uint32_t inst, uint64_t bit, uint64_t bits)
{
	struct encoding *m = w->m;
	struct bit_range x = { bit, bits };
	for (uint32_t k = *prove_at(&m->changes_at, w->frame, inst); k; k = m->change[k - 1].next) {
		const struct ghost_change *e = &m->change[k - 1];
		const struct ghost *g = &m->ghost[e->ghost];
		expr cond = prove_bool(m, false);
		if (e->arms)
			continue;
		if (g->object == NONE)
			cond = reads_unknown(w, g);
		for (uint32_t i = 0; i < w->pointees; i++)
			if (w->pointee[i].object == g->object && g->object != NONE)
				cond = prove_or(m, cond,
				    prove_and(
				        m, w->pointee[i].cond, touches(w, g, &w->pointee[i], x)));
		use(w, e, prove_and(m, armed(w, g), cond));
	}
}

static bool is_result(const struct encoding *m, const struct ghost *g)
{
	return m->defuse->access[g->def].kind == DEFUSE_RESULT;
}

/* Applies the reads and writes of a call itself, or of a return; their places and sizes are not
 * known. */
void prove_called(struct walk *w, uint32_t inst, bool arms)
{
	for (uint32_t k = *prove_at(&w->m->changes_at, w->frame, inst); k;
	    k = w->m->change[k - 1].next) {
		const struct ghost_change *e = &w->m->change[k - 1];
		const struct ghost *g = &w->m->ghost[e->ghost];
		if (arms && e->arms)
			w->now.v[g->slot] = prove_bool(w->m, true);
		else if (!arms && !e->arms && !is_result(w->m, g))
			use(w, e, armed(w, g));
	}
}

void prove_returned(struct walk *w, uint32_t inst)
{
	for (uint32_t k = *prove_at(&w->m->changes_at, w->frame, inst); k;
	    k = w->m->change[k - 1].next) {
		const struct ghost_change *e = &w->m->change[k - 1];
		const struct ghost *g = &w->m->ghost[e->ghost];
		if (!e->arms && is_result(w->m, g))
			use(w, e, w->now.v[g->slot]);
	}
}

void prove_taken(struct walk *w, uint32_t outcome, expr cond)
{
	struct encoding *m = w->m;
	for (uint32_t k = *prove_at(&m->goals_at, w->frame, outcome + 1); k;
	    k = m->goal[k - 1].next) {
		const struct goal *g = &m->goal[k - 1];
		expr here = cond;
		if (g->change != NONE)
			here = prove_and(m, cond, w->now.v[m->change[g->change].slot - 1]);
		else if (g->from)
			here = prove_and(m, cond, w->now.v[g->from - 1]);
		if (g->to)
			w->now.v[g->to - 1] = here;
		else
			prove_bad(w, g->output, here);
	}
}

/* Does the definition exist when the activation begins: as an incoming value, or as a parameter
 * that the caller put into memory? */
static bool comes_in(const struct encoding *m, const struct defuse_access *def)
{
	const struct flow_unit *u = &m->flow->unit[def->unit];
	for (size_t k = 0; k < u->homes && def->formal; k++)
		if (u->home[k].var == def->var)
			return true;
	return def->kind == DEFUSE_INCOMING;
}

/* Is it about a variable that only calls made by the encoding write? */
static bool is_closed(const struct encoding *m, const struct ghost *g)
{
	return m->closed && g->object != NONE && m->closed[m->object[g->object].alias];
}

/* The state of a ghost when an activation begins. A definition of an earlier activation forms no
 * pair with a use of this one; at the root nothing has happened yet, unless it starts in any
 * state. */
static bool begins_armed(const struct walk *w, const struct ghost *g, bool mine)
{
	const struct defuse_access *def = prove_written_by(w->m, g->def);
	if (!mine && g->frame == NONE && !w->frame && !is_closed(w->m, g)
	    && (w->m->arbitrary || w->m->loose || (w->m->early && w->m->outside[def->func])))
		return true;
	return comes_in(w->m, def) && writes_in(w->m, g->def, w->frame)
	    && (g->frame == w->frame || g->frame == NONE);
}

void prove_arm(struct walk *w)
{
	struct encoding *m = w->m;
	for (uint32_t k = 0; k < m->ghosts; k++) {
		const struct ghost *g = &m->ghost[k];
		if (g->frame != NONE || is_closed(m, g))
			continue;
		w->now.v[g->slot] = prove_bool(m, true);
		if (g->at)
			w->now.v[g->at - 1] = prove_fresh(m, 64);
	}
}

void prove_enter(struct walk *w)
{
	struct encoding *m = w->m;
	for (uint32_t k = 0; k < m->ghosts; k++) {
		const struct ghost *g = &m->ghost[k];
		bool mine = g->frame == w->frame
		    || (g->object != NONE && m->object[g->object].frame == w->frame);
		bool armed = begins_armed(w, g, mine);
		if (mine || !w->frame || armed)
			w->now.v[g->slot] = prove_bool(m, armed);
		if ((mine || !w->frame || armed) && g->at)
			w->now.v[g->at - 1] = prove_fresh(m, 64);
	}
	for (uint32_t k = 0; k < m->changes && !w->frame; k++)
		if (m->change[k].slot)
			w->now.v[m->change[k].slot - 1] = prove_bool(m, false);
}
