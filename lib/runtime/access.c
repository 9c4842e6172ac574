/* Checks accesses for --check bounds: does each lie within the object that its pointer comes from?
 * The object is known for certain if the pointer is a variable's own address, points inside an
 * object, or points to the end of a block of the heap, because a header lies between blocks. If the
 * object is not known, the access is not checked. */
#include "lib/runtime/rt.h"

static bool holds(const struct duct_object *o, uintptr_t p, size_t bytes)
{
	return p >= o->base && p - o->base <= o->size && bytes <= o->size - (p - o->base);
}

static bool on_heap(const struct duct_object *o)
{
	return o->kind == DUCT_OBJECT_HEAP || o->kind == DUCT_OBJECT_FREED;
}

/* May the object follow directly after the one whose end the pointer points to? */
static bool may_be_before(const struct duct_object *o, uintptr_t base, bool direct)
{
	return !direct && base == o->base && !on_heap(o);
}

/* Some stacks in the heap are kept by a pointer to before their first element, which lies in the
 * block before. */
static bool from_before(const struct duct_object *o, uintptr_t p, size_t bytes)
{
	const struct duct_object *now =
	    on_heap(o) && !holds(o, p, bytes) ? duct_object_at(p) : NULL;

	return now && now != o && now->kind == DUCT_OBJECT_HEAP && holds(now, p, bytes);
}

/* Asks whether an access fits when its length or the size of the object depends on inputs. */
static void ask_length(struct duct_unit *u, uint32_t inst, const struct duct_object *o, uintptr_t p,
    size_t bytes, duct_node n)
{
	struct duct_term fits, length, size, at;

	if ((!n && !o->limit) || p < o->base || p - o->base > o->size)
		return;
	length = n ? duct_term(n) : duct_constant(64, bytes);
	size = o->limit ? duct_term(o->limit) : duct_constant(64, o->size);
	at = duct_constant(64, p - o->base);
	fits = duct_t_binary(OP_ULE, length, duct_t_binary(OP_SUB, size, at));
	if (o->limit)
		fits = duct_t_binary(OP_AND, fits, duct_t_binary(OP_ULE, at, size));
	if (!fits.n || duct_implied(fits.n, 4))
		return;
	if (o->input && o->input->how != DUCT_SIZE_EXACT) {
		duct_model_condition(u, inst, fits);
		return;
	}
	duct_event(EV_CHECK, 0, u, inst, fits.n, (uint64_t)fits.v, CHECK_BOUNDS);
	duct_fix(fits.n);
}

/* ---- edges: the bytes behind objects that a library model may leave. The access itself, not its
 * announcement, ends the run, so that the conditions that lead there are on the path. */

#define MOST_EDGES 4u

static struct {
	uintptr_t at;
	uint32_t inst;
} edge[MOST_EDGES];
uint32_t duct_edges;

static void watch_edge(uintptr_t a)
{
	if (duct_edges == MOST_EDGES)
		return;
	edge[duct_edges].at = a;
	edge[duct_edges++].inst = 0;
	duct_shadow_watch(a);
}

/* Drops recorded edges of objects that belong to other accesses than that of inst, which comes
 * next. */
static void keep_edges(uint32_t inst)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < duct_edges; i++)
		if (!edge[i].inst || edge[i].inst == inst) {
			edge[n] = edge[i];
			edge[n++].inst = inst;
		}
	duct_edges = n;
}

bool duct_is_edge(uintptr_t a, size_t n)
{
	for (uint32_t i = 0; i < duct_edges; i++)
		if (edge[i].at - a < n)
			return true;
	return false;
}

void duct_meet_edge(uintptr_t a, size_t n)
{
	if (!duct_is_edge(a, n))
		return;
	if (duct_object_at(a - 1))
		duct_grow_text(duct_object_at(a - 1));
	duct_end(FAULT_BOUNDS, "an access leaves its object");
}

/* ---- memory of the runtime. A run that writes there could report anything, for example that there
 * are no other paths. */

/* Symbols of the runtime's sections; they are missing in unit tests. */
#define OWN __attribute__((weak, visibility("hidden")))
extern const char OWN __start_duct_state[], OWN __stop_duct_state[];
extern const char OWN __start_duct_zeros[], OWN __stop_duct_zeros[];
extern const char OWN __start_duct_units[], OWN __stop_duct_units[];
extern const char OWN __start_duct_live_page[], OWN __stop_duct_live_page[];

static bool overlap(uintptr_t p, size_t n, uintptr_t from, uintptr_t to)
{
	return p < to && (p >= from || from - p < n);
}

static bool is_own(uintptr_t p, size_t n)
{
	const struct {
		const char *from, *to;
	} own[] = {
		{ __start_duct_state, __stop_duct_state },
		{ __start_duct_zeros, __stop_duct_zeros },
		{ __start_duct_units, __stop_duct_units },
		{ __start_duct_live_page, __stop_duct_live_page },
		{ (const char *)duct_channel, (const char *)duct_channel + duct_channel->size },
		{ (const char *)DUCT_FLAGS, (const char *)DUCT_FLAGS + DUCT_FLAGS_SIZE },
	};

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (overlap(p, n, (uintptr_t)own[i].from, (uintptr_t)own[i].to))
			return true;
	/* objects of the program may lie there, too */
	return duct_is_reserved(p, n) && !duct_grow_holds(p) && !duct_object_at(p);
}

void duct_keep_out(uintptr_t p, size_t n, duct_node address, uintptr_t base)
{
	struct duct_object *o;

	if (!is_own(p, n ? n : 1)) /* if n is 0, the object may be unknown */
		return;
	if ((o = duct_object_at(base)) && o->input)
		duct_grow_leave(o, (int64_t)(p - o->base + n));
	duct_lost(NULL, 0, "the program writes into memory of duct's own", NULL);
	duct_address_own(p, address);
	duct_end(FAULT_BOUNDS, "an access to memory where the program has no object");
}

void duct_end_freed(const struct duct_object *o, const char *message)
{
	if (duct_grow_none && duct_object_at(duct_grow_none_freed) == o)
		duct_need("memory", duct_grow_none, 0);
	duct_end(FAULT_BOUNDS, message);
}

/* The program reads a block of symbolic length from an object that the caller passed. The caller is
 * assumed to pass an object of this length; accesses that follow are checked against it. */
static void ask_passed(
    struct duct_unit *u, uint32_t inst, uintptr_t p, size_t bytes, duct_node np, duct_node nb)
{
	struct duct_object *o = duct_object_at(p);

	if (!o || !o->input || o->input->how == DUCT_SIZE_EXACT || o->limit
	    || duct_settle(u, inst, duct_term(np)).n)
		return;
	ask_length(u, inst, o, p, bytes, nb);
	if (bytes && !holds(o, p, bytes))
		duct_grow_leave(o, (int64_t)(p - o->base));
}

void duct_rt_access(struct duct_unit *u, uint32_t inst, const void *from, const void *at,
    size_t bytes, uint32_t how, duct_node np, duct_node nb)
{
	uintptr_t base = (uintptr_t)from, p = (uintptr_t)at;
	struct duct_object *o;

	if (!duct_channel)
		return;
	duct_inst = inst;
	if (duct_edges)
		keep_edges(inst);
	if (np && (bytes || nb))
		duct_grow_meet(u, inst, p, bytes, np);
	if (how & ACCESS_WRITES)
		duct_keep_out(p, bytes, np, base);
	if (!bytes && !nb)
		return;
	if (np && p >> 47)
		duct_address_wild(u, inst, p, np, bytes);
	if (np && (nb || !duct_grow_null(np, 8) || duct_settle(u, inst, duct_term(np)).n)) {
		/* symbolic, or of symbolic length: address.c asks at the access itself */
		if (nb && !(how & ACCESS_WRITES))
			ask_passed(u, inst, p, bytes, np, nb);
		if (how & ACCESS_ALONE)
			duct_address_alone(u, inst, p, np, bytes);
		return;
	}
	if (base < 4096) { /* null: the access itself faults unless the optimiser removed it */
		if (np)
			duct_grow_need_object(u, inst, np);
		return;
	}
	if (!(o = duct_object_at(base))) {
		duct_grow_stray(p);
		return;
	}
	if (o->input) {
		if (o->kind == DUCT_OBJECT_FREED)
			duct_end_freed(o, "memory is used after it was freed");
		ask_length(u, inst, o, p, bytes, nb);
		if (bytes && !holds(o, p, bytes)) {
			duct_grow_leave(o, (int64_t)(p - o->base));
			duct_end(FAULT_BOUNDS, "an access leaves its object");
		}
		return;
	}
	if (!(how & ACCESS_DIRECT) && from_before(o, p, bytes)) {
		duct_lost(NULL, 0, "an access leaves the heap block of its pointer", NULL);
		return;
	}
	if (o->kind == DUCT_OBJECT_FREED)
		duct_end_freed(o, "memory is used after it was freed");
	if (base - o->base >= o->size && !(how & ACCESS_DIRECT) && !on_heap(o)) {
		duct_lost(NULL, 0, "an access through a pointer to the end of an object", NULL);
		return;
	}
	ask_length(u, inst, o, p, bytes, nb);
	if (bytes && !holds(o, p, bytes)
	    && !(p < o->base && may_be_before(o, base, how & ACCESS_DIRECT))) {
		if (bytes == 1 && p == o->base + o->size && !(how & ACCESS_WRITES))
			duct_grow_text(o);
		duct_end(FAULT_BOUNDS, "an access leaves its object");
	}
}

struct duct_span duct_no_span;

/* First offsets at which an access of 1, 2, 4, ... bytes leaves an object of this size. */
static void measure(struct duct_span *s, uint64_t size)
{
	if (size >= 1u << (DUCT_SPAN_SIZES - 1)) /* as most are */
		for (uint64_t k = 0; k < DUCT_SPAN_SIZES; k++)
			s->below[k] = size + 1 - (1u << k);
	else
		for (uint64_t k = 0, n = 1; k < DUCT_SPAN_SIZES; k++, n *= 2)
			s->below[k] = size >= n ? size - n + 1 : 0;
}

/* Spans that were found recently, by address. The span of an object that no longer exists holds no
 * byte. kept.c reads them, too. */
const struct duct_span *duct_lately[DUCT_LATELY];

void duct_span_made(struct duct_object *o)
{
	measure(&o->span, o->size);
	*duct_seen_lately(o->base) = &o->span;
}

struct duct_object *duct_object_lately(uintptr_t a)
{
	const struct duct_span *s = *duct_seen_lately(a);

	return s && a - s->base < s->below[0] ? (struct duct_object *)(uintptr_t)s
	                                      : duct_object_at(a);
}

static const struct duct_span *find_span(uintptr_t a)
{
	struct duct_object *o = duct_channel ? duct_object_at(a) : NULL;

	if (!o || a - o->base >= o->size || o->limit || o->kind == DUCT_OBJECT_FREED)
		return &duct_no_span;
	if (!o->span.below[0])
		measure(&o->span, o->size);
	*duct_seen_lately(a) = &o->span;
	return &o->span;
}

const struct duct_span *duct_rt_span(const void *base, int64_t *site)
{
	uintptr_t a = (uintptr_t)base;
	const struct duct_span *s = *duct_seen_lately(a);

	if (!s || a - s->base >= s->below[0])
		s = find_span(a);
	if (site && s != &duct_no_span)
		*site = (const char *)s - (const char *)&duct_no_span;
	return s;
}

struct duct_object *duct_object_again(uintptr_t a)
{
	static const struct duct_span *before[2];
	static uint32_t latest;
	const struct duct_span *s;

	for (uint32_t i = 0; i < 2; i++)
		if (before[i] && a - before[i]->base < before[i]->below[0])
			return (struct duct_object *)(uintptr_t)before[i];
	if ((s = duct_rt_span((const void *)a, NULL)) == &duct_no_span)
		return duct_object_at(a);
	before[latest = 1 - latest] = s;
	return (struct duct_object *)(uintptr_t)s;
}

const struct duct_span *duct_rt_touch(struct duct_unit *u, uint64_t what, const void *base,
    const void *p, duct_node np, int64_t *site)
{
	const struct duct_span *s = duct_rt_span(base, site);
	uint64_t bytes = (uint32_t)what >> ACCESS_BITS, at = (uintptr_t)p - s->base;

	if (np && duct_grow_of_parameter(np) && duct_several(np, bytes)) {
		if ((uintptr_t)p >> 47) /* the shadow of the following bytes would not be mapped */
			duct_several_wild(u, (uint32_t)(what >> 32), (uintptr_t)p, np, bytes);
		return s; /* several.c asks; in lists, one object is chosen first */
	}
	if (np || at >= s->below[0] || bytes > s->below[0] - at)
		duct_rt_access(u, (uint32_t)(what >> 32), base, p, bytes,
		    what & ((1u << ACCESS_BITS) - 1), np, 0);
	return s;
}

/* How many bytes of the object remain from p on. False if that is not known. */
static bool left(uintptr_t p, size_t *room)
{
	const struct duct_object *o = duct_object_at(p);

	*room = o ? o->size - (p - o->base) : 0;
	return *room || (o && on_heap(o));
}

/* May the access touch no byte at all? */
static bool is_bounded(enum duct_touch how)
{
	return how == TOUCH_TEXT_N || how == TOUCH_FIND_N || how == TOUCH_SAME_N
	    || how == TOUCH_ALIKE_N;
}

size_t duct_rt_touches(uint32_t how, const void *p, const void *q, size_t n)
{
	enum duct_touch kind = (enum duct_touch)(how & ~TOUCH_MODELLED);
	bool two = q && kind != TOUCH_FIND_N;
	size_t room, other = 0;

	if (duct_channel && (uintptr_t)p < 4096)
		return is_bounded(kind) ? n : 1;
	if (!duct_channel || !left((uintptr_t)p, &room) || (two && !left((uintptr_t)q, &other)))
		return 0;
	n = duct_extent(kind, p, room, q, other, n);
	if (n <= room || !duct_live || !(how & TOUCH_MODELLED))
		return n;
	if (!duct_object_at((uintptr_t)p)->input)
		watch_edge((uintptr_t)p + room);
	return room;
}

static void stay_within(const void *p, size_t n)
{
	const struct duct_object *o = duct_object_at((uintptr_t)p);
	size_t room;

	if (o && o->kind == DUCT_OBJECT_FREED)
		duct_end_freed(o, "memory is used after it was freed");
	if (left((uintptr_t)p, &room) && n > room)
		duct_end(FAULT_BOUNDS, "an access leaves its object");
}

void duct_rt_written(const void *p, size_t n)
{
	if (n && duct_channel)
		duct_keep_out((uintptr_t)p, n, 0, (uintptr_t)p);
	if (n && duct_channel && duct_watches(CHECK_BOUNDS))
		stay_within(p, n);
}

void duct_rt_reads(const void *p, size_t n)
{
	const struct duct_object *o =
	    n && duct_channel && duct_watches(CHECK_BOUNDS) ? duct_object_at((uintptr_t)p) : NULL;

	size_t room;

	if (o && left((uintptr_t)p, &room) && n == room + 1)
		duct_grow_text(o);
	if (o && (!o->input || o->kind == DUCT_OBJECT_FREED))
		stay_within(p, n);
}

/* Is one of the n bytes from a on 0? Unwritten bytes behind the text's end are left out, as the
 * function may not read them. */
static struct duct_term has_end(uintptr_t a, size_t n, const struct duct_term *limit)
{
	struct duct_term any = duct_constant(1, 0), byte;

	for (size_t i = 0; i < n; i++) {
		if (any.v && duct_entry(a + i) == DUCT_ENTRY_UNINIT)
			break;
		byte = duct_t_binary(OP_EQ, duct_load_term(a + i, 1), duct_constant(8, 0));
		if (limit)
			byte = duct_t_binary(
			    OP_AND, byte, duct_t_binary(OP_ULT, duct_constant(64, i), *limit));
		any = duct_t_binary(OP_OR, any, byte);
		if (!any.n && any.v)
			break;
	}
	return any;
}

void duct_rt_reads_text(const char *s, int64_t most, duct_node n)
{
	struct duct_term ends, limit;
	struct duct_object *o;
	size_t room;

	if (!duct_channel || !s || !most || !duct_watches(CHECK_BOUNDS))
		return;
	o = duct_object_at((uintptr_t)s);
	if (o && o->kind == DUCT_OBJECT_FREED)
		duct_end_freed(o, "memory is used after it was freed");
	if (!duct_live || !left((uintptr_t)s, &room) || (!n && most >= 0 && (size_t)most <= room))
		return;
	if (o->input && o->input->how != DUCT_SIZE_EXACT)
		return;
	if (o->limit)
		limit = duct_t_binary(
		    OP_SUB, duct_term(o->limit), duct_constant(64, (uintptr_t)s - o->base));
	ends = has_end((uintptr_t)s, room, o->limit ? &limit : NULL);
	if (n)
		ends = duct_t_binary(OP_OR, ends,
		    duct_t_binary(OP_ULE, duct_term(n), duct_constant(duct_at(n)->width, room)));
	if (ends.n && !duct_implied(ends.n, 4)) {
		duct_event(EV_CHECK, 0, duct_block_unit, duct_inst, ends.n, (uint64_t)ends.v,
		    CHECK_BOUNDS);
		duct_fix(ends.n);
	}
	if (!ends.v)
		duct_grow_text(o);
	if (!ends.v)
		duct_end(FAULT_BOUNDS, "an access leaves its object");
}

void duct_rt_closed(void)
{
	if (duct_channel && duct_watches(CHECK_BOUNDS))
		duct_end(FAULT_BOUNDS, "a stream is used after it was closed");
}

void duct_rt_used_as_stream(const void *f)
{
	struct duct_object *o =
	    duct_may_grow((uintptr_t)f, 1) ? duct_object_at((uintptr_t)f) : NULL;

	if (duct_channel && o && o->input)
		duct_need("stream", o->input->name, 0);
}

int duct_rt_same(const void *p, const void *q)
{
	return p == q;
}

/* Called before memory is freed or resized. */
void duct_check_free(uintptr_t p, const struct duct_object *o)
{
	if (!o || !duct_watches(CHECK_BOUNDS)) {
		duct_grow_stray(p);
		return;
	}
	if (o->kind == DUCT_OBJECT_FREED && duct_frees(o, p))
		duct_end_freed(o, "memory is freed twice");
	if (!duct_frees(o, p) && o->input && p == o->input->base + o->input->ahead)
		duct_need("shared", o->input->name, 0);
	if (!duct_frees(o, p) ? p - o->base < o->size : o->kind != DUCT_OBJECT_HEAP && !o->input)
		duct_end(FAULT_BOUNDS, "a pointer that is freed leads to no heap block");
}
