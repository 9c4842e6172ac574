/* Information flow from inputs, by data and by control (Majumdar, Xu: Reducing Test Inputs Using
 * Information Partitions). Code woven by `instrument --flows` keeps a label for each value: a set
 * of atoms, 0 for the empty set. An atom is an input whose value flows into the value, or an input
 * on which the value is only control-dependent. A decision joins all inputs on whose values it
 * depends to one class; inputs on which it is only control-dependent are its guards, which are
 * reported. The scope of a decision extends to the block where its sides join. Scopes of different
 * classes nest. When a scope closes, all places that any run wrote in it so far depend on the
 * decision, too, because the side that was not taken might have written them. These places are kept
 * across runs in memory shared with the server. The names of scopes consist of the calls and loop
 * iterations around them, so that inputs which do not flow there do not change the names. */
#include "lib/runtime/flow.h"

#include "lib/clib/clib.h"

#define LOWEST 4096u    /* addresses below belong to no object */
#define MOST_SCOPES 16u /* open scopes; a decision inside of the last of them meets it */

void *duct_flow_for;
uint32_t duct_flow_args[DUCT_MAX_ARGS], duct_flow_count, duct_flow_ret;
uint64_t duct_flow_from[DUCT_MAX_ARGS], duct_flow_context;
uint32_t duct_flow_control;

bool duct_flow_all_met;
uint32_t duct_flow_hidden, duct_flow_quiet;
static uint32_t depth; /* open scopes */

bool duct_flow_on(void)
{
	return duct_flow_shared() && !duct_flow_all_met;
}

/* ---- reports */

static void add_meet(struct channel_meet meet, const char *text)
{
	struct channel_area *area = &duct_channel->meet;
	struct channel_meet *m;
	static const char *last;
	static uint64_t at;

	if (area->used + sizeof *m > area->capacity)
		duct_end(FAULT_LIMIT, "too many inputs flow into common decisions");
	m = (struct channel_meet *)((char *)duct_area(area) + area->used);
	if (text != last)
		at = duct_blob_text(last = text, NULL, NULL);
	*m = meet;
	m->text = at;
	duct_area_grow(area, sizeof *m);
}

void duct_flow_lost(const char *what)
{
	if (!duct_flow_on() || !duct_channel)
		return;
	add_meet((struct channel_meet){ 0 }, what);
	duct_flow_all_met = true;
	duct_flow_control = depth = 0;
}

void duct_rt_flow_lost(const char *what)
{
	duct_flow_lost(what);
}

void duct_rt_flow_quiet(uint32_t more)
{
	duct_flow_quiet += more;
}

bool duct_flow_followed(void)
{
	return duct_flow_on() && duct_channel && !duct_flow_quiet;
}

static void tell(uint32_t kind, uint32_t a, uint32_t b, const struct duct_flow_place *place)
{
	add_meet(
	    (struct channel_meet){
	        .kind = kind, .a = a + 1, .b = b + 1, .line = place->line, .col = place->col },
	    place->file);
}

/* ---- scopes */

/* Open scopes, each of a different class. control: the label that writes within it get. */
static struct scope {
	uint64_t name, end;
	uint32_t class, control;
} scopes[MOST_SCOPES];

const uint64_t *duct_flow_scope(void)
{
	return depth ? &scopes[depth - 1].name : NULL;
}

static bool in_scope(uint32_t class)
{
	uint32_t i = depth;

	while (i && duct_flow_class(scopes[i - 1].class) != class)
		i--;
	return i > 0;
}

/* ---- decisions */

static uint32_t unite(uint32_t a, uint32_t b, const struct duct_flow_place *place)
{
	if (a == FLOW_NO_CLASS || a == b)
		return b;
	tell(MEET_VALUES, a, b, place);
	duct_flow_unite(a, b);
	return a;
}

/* Pairs of classes, the first of which guards the second. */
static struct {
	uint64_t *edge;
	uint32_t mask, n;
} guards;

static uint64_t *guard_place(uint64_t edge)
{
	uint32_t i = (uint32_t)duct_flow_mix((edge >> 32) - 1, (uint32_t)edge);

	while (guards.edge[i &= guards.mask] && guards.edge[i] != edge)
		i++;
	return &guards.edge[i];
}

static void more_guards(void)
{
	uint64_t *old = guards.edge;
	uint32_t was = old ? guards.mask + 1 : 0;

	guards.mask = old ? 2 * guards.mask + 1 : 255;
	guards.edge = duct_arena((guards.mask + 1) * sizeof *guards.edge);
	for (uint32_t i = 0; i < was; i++)
		if (old[i])
			*guard_place(old[i]) = old[i];
}

/* Decisions about class `from` guard decisions about another class; each pair is reported once. */
static void guard(uint32_t from, uint32_t to, const struct duct_flow_place *place)
{
	uint64_t edge = (uint64_t)(from + 1) << 32 | to;
	uint64_t *known;

	if (from == to)
		return;
	if (2 * guards.n >= guards.mask)
		more_guards();
	known = guard_place(edge);
	if (*known)
		return;
	*known = edge;
	guards.n++;
	tell(MEET_GUARD, from, to, place);
}

/* A decision that depends on the label: the class of the inputs whose values it is about. When it
 * is about none, of those whose control it depends on and that do not guard it: what they decided
 * decides here, too. FLOW_NO_CLASS: the open scopes decide. */
static uint32_t class_of(const struct duct_flow_set *s, const struct duct_flow_place *place)
{
	uint32_t root = FLOW_NO_CLASS;

	for (uint32_t i = 0; i < s->n; i++)
		if (!(s->atom[i] & FLOW_CONTROL))
			root = unite(root, duct_flow_class(s->atom[i] >> 1), place);
	if (root != FLOW_NO_CLASS)
		return root;
	for (uint32_t i = 0; i < s->n; i++)
		if (!in_scope(duct_flow_class(s->atom[i] >> 1)))
			root = unite(root, duct_flow_class(s->atom[i] >> 1), place);
	return root;
}

static uint32_t decide(uint32_t l, const struct duct_flow_place *place)
{
	const struct duct_flow_set *s = duct_flow_set(l);
	uint32_t root;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t v = duct_flow_class(s->atom[i] >> 1);

		if (duct_flow_decides_first(v))
			tell(MEET_DECIDES, v, v, place);
	}
	root = class_of(s, place);
	if (root == FLOW_NO_CLASS)
		return FLOW_NO_CLASS;
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t v = duct_flow_class(s->atom[i] >> 1);

		if (!in_scope(v))
			guard(v, root, place);
	}
	if (depth)
		guard(duct_flow_class(scopes[depth - 1].class), root, place);
	return root;
}

/* A decision under which the run may end. */
uint32_t duct_rt_flow_decide(uint32_t l, const struct duct_flow_place *place)
{
	uint32_t class;

	if (!l || !duct_flow_followed())
		return 0;
	class = decide(l, place);
	if (duct_flow_all_met)
		return 0;
	duct_channel->flow_risk =
	    (class == FLOW_NO_CLASS ? duct_flow_class(duct_flow_set(l)->atom[0] >> 1) : class) + 1;
	return class == FLOW_NO_CLASS || duct_flow_set(l)->atom[0] & FLOW_CONTROL
	    ? l
	    : duct_rt_flow_join(duct_flow_alone(class), l);
}

static void open_scope(uint32_t class, uint64_t name, uint64_t end)
{
	struct scope *s = &scopes[depth];

	if (depth)
		duct_flow_learn((struct flowmap_place){ .scope = s[-1].name, .object = name });
	*s = (struct scope){ name, end, class,
		duct_rt_flow_join(duct_flow_control, duct_flow_control_of(class)) };
	depth++;
	duct_flow_control = s->control;
	duct_channel->flow_control = class + 1;
}

void duct_rt_flow_branch(
    uint32_t l, uint64_t name, uint64_t end, const struct duct_flow_place *place)
{
	uint32_t class;

	if (!l || !duct_flow_followed())
		return;
	class = decide(l, place);
	duct_channel->flow_risk = 0;
	if (class == FLOW_NO_CLASS || duct_flow_all_met || in_scope(class))
		return;
	if (depth == MOST_SCOPES)
		unite(duct_flow_class(scopes[depth - 1].class), class, place);
	else
		open_scope(class, name, end);
}

uint32_t duct_rt_flow_close(uint64_t end)
{
	uint32_t at = depth, all = 0;

	while (at && scopes[at - 1].end != end)
		at--;
	if (!at)
		return 0;
	while (at > 1 && scopes[at - 2].end == end)
		at--;
	while (depth >= at) {
		struct scope s = scopes[--depth];
		uint32_t l = duct_flow_control_of(s.class);

		duct_flow_control = depth ? scopes[depth - 1].control : 0;
		duct_channel->flow_control =
		    depth ? duct_flow_class(scopes[depth - 1].class) + 1 : 0;
		duct_flow_spread(s.name, l);
		all = duct_rt_flow_join(all, l);
	}
	return all;
}

/* ---- calls of code that is not woven */

/* Do its results depend only on its arguments and their targets, and does it write nothing? */
static bool is_pure(const struct clib *c)
{
	return c && clib_is_local(c) && !clib_has(c, "wbf") && !clib_does(c, "oOe");
}

static bool has(char access, const char *list)
{
	while (*list && *list != access)
		list++;
	return *list;
}

/* The label of the result of an external call that was made. */
uint32_t duct_rt_flow_external(
    const char *name, uint32_t n, uint64_t pointers, const struct duct_flow_place *place)
{
	const uint64_t *value = duct_flow_from;
	const struct clib *c = clib_find(name);
	uint32_t l = 0;

	duct_flow_for = NULL;
	if (!duct_flow_followed())
		return 0;
	for (uint32_t i = 0; i < n; i++) {
		l = duct_rt_flow_join(l, duct_flow_args[i]);
		if (i < 64 && pointers >> i & 1 && value[i] >= LOWEST
		    && !(c && has(clib_arg(c, i).access, "xyz-")))
			l = duct_rt_flow_join(l, duct_flow_get(value[i], duct_reach(value[i])));
	}
	if (is_pure(c))
		return l;
	l = duct_rt_flow_join(duct_rt_flow_join(l, duct_flow_control), duct_flow_hidden);
	l = duct_rt_flow_decide(l, place);
	if (duct_flow_control)
		duct_flow_wrote((uintptr_t)&duct_flow_hidden, 1);
	duct_flow_hidden = duct_rt_flow_join(duct_flow_hidden, l);
	for (uint32_t i = 0; l && i < n && i < 64; i++)
		if (pointers >> i & 1 && value[i] >= LOWEST
		    && !(c && !has(clib_arg(c, i).access, "wbk"))) {
			duct_flow_add(value[i], duct_reach(value[i]), l);
			duct_flow_wrote(value[i], duct_reach(value[i]));
		}
	return l;
}

/* Code that is not woven calls a woven function: all arguments have this label. */
uint32_t duct_rt_flow_callback(void)
{
	uint32_t l = duct_flow_hidden;

	if (!duct_flow_followed())
		return 0;
	if (!duct_flow_for)
		return l;
	for (uint32_t i = 0; i < duct_flow_count && i < DUCT_MAX_ARGS; i++)
		l = duct_rt_flow_join(l, duct_flow_args[i]);
	return l;
}

void duct_flow_start(void)
{
	duct_channel->flows = duct_flow_shared() != 0;
	duct_channel->flow_learned = duct_flow_learned();
}
