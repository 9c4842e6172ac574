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

/* Do elements of these types have the same layout? char and const char have an entry each. */
static bool alike(const struct duct_type *a, const struct duct_type *b)
{
	return a == b || (a->size == b->size && duct_same_text(a->shape, b->shape));
}

/* Does the structure begin with a member of this type, directly or in a nested structure? Lists
 * that end at their head are such. */
static bool begins_with(const struct duct_type *object, const struct duct_type *type)
{
	return object->size >= type->size && duct_shape_begins_with(object->shape, type->shape);
}

/* May objects of these types be the same, or may one be a part of the other? */
static bool may_overlap(const struct duct_type *a, const struct duct_type *b)
{
	return a == b || (classes_of(a) & classes_of(b));
}

/* Pointers of the run that may have an object of their own. */
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

/* Which objects exist for another pointer to point to is a decision of the path. */
static void decide_objects(
    const struct chosen *c, const char *name, const struct duct_type *type, uint64_t ask)
{
	if (!c)
		return;
	decide_objects(c->next, name, type, ask);
	if (fits(c->type, type, ask) && c->choice.n && !duct_grow_apart(c->name, name))
		duct_model_condition(NULL, 0, duct_grow_is(c->choice, 1));
}

/* Objects that the pointer may also point to, in units of an element; for an object of another
 * type, in units of the pointer's own element. */
struct others {
	struct duct_object_input *at[64];
	uint32_t number[64];
	uint64_t each[64];
	uint32_t n;
	struct duct_term element;
};

/* The most elements that a pointer leads into an object, however large that grows: otherwise an
 * access behind the end would make the object grow without end. */
static uint64_t far(void)
{
	static uint64_t far;

	return far ? far : (far = duct_grow_limit("ahead", 8));
}

static uint64_t far_bytes(void)
{
	return 8 * far();
}

/* May the pointer lead into an object of another type? Not if a size is stated, because sizes are
 * in elements of one type. */
static bool takes_types(const struct duct_object_input *g, const char *name)
{
	return g->how == DUCT_SIZE_GROWS && !duct_grow_rule(name, RULE_EXACT, RULE_STRING);
}

/* Adds variables of the program in the same way, except for their ends, where another variable may
 * begin. */
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
	bool may = type->functions, more = may && *type->function; /* more: wider limits help */
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

/* The element is one of the object that the pointer leads to, or its end. Whether it is the first
 * one is a decision of the path, because the others make addresses depend on inputs. */
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

		if (s->each[i] != g->each) /* of another type: only its begin */
			most = duct_constant(64, 0);
		in = duct_t_binary(OP_OR, duct_t_binary(OP_ULE, before, most),
		    duct_t_not(duct_grow_is(t, s->number[i])));
		duct_input_assume(in, "no such element");
		if (t.v == s->number[i])
			duct_grow_extent(g, (uint64_t)before.v);
	}
}

/* May one more object be created at this depth? If not, records which limit forbids it. */
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

/* Restricts the choice to those that exist. If NULL is the only one, no equality is recorded: it
 * would make the pointer a plain constant, and a run that dereferences it a fault. */
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

/* The pointer as an expression: NULL, the address of another object, or that of its own object. */
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

/* The choice is at most `most`, or a number's. */
static void assume_most(struct duct_term t, uint64_t most, bool number, const char *why)
{
	struct duct_term in = duct_t_binary(OP_ULE, t, duct_constant(WIDTH, most));

	if (number)
		in = duct_t_binary(OP_OR, in, duct_grow_is(t, DUCT_CHOICE_NUMBER));
	duct_input_assume(in, why);
}

/* Decides which of several functions the pointer leads to; the first one is a stub. A function of
 * the program may then call itself endlessly through the pointer. */
static struct duct_term function(
    struct duct_term t, const struct duct_type *type, const char *name, bool number)
{
	struct duct_term v = address((uintptr_t)type->function[0]);

	if (t.v > 1 && t.v != DUCT_CHOICE_NUMBER)
		duct_grow_called = name;
	assume_most(t, type->functions, number, "no such function");
	for (uint32_t i = type->functions; i-- > 1;)
		v = duct_t_ite(duct_grow_is(t, i + 1), address((uintptr_t)type->function[i]), v);
	return duct_t_ite(duct_grow_is(t, 0), address(0), v);
}

/* A stream that the library models open; of other streams only the address is known. */
static struct duct_term stream(
    struct duct_term t, const struct duct_type *type, const char *name, bool number)
{
	void *(*open)(const char *) = (void *(*)(const char *))(uintptr_t)type->function[0];
	struct duct_term here = address(t.v == 1 ? (uintptr_t)open(name) : duct_grow_place(APART));

	assume_most(t, 1, number, "no such stream");
	return duct_t_ite(duct_grow_is(t, 0), address(0), here);
}

/* The number of loads of symbolic values that a run may make through a possible cycle. Most
 * functions that terminate on a cycle need few; others would use up the session in runs that do not
 * end. */
#define CYCLE_LOADS (1 << 10)

const char *duct_grow_cycle, *duct_grow_shared, *duct_grow_called, *duct_grow_none;
uintptr_t duct_grow_none_freed;

/* Few functions terminate on a structure that leads back to itself: such a run must not take
 * long. */
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

/* The numbers of elements, above 1, before the target of a pointer in a structure: 8, 64, ... */
static uint64_t several(uint64_t i)
{
	return (uint64_t)8 << 3 * i;
}

/* Do the limits allow so many elements? */
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

/* The variables that pointers of the run lead to. */
static struct led {
	struct led *next;
	const char *name;
	uintptr_t base;
	size_t size;
	duct_node choice;
} *led;

static void lead_to_variable(const char *name, struct duct_term choice, const struct others *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		const struct duct_object *o =
		    s->number[i] == choice.v ? duct_object_at(s->at[i]->base) : NULL;
		struct led *l;

		if (!o || o->kind != DUCT_OBJECT_GLOBAL)
			continue;
		l = duct_arena(sizeof *l);
		*l = (struct led){ led, duct_grow_root(name), o->base, o->size, choice.n };
		led = l;
	}
}

void duct_grow_stay(struct duct_unit *u, duct_node n, uintptr_t p, size_t bytes)
{
	duct_node choice = 0;

	if (!led || !duct_grow_find_null(n, 8, &choice))
		return;
	for (const struct led *l = led; l; l = l->next)
		if (l->choice == choice
		    && (p < l->base || p - l->base > l->size || bytes > l->size - (p - l->base))) {
			duct_model_condition(
			    u, 0, duct_grow_is(duct_term(choice), duct_at(choice)->value));
			duct_need("shared", l->name, 0);
		}
}

/* How many bytes before its target the object of a pointer begins. For a parameter at most one
 * element, so that the object of another parameter may begin there. A pointer in a structure may be
 * the end of what another one points to: zero, one or several elements, if the element is no
 * structure. These are decisions of the path, so that addresses stay constant. */
static uint64_t bytes_ahead(
    const char *name, const struct duct_type *type, struct duct_object_input *g, uint32_t depth)
{
	uint64_t numbers = 0; /* above 1 */
	struct duct_term t, in;

	if (!type->size || g->tail || g->how != DUCT_SIZE_GROWS || g->room < 2 * g->each
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

/* The number in place of a pointer. It is no address of an object: in a test that object lies
 * elsewhere. */
static struct duct_term number_in_place(const char *name, struct duct_term choice, const char *own)
{
	struct duct_term n = duct_input_var(duct_grow_joined(name, "="), INPUT_UINT, 64, 0);

	if (choice.v != DUCT_CHOICE_NUMBER || !duct_is_address((uintptr_t)n.v))
		return n;
	duct_limit("number", own, 0);
	duct_input_assume(
	    duct_t_not(duct_t_binary(OP_EQ, n, duct_constant(64, n.v))), "an address");
	return n;
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
		v = stream(t, type, own, number);
	} else if (type->functions && !type->size) {
		v = function(t, type, own, number);
	} else {
		g = duct_grow_plan(own, type, depth);
		fresh = may_make(own, depth);
		ahead = g->ahead = fresh ? bytes_ahead(own, type, g, depth) : 0;
		find_others(&s, own, type);
		decide_element(t, &s);
		v = value_of(t, &s, g->base + ahead); /* also if a limit leaves only NULL: a
		                                         dereference then reports the limit */
		restrict_choice(t, &s, fresh, number);
		if (fresh && type->size)
			note_choice(own, type, t);
		if (type->size && (t.v == 1 || (s.n && t.v && !depth)))
			duct_grow_make(g, t.v == 1);
		if (t.v > 1 && t.v != DUCT_CHOICE_NUMBER && depth)
			lead_back(own);
		if (t.v > 1 && !duct_grow_rule(own, RULE_ALIAS, RULE_ALIAS))
			duct_grow_shared = duct_grow_root(own);
		if (t.v > MOST_NUMBER && t.v != DUCT_CHOICE_NUMBER)
			lead_to_variable(own, t, &s);
	}
	if (number)
		v = duct_t_ite(
		    duct_grow_is(t, DUCT_CHOICE_NUMBER), number_in_place(name, t, own), v);
	return v;
}
