/* runtime: a channel in this process for the unit tests of lib/runtime, and TAP. */
#ifndef TEST_RUNTIME_H
#define TEST_RUNTIME_H

#include "lib/runtime/rt.h"
#include "tests/unit/tap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef __SANITIZE_ADDRESS__
extern const char duct_without_shadow;
const char duct_without_shadow = 1;
#endif

static inline uint64_t random_word(void)
{
	return draw();
}

#define AREA ((uint64_t)1 << 28)

/* A channel with empty areas, mapped shared so that a forked test's results come back. */
static struct channel *test_channel(void)
{
	static struct channel *ch;
	struct channel_area *area;
	size_t count = 8;

	if (!ch)
		ch = mmap(NULL, 4096 + count * AREA, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	*ch = (struct channel){ .magic = CHANNEL_MAGIC, .version = CHANNEL_VERSION };
	ch->size = 4096 + count * AREA;
	area = &ch->input;
	for (size_t i = 0; i < count; i++)
		area[i] = (struct channel_area){ 4096 + i * AREA, AREA, 0 };
	return ch;
}

/* Appends a value to the input area; before the run starts. */
static inline void give(struct channel *ch, const char *name, const void *value, size_t size)
{
	char *p = (char *)ch + ch->input.offset + ch->input.used;
	struct channel_input in = { (uint16_t)strlen(name), (uint16_t)size };

	memcpy(p, &in, sizeof in);
	memcpy(p + sizeof in, name, strlen(name));
	memcpy(p + sizeof in + strlen(name), value, size);
	ch->input.used += (sizeof in + strlen(name) + size + 7) & ~(size_t)7;
}

static inline struct channel_event *events(struct channel *ch)
{
	return (struct channel_event *)((char *)ch + ch->event.offset);
}

static inline size_t event_count(struct channel *ch, int kind)
{
	size_t n = 0;

	for (size_t i = 0; i < ch->event.used / sizeof(struct channel_event); i++)
		n += kind == 0 || events(ch)[i].kind == kind;
	return n;
}

static inline struct channel_var *vars(struct channel *ch)
{
	return (struct channel_var *)((char *)ch + ch->var.offset);
}

static inline const char *blob_text(struct channel *ch, uint64_t at)
{
	return (char *)ch + ch->blob.offset + at;
}

/* Value of a node when input i has value in[i], from the records alone. Arrays: bytes are looked
 * up through the STOREs. */
typedef unsigned __int128 wide;

static inline wide node_eval(struct channel *ch, uint32_t n, const wide *in);

static inline uint8_t array_byte(struct channel *ch, uint32_t a, uint64_t at, const wide *in)
{
	const struct channel_node *p = duct_at(a);

	for (; p->op == OP_STORE; p = duct_at(p->a)) {
		uint64_t offset = (uint64_t)node_eval(ch, p->b, in),
		         size = duct_at(p->c)->width / 8u;

		if (at - offset < size)
			return (uint8_t)(node_eval(ch, p->c, in) >> (at - offset) * 8);
	}
	return at < p->b ? ((uint8_t *)ch)[ch->blob.offset + p->a + at] : 0;
}

static inline wide node_eval(struct channel *ch, uint32_t n, const wide *in)
{
	const struct channel_node *p = duct_at(n);
	wide v = 0, a;

	switch (p->op) {
	case OP_INPUT: return in[p->a];
	case OP_CONST: return p->value;
	case OP_ITE: return node_eval(ch, node_eval(ch, p->a, in) ? p->b : p->c, in);
	case OP_CONCAT:
		return node_eval(ch, p->a, in) << duct_at(p->b)->width | node_eval(ch, p->b, in);
	case OP_READ:
		a = node_eval(ch, p->b, in);
		for (uint32_t i = p->width / 8u; i-- > 0;)
			v = v << 8 | array_byte(ch, p->a, (uint64_t)a + i, in);
		return v;
	}
	a = node_eval(ch, p->a, in);
	switch (p->op) {
	case OP_EXTRACT: return a >> p->c & duct_mask(p->width);
	case OP_ZEXT: return a;
	case OP_SEXT: return duct_sign_extend(a, duct_at(p->a)->width, p->width);
	default:
		return duct_eval(
		    (enum op)p->op, duct_at(p->a)->width, a, p->b ? node_eval(ch, p->b, in) : 0);
	}
}

#endif
