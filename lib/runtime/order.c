/* order: subtractions of pointers, and comparisons by <, <=, > or >=. For pointers into different
 * objects the result depends on their addresses, which C leaves undefined. */
#include "lib/runtime/grow.h"

/* Where an operand leads: to an object, or to none as NULL that a caller passed. */
struct compared_pointer {
	struct duct_object *object;
	const char *name; /* of the pointer's choice */
	duct_node choice;
};

static struct compared_pointer side_of(struct duct_term t, struct duct_object *o)
{
	struct compared_pointer s = { .object = o };

	s.name = duct_grow_find_null(t.n, 8, &s.choice);
	if (s.name && !t.v != !duct_at(s.choice)->value)
		s.name =
		    NULL; /* found by a function, as strchr() does, where the caller's is not */
	return s;
}

/* Does the caller pass the address of a variable of the program? */
static bool is_variable(const struct compared_pointer *s)
{
	uint64_t value = s->name ? (uint64_t)duct_at(s->choice)->value : 0;

	return value <= DUCT_CHOICE_VARIABLE
	    && value > DUCT_CHOICE_VARIABLE - DUCT_CHOICE_VARIABLES;
}

static bool is_passed(const struct compared_pointer *s)
{
	return s->object ? s->object->input || is_variable(s) : s->name != NULL;
}

static const char *name_of(const struct compared_pointer *s)
{
	char *name = s->name ? duct_grow_joined(s->name, "") : NULL;

	if (s->object && s->object->input)
		return s->object->input->name;
	if (name)
		name[duct_length(name) - 1] = 0; /* without its `?` */
	return name;
}

/* The end of an object may be the begin of another one. */
static bool holds(const struct duct_object *o, uint64_t p, uint64_t q)
{
	return o && p - o->base <= o->room && q - o->base <= o->room;
}

static bool is_one(
    const struct compared_pointer *x, const struct compared_pointer *y, uint64_t p, uint64_t q)
{
	return holds(x->object, p, q) || holds(y->object, p, q);
}

/* Does the path, or the pointer, say that it leads to an object of its own? */
static bool is_own(const struct compared_pointer *s)
{
	return !s->name || duct_at(s->choice)->value == 1;
}

/* Records as a condition of the path whether the pointer leads to an object of its own, or is NULL,
 * so that a search can negate it. */
static void ask_side(const struct compared_pointer *s, uint64_t number)
{
	if (s->name)
		duct_model_condition(
		    duct_block_unit, 0, duct_grow_is(duct_term(s->choice), number));
}

static void ask_sides(const struct compared_pointer *s)
{
	ask_side(s, 1);
	if (s->name && duct_at(s->choice)->value != 1)
		ask_side(s, 0);
}

/* Ends the run with a need: callers have to pass pointers into one object. It is a limit, too,
 * unless other runs let the two lead into one object. */
static void need_one(const struct compared_pointer *x, const struct compared_pointer *y)
{
	const char *p = name_of(x), *q = name_of(y), *name = p ? p : q;

	ask_side(x, x->name ? duct_at(x->choice)->value : 0);
	ask_side(y, y->name ? duct_at(y->choice)->value : 0);
	if (!p || !q || !duct_grow_may_share(p, q))
		duct_limit("apart", name, 0);
	duct_need("apart", name, 0);
}

static bool is_number(uint64_t v)
{
	return v && v < 1 << 16;
}

/* Both lead to objects, or are NULL. */
static bool lead(
    const struct compared_pointer *x, uint64_t p, const struct compared_pointer *y, uint64_t q)
{
	return (x->object || (x->name && !p)) && (y->object || (y->name && !q));
}

uint64_t duct_near_from, duct_near_room;

/* The objects that held two pointers last, as a loop that merges two arrays compares pointers into
 * each by turns. They are as they were while duct_near_room is not 0: an object that ends or
 * changes makes it that. */
enum { NEAR = 4 };
static struct near {
	uint64_t from, room;
} near[NEAR];
static unsigned nears;

void duct_order_start(void)
{
	duct_near_from = duct_near_room = nears = 0;
}

static void keep_near(const struct duct_object *o)
{
	if (!duct_near_room)
		nears = 0;
	near[nears++ % NEAR] = (struct near){ o->base, o->room };
	duct_near_from = o->base;
	duct_near_room = o->room;
}

static bool was_near(uint64_t p, uint64_t q)
{
	unsigned n = !duct_near_room ? 0 : nears < NEAR ? nears : NEAR;

	for (unsigned i = 0; i < n; i++)
		if (p - near[i].from <= near[i].room && q - near[i].from <= near[i].room) {
			duct_near_from = near[i].from;
			duct_near_room = near[i].room;
			return true;
		}
	return false;
}

/* Is p a base, and q within that object? Then neither of the two has to be searched for. */
static struct duct_object *object_of_both(uint64_t p, uint64_t q)
{
	struct duct_object *o = p ? duct_treap_base(p) : NULL;

	return o && q - o->base < o->room ? o : NULL;
}

/* Does the program determine the order, or the distance, of the two pointers? Ends the run if
 * callers have to; false: the compiler and the linker do. */
static bool has_order(struct duct_term a, struct duct_term b, bool distance)
{
	uint64_t p = (uint64_t)a.v, q = (uint64_t)b.v;
	struct duct_object *o = object_of_both(q, p), *r = o;
	struct compared_pointer x, y;

	if (!o)
		o = r = object_of_both(p, q);
	if (!o) {
		o = p ? duct_object_at(p) : NULL;
		r = q ? duct_object_at(q) : NULL;
	}
	if ((p && !o) || (q && !r) || (!p && !q && !a.n && !b.n))
		return true; /* numbers */
	x = side_of(a, o);
	y = side_of(b, r);
	if (!lead(&x, p, &y, q))
		return true;
	if (is_one(&x, &y, p, q)) {
		const struct duct_object_input *g = (holds(o, p, q) ? o : r)->input;
		if (g)
			duct_grow_measured(g);
	}
	if (is_one(&x, &y, p, q) && is_own(&x) && is_own(&y)) {
		keep_near(holds(o, p, q) ? o : r);
		return true;
	}
	if (is_passed(&x) + is_passed(&y) < (distance ? 1 : 2))
		return is_one(&x, &y, p, q) || p == q;
	ask_sides(&x);
	ask_sides(&y);
	if (p != q && !is_one(&x, &y, p, q))
		need_one(&x, &y);
	return true;
}

void duct_order(struct duct_term a, struct duct_term b, bool distance)
{
	if (!is_number((uint64_t)a.v) && !is_number((uint64_t)b.v))
		has_order(a, b, distance);
}

static struct duct_term term(const void *p, duct_node n)
{
	return n ? duct_term(n) : duct_constant(64, (uintptr_t)p);
}

/* A result that depends on the addresses of the program's own objects is used, and reported, as a
 * test may see another one. */
void duct_rt_order(
    const void *p, duct_node np, const void *q, duct_node nq, const char *place, uint32_t distance)
{
	if (!duct_channel)
		duct_near_room = UINT64_MAX; /* until a run begins */
	if (!np && !nq && duct_channel && was_near((uintptr_t)p, (uintptr_t)q))
		return;
	if (!duct_channel || has_order(term(p, np), term(q, nq), distance))
		return;
	duct_limit("address", place, 0);
	duct_told_time = true;
}
