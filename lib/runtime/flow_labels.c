/* Labels of flow.c: classes of inputs, and sets of atoms. Equal sets have the same number. */
#include "lib/runtime/flow.h"

#define MOST 4096u /* atoms of a set; with more, all inputs become one class */

/* ---- classes of inputs */

/* By input: parent in its class; the label of its value alone; whether it took part in a
 * decision. */
static uint32_t *parent, *single, vars, var_room;
static uint8_t *decides;

uint32_t duct_flow_class(uint32_t v)
{
	while (parent[v] != v)
		v = parent[v] = parent[parent[v]];
	return v;
}

static void *larger(void *from, size_t old, size_t now)
{
	char *to = duct_arena(now);

	for (size_t i = 0; i < old; i++)
		to[i] = ((char *)from)[i];
	return to;
}

/* ---- labels: shared sets of atoms, ascending. An atom: twice the class, 1 more for its control.
 */

static uint32_t atom_now(uint32_t atom)
{
	return duct_flow_class(atom >> 1) << 1 | (atom & FLOW_CONTROL);
}

static struct duct_flow_set *sets;
static uint32_t set_count, set_room, *set_slot, set_mask;

static bool same_set(const struct duct_flow_set *a, const uint32_t *atom, uint32_t n)
{
	if (a->n != n)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (a->atom[i] != atom[i])
			return false;
	return true;
}

static uint32_t *set_place(const uint32_t *atom, uint32_t n)
{
	uint32_t i = (uint32_t)duct_hash(atom, n * sizeof *atom);

	while (set_slot[i &= set_mask] && !same_set(&sets[set_slot[i]], atom, n))
		i++;
	return &set_slot[i];
}

static void more_sets(void)
{
	uint32_t room = set_room ? set_room * 2 : 64;

	sets = larger(sets, set_room * sizeof *sets, room * sizeof *sets);
	set_room = room;
	set_mask = 2 * room - 1;
	set_slot = duct_arena(2 * room * sizeof *set_slot);
	for (uint32_t i = 1; i <= set_count; i++)
		*set_place(sets[i].atom, sets[i].n) = i;
}

static uint32_t intern(const uint32_t *atom, uint32_t n)
{
	uint32_t *slot;

	if (!n)
		return 0;
	if (set_count + 1 >= set_room)
		more_sets();
	slot = set_place(atom, n);
	if (!*slot) {
		uint32_t *copy = duct_arena(n * sizeof *copy);

		for (uint32_t i = 0; i < n; i++)
			copy[i] = atom[i];
		sets[++set_count] = (struct duct_flow_set){ copy, n };
		*slot = set_count;
	}
	return *slot;
}

uint32_t duct_flow_alone(uint32_t v)
{
	uint32_t atom = duct_flow_class(v) << 1;

	v = atom >> 1;
	if (!single[v])
		single[v] = intern(&atom, 1);
	return single[v];
}

uint32_t duct_flow_control_of(uint32_t v)
{
	uint32_t atom = duct_flow_class(v) << 1 | FLOW_CONTROL;

	return intern(&atom, 1);
}

/* Inserts an atom into an ascending list; an atom for a value also stands for its control. */
static uint32_t insert(uint32_t *out, uint32_t n, uint32_t atom)
{
	uint32_t at = n;

	while (at && out[at - 1] > atom)
		at--;
	if (at && (out[at - 1] | FLOW_CONTROL) == (atom | FLOW_CONTROL))
		return n;
	if (at < n && (out[at] | FLOW_CONTROL) == (atom | FLOW_CONTROL)) {
		out[at] = atom;
		return n;
	}
	for (uint32_t m = n; m > at; m--)
		out[m] = out[m - 1];
	out[at] = atom;
	return n + 1;
}

/* Merges two ascending lists; they may be out of order where classes were joined since. The result
 * is ascending. */
static uint32_t merged(const struct duct_flow_set *a, const struct duct_flow_set *b)
{
	static uint32_t *out;
	uint32_t n = 0, i = 0, k = 0;

	if (!out)
		out = duct_arena(2 * MOST * sizeof *out);
	while (i < a->n || k < b->n) {
		uint32_t v = k >= b->n || (i < a->n && a->atom[i] <= b->atom[k]) ? a->atom[i++]
		                                                                 : b->atom[k++];

		n = insert(out, n, atom_now(v));
	}
	if (n > MOST) {
		duct_flow_lost("a value that more than 4096 inputs flow into");
		return 0;
	}
	return intern(out, n);
}

uint32_t duct_rt_flow_join(uint32_t a, uint32_t b)
{
	static struct {
		uint32_t a, b, to;
	} known[1 << 10];
	uint32_t i = (a * 0x9e3779b1u ^ b * 0x85ebca6bu) >> 22;

	if (a == b || !b)
		return a;
	if (!a)
		return b;
	if (known[i].a != a || known[i].b != b) {
		known[i].a = a;
		known[i].b = b;
		known[i].to = merged(&sets[a], &sets[b]);
	}
	return known[i].to;
}

const struct duct_flow_set *duct_flow_set(uint32_t label)
{
	return &sets[label];
}

void duct_flow_unite(uint32_t a, uint32_t b)
{
	parent[b] = a;
}

bool duct_flow_decides_first(uint32_t v)
{
	bool first = !decides[v];

	decides[v] = 1;
	return first;
}

uint32_t duct_flow_of(uint32_t input)
{
	if (!duct_flow_on())
		return 0;
	if (input >= var_room) {
		uint32_t room = 2 * input + 64;

		parent = larger(parent, var_room * sizeof *parent, room * sizeof *parent);
		single = larger(single, var_room * sizeof *single, room * sizeof *single);
		decides = larger(decides, var_room, room);
		var_room = room;
	}
	for (; vars <= input; vars++)
		parent[vars] = vars;
	return duct_flow_alone(input);
}
