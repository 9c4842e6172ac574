/* Statements of the user about one pointer or number. */
#include "lib/runtime/grow.h"

static struct rule *rules;

void duct_rt_rule(const char *name, const char *kind, uint64_t value)
{
	static const char *const kinds[] = { "", "exact", "most", "string", "distinct", "alias",
		"low", "high", "restrict" };
	duct_node n = duct_args_for == (void *)duct_rt_rule ? duct_args[2] : 0;
	struct rule *r;

	duct_args_for = NULL;
	if (!duct_channel)
		return;
	r = duct_arena(sizeof *r);
	*r = (struct rule){ rules, name, RULE_NONE, duct_size_term(n, value) };
	for (uint32_t i = 1; i < sizeof kinds / sizeof *kinds; i++)
		if (duct_same_text(kind, kinds[i]))
			r->kind = (enum rule_kind)i;
	rules = r;
}

/* Does the name match this lvalue? "[*]" stands for any index, "*" for anything. Calls after the
 * first append #2, #3, ... to the first part of names. */
static bool matches(const char *name, const char *lvalue)
{
	if (name[0] == '*' && !name[1])
		return true;
	while (*name && *lvalue) {
		if (name[0] == '[' && name[1] == '*' && *lvalue == '[') {
			name += 3;
			while (*lvalue && *lvalue++ != ']')
				;
			continue;
		}
		if (*lvalue == '#' && *name != '#') {
			for (lvalue++; *lvalue >= '0' && *lvalue <= '9'; lvalue++)
				;
			continue;
		}
		if (*name++ != *lvalue++)
			return false;
	}
	if (!*name && *lvalue == '#')
		for (lvalue++; *lvalue >= '0' && *lvalue <= '9'; lvalue++)
			;
	return !*name && !*lvalue;
}

const struct rule *duct_grow_rule(const char *lvalue, enum rule_kind low, enum rule_kind high)
{
	for (const struct rule *r = rules; r; r = r->next)
		if (r->kind >= low && r->kind <= high && matches(r->name, lvalue))
			return r;
	return NULL;
}

/* The number after the # in an input's name, which says to which call of the entry it belongs; "":
 * the first call. */
static const char *call_of(const char *name)
{
	while (*name && *name != '#' && *name != '[' && *name != '.')
		name++;
	return *name == '#' ? name + 1 : "";
}

static bool same_call(const char *p, const char *q)
{
	p = call_of(p);
	q = call_of(q);
	while (*p == *q && *p >= '0' && *p <= '9') {
		p++;
		q++;
	}
	return (*p < '0' || *p > '9') && (*q < '0' || *q > '9');
}

static bool is_any(const struct rule *r)
{
	return r->name[0] == '*' && !r->name[1];
}

/* Does the rule set the pointer p apart from others? */
static bool sets_apart(const struct rule *r, const char *p)
{
	return (r->kind == RULE_DISTINCT || r->kind == RULE_RESTRICT) && matches(r->name, p);
}

/* Are both pointers in one of the groups that the user named, or is p distinct from all others of
 * the call? */
static bool are_grouped(const char *p, const char *q)
{
	bool together = same_call(p, q);

	for (const struct rule *a = rules; a; a = a->next) {
		if (!sets_apart(a, p))
			continue;
		if (!a->value.v && (together || is_any(a)))
			return true;
		for (const struct rule *b = rules; together && b; b = b->next)
			if (b->kind == RULE_DISTINCT && b->value.v == a->value.v
			    && matches(b->name, q))
				return true;
	}
	return false;
}

bool duct_grow_apart(const char *p, const char *q)
{
	return are_grouped(p, q) || are_grouped(q, p);
}

bool duct_grow_alone(const char *p)
{
	for (const struct rule *r = rules; r; r = r->next)
		if (!r->value.v && sets_apart(r, p))
			return true;
	return false;
}

bool duct_grow_has_restrict(void)
{
	for (const struct rule *r = rules; r; r = r->next)
		if (r->kind == RULE_RESTRICT)
			return true;
	return false;
}

const char *duct_grow_restrict(const char *p, const char *q)
{
	for (const struct rule *r = rules; r; r = r->next)
		if (r->kind == RULE_DISTINCT && (sets_apart(r, p) || sets_apart(r, q)))
			return NULL;
	return !same_call(p, q)                               ? NULL
	    : duct_grow_rule(p, RULE_RESTRICT, RULE_RESTRICT) ? p
	    : duct_grow_rule(q, RULE_RESTRICT, RULE_RESTRICT) ? q
	                                                      : NULL;
}

void duct_grow_range(const char *lvalue, struct duct_term t, bool is_signed)
{
	enum op le = is_signed ? OP_SLE : OP_ULE;

	for (const struct rule *r = t.n ? rules : NULL; r; r = r->next) {
		struct duct_term bound =
		    r->value.w > t.w ? duct_t_extract(t.w, 0, r->value) : r->value;

		if ((r->kind != RULE_LOW && r->kind != RULE_HIGH) || !matches(r->name, lvalue)
		    || bound.w != t.w)
			continue;
		duct_input_assume(
		    r->kind == RULE_LOW ? duct_t_binary(le, bound, t) : duct_t_binary(le, t, bound),
		    "out of its range");
	}
}
