/* The shared memory that a program under test may have scribbled over: what is read from it is
 * sound, however it looks. Seeds are written by src/dump.c: the header, areas packed behind it. The
 * mutator changes fields of records, doubles records, and changes the header's numbers. */
#include "lib/expr/expr.h"
#include "tests/fuzz/fuzz.h"

#include <stdbool.h>
#include <stddef.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

#define MEMBER(type, name) { offsetof(type, name), sizeof((type){ 0 }.name) }
#define AREA(name) offsetof(struct channel, name)
enum { MOST_MEMBERS = 14 };

struct member {
	size_t at, size;
};

static const struct layout {
	size_t area, size; /* of a record */
	struct member member[MOST_MEMBERS];
} layouts[] = {
	{ AREA(node), sizeof(struct channel_node),
	    { MEMBER(struct channel_node, op), MEMBER(struct channel_node, width),
	        MEMBER(struct channel_node, a), MEMBER(struct channel_node, b),
	        MEMBER(struct channel_node, c), MEMBER(struct channel_node, value) } },
	{ AREA(var), sizeof(struct channel_var),
	    { MEMBER(struct channel_var, name), MEMBER(struct channel_var, kind),
	        MEMBER(struct channel_var, given), MEMBER(struct channel_var, width),
	        MEMBER(struct channel_var, offset) } },
	{ AREA(wrote), sizeof(struct channel_var),
	    { MEMBER(struct channel_var, name), MEMBER(struct channel_var, kind),
	        MEMBER(struct channel_var, width), MEMBER(struct channel_var, offset) } },
	{ AREA(event), sizeof(struct channel_event),
	    { MEMBER(struct channel_event, kind), MEMBER(struct channel_event, flags),
	        MEMBER(struct channel_event, unit), MEMBER(struct channel_event, id),
	        MEMBER(struct channel_event, node), MEMBER(struct channel_event, x),
	        MEMBER(struct channel_event, y) } },
	{ AREA(address), sizeof(struct channel_address),
	    { MEMBER(struct channel_address, node), MEMBER(struct channel_address, array_before),
	        MEMBER(struct channel_address, array_after), MEMBER(struct channel_address, value),
	        MEMBER(struct channel_address, object), MEMBER(struct channel_address, object_size),
	        MEMBER(struct channel_address, address), MEMBER(struct channel_address, bytes) } },
	{ AREA(unit), sizeof(struct channel_unit),
	    { MEMBER(struct channel_unit, key), MEMBER(struct channel_unit, branches),
	        MEMBER(struct channel_unit, outcomes), MEMBER(struct channel_unit, blocks),
	        MEMBER(struct channel_unit, flags), MEMBER(struct channel_unit, cover) } },
	{ AREA(pair), sizeof(struct channel_pair),
	    { MEMBER(struct channel_pair, def_unit), MEMBER(struct channel_pair, def),
	        MEMBER(struct channel_pair, use_unit), MEMBER(struct channel_pair, use),
	        MEMBER(struct channel_pair, outcome), MEMBER(struct channel_pair, site_unit),
	        MEMBER(struct channel_pair, site), MEMBER(struct channel_pair, def_kind),
	        MEMBER(struct channel_pair, use_kind), MEMBER(struct channel_pair, when),
	        MEMBER(struct channel_pair, possible) } },
	{ AREA(step), sizeof(struct channel_step),
	    { MEMBER(struct channel_step, events), MEMBER(struct channel_step, cover),
	        MEMBER(struct channel_step, def) } },
	{ AREA(meet), sizeof(struct channel_meet),
	    { MEMBER(struct channel_meet, kind), MEMBER(struct channel_meet, a),
	        MEMBER(struct channel_meet, b), MEMBER(struct channel_meet, line),
	        MEMBER(struct channel_meet, col), MEMBER(struct channel_meet, text) } },
	{ AREA(blob), 1, { { 0, 1 } } },
	{ AREA(cover), 1, { { 0, 1 } } },
};

static const struct member head[] = {
	MEMBER(struct channel, fault),
	MEMBER(struct channel, fault_unit),
	MEMBER(struct channel, fault_id),
	MEMBER(struct channel, fault_line),
	MEMBER(struct channel, fault_message),
	MEMBER(struct channel, fault_file),
	MEMBER(struct channel, fault_at),
	MEMBER(struct channel, has_result),
	MEMBER(struct channel, finished),
	MEMBER(struct channel, flows),
	MEMBER(struct channel, flow_control),
	MEMBER(struct channel, flow_risk),
	MEMBER(struct channel, flow_learned),
};

/* Small, near a power of two, or near to what is there. */
static void spoil(uint8_t *at, size_t size)
{
	uint64_t n = 0;

	memcpy(&n, at, size);
	switch (rand() % 8) {
	case 0: n = (UINT64_C(1) << (rand() % 64)) - (uint64_t)(rand() % 3); break;
	case 1:
	case 2:
	case 3: n += (uint64_t)(rand() % 5 - 2); break;
	default: n = (uint64_t)(rand() % 40);
	}
	memcpy(at, &n, size);
}

static struct channel_area *area_of(uint8_t *data, const struct layout *l)
{
	return (struct channel_area *)(data + l->area);
}

/* The records of an area; 0 when it does not fit. */
static size_t records(const struct channel_area *a, size_t size, size_t each)
{
	return a->offset <= size && a->used <= size - a->offset ? a->used / each : 0;
}

/* Moves the area behind all others, with one of its records once more at its end. */
static size_t double_record(uint8_t *data, size_t size, size_t most, const struct layout *l)
{
	struct channel_area *a = area_of(data, l);
	size_t n = records(a, size, l->size), at = (size + 7) & ~(size_t)7;
	size_t to = at + n * l->size;

	if (!n || to + l->size > most)
		return size;
	memset(data + size, 0, at - size);
	memcpy(data + at, data + a->offset, n * l->size);
	memcpy(data + to, data + a->offset + (size_t)rand() % n * l->size, l->size);
	*a = (struct channel_area){ at, (n + 1) * l->size, (n + 1) * l->size };
	return to + l->size;
}

static void spoil_record(uint8_t *data, size_t size, const struct layout *l)
{
	struct channel_area *a = area_of(data, l);
	size_t n = records(a, size, l->size), members = 0;
	const struct member *m;
	uint8_t *record;

	if (!n)
		return;
	while (members < MOST_MEMBERS && l->member[members].size)
		members++;
	m = &l->member[(size_t)rand() % members];
	record = data + a->offset + (size_t)rand() % n * l->size;
	if (rand() % 4)
		spoil(record + m->at, m->size);
	else /* what another record has */
		memcpy(record + m->at, data + a->offset + (size_t)rand() % n * l->size + m->at,
		    m->size);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	const size_t n = sizeof layouts / sizeof *layouts;
	const struct layout *l;
	const struct member *m;

	srand(seed);
	if (size < sizeof(struct channel) || rand() % 32 == 0)
		return LLVMFuzzerMutate(data, size, most);
	for (int times = 1 + rand() % 3; times; times--) {
		l = &layouts[(size_t)rand() % n];
		switch (rand() % 16) {
		case 0: spoil(data + l->area + (size_t)(rand() % 3) * 8, 8); break;
		case 1:
		case 2: size = double_record(data, size, most, l); break;
		case 3: /* one record less */
			if (records(area_of(data, l), size, l->size))
				area_of(data, l)->used -= l->size;
			break;
		case 4:
			m = &head[(size_t)rand() % (sizeof head / sizeof *head)];
			spoil(data + m->at, m->size);
			break;
		default: spoil_record(data, size, l);
		}
	}
	return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct channel *c = malloc(size > sizeof *c ? size : sizeof *c);
	struct trace t = { 0 };
	char *error = NULL, buf[200];

	memcpy(c, data, size);
	if (trace_from_channel(c, size, &t, &error) == 0) {
		struct expr_pool *pool = expr_pool_new();
		expr *map = malloc((t.nodes + 1) * sizeof *map);

		if (trace_check(&t, buf, sizeof buf))
			abort();
		expr_import(pool, &t, map);
		(void)expr_import_check(pool, &t, map);
		free(map);
		expr_pool_free(pool);
		trace_clear(&t);
	}
	free(error);
	free(c);
	return 0;
}
