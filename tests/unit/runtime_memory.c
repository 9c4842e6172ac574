/* The runtime's memory: random loads, stores, copies, at constant and symbolic offsets, as
 * woven code would make them, on a few objects. A plain model keeps every byte for several
 * assignments of the inputs; each loaded value's node must give the model's value. */
#include "tests/unit/runtime.h"
#include <sys/wait.h>
#include <unistd.h>

#define OTHER 4 /* assignments beside the run's own */
#define SIZE 24
#define OBJECTS 3
#define INPUTS 8

static uint8_t object[OBJECTS][SIZE] __attribute__((aligned(16)));
static uint8_t model[OTHER + 1][OBJECTS][SIZE];
static wide input[OTHER + 1][INPUTS];
static struct duct_term in[INPUTS];
static struct channel *ch;

struct value {
	duct_node n;
	uint64_t v[OTHER + 1];
};

static uint64_t low_bytes(uint64_t v, uint32_t bytes)
{
	return bytes == 8 ? v : v & (((uint64_t)1 << bytes * 8) - 1);
}

static bool agree(const struct value *x, uint32_t bytes)
{
	if (x->n && duct_at(x->n)->width != bytes * 8)
		return false;
	for (int k = 0; k <= OTHER; k++) {
		uint64_t want = low_bytes(x->v[k], bytes), have = x->v[0];

		if (x->n)
			have = (uint64_t)node_eval(ch, x->n, input[k]);
		if (low_bytes(have, bytes) != want) {
			printf("# node %u assignment %d: %llx, not %llx\n", x->n, k,
			    (unsigned long long)have, (unsigned long long)want);
			return false;
		}
	}
	return true;
}

/* An offset: constant, or an input (made a multiple of `scale`), in bounds for all. */
struct place {
	int o;
	duct_node address;
	uint32_t at[OTHER + 1];
};

static struct place pick_place(uint32_t bytes, bool symbolic)
{
	uint32_t i = below(INPUTS), scale = below(2) ? bytes : 1,
	         range = (SIZE - bytes) / scale + 1;
	struct place p = { .o = (int)below(OBJECTS) };
	duct_node n;

	if (!symbolic) {
		p.at[0] = below(SIZE - bytes + 1);
		for (int k = 1; k <= OTHER; k++)
			p.at[k] = p.at[0];
		return p;
	}
	/* input % range * scale: never out of bounds */
	n = duct_rt_unary(OP_ZEXT, 64, 8, 0, in[i].n);
	n = duct_rt_binary(OP_UREM, 64, n, (uint64_t)in[i].v, 0, range);
	n = duct_rt_binary(OP_MUL, 64, n, (uint64_t)in[i].v % range, 0, scale);
	for (int k = 0; k <= OTHER; k++)
		p.at[k] = (uint32_t)input[k][i] % range * scale;
	p.address = duct_rt_pointer(0, (uintptr_t)object[p.o], n, p.at[0]);
	return p;
}

static uint64_t get(const uint8_t *p, uint32_t bytes)
{
	uint64_t v = 0;

	while (bytes--)
		v = v << 8 | p[bytes];
	return v;
}

static struct value load(struct place p, uint32_t bytes)
{
	const uint8_t *a = object[p.o] + p.at[0];
	struct value x = { 0 };

	x.n = p.address ? duct_rt_load_at(NULL, 0, a, p.address, bytes, bytes * 8)
	    : duct_flagged((uintptr_t)a, bytes) ? duct_rt_load(a, bytes, bytes * 8)
	                                        : 0;
	for (int k = 0; k <= OTHER; k++)
		x.v[k] = get(&model[k][p.o][p.at[k]], bytes);
	return x;
}

static void put(uint8_t *p, uint64_t v, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> i * 8);
}

static void store(struct place p, uint32_t bytes, const struct value *x)
{
	uint8_t *a = object[p.o] + p.at[0];

	if (p.address)
		duct_rt_store_at(NULL, 0, a, p.address, bytes, bytes * 8, x->n, x->v[0]);
	else if (x->n || duct_flagged((uintptr_t)a, bytes))
		duct_rt_store(a, bytes, bytes * 8, x->n);
	put(a, x->v[0], bytes);
	for (int k = 0; k <= OTHER; k++)
		put(&model[k][p.o][p.at[k]], x->v[k], bytes);
}

/* A value of so many bytes: a constant, inputs side by side, or what memory holds. */
static struct value pick_value(uint32_t bytes)
{
	struct value x = { 0 };
	uint32_t i = below(INPUTS), j = below(INPUTS);

	switch (below(3)) {
	case 0:
		x.v[0] = low_bytes(random_word(), bytes);
		for (int k = 1; k <= OTHER; k++)
			x.v[k] = x.v[0];
		return x;
	case 1: return load(pick_place(bytes, below(3) == 0), bytes);
	default:
		x.n = duct_rt_unary(OP_ZEXT, bytes * 8, 8, 0, in[i].n);
		if (bytes > 1) {
			duct_node y = duct_rt_unary(OP_ZEXT, bytes * 8, 8, 0, in[j].n);

			y = duct_rt_binary(OP_SHL, bytes * 8, y, (uint64_t)in[j].v, 0, 8);
			x.n = duct_rt_binary(
			    OP_OR, bytes * 8, x.n, (uint64_t)in[i].v, y, (uint64_t)in[j].v << 8);
		}
		for (int k = 0; k <= OTHER; k++)
			x.v[k] =
			    (uint64_t)input[k][i] | (bytes > 1 ? (uint64_t)input[k][j] << 8 : 0);
		return x;
	}
}

static void copy(void)
{
	uint32_t n = 1 + below(SIZE - 1);
	struct place s = pick_place(n, below(3) == 0), d = pick_place(n, below(3) == 0);
	uint8_t *to = object[d.o] + d.at[0];

	duct_rt_copy(NULL, 0, to, object[s.o] + s.at[0], n, d.address, s.address, 0);
	memmove(to, object[s.o] + s.at[0], n);
	for (int k = 0; k <= OTHER; k++)
		memmove(&model[k][d.o][d.at[k]], &model[k][s.o][s.at[k]], n);
}

static void set(void)
{
	uint32_t n = 1 + below(SIZE - 1);
	struct place d = pick_place(n, false);
	struct value x = pick_value(1);

	duct_rt_set(NULL, 0, object[d.o] + d.at[0], n, x.n, 0, 0);
	memset(object[d.o] + d.at[0], (int)x.v[0], n);
	for (int k = 0; k <= OTHER; k++)
		memset(&model[k][d.o][d.at[k]], (int)x.v[k], n);
}

static bool step(void)
{
	static const uint32_t sizes[] = { 1, 2, 4, 8 };
	uint32_t bytes = sizes[below(4)];
	struct value x;

	switch (below(8)) {
	case 0: copy(); return true;
	case 1: set(); return true;
	case 2:
	case 3:
	case 4:
		x = pick_value(bytes);
		store(pick_place(bytes, below(4) == 0), bytes, &x);
		return true;
	default: x = load(pick_place(bytes, below(3) == 0), bytes); return agree(&x, bytes);
	}
}

static bool all_bytes_agree(void)
{
	for (int o = 0; o < OBJECTS; o++)
		for (uint32_t i = 0; i < SIZE; i++) {
			struct place p = { .o = o };
			struct value x;

			for (int k = 0; k <= OTHER; k++)
				p.at[k] = i;
			x = load(p, 1);
			if (!agree(&x, 1))
				return false;
		}
	return true;
}

static void start(void)
{
	static bool known;

	ch = test_channel();
	duct_run_start(ch);
	for (int o = 0; o < OBJECTS; o++) {
		if (known)
			duct_object_remove((uintptr_t)object[o]);
		duct_object_add((uintptr_t)object[o], SIZE, DUCT_OBJECT_GLOBAL, false);
		for (uint32_t i = 0; i < SIZE; i++) {
			object[o][i] = (uint8_t)random_word();
			for (int k = 0; k <= OTHER; k++)
				model[k][o][i] = object[o][i];
		}
	}
	known = true;
	for (uint32_t i = 0; i < INPUTS; i++) {
		char name[8];
		uint8_t v;

		for (int k = 0; k <= OTHER; k++)
			input[k][i] = random_word() & 0xff;
		v = (uint8_t)input[0][i];
		snprintf(name, sizeof name, "i%u", i);
		give(ch, name, &v, 1);
		duct_inputs_start(ch);
		in[i] = duct_input_var(name, INPUT_UINT, 8, 0);
	}
}

static bool one_round(void)
{
	start();
	for (int i = 0; i < 40; i++)
		if (!step())
			return false;
	return all_bytes_agree() && !event_count(ch, EV_LOST);
}

static void stale(void)
{
	int x = 5;

	start();
	duct_rt_input(&x, sizeof x, "x", "i4");
	ok(x == 0 && duct_rt_load(&x, 4, 32) != 0, "an input's memory has its node");
	*(volatile int *)&x = 7;
	ok(duct_rt_load(&x, 4, 32) == 0, "memory written behind our back is concrete");
	ok(event_count(ch, EV_LOST) == 1, "and leaves a record");
	duct_rt_store(&x, 4, 32, 0);
	ok(!duct_flagged((uintptr_t)&x, 4), "a concrete store clears the flag");
}

static bool is_open(const struct duct_span *s)
{
	for (int k = 0; k < DUCT_SPAN_SIZES; k++)
		if (s->below[k])
			return true;
	return false;
}

static void spans(void)
{
	static uint8_t block[64];
	uint8_t local[400];
	int64_t site = 0;
	size_t mark;
	const struct duct_span *s, *deep;

	start();
	duct_object_add((uintptr_t)block, 20, DUCT_OBJECT_HEAP, false);
	s = duct_rt_span(block + 3, &site);
	ok(s->base == (uintptr_t)block && s->below[0] == 20 && s->below[2] == 17
	        && s->below[4] == 5,
	    "the span of an object");
	ok((const char *)&duct_no_span + site == (const char *)s, "is what the site says then");
	ok(duct_rt_span(block + 20, NULL) == &duct_no_span && !is_open(&duct_no_span),
	    "its end is in no span");
	duct_object_add((uintptr_t)block, 12, DUCT_OBJECT_HEAP, false);
	ok(!is_open(s) || s->below[0] == 12, "another object at its place has another span");
	duct_rt_span(block, NULL);
	duct_object_remove((uintptr_t)block);
	ok(!is_open(s), "an object that is gone has none");
	duct_object_add((uintptr_t)block, 20, DUCT_OBJECT_HEAP, false)->limit = in[0].n;
	ok(duct_rt_span(block, NULL) == &duct_no_span, "nor has one whose size depends on inputs");
	duct_object_remove((uintptr_t)block);
	mark = duct_rt_frame();
	duct_rt_alloca(local + 392, 8);
	s = duct_rt_span(local + 392, &site);
	ok(s->base == (uintptr_t)local + 392 && s->below[3] == 1, "the span of a local object");
	for (int i = 48; i >= 0; i--)
		duct_rt_alloca(local + 8 * i, 4);
	deep = duct_rt_span(local, NULL);
	ok(deep->base == (uintptr_t)local && deep->below[0] == 4
	        && duct_rt_span(local + 392, NULL)->below[0] == 8,
	    "of many of them");
	duct_rt_leave(mark);
	ok(!is_open(deep) && !is_open(s), "none is left when they are");
}

#define PLACES 4096

/* Blocks that come and go at the same and at other places, as the heap's do, also one over what was
 * several: which one an address belongs to is what a plain table says. */
static bool blocks_round(uint8_t *at, uint16_t *size)
{
	uint32_t i = (uint32_t)random_word() % PLACES, n = 1 + (uint32_t)random_word() % 7;
	const struct duct_object *o;
	uint32_t base;
	bool is_free = i + n <= PLACES;

	for (base = i; base && i - base < 8 && !size[base];)
		base--;
	if (size[base] && i - base >= size[base])
		base = i;
	for (uint32_t k = i; is_free && k < i + n; k++)
		is_free = !size[k];
	if (random_word() % 4 == 0) {
		o = duct_object_at((uintptr_t)at + 16 * i + 3);
		return size[base] ? o && o->base == (uintptr_t)at + 16 * base
		        && o->size == 16u * size[base] && (size[base] == 1 || !o->bytes)
		                  : !o;
	}
	if (size[base]) {
		duct_object_remove((uintptr_t)at + 16 * base);
		size[base] = 0;
	} else if (is_free) {
		struct duct_object *made =
		    duct_object_add((uintptr_t)at + 16 * i, 16 * n, DUCT_OBJECT_HEAP, false);

		size[i] = (uint16_t)n;
		if (n == 1) /* what an object had must not be another one's */
			duct_array_now(made);
	}
	return true;
}

static void blocks(void)
{
	static uint8_t at[16 * PLACES];
	static uint16_t size[PLACES];
	bool good = true;

	start();
	for (int round = 0; round < 20 && good; round++) {
		for (int i = 0; i < 20000 && good; i++)
			good = blocks_round(at, size);
		for (uint32_t i = 0; i < PLACES && round % 5 == 4; i++)
			if (size[i]) {
				duct_object_remove((uintptr_t)at + 16 * i);
				size[i] = 0;
			}
	}
	ok(good, "an address belongs to the block that is there now");
}

static void shapes(void)
{
	struct {
		int32_t a;
		uint8_t b[3];
		struct {
			int16_t c[2];
		} d;
		void *p;
		_Bool e;
	} s;
	static const char shape[] = "{0.a=i4;4.b=3*1:c1;8.d={0.c=2*2:i2};16.p=p8;24.e=b1}";
	static const char *const names[] = { "s.a", "s.b[0]", "s.b[1]", "s.b[2]", "s.d.c[0]",
		"s.d.c[1]", "s.e" };
	static const char kinds[] = "icccii"
	                            "b";
	bool good = true;
	int16_t c1 = -2;
	uint8_t e = 255;

	start();
	give(ch, "s.d.c[1]", &c1, 2);
	give(ch, "s.e", &e, 1);
	duct_inputs_start(ch);
	ch->var.used = 0;
	memset(&s, 0x55, sizeof s);
	duct_rt_input(&s, sizeof s, "s", shape);
	for (size_t i = 0; i < 7; i++)
		good &= !strcmp(blob_text(ch, vars(ch)[i].name), names[i])
		    && vars(ch)[i].kind == kinds[i];
	ok(good && ch->var.used == 7 * sizeof(struct channel_var), "leaves are named by C lvalues");
	ok(s.a == 0 && s.d.c[1] == -2 && s.e == 1 && s.p == (void *)0x5555555555555555,
	    "values go to their places");
	ok(duct_at(duct_rt_load(&s.e, 1, 8))->op == OP_ZEXT, "a bool is 0 or 1 by construction");
	duct_rt_input(&s, 4, "s", NULL);
	ok(!strcmp(blob_text(ch, vars(ch)[7].name), "s#2"), "a name met before gets a number");
}

/* An index that leaves its object ends the run, even where another object lies. */
static void out_of_bounds(void)
{
	duct_node n;

	start();
	n = duct_rt_unary(OP_ZEXT, 64, 8, 0, in[0].n);
	n = duct_rt_pointer(0, (uintptr_t)object[0], n, (uint64_t)in[0].v);
	if (fork() == 0) {
		input[0][0] = SIZE; /* not the value: the address is */
		duct_rt_load_at(NULL, 7, object[0] + (uint8_t)in[0].v, n, 4, 32);
		_exit(1);
	}
	wait(NULL);
	ok(ch->fault == ((uint8_t)in[0].v > SIZE - 4 ? FAULT_BOUNDS : FAULT_NONE)
	        && event_count(ch, EV_BOUNDS) == 1,
	    "bounds are a condition of the path");
}

int main(void)
{
	bool good = true;

#ifdef __SANITIZE_ADDRESS__
	printf("1..0 # SKIP shadow memory lies where the sanitizer's does\n");
	return 0;
#endif
	for (int i = 0; i < 1500 && good; i++)
		good = one_round();
	ok(good, "loads after random stores give what a plain model says, for any input");
	stale();
	spans();
	blocks();
	shapes();
	for (int i = 0; i < 4; i++)
		out_of_bounds();
	return finish();
}
