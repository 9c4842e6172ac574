/* Pointers that a caller may pass as NULL: which parameter a pointer comes from, and the path
 * conditions about it. */
#include "lib/runtime/grow.h"

/* The value that a read of an array has in this run: the last one stored at its offset; 0: none was
 * stored, or only a part of it. */
static duct_node stored(const struct channel_node *read)
{
	const struct channel_node *store = duct_at(read->a);
	uint64_t at = duct_at(read->b)->value;

	for (; store->op == OP_STORE; store = duct_at(store->a))
		if (duct_at(store->b)->value == at)
			return duct_at(store->c)->width == read->width ? store->c : 0;
	return 0;
}

const char *duct_grow_find_null(duct_node n, int depth, duct_node *choice)
{
	const struct channel_node *p = n ? duct_at(n) : NULL;
	const char *name = NULL;

	if (!p || !depth)
		return NULL;
	if (p->op == OP_READ)
		return duct_grow_find_null(stored(p), depth - 1, choice);
	if (p->op == OP_ITE) { /* which of two pointers it is says nothing about either */
		name = duct_grow_find_null(duct_at(p->a)->value ? p->b : p->c, depth - 1, choice);
		return name ? name : duct_grow_find_null(p->a, depth - 1, choice);
	}
	if (p->op == OP_INPUT) {
		const struct channel_var *v =
		    (const struct channel_var *)duct_area(&duct_channel->var) + p->a;
		const char *text = (const char *)duct_area(&duct_channel->blob) + v->name;
		size_t len = duct_length(text);

		*choice = n;
		return v->kind == INPUT_CHOICE && len && text[len - 1] == '?' ? text : NULL;
	}
	for (uint32_t i = 0; i < duct_arity[p->op] && !name; i++)
		name = duct_grow_find_null(i == 0 ? p->a : i == 1 ? p->b : p->c, depth - 1, choice);
	return name;
}

const char *duct_grow_null(duct_node n, int depth)
{
	duct_node choice;

	return duct_grow_find_null(n, depth, &choice);
}

bool duct_grow_of_parameter(duct_node n)
{
	const char *text = duct_grow_null(n, 8);

	while (text && *text && *text != '[' && *text != '.')
		text++;
	return text && !*text;
}

/* A user who states the number of elements of P also states that P is not NULL where it is
 * dereferenced. Comparisons with NULL are still decided by the path. */
bool duct_grow_given(duct_node n)
{
	const char *text = duct_grow_null(n, 8);
	char *name = text ? duct_grow_joined(text, "") : NULL;

	if (!name)
		return false;
	name[duct_length(name) - 1] = 0;
	return duct_grow_rule(name, RULE_EXACT, RULE_EXACT);
}

void duct_grow_ask_null(struct duct_unit *u, uint32_t place, struct duct_term is)
{
	const struct channel_node *p = is.n ? duct_at(is.n) : NULL;
	bool null = p && p->op == OP_EQ && duct_at(p->b)->op == OP_CONST && !duct_at(p->b)->value;

	if (null && duct_grow_given(is.n))
		duct_input_assume(duct_t_not(is), "NULL has no elements");
	else
		duct_model_condition(u, null ? place : 0, is);
}

/* The choice variable of a pointer that may be a number instead, also of such a pointer plus an
 * offset; 0: none. */
static duct_node number_choice(duct_node n, int depth)
{
	const struct channel_node *p = n ? duct_at(n) : NULL, *is_number;
	duct_node choice = 0;

	if (!p || !depth)
		return 0;
	if (p->op == OP_ADD)
		return (choice = number_choice(p->a, depth - 1)) ? choice
		                                                 : number_choice(p->b, depth - 1);
	if (p->op != OP_ITE || p->width != 64)
		return 0;
	is_number = duct_at(p->a);
	if (is_number->op == OP_EQ && duct_at(is_number->b)->op == OP_CONST
	    && duct_at(is_number->b)->value == DUCT_CHOICE_NUMBER
	    && duct_grow_find_null(is_number->a, 8, &choice))
		return choice;
	return number_choice(duct_at(p->a)->value ? p->b : p->c, depth - 1);
}

/* A pointer that is dereferenced is not one of the numbers that share a union with it. This
 * condition comes first on the path, as for an access. */
static void ask_number(struct duct_unit *u, duct_node n)
{
	duct_node choice = number_choice(n, 8);

	if (!choice)
		return;
	duct_model_condition(u, 0, duct_grow_is(duct_term(choice), DUCT_CHOICE_NUMBER));
	if (duct_at(choice)->value == DUCT_CHOICE_NUMBER)
		duct_need("shared", duct_grow_shared ? duct_grow_shared : "", 0);
}

/* Is the input of this name a number within a structure of the caller? */
static bool is_member(const char *input)
{
	struct duct_object_input **made;
	uint32_t count;

	made = duct_grow_made(&count);
	for (uint32_t i = 0; i < count; i++) {
		size_t n = duct_length(made[i]->name), k = 0;

		while (k < n && made[i]->name[k] == input[k])
			k++;
		if (k == n && input[n] == '[' && made[i]->type->shape[0] == '{')
			return true;
	}
	return false;
}

/* The first number in a structure of the caller that the address consists of, apart from offsets;
 * NULL: the address is something else. A number that is added to the address of an object is an
 * index. */
static const char *number_followed(duct_node n, int depth)
{
	const struct channel_node *p = n ? duct_at(n) : NULL;
	const char *name;

	if (!p || !depth)
		return NULL;
	switch (p->op) {
	case OP_INPUT: {
		const struct channel_var *v =
		    (const struct channel_var *)duct_area(&duct_channel->var) + p->a;
		name = (const char *)duct_area(&duct_channel->blob) + v->name;
		return v->kind != INPUT_CHOICE && is_member(name) ? name : NULL;
	}
	case OP_ZEXT:
	case OP_NOT:
	case OP_EQ: return number_followed(p->a, depth - 1);
	case OP_CONCAT:
		name = number_followed(p->b, depth - 1);
		return name ? name : number_followed(p->a, depth - 1);
	case OP_ADD:
		for (int k = 0; k < 2; k++)
			if (!duct_object_at((uintptr_t)duct_at(k ? p->a : p->b)->value)
			    && (name = number_followed(k ? p->b : p->a, depth - 1)))
				return name;
		return NULL;
	default: return NULL;
	}
}

/* Is the input a stub's: NAME() or NAME().N[I]? */
static bool is_of_stub(const char *name)
{
	while (*name && (name[0] != '(' || name[1] != ')'))
		name++;
	return *name;
}

void duct_grow_text(const struct duct_object *o)
{
	struct duct_term last;
	const char *name;
	char *text;
	size_t n;

	if (o->input || !o->size || !duct_peek_term(o->base + o->size - 1, 1, &last))
		return;
	name = duct_grow_kept(last.n, 4);
	if (!name || !is_of_stub(name))
		return;
	text = duct_grow_joined(name, "");
	n = duct_length(text);
	while (n && text[n] != '[')
		n--;
	if (n)
		text[n] = 0; /* name().1 of name().1[7] */
	duct_need("text", text, 0);
}

const char *duct_grow_kept(duct_node n, int depth)
{
	const struct channel_node *p = n ? duct_at(n) : NULL;
	const char *name = NULL;
	bool all = true;

	if (!p || !depth)
		return NULL;
	if (p->op == OP_INPUT) {
		const struct channel_var *v =
		    (const struct channel_var *)duct_area(&duct_channel->var) + p->a;
		name = (const char *)duct_area(&duct_channel->blob) + v->name;
		return is_member(name) || is_of_stub(name) ? name : NULL;
	}
	for (uint32_t i = 0; i < duct_arity[p->op] && all; i++) {
		duct_node k = i == 0 ? p->a : i == 1 ? p->b : p->c;
		const char *of = duct_at(k)->op == OP_CONST ? "" : duct_grow_kept(k, depth - 1);
		all = of;
		name = of && *of ? of : name;
	}
	return all ? name : NULL;
}

/* The caller passed an object of another type: one of its numbers is dereferenced. */
void duct_grow_need_address(duct_node n)
{
	const char *name = number_followed(n, 8);

	if (name)
		duct_need("number", name, 0);
}

/* The path has to say that the object exists before the run ends because of it, also if an index
 * led to it (a[i]). */
void duct_grow_need_object(struct duct_unit *u, uint32_t place, duct_node n)
{
	duct_node choice = 0;
	const char *text = duct_grow_find_null(n, 8, &choice);
	char name[256];
	size_t len = text ? duct_length(text) - 1 : 0;

	if (!text)
		duct_grow_need_address(n);
	if (!text)
		return;
	if (len >= sizeof name)
		len = sizeof name - 1;
	for (size_t i = 0; i < len; i++)
		name[i] = text[i];
	name[len] = 0;
	ask_number(u, n);
	if (!duct_at(choice)->value)
		duct_grow_ask_null(u, place, duct_grow_is(duct_term(choice), 0));
	duct_need("null", name, 0);
}

/* A constant offset may already be part of the choice. */
bool duct_grow_from_null(duct_node n, int depth)
{
	const struct channel_node *p = n ? duct_at(n) : NULL;
	duct_node choice = 0, taken;

	if (!p || !depth)
		return false;
	if (p->op == OP_ADD)
		return duct_grow_from_null(p->a, depth - 1) || duct_grow_from_null(p->b, depth - 1);
	if (p->op != OP_ITE || p->width != 64)
		return false;
	taken = duct_at(p->a)->value ? p->b : p->c;
	if (duct_grow_find_null(p->a, 8, &choice) && !duct_at(choice)->value
	    && duct_at(taken)->op == OP_CONST)
		return true;
	return duct_grow_from_null(taken, depth - 1);
}

/* The caller passed an object of another type, for example a structure that the function takes for
 * the first member of a larger one. */
void duct_grow_need_data(uintptr_t p, duct_node n)
{
	/* constants may lie between the code */
	const char *text = duct_is_code(p) && !duct_object_at(p) ? duct_grow_null(n, 8) : NULL;
	char *name = text ? duct_grow_joined(text, "") : NULL;

	if (!name)
		return;
	name[duct_length(name) - 1] = 0;
	duct_need("pointer", name, 0);
}

void duct_grow_meet(struct duct_unit *u, uint32_t place, uintptr_t p, size_t bytes, duct_node n)
{
	ask_number(u, n);
	if (bytes)
		duct_grow_stay(u, n, p, bytes);
	if (p < 4096 || duct_grow_from_null(n, 8))
		duct_grow_need_object(u, place, n);
}

/* Does the pointer with this choice share a union with a number? The number is the next input,
 * apart from the pointer's element and the note about its object. */
static bool has_number(const char *text)
{
	const struct channel_area *a = &duct_channel->var;
	const struct channel_var *var = duct_area(a), *end = var + a->used / sizeof *var;
	const char *blob = (const char *)duct_area(&duct_channel->blob);
	size_t n = duct_length(text) - 1;

	while (var < end && blob + var->name != text)
		var++;
	for (int i = 0; i < 4 && var < end; i++, var++) {
		const char *name = blob + var->name;
		size_t k = 0;

		while (k < n && name[k] == text[k])
			k++;
		if (k == n && name[n] == '=' && !name[n + 1])
			return true;
	}
	return false;
}

/* duct gives no addresses outside of objects, such as (void *)-1, and no addresses of the program's
 * variables, except for some (find_variables in grow.c). */
void duct_grow_compared(struct duct_term p, struct duct_term other)
{
	const char *name = p.w == 64 && other.v ? duct_grow_null(p.n, 3) : NULL;
	const struct duct_object *o = name ? duct_object_at((uintptr_t)other.v) : NULL;
	uintptr_t from, to;

	if (!name || has_number(name))
		return;
	duct_arena_at(&from, &to); /* objects that this run has not made lie there, too */
	if (o
	    && (o->kind == DUCT_OBJECT_GLOBAL
	        || (!o->input && is_of_stub(name)) /* it may know addresses of variables */))
		duct_grow_limit_of_root("alias", name, ASK_TYPES);
	else if (!o && (other.v < from || other.v >= to))
		duct_grow_limit_of_root("sentinel", name, 0);
}

/* The input object that a pointer leads to, or for NULL the pointer itself. */
static const char *leads_to(struct duct_term p)
{
	const struct duct_object *o = p.v ? duct_object_at((uintptr_t)p.v) : NULL;

	return o && o->input ? o->input->name : duct_grow_null(p.n, 3);
}

/* Callers may pass one object to two restrict pointers if the function writes it through neither
 * (C11 6.7.3.1 p4); a comparison of the two tells whether they do. */
void duct_grow_compared_apart(struct duct_term p, struct duct_term q)
{
	const char *x, *y, *name;

	if (p.w != 64 || !duct_grow_has_restrict())
		return;
	x = leads_to(p);
	y = leads_to(q);
	name = x && y && !duct_same_text(x, y) ? duct_grow_restrict(x, y) : NULL;
	if (name)
		duct_limit("restrict", name, 0);
}

/* The pointer `other` is selected by inputs, for example from a table: in another run it may be the
 * address of a variable, which `p` may be, too. */
void duct_grow_compared_read(struct duct_term p, struct duct_term other)
{
	enum op op = (enum op)duct_at(other.n)->op;
	const char *name = op == OP_READ || op == OP_ITE ? duct_grow_null(p.n, 3) : NULL;

	if (name && !has_number(name) && !duct_grow_null(other.n, 8))
		duct_grow_limit_of_root("alias", name, ASK_TYPES);
}
