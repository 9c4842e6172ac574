/* Objects that a caller would pass, made when a run asks for them (lazy initialisation: Ramos and
 * Engler, Under-Constrained Symbolic Execution, 2015; Khurshid, Pasareanu and Visser, Generalized
 * Symbolic Execution, 2003). An object has as many bytes as the limit `size` allows, and before its
 * pointer's target as many as the limit `before` allows. A byte becomes an input when it is first
 * read (until then its entry is DUCT_ENTRY_LATER). An access beyond them is no fault: the run ends,
 * and reports which limit it reached. */
#include "lib/runtime/grow.h"

/* Bytes of the arena for objects; they are reserved before a run takes any memory from it. */
#define SPACE ((size_t)256 << 20)

uintptr_t duct_grows_from = UINTPTR_MAX, duct_grows_to;

static struct duct_object_input **made; /* in order of creation */
static uint32_t made_count, made_room, planned;

/* The address of the next object. As addresses occur in conditions, runs of the same path must have
 * the same ones, whatever else they allocate in the arena. */
static char *space;
static size_t space_used;

void duct_grow_start(void)
{
	for (size_t i = 0; i < space_used; i++) /* a second run in this process, as in unit tests */
		space[i] = 0;
	if (!space)
		space = duct_arena(SPACE);
	space_used = planned = 0;
}

bool duct_grow_holds(uintptr_t p)
{
	return space && p - (uintptr_t)space < SPACE;
}

uintptr_t duct_grow_place(size_t bytes)
{
	size_t at = space_used;

	if (!space || bytes > SPACE - at)
		return (uintptr_t)duct_arena(bytes);
	space_used += (bytes + 15) & ~(size_t)15;
	return (uintptr_t)space + at;
}

uint64_t duct_grow_limit(const char *name, uint64_t first)
{
	uint64_t set = duct_rt_setup("grow:", name);

	return set ? set : first;
}

static void set_note(uint32_t index, uint64_t value)
{
	struct channel_var *v = (struct channel_var *)duct_area(&duct_channel->var) + index;

	for (int i = 0; i < 8; i++)
		v->value[i] = (uint8_t)(value >> 8 * i);
}

static void note_value(const char *name, uint64_t value)
{
	set_note(duct_input_note(name, INPUT_OBJECT, 64), value);
}

/* The number of calls of the entry, as a call may depend on globals that an earlier one wrote. */
static bool in_harness; /* the entry is not main */

void duct_need_earlier(const char *name)
{
	if (in_harness)
		duct_need("earlier", name, 0);
}

uint32_t duct_rt_calls(void)
{
	uint64_t calls = duct_channel ? duct_grow_limit("calls", 1) : 1;

	in_harness = true;
	if (calls > 1)
		note_value(".calls", calls);
	return (uint32_t)calls;
}

/* ---- making an object */

struct duct_term duct_grow_is(struct duct_term t, uint64_t v)
{
	return duct_t_binary(OP_EQ, t, duct_constant(t.w, v));
}

char *duct_grow_joined(const char *name, const char *end)
{
	size_t n = duct_length(name), m = duct_length(end);
	char *s = duct_arena(n + m + 1);

	for (size_t i = 0; i < n; i++)
		s[i] = name[i];
	for (size_t i = 0; i <= m; i++)
		s[n + i] = end[i];
	return s;
}

/* Room for whole elements within the limit, at least one; or for one, and whole elements of its
 * flexible array member. */
static uint64_t room_of(const struct duct_object_input *g)
{
	uint64_t size = duct_grow_limit("size", 64), offset, stride;

	if (size < g->each || size < g->tail)
		return g->each;
	if (!g->tail || !duct_shape_tail(g->type->shape, &offset, &stride))
		return size - size % g->each;
	size -= (size - offset) % stride;
	return size < g->each ? g->each : size;
}

/* Takes the size that the user stated, or else the one that the limit allows. */
static void take_size(struct duct_object_input *g, const struct rule *r)
{
	struct duct_term n = r ? r->value : duct_constant(64, 0), bytes;

	g->how = !r                 ? DUCT_SIZE_GROWS
	    : r->kind == RULE_EXACT ? DUCT_SIZE_EXACT
	    : r->kind == RULE_MOST  ? DUCT_SIZE_MOST
	                            : DUCT_SIZE_STRING;
	if (!r) {
		g->size = g->room = room_of(g);
		return;
	}
	if (r->kind == RULE_STRING)
		n.v++;
	bytes = duct_t_binary(OP_MUL, n, duct_constant(64, g->each));
	g->size = g->room = (uint64_t)bytes.v;
	if (bytes.n && !duct_implied(bytes.n, 4)) {
		uint64_t most = duct_grow_limit("size", 64) / g->each + 1;
		struct duct_term few = duct_t_binary(OP_ULE, n, duct_constant(64, most));

		duct_model_condition(NULL, 0, few);
		if (!few.v) {
			duct_limit("size", g->name, g->each * most);
			duct_end(FAULT_LIMIT, "size");
		}
		g->limit = bytes.n;
		g->room = g->each * most;
	}
}

struct duct_object_input *duct_grow_plan(
    const char *name, const struct duct_type *type, uint32_t depth)
{
	struct duct_object_input *g = duct_arena(sizeof *g);
	uint64_t below, stride;

	g->name = name;
	g->type = type;
	g->each = type->size ? type->size : 1;
	g->depth = depth;
	if (type->size && !duct_shape_tail(type->shape, &g->tail, &stride))
		g->tail = 0;
	if (type->size) {
		take_size(g, duct_grow_rule(name, RULE_EXACT, RULE_STRING));
		g->number = planned++ + 2;
	}
	if (g->how == DUCT_SIZE_GROWS && type->size && !g->tail)
		g->below = (duct_grow_limit("before", 0) + g->each - 1) / g->each * g->each;
	below = (g->below + APART - 1) / APART * APART;
	g->base = duct_grow_place(APART + below + g->room + APART) + APART + below;
	return g;
}

void duct_grow_extent(struct duct_object_input *g, uint64_t extent)
{
	if (extent <= g->extent)
		return;
	g->extent = extent;
	if (g->is_there)
		set_note(g->var, extent);
}

void duct_grow_before(struct duct_object_input *g, uint64_t bytes)
{
	if (bytes <= g->before)
		return;
	if (!g->before_var && g->is_there)
		g->before_var =
		    duct_input_note(duct_grow_joined(g->name, ".before"), INPUT_OBJECT, 64);
	g->before = bytes;
	if (g->is_there)
		set_note(g->before_var, (bytes + g->each - 1) / g->each);
}

struct duct_object_input **duct_grow_made(uint32_t *n)
{
	*n = made_count;
	return made;
}

void duct_grow_make(struct duct_object_input *g, bool is_there)
{
	uintptr_t begin = g->base - g->below, end = g->base + g->room + GROW_BEHIND;
	struct duct_object *o;

	if (made_count == made_room) {
		struct duct_object_input **to =
		    duct_arena((made_room = made_room * 4 + 16) * sizeof *to);

		for (uint32_t i = 0; i < made_count; i++)
			to[i] = made[i];
		made = to;
	}
	made[made_count++] = g;
	g->is_there = is_there;
	if (is_there)
		g->var = duct_input_note(duct_grow_joined(g->name, ".bytes"), INPUT_OBJECT, 64);
	o = duct_object_add(begin, g->below + g->size, DUCT_OBJECT_INPUT, false);
	duct_object_room(o, g->below + g->room);
	o->limit = g->limit;
	o->input = g;
	duct_flow_passed(o, g->name);
	if (begin < duct_grows_from)
		duct_grows_from = begin;
	if (end > duct_grows_to)
		duct_grows_to = end;
	duct_live = 1;
	for (uintptr_t a = begin; a < end; a++)
		duct_entry_set(a, DUCT_ENTRY_LATER);
	if (g->how != DUCT_SIZE_GROWS)
		duct_grow_extent(g, g->size);
}

void duct_rt_array(void *p, size_t room, const char *name, uint32_t k)
{
	const struct duct_type *type = duct_grow_type(k);
	struct duct_object_input *g;
	char *root;

	duct_args_for = NULL;
	if (!duct_channel || !type)
		return;
	g = duct_arena(sizeof *g);
	root = duct_arena(duct_length(name) + 24);
	duct_input_root(root, name);
	*g = (struct duct_object_input){
		.name = root, .type = type, .base = (uintptr_t)p, .each = type->size
	};
	take_size(g, duct_grow_rule(root, RULE_EXACT, RULE_STRING));
	if (g->room > room - GROW_BEHIND) {
		g->room = room - GROW_BEHIND;
		g->size = g->room -= g->room % g->each;
	}
	if (duct_object_at(g->base))
		duct_object_remove(g->base);
	duct_grow_make(g, true);
}

char *duct_grow_root(const char *name)
{
	char *root = duct_grow_joined(name, "");
	size_t n = 0;

	while (name[n] && name[n] != '[' && name[n] != '.' && name[n] != '#' && name[n] != '?')
		n++;
	root[n] = 0;
	return root;
}

void duct_grow_limit_of_root(const char *kind, const char *name, uint64_t value)
{
	duct_limit(kind, duct_grow_root(name), value);
}

uint32_t duct_grow_number(uintptr_t base)
{
	for (uint32_t i = 0; i < made_count; i++)
		if (made[i]->base == base)
			return made[i]->number && made[i]->number <= MOST_NUMBER ? made[i]->number
			                                                         : 1;
	return 1;
}

/* Tests have to pass memory that can be freed, so a block begins at p, even if bytes before it
 * became inputs because addresses in the object depend on inputs. */
void duct_grow_freed(struct duct_object_input *g, uintptr_t p)
{
	uint64_t bytes = g->base - p;

	if (g->before_var && g->before > bytes)
		set_note(g->before_var, (bytes + g->each - 1) / g->each);
	duct_grow_before(g, bytes);
	note_value(duct_grow_joined(g->name, ".freed"), 1);
}
