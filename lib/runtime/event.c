/* Path events: the run's decisions on symbolic values, in order, are written into the channel. A
 * condition that the path already implies is left out. One bit of each node (DUCT_FIXED) says that
 * its value is implied. */
#include "lib/runtime/writers.h"

extern struct duct_unit __start_duct_units[] __attribute__((weak));
extern struct duct_unit __stop_duct_units[] __attribute__((weak));

#define DEPTH 4

static bool fixed_operand(duct_node n, int depth)
{
	return duct_implied(n, depth - 1);
}

/* One operand that is known to be 0 decides an AND; one that is known to be 1 decides an OR. */
static bool decided_by_one(const struct channel_node *p, int depth)
{
	uint64_t deciding = p->op == OP_OR;

	if (p->width != 1 || (p->op != OP_AND && p->op != OP_OR))
		return false;
	return (duct_at(p->a)->value == deciding && fixed_operand(p->a, depth))
	    || (duct_at(p->b)->value == deciding && fixed_operand(p->b, depth));
}

bool duct_implied(duct_node n, int depth)
{
	const struct channel_node *p = duct_at(n);

	if (p->op == OP_CONST || p->reserved & DUCT_FIXED)
		return true;
	if (depth == 0 || p->op == OP_INPUT || p->op == OP_TABLE || p->op == OP_STORE)
		return false;
	if (p->op == OP_READ)
		return duct_at(p->a)->op == OP_TABLE && fixed_operand(p->b, depth);
	if (p->op == OP_ITE)
		return fixed_operand(p->a, depth)
		    && fixed_operand(duct_at(p->a)->value ? p->b : p->c, depth);
	if (decided_by_one(p, depth))
		return true;
	return fixed_operand(p->a, depth) && (!p->b || fixed_operand(p->b, depth));
}

/* Marks nodes whose values follow from n having its value, as far as this is cheap to compute. */
static void fix(duct_node n, int depth)
{
	struct channel_node *p = duct_at(n);

	if (p->reserved & DUCT_FIXED || p->op == OP_CONST)
		return;
	p->reserved |= DUCT_FIXED;
	if (depth == 0)
		return;
	switch (p->op) {
	case OP_NOT:
	case OP_NEG:
	case OP_ZEXT:
	case OP_SEXT: fix(p->a, depth - 1); break;
	case OP_CONCAT:
		fix(p->a, depth - 1);
		fix(p->b, depth - 1);
		break;
	case OP_AND:
	case OP_OR:
		if (p->width == 1 && p->value == (p->op == OP_AND)) {
			fix(p->a, depth - 1);
			fix(p->b, depth - 1);
		}
		break;
	case OP_EQ:
		if (!p->value)
			break;
		/* fall through */
	case OP_ADD:
	case OP_SUB:
	case OP_XOR:
		if (duct_implied(p->a, 2))
			fix(p->b, depth - 1);
		else if (duct_implied(p->b, 2))
			fix(p->a, depth - 1);
		break;
	default: break;
	}
}

void duct_fix(duct_node n)
{
	fix(n, 16);
}

uint32_t duct_unit_index(const struct duct_unit *u)
{
	return u ? (uint32_t)(u - __start_duct_units) : 0;
}

uint32_t duct_known_unit(const struct duct_unit *u)
{
	return u >= __start_duct_units && u < __stop_duct_units ? duct_unit_index(u) : UINT32_MAX;
}

void duct_event(enum event_kind kind, uint16_t flags, struct duct_unit *u, uint32_t id, duct_node n,
    uint64_t x, uint64_t y)
{
	struct channel_area *a = &duct_channel->event;
	struct channel_event *e;

	duct_taint_used(n);
	duct_way_tell();
	if (a->used + sizeof *e > a->capacity)
		duct_end(FAULT_LIMIT, "too many events");
	e = (struct channel_event *)((char *)duct_area(a) + a->used);
	*e = (struct channel_event){ (uint16_t)kind, flags, duct_unit_index(u), id, n, x, y };
	duct_area_grow(a, sizeof *e);
}

/* Called before a symbolic decision is recorded: the run ends if it would have more than
 * max_depth. */
static void deeper(void)
{
	static uint64_t depth;

	if (++depth > duct_channel->max_depth && duct_channel->max_depth)
		duct_end(FAULT_LIMIT, "depth");
}

/* Does it compare a choice among objects with NULL, or another input with 0? */
static bool compares_input(duct_node n)
{
	while (n && duct_at(n)->op == OP_NOT)
		n = duct_at(n)->a;
	return n && duct_at(n)->op == OP_EQ && duct_at(duct_at(n)->a)->op == OP_INPUT
	    && duct_at(duct_at(n)->b)->op == OP_CONST;
}

/* Should a condition that the path implies be recorded? A few times at most: the store finds
 * functions that use a pointer and compare it with NULL afterwards (lib/store/needs.c). */
static bool tells_test(duct_node n)
{
	struct channel_node *p;

	if (!n || !compares_input(n))
		return false;
	p = duct_at(n);
	if ((p->reserved & DUCT_TOLD_MOST) == DUCT_TOLD_MOST)
		return false;
	p->reserved += DUCT_TOLD;
	return true;
}

/* An outcome of a condition of the program that is concrete or implied by the path. */
static void taken(struct duct_unit *u, uint32_t id, uint64_t outcome, duct_node n)
{
	bool of_program = !(u->flags & 1) && u->branch[id - 1].kind != DUCT_ASSUME_BRANCH;

	if (!of_program || !duct_channel)
		return;
	if (tells_test(n))
		duct_event(EV_TAKEN, 0, u, id, n, outcome, 0);
	else if (duct_tells)
		duct_event(EV_TAKEN, 0, u, id, 0, outcome, 0);
}

static bool is_known_address(duct_node n)
{
	const struct channel_node *p = duct_at(n);

	return p->op == OP_CONST && p->width == 64 && duct_is_address((uintptr_t)p->value);
}

/* Does a number of the inputs equal the address of an object, which lies elsewhere in a test, or is
 * it greater or less? */
static bool takes_number_for_address(duct_node n)
{
	const struct channel_node *p;

	while (duct_at(n)->op == OP_NOT)
		n = duct_at(n)->a;
	p = duct_at(n);
	if (p->op == OP_EQ ? !p->value : p->op < OP_ULT || p->op > OP_SLE)
		return false;
	return (is_known_address(p->b) && !duct_differs_elsewhere(p->a))
	    || (is_known_address(p->a) && !duct_differs_elsewhere(p->b));
}

static void condition(
    enum event_kind kind, uint16_t flags, struct duct_unit *u, uint32_t id, duct_node n)
{
	if (kind == EV_BRANCH || kind == EV_MODEL)
		deeper();
	if (kind == EV_BRANCH && takes_number_for_address(n)) {
		duct_limit("address", "a comparison with a number", 0);
		duct_told_time = true;
	}
	duct_event(kind, flags, u, id, n, duct_at(n)->value, 0);
	duct_fix(n);
}

/* The latest condition that the path implies: the store uses it to find what a failed assertion is
 * about (lib/store/asserts.c). */
static struct {
	struct duct_unit *unit;
	uint32_t id;
	duct_node node;
} implied;

void duct_tell_implied(void)
{
	if (implied.node)
		duct_event(EV_TAKEN, 0, implied.unit, implied.id, implied.node,
		    duct_at(implied.node)->value, 0);
}

void duct_rt_branch(struct duct_unit *u, uint32_t id, uint32_t cond, duct_node n)
{
	const struct duct_branch *b = &u->branch[id - 1];
	enum event_kind kind = EV_BRANCH;
	uint16_t flags = 0;

	if (!duct_channel)
		return;
	implied.unit = u;
	implied.id = id;
	implied.node = n && duct_implied(n, DEPTH) && duct_at(n)->value == (cond & 1) ? n : 0;
	if (!n || duct_implied(n, DEPTH)) {
		taken(u, id, cond & 1, n && duct_at(n)->value == (cond & 1) ? n : 0);
		return;
	}
	if (duct_at(n)->value != (cond & 1)) {
		duct_lost(NULL, 0, "value and expression of a condition differ", NULL);
		return;
	}
	if (b->kind == DUCT_ASSUME_BRANCH) {
		kind = EV_ASSUME_BRANCH;
		flags =
		    b->required && (b->required == 1) == (cond & 1); /* outcome 0 is the true one */
	} else if (u->flags & 1) {
		kind = EV_MODEL;
	}
	condition(kind, flags, u, id, n);
}

/* ---- merged paths: both sides of a branch that only selects values are one path; cases of a
 * switch with the same target always are, so the switched value is not known after them */

static bool merges, ways;

void duct_merge_start(void)
{
	merges = duct_rt_setup("", "merge") != 0;
	ways = duct_rt_setup("", "ways") != 0;
}

void duct_rt_branch_merged(struct duct_unit *u, uint32_t id, uint32_t cond, duct_node n)
{
	if (!merges)
		duct_rt_branch(u, id, cond, n);
	else
		taken(u, id, cond & 1, 0);
}

duct_node duct_rt_chosen(
    uint32_t width, duct_node c, uint64_t vc, duct_node a, uint64_t va, duct_node b, uint64_t vb)
{
	if (!merges || !c || duct_implied(c, DEPTH))
		return vc & 1 ? a : b;
	return duct_rt_ite(width, c, vc, a, va, b, vb);
}

uint32_t duct_rt_switch_outcome(struct duct_unit *u, uint32_t id, uint64_t value)
{
	const struct duct_branch *b = &u->branch[id - 1];
	uint32_t i = 0;

	while (i < b->cases && b->value[i] != value)
		i++;
	return i;
}

void duct_rt_switch(struct duct_unit *u, uint32_t id, uint64_t value, uint32_t width, duct_node n)
{
	const struct duct_branch *b = &u->branch[id - 1];
	uint32_t outcome;

	value &= (uint64_t)duct_mask(width);
	outcome = duct_rt_switch_outcome(u, id, value);
	u->cover[b->first + outcome] = 1;
	if (!duct_channel)
		return;
	if (!n || duct_implied(n, DEPTH)) {
		taken(u, id, outcome, 0);
		return;
	}
	deeper();
	duct_event(EV_SWITCH, u->flags & 1, u, id, n, outcome, value);
	if (outcome < b->cases && !(ways && b->shared && b->shared[outcome]))
		duct_fix(n);
}

void duct_rt_condition(struct duct_unit *u, uint32_t cond, duct_node n)
{
	if (!duct_channel || !n)
		return;
	if (duct_at(n)->value == (cond & 1))
		duct_model_condition(u, 0, duct_term(n));
	else
		duct_lost(NULL, 0, "value and expression of a condition differ", NULL);
}

void duct_model_condition(struct duct_unit *u, uint32_t id, struct duct_term cond)
{
	if (cond.n && !duct_implied(cond.n, DEPTH))
		condition(EV_MODEL, 0, u, id, cond.n);
}

uint64_t duct_blob(const void *p, size_t n)
{
	struct channel_area *a = &duct_channel->blob;
	uint64_t at = (a->used + 7) & ~(uint64_t)7;
	const char *from = p;
	char *to;

	if (at == 0)
		at = 8; /* offset 0 means none */
	if (at > a->capacity || n > a->capacity - at)
		duct_end(FAULT_LIMIT, "too many bytes in the trace");
	to = (char *)duct_area(a) + at;
	for (size_t i = 0; i < n; i++)
		to[i] = from[i];
	a->used = at + n;
	return at;
}

uint64_t duct_blob_text(const char *a, const char *b, const char *c)
{
	const char *part[3] = { a, b, c };
	uint64_t at = duct_blob("", 1);
	struct channel_area *area = &duct_channel->blob;
	char *to = (char *)duct_area(area) + at;
	size_t n = 0, room = area->capacity - at;

	for (int i = 0; i < 3; i++)
		for (const char *s = part[i]; s && *s && n + 1 < room; s++)
			to[n++] = *s;
	if (n >= room)
		return 0;
	to[n] = 0;
	area->used = at + n + 1;
	return at;
}

bool duct_first(uint64_t key)
{
	static uint64_t first[64], *slot = first;
	static uint32_t mask = 63, used;
	uint32_t i = (uint32_t)key;

	while (slot[i &= mask]) {
		if (slot[i] == key)
			return false;
		i++;
	}
	slot[i] = key;
	if (++used > mask / 2) {
		uint32_t bigger = mask * 4 + 3;
		uint64_t *to = duct_arena((bigger + 1) * sizeof *to);

		for (uint32_t k = 0; k <= mask; k++)
			if (slot[k]) {
				for (i = (uint32_t)slot[k]; to[i &= bigger]; i++)
					;
				to[i] = slot[k];
			}
		slot = to;
		mask = bigger;
	}
	return true;
}

/* Each reason is recorded once for each place and run. */
void duct_lost(struct duct_unit *u, uint32_t place, const char *reason, const char *what)
{
	uint64_t key = duct_hash(reason, duct_length(reason)) * 31;

	if (!duct_channel)
		return;
	if (what)
		key = (key ^ duct_hash(what, duct_length(what))) * 31;
	if ((!u || u->flags & 1) && duct_block_unit) { /* in a library model: the program's place */
		u = duct_block_unit;
		place = duct_block;
	}
	key = (key ^ duct_unit_index(u)) * 0x9e3779b97f4a7c15u ^ place;
	key ^= key >> 29;
	if (duct_first(key ? key : 1))
		duct_event(EV_LOST, 0, u, place, 0, duct_blob_text(reason, what, NULL), 0);
}

void duct_rt_lost(struct duct_unit *u, uint32_t place, const char *reason)
{
	duct_lost(u, place, reason, NULL);
}

static void tell_limit(enum event_kind event, const char *kind, const char *name, uint64_t value)
{
	char words[64];
	size_t n = 0;
	uint64_t text;

	while (kind[n] && n < sizeof words - 2) {
		words[n] = kind[n];
		n++;
	}
	words[n] = ' ';
	words[n + 1] = 0;
	if (!(text = duct_blob_text(words, name, NULL)))
		duct_end(FAULT_LIMIT, "too many bytes in the trace");
	duct_event(event, 0, NULL, 0, 0, value, text);
}

void duct_limit(const char *kind, const char *name, uint64_t value)
{
	uint64_t key = duct_hash(kind, duct_length(kind)) * 31;

	if (!duct_channel)
		return;
	key = (key ^ duct_hash(name, duct_length(name))) * 0x9e3779b97f4a7c15u;
	key ^= key >> 29;
	key += value <= 4 ? value
	                  : 5; /* such values are choices, each of which is a limit of its own */
	if (duct_first(key ? key : 1))
		tell_limit(EV_LIMIT, kind, name, value);
}

void duct_rt_limit(const char *kind, const char *name, uint64_t value)
{
	duct_limit(kind, name, value);
}

void duct_need(const char *kind, const char *name, uint64_t value)
{
	if (duct_channel)
		tell_limit(EV_NEED, kind, name, value);
	duct_end(FAULT_NEED, NULL);
}

uint32_t duct_calls;

void duct_rt_call(struct duct_unit *u, uint32_t function)
{
	if (duct_calls & 1)
		duct_event(EV_CALL, 0, u, function, 0, 0, 0);
}

static uint64_t answered;
static duct_node answer_node;
static bool has_answered;

void duct_rt_answer(uint64_t value, duct_node n)
{
	answered = value;
	answer_node = n && duct_at(n)->value == value ? n : 0;
	has_answered = true;
}

void duct_rt_return(struct duct_unit *u, uint32_t function)
{
	if (duct_calls & 1 || duct_is_asked(u, function)) {
		struct channel_area *a = &duct_channel->event;

		duct_end_real(u, function);
		duct_event(EV_RETURN, has_answered, u, function, 0, has_answered ? answered : 0, 0);
		if (has_answered) /* no use of the value: duct_event() must not see one */
			((struct channel_event *)((char *)duct_area(a) + a->used))[-1].node =
			    answer_node;
	}
	has_answered = false;
}

void duct_rt_go(struct duct_unit *u, uint32_t place, duct_node n, const char *reason)
{
	if (duct_channel && n) {
		struct duct_term t = duct_settle(u, place, duct_term(n));

		duct_grow_meet(u, place, (uintptr_t)duct_at(n)->value, 0, n);
		duct_need_real(t.n);
		if (t.n && !duct_implied(t.n, DEPTH))
			duct_lost(u, place, reason, NULL);
	}
}
