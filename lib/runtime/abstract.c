/* Abstract calls: calls of some functions are not executed; their results, and the memory that they
 * may write, become fresh inputs, so that every run of the program agrees with the path of some run
 * with abstract calls. The channel's setup area lists these functions, with the memory that they
 * may read and write, in entries
 *   abstract:UNIT:FUNCTION:NAME:WAYS:,rUNIT.VARIABLE,wUNIT.VARIABLE,tUNIT.VARIABLE.OFFSET,kN,hSIZE...
 * (units by key in hexadecimal; k: the target of argument N, from 0, is not written; WAYS has r or
 * w if it reads or writes through pointers, f if it also takes such pointers from memory, else -;
 * t, h: if known, all possible targets of its result: these places, and new heap blocks of SIZE
 * bytes, in hexadecimal). The input "duct.calls" says how many of these calls, from the start of
 * the run, are executed; without it all are. An abstract call whose result is no pointer, and has
 * no given value, returns the value of "duct.returns". A value that is read at an address that
 * depends on such inputs is a fresh input, too. When a run writes there, conditions select one of
 * the possible targets of the result. A new block is selected when the run first reads, writes or
 * frees it, and its content is fresh inputs. If the targets are not known, or if such a pointer is
 * called, the run ends and names the call that has to be executed. */
#include "lib/runtime/abstract.h"

struct global_variable {
	struct duct_unit *unit;
	void *p;
	uint64_t size, id;
};
extern const struct global_variable __start_duct_variables[] __attribute__((weak));
extern const struct global_variable __stop_duct_variables[] __attribute__((weak));
extern struct duct_unit __start_duct_units[] __attribute__((weak));
extern struct duct_unit __stop_duct_units[] __attribute__((weak));

uint32_t duct_tells;
bool duct_abstracts;
static struct callee *callees;
#define MOST_FRESH 4096 /* bytes of fresh inputs of a call, or of a block */

static uint64_t executed, to_execute, replaced, returns;

/* A call that is executed and may write memory. At its end the content of this memory is recorded
 * in the parts that an abstract call would make inputs. */
#define MOST_PARTS 64
struct real {
	struct real *up;
	struct callee *callee;
	size_t objects;
	struct duct_object *object[];
};
static struct real *reals;

/* ---- the setup area */

static uint64_t digits(const char **s, unsigned base)
{
	uint64_t v = 0;

	for (;; (*s)++) {
		unsigned d = **s >= 'a' ? (unsigned)(**s - 'a' + 10) : (unsigned)(**s - '0');

		if (d >= base || **s == ':')
			return v;
		v = v * base + d;
	}
}

static struct duct_unit *unit_of(uint64_t key)
{
	for (struct duct_unit *u = __start_duct_units; u < __stop_duct_units; u++)
		if (u->key == key)
			return u;
	return NULL;
}

static void add_range(struct callee *c, uint64_t key, uint64_t id, bool written)
{
	const struct duct_unit *u = unit_of(key);
	size_t before = c->ranges;

	for (const struct global_variable *v = __start_duct_variables; v < __stop_duct_variables;
	    v++)
		if (v->unit == u && v->id == id)
			c->range[c->ranges++] =
			    (struct memory_range){ (uintptr_t)v->p, v->size, written };
	c->unknown |= written && c->ranges == before;
}

static void add_target(struct callee *c, uint64_t key, uint64_t id, uint64_t offset)
{
	const struct duct_unit *u = unit_of(key);
	size_t before = c->targets;

	for (const struct global_variable *v = __start_duct_variables; v < __stop_duct_variables;
	    v++)
		if (v->unit == u && v->id == id && offset < v->size)
			c->target[c->targets++] = (uintptr_t)v->p + offset;
	c->elsewhere |= c->targets == before;
}

static void add_callee(const char *s)
{
	struct callee *c = duct_arena(sizeof *c);

	c->unit = unit_of(digits(&s, 16));
	s++;
	c->id = (uint32_t)digits(&s, 10);
	for (c->name = ++s; *s && *s != ':'; s++)
		c->length++;
	for (s += *s != 0; *s && *s != ':'; s++) {
		c->reads |= *s == 'r';
		c->writes |= *s == 'w';
		c->follows |= *s == 'f';
	}
	c->range = duct_arena((duct_length(s) / 2 + 1) * sizeof *c->range);
	c->target = duct_arena((duct_length(s) / 2 + 1) * sizeof *c->target);
	c->heap = duct_arena((duct_length(s) / 2 + 1) * sizeof *c->heap);
	for (s += *s != 0; *s == ',';) {
		char kind = *++s;

		if (kind == 'h') {
			c->heap[c->heaps] = (s++, digits(&s, 16));
			c->elsewhere |= c->heap[c->heaps++] > MOST_FRESH;
			continue;
		}
		if (kind == 'k') {
			c->kept |= (uint64_t)1 << ((s++, digits(&s, 10)) & 63);
			continue;
		}
		uint64_t key = (s++, digits(&s, 16)), id = (s++, digits(&s, 10));

		if (kind == 't')
			add_target(c, key, id, (s++, digits(&s, 10)));
		else
			add_range(c, key, id, kind == 'w');
	}
	c->next = callees;
	callees = c;
}

void duct_abstract_start(void)
{
	static const char prefix[] = "abstract:";
	const struct channel_area *a = &duct_channel->setup;
	const char *s = duct_area(a), *end = s + a->used;

	for (; s < end; s += duct_length(s) + 1) {
		size_t i = 0;

		while (i < sizeof prefix - 1 && s[i] == prefix[i])
			i++;
		if (i == sizeof prefix - 1)
			add_callee(s + i);
	}
	if (!callees || !duct_input_given("duct.calls", &to_execute))
		return;
	if (!duct_input_given("duct.returns", &returns))
		returns = 0;
	duct_tells = 1;
	duct_calls |= 2; /* ends of functions are recorded */
	executed = replaced = 0;
	reals = NULL;
}

static struct callee *find(const struct duct_unit *u, uint32_t id)
{
	struct callee *c = callees;

	while (c && (c->unit != u || c->id != id))
		c = c->next;
	return c;
}

/* ---- nodes that depend on results of abstract calls */

void duct_mark_abstract(duct_node n)
{
	struct channel_node *p = duct_at(n);
	const uint32_t operand[] = { p->a, p->b, p->c };

	for (int i = 0; i < duct_arity[p->op]; i++)
		if (duct_at(operand[i])->reserved & DUCT_FRESH)
			p->reserved |= DUCT_FRESH;
}

bool duct_is_fresh(duct_node n)
{
	return n && duct_at(n)->reserved & DUCT_FRESH;
}

/* The first input from an abstract call that a node depends on. */
static duct_node fresh_input(duct_node n)
{
	while (duct_at(n)->op != OP_INPUT) {
		const struct channel_node *p = duct_at(n);

		n = duct_is_fresh(p->a)                            ? p->a
		    : duct_arity[p->op] > 1 && duct_is_fresh(p->b) ? p->b
		                                                   : p->c;
	}
	return n;
}

static const char *name_of(duct_node input)
{
	const struct channel_var *v =
	    (const struct channel_var *)duct_area(&duct_channel->var) + duct_at(input)->a;

	return (const char *)duct_area(&duct_channel->blob) + v->name;
}

/* A fresh input NAME#COUNT, or NAME#COUNT.PART when PART is not 0, at p. */
static void fresh(
    const char *name, size_t length, uint32_t count, uint32_t part, uintptr_t p, uint32_t bytes)
{
	char *text = duct_arena(length + 48);
	struct duct_term t;
	size_t n = 0;

	for (; n < length; n++)
		text[n] = name[n];
	text[n++] = '#';
	n += duct_digits(text + n, count);
	if (part) {
		text[n++] = '.';
		n += duct_digits(text + n, part);
	}
	text[n] = 0;
	t = duct_input_fresh(text, bytes * 8, part || bytes == 8 ? 0 : returns);
	duct_abstracts = true;
	duct_at(t.n)->reserved |= DUCT_FRESH;
	for (uint32_t i = 0; i < bytes; i++)
		*(uint8_t *)(p + i) = (uint8_t)(t.v >> i * 8);
	duct_store_term(p, bytes, t.n);
}

/* ---- pointers returned by abstract calls */

/* The number of bytes of the next input in a place of which `left` bytes remain. */
static uint32_t part_of(size_t size, size_t left)
{
	return size == 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

static void havoc(const struct callee *c, uint32_t count, uint32_t *part, uintptr_t p, size_t size)
{
	for (size_t at = 0; at < size;) {
		uint32_t bytes = part_of(size, size - at);

		duct_shadow_clear(p + at, bytes);
		fresh(c->name, c->length, count, ++*part, p + at, bytes);
		at += bytes;
	}
}

/* Makes the block an object of the run. */
static void begin(struct callee *c, struct fresh_blocks *m, uintptr_t block, size_t size)
{
	duct_heap_known(block, size);
	havoc(c, m->count, &m->part, block, size);
}

/* The function whose result the input NAME#COUNT is. */
static struct callee *result_of(const char *input, uint32_t *count)
{
	for (struct callee *c = callees; c; c = c->next) {
		size_t i = 0;

		while (i < c->length && input[i] == c->name[i])
			i++;
		if (i < c->length || input[i++] != '#')
			continue;
		for (*count = 0; input[i] >= '0' && input[i] <= '9'; i++)
			*count = *count * 10 + (uint32_t)(input[i] - '0');
		if (!input[i])
			return c;
	}
	return NULL;
}

/* Is the pointer equal to this address? Records the answer as a condition. */
static bool is_at(struct duct_term p, uintptr_t address)
{
	duct_model_condition(NULL, 0, duct_t_binary(OP_EQ, p, duct_constant(64, address)));
	return p.v == address;
}

/* Restricts a pointer that an abstract call returned to the addresses that it may return. */
static void choose(struct callee *c, uint32_t count, duct_node pointer)
{
	struct duct_term p = duct_term(pointer);
	struct fresh_blocks *m = c->made;

	while (m && m->count != count)
		m = m->next;
	if (m) {
		duct_model_condition(
		    NULL, 0, duct_t_not(duct_t_binary(OP_EQ, p, duct_constant(64, 0))));
		if (!p.v)
			return;
	}
	for (size_t i = 0; i < c->targets; i++)
		if (is_at(p, c->target[i]))
			return;
	for (size_t i = 0; m && i < c->heaps; i++)
		if (is_at(p, m->block[i])) {
			begin(c, m, m->block[i], c->heap[i]);
			return;
		}
	duct_end(FAULT_REJECTED, "the result of an abstract call points to nothing");
}

bool duct_abstract_settle(duct_node n, bool only_made)
{
	uint32_t count;
	duct_node input = fresh_input(n);
	struct callee *c = result_of(name_of(input), &count);

	if (c && c->targets + c->heaps && !c->elsewhere && duct_at(input)->width == 64
	    && (c->heaps || !only_made) && !duct_implied(input, 4))
		choose(c, count, input);
	return duct_implied(n, 4);
}

void duct_need_real(duct_node n)
{
	if (duct_is_fresh(n) && !duct_implied(n, 4) && !duct_abstract_settle(n, false))
		duct_end(FAULT_LIMIT,
		    (char *)duct_area(&duct_channel->blob)
		        + duct_blob_text("abstract: ", name_of(fresh_input(n)), NULL));
}

/* ---- calls */

/* The most abstract calls of a run: a loop that depends on their results may not end. */
#define MOST_CALLS 512

static size_t fresh_bytes(const struct callee *c, const struct reachable_objects *r, size_t result)
{
	size_t n = result;

	for (size_t i = 0; i < c->ranges; i++)
		n += c->range[i].written ? c->range[i].size : 0;
	return n + (c->writes ? r->written_bytes : 0);
}

/* Reserves blocks that the result may point to, in a run in which this call is abstract. */
static void reserve(struct callee *c, uint32_t part)
{
	struct fresh_blocks *m = duct_arena(sizeof *m + c->heaps * sizeof *m->block);

	*m = (struct fresh_blocks){ c->made, c->count, part };
	for (size_t i = 0; i < c->heaps; i++)
		m->block[i] = duct_heap_block(c->heap[i]);
	c->made = m;
}

static void make_abstract(
    struct callee *c, const struct reachable_objects *r, void *slot, size_t size)
{
	uint32_t part = 0;

	for (size_t i = 0; i < c->ranges; i++)
		if (c->range[i].written)
			havoc(c, c->count, &part, c->range[i].p, c->range[i].size);
	for (size_t i = 0; c->writes && i < r->written; i++)
		if (r->object[i]->kind != DUCT_OBJECT_GLOBAL)
			havoc(c, c->count, &part, r->object[i]->base, r->object[i]->size);
	if (size == 1 || size == 2 || size == 4 || size == 8)
		fresh(c->name, c->length, c->count, 0, (uintptr_t)slot, (uint32_t)size);
	else
		havoc(c, c->count, &part, (uintptr_t)slot, size);
	if (size == 8 && c->heaps)
		reserve(c, part);
}

/* ---- effects of calls that are executed */

static void begin_real(struct callee *c, const struct reachable_objects *r)
{
	bool writes = c->writes;
	struct real *real;

	for (size_t i = 0; i < c->ranges; i++)
		writes |= c->range[i].written;
	if (!writes || r->unknown_written || fresh_bytes(c, r, 0) > (size_t)8 * MOST_PARTS)
		return;
	real = duct_arena(sizeof *real + r->written * sizeof *real->object);
	*real = (struct real){ reals, c, c->writes ? r->written : 0 };
	for (size_t i = 0; i < real->objects; i++)
		real->object[i] = r->object[i];
	reals = real;
}

static void tell_place(const struct real *real, uint32_t *part, uintptr_t p, size_t size)
{
	struct channel_area *a = &duct_channel->event;

	for (size_t at = 0; at < size && *part < MOST_PARTS;) {
		uint32_t bytes = part_of(size, size - at);
		struct duct_term t;

		++*part;
		if (duct_peek_term(p + at, bytes, &t)) {
			duct_event(EV_EFFECT, 0, real->callee->unit, real->callee->id, 0,
			    (uint64_t)t.v, *part);
			if (t.n) /* recorded like a result: this is no use of the value */
				((struct channel_event *)((char *)duct_area(a) + a->used))[-1]
				    .node = t.n;
		}
		at += bytes;
	}
}

/* Do all blocks still exist? */
static bool is_there(const struct real *real)
{
	for (size_t i = 0; i < real->objects; i++)
		if (duct_object_at(real->object[i]->base) != real->object[i]
		    || real->object[i]->kind == DUCT_OBJECT_FREED)
			return false;
	return true;
}

void duct_end_real(const struct duct_unit *u, uint32_t function)
{
	struct real *real = reals;
	uint32_t part = 0;

	while (real && (real->callee->unit != u || real->callee->id != function))
		real = real->up;
	if (!real)
		return;
	reals = real->up; /* the calls above it were left by longjmp() */
	if (!is_there(real))
		return;
	for (size_t i = 0; i < real->callee->ranges; i++)
		if (real->callee->range[i].written)
			tell_place(
			    real, &part, real->callee->range[i].p, real->callee->range[i].size);
	for (size_t i = 0; i < real->objects; i++)
		if (real->object[i]->kind != DUCT_OBJECT_GLOBAL)
			tell_place(real, &part, real->object[i]->base, real->object[i]->size);
}

uint32_t duct_rt_abstract(struct duct_unit *u, uint32_t function, uint32_t symbolic, void *slot,
    uint64_t size, uint32_t pointers, void *const *pointer, const duct_node *node, uint64_t which)
{
	const struct pointers p = { pointers, pointer, node, which };
	struct callee *c;
	struct reachable_objects r = { .n = 0 };
	enum asked how = ASKED_REAL;

	if (!duct_tells || !(c = find(u, function)) || c->unknown)
		return 0;
	if (c->reads || c->writes)
		duct_reach_all(&r, c, &p);
	if (!symbolic && !r.unknown && !duct_reads_symbolic(c, &r))
		how = ASKED_CONCRETE;
	else if (executed >= to_execute)
		how = ASKED_ABSTRACT;
	if (how != ASKED_CONCRETE) {
		executed++;
		c->count++;
	}
	duct_event(EV_ASKED, 0, u, function, 0, how, 0);
	if (how == ASKED_REAL)
		begin_real(c, &r);
	if (how != ASKED_ABSTRACT)
		return 0;
	if (replaced++ == MOST_CALLS)
		duct_end(FAULT_LIMIT, "too many abstract calls");
	if ((r.unknown_written && c->writes) || fresh_bytes(c, &r, size) > MOST_FRESH)
		duct_end(FAULT_LIMIT,
		    (char *)duct_area(&duct_channel->blob)
		        + duct_blob_text("abstract: ", c->name, NULL));
	make_abstract(c, &r, slot, size);
	return 1;
}

bool duct_is_asked(const struct duct_unit *u, uint32_t function)
{
	return duct_tells && find(u, function);
}

void *duct_rt_reach(struct duct_unit *u, void *p, duct_node n, uint64_t bytes)
{
	static uint32_t reads;
	uintptr_t to;

	(void)u;
	if (duct_is_fresh(n) && !duct_implied(n, 4))
		duct_abstract_settle(n, true);
	if (!duct_is_fresh(n) || (duct_implied(n, 4) && duct_object_at((uintptr_t)p))
	    || ((uintptr_t)p < 4096 && duct_watches(CHECK_NULL)))
		return p;
	to = duct_grow_place((bytes + 31) & ~(uint64_t)15);
	for (uint64_t at = 0; at < bytes; at += 8)
		fresh("read", 4, ++reads, 0, to + at,
		    bytes - at >= 8       ? 8
		        : bytes - at >= 4 ? 4
		        : bytes - at >= 2 ? 2
		                          : 1);
	return (void *)to;
}
