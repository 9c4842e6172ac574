/* The heap's objects: the C library's allocator, with its blocks known by address. Weak and
 * hidden like all library models, so that a program's own allocator wins. Not woven: they
 * give the token back as woven functions do. */
#include "lib/runtime/writers.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define INSTEAD __attribute__((weak, visibility("hidden")))

extern void *memalign(size_t alignment, size_t size);
extern void *reallocarray(void *p, size_t n, size_t size);

static struct {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
	int (*posix_memalign)(void **, size_t, size_t);
	size_t (*usable)(void *); /* may be missing */
} real;

static void look_up(void)
{
	if (real.free)
		return;
	real.malloc = (void *(*)(size_t))duct_rt_real("malloc");
	real.calloc = (void *(*)(size_t, size_t))duct_rt_real("calloc");
	real.realloc = (void *(*)(void *, size_t))duct_rt_real("realloc");
	real.posix_memalign = (int (*)(void **, size_t, size_t))duct_rt_real("posix_memalign");
	real.free = (void (*)(void *))duct_rt_real("free");
	real.usable = (size_t (*)(void *))duct_rt_real("malloc_usable_size");
}

/* Makes the C library initialise its heap before the first run, instead of in each run, and take
 * large blocks from it, too: a run that maps memory cannot be rewound. */
void duct_heap_start(void)
{
	int (*set)(int, int) = (int (*)(int, int))duct_rt_real("mallopt");

	look_up();
	if (set) {
		set(M_MMAP_THRESHOLD, 32 << 20); /* the most that it takes */
		set(M_TRIM_THRESHOLD, 64 << 20);
	}
	if (real.malloc && real.free)
		real.free(real.malloc(1));
}

/* Takes the token back. */
static void take(void *self)
{
	if (duct_args_for == self)
		duct_args_for = NULL;
}

struct duct_unit *duct_alloc_unit;
uint32_t duct_alloc_inst;

/* The call that was noted allocated exactly this object. */
static void place(struct duct_object *o)
{
	o->unit = duct_alloc_unit;
	o->inst = duct_alloc_inst;
	duct_alloc_inst = 0;
}

/* Node of argument i of a call that still has its token. */
static duct_node argument(void *self, int i)
{
	return duct_args_for == self && duct_channel ? duct_args[i] : 0;
}

static struct duct_term size_argument(void *self, int i, size_t n)
{
	return duct_size_term(argument(self, i), n);
}

#define FAILS(name) (duct_faults_left && duct_rt_fails(name, ENOMEM))

void duct_rt_no_memory(size_t n, size_t most)
{
	if (duct_channel && n <= most)
		duct_end(FAULT_LIMIT, "memory");
}

static void *known(void *p, size_t n, size_t room, duct_node limit)
{
	struct duct_object *o;

	if (p)
		duct_last_fresh((uintptr_t)p, room);
	if (!duct_channel)
		return p;
	if (!p) {
		duct_channel->refused++;
		return NULL;
	}
	o = duct_object_add_room((uintptr_t)p, n, room, DUCT_OBJECT_HEAP, false);
	o->limit = limit;
	if (!limit)
		duct_span_made(o);
	place(o);
	duct_flow_allocated(o);
	if (duct_live)
		duct_shadow_clear((uintptr_t)p, room);
	return p;
}

uintptr_t duct_heap_block(size_t n)
{
	look_up();
	return (uintptr_t)real.calloc(1, n);
}

void duct_heap_known(uintptr_t block, size_t n)
{
	duct_alloc_inst = 0;
	known((void *)block, n, n, 0);
}

#define LARGEST_CLASS ((size_t)16 << 20)

#define SMALL 512u /* bytes: malloc keeps small free blocks that calloc does not use */

static void *block(size_t room, bool zero)
{
	void *p;

	if (zero || (duct_live && room > SMALL))
		return real.calloc(1, room);
	p = real.malloc(room);
	if (p && duct_live)
		memset(p, 0, room);
	return p;
}

/* The block; ends the run where only its limit of memory refused it. */
static void *given(void *p, size_t n)
{
	if (!p)
		duct_rt_no_memory(n, PTRDIFF_MAX);
	return p;
}

/* A block with room for n bytes. Memory from malloc has no content yet, but its bytes are set to
 * known values, because what was there may depend on inputs. */
static void *get(size_t n, size_t room, duct_node limit, bool zero)
{
	void *p = known(block(room, zero), n, room, limit);

	if (p && !zero && duct_watches(CHECK_UNINIT))
		duct_rt_uninit(p, room);
	else if (p && !zero)
		duct_unset_block(p, room);
	return p;
}

/* For a size beyond all classes, some of which the C library always refuses. */
static void *allocate_large(struct duct_term n, bool zero)
{
	struct duct_term sane = duct_t_binary(OP_ULE, n, duct_constant(64, PTRDIFF_MAX));
	size_t size = (size_t)n.v;
	void *p = get(size, size, 0, zero);

	duct_model_condition(duct_block_unit, duct_block, sane);
	if (sane.v)
		duct_lost(NULL, 0, "large allocation of symbolic size", NULL);
	return given(p, size);
}

/* Memory of a size that may be symbolic. */
static void *allocate(struct duct_term n, bool zero)
{
	size_t size = (size_t)n.v, room;

	if (!n.n)
		return given(get(size, size, 0, zero), size);
	room = duct_room(duct_block_unit, duct_block, n, LARGEST_CLASS);
	return room ? given(get(size, room, n.n, zero), room) : allocate_large(n, zero);
}

/* The product of two sizes; false when it overflows. */
static bool product(struct duct_term a, struct duct_term b, struct duct_term *out)
{
	struct duct_term wide, fits;
	size_t n;

	if (!a.n && !b.n && !__builtin_mul_overflow((size_t)a.v, (size_t)b.v, &n)) {
		*out = duct_constant(64, n);
		return true;
	}
	if (!a.n && a.v && b.n)
		return product(b, a, out);
	*out = duct_t_binary(OP_MUL, a, b);
	if (!b.n && b.v) {
		fits = duct_t_binary(OP_ULE, a, duct_constant(64, SIZE_MAX / (size_t)b.v));
	} else {
		wide = duct_t_binary(
		    OP_MUL, duct_t_extend(OP_ZEXT, 128, a), duct_t_extend(OP_ZEXT, 128, b));
		fits = duct_t_binary(OP_EQ, duct_t_extract(64, 64, wide), duct_constant(64, 0));
	}
	duct_model_condition(duct_block_unit, duct_block, fits);
	if (!fits.v)
		errno = ENOMEM;
	return fits.v != 0;
}

INSTEAD void *malloc(size_t n)
{
	duct_node node = argument((void *)malloc, 0);

	look_up();
	take((void *)malloc);
	if (FAILS("malloc"))
		return NULL;
	return node ? allocate(duct_size_term(node, n), false) : given(get(n, n, 0, false), n);
}

INSTEAD void *calloc(size_t n, size_t each)
{
	struct duct_term a = size_argument((void *)calloc, 0, n),
	                 b = size_argument((void *)calloc, 1, each), size;

	look_up();
	take((void *)calloc);
	return FAILS("calloc") || !product(a, b, &size) ? NULL : allocate(size, true);
}

#define KEPT_BACK \
	((size_t)64 << 20) /* bytes of freed blocks that a run keeps, with what is known of each \
	                    */

static void freed(struct duct_object *o)
{
	o->kind = DUCT_OBJECT_FREED;
	duct_span_end(o);
}

/* While bounds are checked, a freed block is kept for a while, so that its use is noticed. */
static bool keep_back(uintptr_t p, struct duct_object *o)
{
	static size_t kept;

	if (!duct_watches(CHECK_BOUNDS) && !duct_may_grow(p, 1))
		return false;
	if (o->input && duct_frees(o, p)) {
		duct_grow_freed(o->input, p);
		freed(o); /* the C library does not know this block */
		return true;
	}
	if (o->base != p || o->kind != DUCT_OBJECT_HEAP || kept + o->room + sizeof *o > KEPT_BACK)
		return false;
	kept += o->room + sizeof *o;
	freed(o);
	return true;
}

static struct duct_object *pointed_to(const void *p)
{
	return p && duct_channel ? duct_object_lately((uintptr_t)p) : NULL;
}

/* o: the object that p points to; NULL: none. */
static void release(void *p, struct duct_object *o)
{
	if (o && keep_back((uintptr_t)p, o))
		return;
	if (p && duct_last_on() && real.usable)
		duct_last_lose((uintptr_t)p, real.usable(p));
	if (o && o->base == (uintptr_t)p && o->kind == DUCT_OBJECT_HEAP)
		duct_object_end(o);
	else if (p && duct_channel)
		duct_object_remove((uintptr_t)p);
	real.free(p);
}

INSTEAD void free(void *p)
{
	duct_node node = argument((void *)free, 0);
	struct duct_object *o;

	if (duct_tells)
		duct_need_real(node);
	look_up();
	take((void *)free);
	o = pointed_to(p);
	duct_check_free((uintptr_t)p, o);
	release(p, o);
}

/* realloc failed for lack of memory and did not move the block: the block must be one that realloc
 * accepts, so a test has to pass such a block. */
static void *not_moved(void *p)
{
	struct duct_object *o = p && duct_channel ? duct_object_at((uintptr_t)p) : NULL;

	if (o && o->input && duct_frees(o, (uintptr_t)p))
		duct_grow_freed(o->input, (uintptr_t)p);
	return NULL;
}

/* In a run, memory is moved by the runtime, so that the shadow moves, too. */
static void *move(void *p, struct duct_term n)
{
	struct duct_object *o = p && duct_channel ? duct_object_at((uintptr_t)p) : NULL;
	size_t size = (size_t)n.v, old, room;
	void *to;

	if (!p)
		return allocate(n, false);
	duct_check_free((uintptr_t)p, o);
	duct_model_condition(
	    duct_block_unit, duct_block, duct_t_binary(OP_EQ, n, duct_constant(64, 0)));
	if (!size) {
		duct_grow_none = duct_grow_kept(n.n, 8);
		duct_grow_none_freed = (uintptr_t)p;
		release(p, o);
		return NULL;
	}
	if (!o || !duct_frees(o, (uintptr_t)p)) {
		if (n.n)
			duct_lost(NULL, 0, "reallocation of symbolic size", NULL);
		old = real.usable ? real.usable(p) : 0;
		duct_last_moved(NULL, p, old < size ? old : size);
		to = given(known(real.realloc(p, size), size, size, 0), size);
		duct_last_moved(to, NULL, old < size ? old : size);
		return to;
	}
	old = o->room - ((uintptr_t)p - o->base);
	if (!(to = allocate(n, false)))
		return not_moved(p);
	room = duct_object_at((uintptr_t)to)->room;
	old = old < room ? old : room;
	duct_rt_copy(NULL, 0, to, p, old, 0, 0, 0);
	duct_rt_flow_copy(to, p, old);
	memcpy(to, p, old);
	duct_last_moved(to, p, old);
	release(p, pointed_to(p));
	return to;
}

/* Whether the block is NULL is a decision of the path: realloc of NULL is an allocation. */
static void ask_block(duct_node block)
{
	if (block)
		duct_model_condition(duct_block_unit, duct_block,
		    duct_t_binary(OP_EQ, duct_term(block), duct_constant(64, 0)));
	if (duct_tells)
		duct_need_real(block);
}

INSTEAD void *realloc(void *p, size_t n)
{
	struct duct_term size = size_argument((void *)realloc, 1, n);

	ask_block(argument((void *)realloc, 0));
	look_up();
	take((void *)realloc);
	return FAILS("realloc") ? not_moved(p) : move(p, size);
}

INSTEAD void *reallocarray(void *p, size_t n, size_t each)
{
	struct duct_term a = size_argument((void *)reallocarray, 1, n),
	                 b = size_argument((void *)reallocarray, 2, each), size;

	ask_block(argument((void *)reallocarray, 0));
	look_up();
	take((void *)reallocarray);
	return FAILS("reallocarray") || !product(a, b, &size) ? not_moved(p) : move(p, size);
}

/* Makes the symbolic arguments of the call concrete. */
static void concretise(void *self, int first, int last)
{
	for (int i = first; i <= last; i++)
		if (size_argument(self, i, 0).n)
			duct_lost(NULL, 0, "aligned allocation of symbolic size", NULL);
	take(self);
}

INSTEAD int posix_memalign(void **p, size_t alignment, size_t n)
{
	int result;

	look_up();
	concretise((void *)posix_memalign, 1, 2);
	if (duct_faults_left && duct_rt_fails("posix_memalign", 0))
		return ENOMEM;
	result = real.posix_memalign(p, alignment, n);
	if (result == ENOMEM)
		duct_rt_no_memory(n, PTRDIFF_MAX - alignment);
	if (result == 0)
		known(*p, n, n, 0);
	if (result == 0 && duct_live)
		duct_shadow_clear((uintptr_t)p, sizeof *p);
	return result;
}

static void *aligned(size_t alignment, size_t n)
{
	void *p = NULL;

	look_up();
	if (alignment < sizeof p)
		alignment = sizeof p;
	errno = real.posix_memalign(&p, alignment, n);
	if (errno == ENOMEM)
		duct_rt_no_memory(n, PTRDIFF_MAX - alignment);
	return known(p, n, n, 0);
}

INSTEAD void *aligned_alloc(size_t alignment, size_t n)
{
	concretise((void *)aligned_alloc, 0, 1);
	return FAILS("aligned_alloc") ? NULL : aligned(alignment, n);
}

INSTEAD void *memalign(size_t alignment, size_t n)
{
	concretise((void *)memalign, 0, 1);
	return FAILS("memalign") ? NULL : aligned(alignment, n);
}
