/* Pointers among the inputs. A pointer P is an expression over the variable `P?`: 0 is NULL, 1 an
 * object of its own, k >= 2 that of the (k-2)th pointer of this run that may have one. These
 * numbers do not depend on which of the pointers are NULL or aliases. The highest value is a number
 * that shares a union with P; those before it are variables of the program that it compares such
 * pointers with. The path decides whether P is NULL where the program's behaviour depends on it. */
#include "lib/runtime/grow.h"

#define WIDTH 16           /* of `P?` */
#define MOST_OBJECTS 4096u /* of a run */

static const struct duct_type *types;
static uint32_t type_count, *classes; /* of scalars, of each type */

void duct_rt_types(const struct duct_type *list, uint32_t n)
{
	types = list;
	type_count = n;
	classes = NULL;
}

const struct duct_type *duct_grow_type(uint32_t k)
{
	return k && k <= type_count ? &types[k - 1] : NULL;
}

static uint32_t classes_of(const struct duct_type *type)
{
	uint32_t *k;

	if (!classes)
		classes = duct_arena(type_count * sizeof *classes);
	k = &classes[type - types];
	return *k ? *k : (*k = duct_shape_classes(type->shape));
}

/* Are elements of these types laid out alike? char and const char have an entry each. */
static bool alike(const struct duct_type *a, const struct duct_type *b)
{
	return a == b || (a->size == b->size && duct_same_text(a->shape, b->shape));
}

/* Is the first member of the structure, or the first of that one, of the type? Lists that end at
 * their head are such. */
static bool begins_with(const struct duct_type *object, const struct duct_type *type)
{
	return object->size >= type->size && duct_shape_begins_with(object->shape, type->shape);
}

/* May objects of these types be one, or may one be a part of the other? */
static bool may_overlap(const struct duct_type *a, const struct duct_type *b)
{
	return a == b || (classes_of(a) & classes_of(b));
}

/* Pointers so far that may have an object of their own. */
static struct chosen {
	struct chosen *next;
	struct duct_term choice;
	const char *name;
	const struct duct_type *type;
} *chosen;

static void note_choice(const char *name, const struct duct_type *type, struct duct_term choice)
{
	struct chosen *c = duct_arena(sizeof *c);

	*c = (struct chosen){ chosen, choice, name, type };
	chosen = c;
}

static bool fits(const struct duct_type *object, const struct duct_type *type, uint64_t ask)
{
	return alike(object, type) || begins_with(object, type)
	    || (ask >= ASK_TYPES && may_overlap(object, type));
}

static const struct duct_type *type_of(const char *name)
{
	const struct chosen *c = chosen;

	while (c && !duct_same_text(c->name, name))
		c = c->next;
	return c ? c->type : NULL;
}

bool duct_grow_may_share(const char *p, const char *q)
{
	const struct duct_type *x = type_of(p), *y = type_of(q);

	return x && y && may_overlap(x, y) && !duct_grow_apart(p, q);
}

/* Which objects there are for another pointer to point to is a decision of the path. */
static void decide_objects(
    const struct chosen *c, const char *name, const struct duct_type *type, uint64_t ask)
{
	if (!c)
		return;
	decide_objects(c->next, name, type, ask);
	if (fits(c->type, type, ask) && c->choice.n && !duct_grow_apart(c->name, name))
		duct_model_condition(NULL, 0, duct_grow_is(c->choice, 1));
}

/* Objects that the pointer may also point to, in units of an element; into one of another type, of
 * the pointer's own. */
struct others {
	struct duct_object_input *at[64];
	uint32_t number[64];
	uint64_t each[64];
	uint32_t n;
	struct duct_term element;
};

/* Elements within which a pointer leads into an object, however long that grows: an access behind
 * the end, which it may lead to, would make it grow without end. */
static uint64_t far(void)
{
	static uint64_t far;

	return far ? far : (far = duct_grow_limit("ahead", 8));
}

static uint64_t far_bytes(void)
{
	return 8 * far();
}

/* Whether the pointer may lead into an object of another type: not where a size is stated, which is
 * in elements of one. */
static bool takes_types(const struct duct_object_input *g, const char *name)
{
	return g->how == DUCT_SIZE_GROWS && !duct_grow_rule(name, RULE_EXACT, RULE_STRING);
}

/* Variables of the program, in the same way, but for their ends, where another one may begin. */
static void find_variables(struct others *s, const char *name, const struct duct_type *type)
{
	for (uint32_t i = 0; i < type->functions && i < DUCT_CHOICE_VARIABLES && s->n < 64; i++) {
		uintptr_t base = (uintptr_t)type->function[i];
		const struct duct_object *o = duct_object_at(base);
		struct duct_object_input *g;
		uint64_t size = o ? o->base + o->size - base : 0;

		if (size < type->size
		    || (o->kind != DUCT_OBJECT_GLOBAL && o->kind != DUCT_OBJECT_INPUT))
			continue;
		g = duct_arena(sizeof *g);
		*g = (struct duct_object_input){ .name = name,
			.type = type,
			.base = base,
			.each = type->size,
			.size = size,
			.room = size - type->size,
			.how = DUCT_SIZE_EXACT,
			.number = DUCT_CHOICE_VARIABLE - i };
		s->at[s->n] = g;
		s->each[s->n] = type->size;
		s->number[s->n++] = g->number;
	}
}

static void find_others(struct others *s, const char *name, const struct duct_type *type)
{
	uint64_t ask = duct_rt_setup("grow:", "alias");
	bool may = type->functions, more = may; /* more: wider limits help */
	struct duct_object_input **made;
	uint32_t made_count;

	if (!ask && duct_grow_rule(name, RULE_ALIAS, RULE_ALIAS))
		ask = ASK_FIRST;
	s->n = 0;
	if (!type->size)
		return;
	made = duct_grow_made(&made_count);
	if (ask)
		decide_objects(chosen, name, type, ask);
	for (uint32_t i = 0; i < made_count && s->n < 64; i++) {
		bool same = alike(made[i]->type, type), takes = takes_types(made[i], name),
		     first = takes && begins_with(made[i]->type, type);

		if (!made[i]->is_there || !may_overlap(made[i]->type, type)
		    || duct_grow_apart(made[i]->name, name))
			continue;
		may = true;
		more |= same || takes;
		if (!ask || !made[i]->number || made[i]->number > MOST_NUMBER
		    || !(same || first || (ask >= ASK_TYPES && takes)))
			continue;
		s->at[s->n] = made[i];
		s->each[s->n] = same ? made[i]->each : type->size;
		s->number[s->n++] = made[i]->number;
	}
	if (ask)
		find_variables(s, name, type);
	if (may)
		duct_grow_limit_of_root("alias", name, more ? ask : ASK_TYPES);
	s->element = duct_constant(32, 0);
	if (s->n && ask >= ASK_ANY)
		s->element = duct_input_choice(duct_grow_joined(name, "+"), 32, 0);
}

static struct duct_term bytes_before(struct duct_term element, uint64_t each)
{
	return duct_t_binary(OP_MUL, duct_t_extend(OP_ZEXT, 64, element), duct_constant(64, each));
}

/* The element is one of the object that the pointer leads to, or the end behind the last. That it
 * is the first is a decision of the path, as the others make addresses depend on inputs. */
static void decide_element(struct duct_term t, struct others *s)
{
	if (s->element.n)
		duct_model_condition(
		    NULL, 0, duct_t_binary(OP_EQ, s->element, duct_constant(32, 0)));
	if (s->element.n && !s->element.v)
		s->element = duct_constant(32, 0);
	for (uint32_t i = 0; s->element.n && i < s->n; i++) {
		struct duct_object_input *g = s->at[i];
		uint64_t room =
		    g->room < far_bytes() || s->each[i] > far_bytes() ? g->room : far_bytes();
		struct duct_term most = g->limit ? duct_term(g->limit) : duct_constant(64, room),
		                 before = bytes_before(s->element, s->each[i]), in;

		if (s->each[i] != g->each) /* of another type: only where it begins */
			most = duct_constant(64, 0);
		in = duct_t_binary(OP_OR, duct_t_binary(OP_ULE, before, most),
		    duct_t_not(duct_grow_is(t, s->number[i])));
		duct_input_assume(in, "no such element");
		if (t.v == s->number[i])
			duct_grow_extent(g, (uint64_t)before.v);
	}
}

/* May there be one more object, this deep? Says which limit says no. */
static bool may_make(const char *name, uint32_t depth)
{
	uint64_t objects = duct_grow_limit("objects", 8), deep = duct_grow_limit("depth", 4);
	uint32_t made_count;

	duct_grow_made(&made_count);
	if (depth > deep)
		duct_grow_limit_of_root("depth", name, deep);
	else if (made_count >= (objects < MOST_OBJECTS ? objects : MOST_OBJECTS))
		duct_limit("objects", "", objects);
	else
		return true;
	return false;
}

/* The choice is one of those that there are. Where NULL is the only one, this is no equality: a
 * pointer whose condition is fixed would be a plain constant, and the run that follows it a fault.
 */
static void restrict_choice(struct duct_term t, const struct others *s, bool fresh, bool number)
{
	struct duct_term in = fresh || s->n || number
	    ? duct_grow_is(t, 0)
	    : duct_t_binary(OP_ULE, t, duct_constant(WIDTH, 0));

	if (fresh)
		in = duct_t_binary(OP_OR, in, duct_grow_is(t, 1));
	if (number)
		in = duct_t_binary(OP_OR, in, duct_grow_is(t, DUCT_CHOICE_NUMBER));
	for (uint32_t i = 0; i < s->n; i++)
		in = duct_t_binary(OP_OR, in, duct_grow_is(t, s->number[i]));
	duct_input_assume(in, "no such object");
}

static struct duct_term address(uintptr_t a)
{
	return duct_constant(64, a);
}

/* The pointer as an expression: NULL, one of the others, or its own object. */
static struct duct_term value_of(struct duct_term t, const struct others *s, uintptr_t own)
{
	struct duct_term v = address(own);

	for (uint32_t i = s->n; i-- > 0;)
		v = duct_t_ite(duct_grow_is(t, s->number[i]),
		    duct_t_binary(
		        OP_ADD, address(s->at[i]->base), bytes_before(s->element, s->each[i])),
		    v);
	return duct_t_ite(duct_grow_is(t, 0), address(0), v);
}

/* Which of several functions; the first is a stub. One of the program may call itself through the
 * pointer, without end. */
static struct duct_term function(struct duct_term t, const struct duct_type *type, const char *name)
{
	struct duct_term v = address((uintptr_t)type->function[0]);

	if (t.v > 1)
		duct_grow_called = name;
	duct_input_assume(
	    duct_t_binary(OP_ULE, t, duct_constant(WIDTH, type->functions)), "no such function");
	for (uint32_t i = type->functions; i-- > 1;)
		v = duct_t_ite(duct_grow_is(t, i + 1), address((uintptr_t)type->function[i]), v);
	return duct_t_ite(duct_grow_is(t, 0), address(0), v);
}

/* A stream that is opened by the models; of another one only the place is known. */
static struct duct_term stream(struct duct_term t, const struct duct_type *type, const char *name)
{
	void *(*open)(const char *) = (void *(*)(const char *))(uintptr_t)type->function[0];
	struct duct_term here = address(t.v == 1 ? (uintptr_t)open(name) : duct_grow_place(APART));

	duct_input_assume(duct_t_binary(OP_ULE, t, duct_constant(WIDTH, 1)), "no such stream");
	return duct_t_ite(duct_grow_is(t, 0), address(0), here);
}

/* Loads of what is not concrete that a run through what may be a cycle has. Most functions that
 * come to an end on one need few; the others would spend the session in runs that do not end. */
#define CYCLE_LOADS (1 << 10)

const char *duct_grow_cycle, *duct_grow_shared, *duct_grow_called, *duct_grow_none;
uintptr_t duct_grow_none_freed;

/* A structure that leads back to itself is one that few functions come to an end on: the run must
 * not take long. */
static void lead_back(const char *name)
{
	if (!duct_grow_cycle)
		duct_grow_cycle = duct_grow_root(name);
}

void duct_grow_round(void)
{
	static uint32_t loads;
	static uint64_t most;

	if (!most)
		most = duct_grow_limit("cycle", CYCLE_LOADS);
	if (++loads > most)
		duct_need("cycle", duct_grow_cycle, most);
}

/* The numbers of elements, above 1, before what a pointer of a structure leads to: 8, 64, ... */
static uint64_t several(uint64_t i)
{
	return (uint64_t)8 << 3 * i;
}

/* Is there room for so many, within the limits? */
static bool may_be_ahead(const struct duct_object_input *g, uint64_t n)
{
	if (n > far())
		return false;
	if (g->room > n * g->each)
		return true;
	if (g->room > 8 * g->each)
		duct_limit("size", g->name, g->room);
	return false;
}

/* How many bytes before the one that the pointer leads to its object begins: of a parameter up to
 * one element, so that the object of another parameter may begin there. A pointer of a structure
 * may be the end of what another one leads to: none, one or several elements of what is no
 * structure. Decisions of the path, so that addresses stay constant. */
static uint64_t bytes_ahead(
    const char *name, const struct duct_type *type, struct duct_object_input *g, uint32_t depth)
{
	uint64_t numbers = 0; /* above 1 */
	struct duct_term t, in;

	if (!type->size || g->how != DUCT_SIZE_GROWS || g->room < 2 * g->each
	    || (depth && type->shape[0] == '{') || duct_rt_setup("grow:", "alias") < ASK_TYPES
	    || duct_grow_alone(name))
		return 0;
	t = duct_input_choice(duct_grow_joined(name, "-"), WIDTH, 0);
	in = duct_t_binary(OP_ULE, t, duct_constant(WIDTH, 1));
	while (depth && may_be_ahead(g, several(numbers)))
		in = duct_t_binary(OP_OR, in, duct_grow_is(t, several(numbers++)));
	g->many = numbers;
	duct_input_assume(in, "no such number of elements before");
	duct_model_condition(NULL, 0, duct_grow_is(t, 0));
	if (numbers && t.v)
		duct_model_condition(NULL, 0, duct_grow_is(t, 1));
	for (uint64_t i = 0; i + 1 < numbers && t.v > 1 && (!i || t.v > several(i - 1)); i++)
		duct_model_condition(NULL, 0, duct_grow_is(t, several(i)));
	return (uint64_t)t.v * g->each;
}

void duct_grow_measured(const struct duct_object_input *g)
{
	if (g->many)
		duct_grow_limit_of_root("ahead", g->name, far());
}

struct duct_term duct_grow_pointer(
    const char *name, uint32_t k, uint32_t depth, bool leads, bool number)
{
	const struct duct_type *type = duct_grow_type(k);
	const char *own = duct_grow_joined(name, "");
	struct others s = { .n = 0 };
	struct duct_object_input *g;
	struct duct_term t, v;
	uint64_t ahead;
	bool fresh;

	if (!type)
		return address(0);
	t = duct_input_choice(duct_grow_joined(name, "?"), WIDTH, leads);
	if (type->shape[0] == 'S') {
		v = stream(t, type, own);
	} else if (type->functions && !type->size) {
		v = function(t, type, own);
	} else {
		g = duct_grow_plan(own, type, depth);
		fresh = may_make(own, depth);
		ahead = g->ahead = fresh ? bytes_ahead(own, type, g, depth) : 0;
		find_others(&s, own, type);
		decide_element(t, &s);
		v = value_of(t, &s, g->base + ahead); /* also where a limit leaves NULL alone:
		                                 whoever follows it asks for an object */
		restrict_choice(t, &s, fresh, number);
		if (fresh && type->size)
			note_choice(own, type, t);
		if (type->size && (t.v == 1 || (s.n && t.v && !depth)))
			duct_grow_make(g, t.v == 1);
		if (number)
			v = duct_t_ite(duct_grow_is(t, DUCT_CHOICE_NUMBER),
			    duct_input_var(duct_grow_joined(name, "="), INPUT_UINT, 64, 0), v);
		if (t.v > 1 && t.v != DUCT_CHOICE_NUMBER && depth)
			lead_back(own);
		if (t.v > 1 && !duct_grow_rule(own, RULE_ALIAS, RULE_ALIAS))
			duct_grow_shared = duct_grow_root(own);
	}
	return v;
}
