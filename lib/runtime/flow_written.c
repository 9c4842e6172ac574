/* Places that runs wrote in the scopes of decisions (flow.c), in memory that the server shares with
 * all its runs, and run-trace with other servers (flowmap.h): one entry for each place, in a list
 * for each scope, found again by a hash. */
#include "lib/runtime/flow.h"

#include <sys/mman.h>

struct place_slot {
	uint32_t entry;
	uint32_t scope; /* the newest entry of its scope with this hash */
};

static struct flowmap *learned;
static struct place_slot *slots;
static struct flowmap_place *places;

#define MOST_PLACES_NESTED 1024u /* scopes whose entries have to be spread */

extern const char __ehdr_start[] __attribute__((visibility("hidden")));

void duct_flow_reserve(bool woven, uint32_t map)
{
	long p = woven
	    ? sys6(SYS_mmap, 0, FLOWMAP_SIZE, PROT_READ | PROT_WRITE,
	          MAP_SHARED | (map ? 0 : MAP_ANONYMOUS) | MAP_NORESERVE, (int)map - 1, 0)
	    : 0;

	if (map)
		sys1(SYS_close, (int)map - 1);
	if (!p || (p < 0 && p > -4096))
		return;
	learned = (struct flowmap *)p;
	slots = (struct place_slot *)(p + FLOWMAP_SLOTS);
	places = (struct flowmap_place *)(p + (long)FLOWMAP_PLACES);
	learned->image = (uintptr_t)__ehdr_start;
	if (!learned->mask)
		learned->mask = FLOWMAP_FIRST_SLOTS - 1;
}

uintptr_t duct_flow_shared(void)
{
	return (uintptr_t)learned;
}

uint64_t duct_flow_learned(void)
{
	return learned ? learned->entries : 0;
}

/* The slot of an entry or of its scope's newest entry, or the slot where it is to be put. */
static struct place_slot *slot_of(const struct flowmap_place *e, bool whole)
{
	uint64_t i = duct_flow_mix(
	    e->scope, whole ? 1 : duct_flow_mix(duct_flow_mix(e->object, e->at), e->size));

	for (;; i++) {
		struct place_slot *s = &slots[i &= learned->mask];
		uint32_t n = whole ? s->scope : s->entry;
		const struct flowmap_place *p = &places[n];

		if (!n && !s->entry && !s->scope)
			return s;
		if (n && p->scope == e->scope
		    && (whole || (p->object == e->object && p->at == e->at && p->size == e->size)))
			return s;
	}
}

/* Doubles the number of slots. A run that is killed meanwhile leaves them incomplete; the next run
 * sees this from `used`. */
static void rehash(void)
{
	for (uint64_t i = 0; i <= learned->mask; i++)
		slots[i] = (struct place_slot){ 0, 0 };
	for (uint32_t n = 1; n <= learned->entries; n++) {
		slot_of(&places[n], false)->entry = n;
		slot_of(&places[n], true)->scope = n;
	}
	learned->used = learned->entries;
}

void duct_flow_learn(struct flowmap_place e)
{
	struct place_slot *s;
	uint32_t n;

	if (learned->used != learned->entries)
		rehash();
	s = slot_of(&e, false);
	if (s->entry)
		return;
	if (learned->entries + 1 >= FLOWMAP_MOST) {
		duct_flow_lost("too many places are written under decisions");
		return;
	}
	n = (uint32_t)learned->entries + 1;
	e.next = slot_of(&e, true)->scope;
	places[n] = e;
	learned->entries = n;
	s->entry = n;
	slot_of(&e, true)->scope = n;
	learned->used = n;
	duct_channel->flow_learned = n;
	if (2 * (uint64_t)n > learned->mask / 2) {
		learned->used = 0;
		learned->mask = learned->mask * 2 + 1;
		rehash();
	}
}

void duct_flow_spread(uint64_t scope, uint32_t l)
{
	uint64_t number, next[MOST_PLACES_NESTED];
	size_t n = 0;

	if (learned->used != learned->entries)
		rehash();
	number = ++learned->closed;

	next[n++] = scope;
	while (n) {
		uint64_t name = next[--n];

		for (uint32_t i = slot_of(&(struct flowmap_place){ .scope = name }, true)->scope; i;
		    i = places[i].next) {
			struct flowmap_place *p = &places[i];
			uintptr_t a;

			if (!p->size) {
				if (p->closed == number)
					continue;
				p->closed = number;
				if (n == MOST_PLACES_NESTED) {
					duct_flow_lost("too many decisions within each other");
					return;
				}
				next[n++] = p->object;
				continue;
			}
			a = duct_flow_now(p, (uintptr_t)__builtin_frame_address(0));
			if (a == (uintptr_t)&duct_flow_hidden)
				duct_flow_hidden = duct_rt_flow_join(duct_flow_hidden, l);
			else if (a)
				duct_flow_add(a, p->size, l);
		}
	}
}
