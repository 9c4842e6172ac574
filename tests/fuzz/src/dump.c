/* Seed of the fuzz target `channel`: a program under test that writes its own channel, areas
 * packed, to a file in the folder SEEDS. */
#include "lib/protocol/channel.h"
#include <stdio.h>

extern struct channel *duct_channel __attribute__((visibility("hidden")));

static void pack(FILE *f, const char *base, struct channel_area *a, uint64_t n)
{
	uint64_t from = a->offset;

	a->offset = (uint64_t)ftell(f);
	a->capacity = n;
	fwrite(base + from, 1, n, f);
	while (ftell(f) % 8)
		putc(0, f);
}

void dump(void)
{
	const char *base = (const char *)duct_channel;
	struct channel c;
	char path[4096];
	FILE *f;

	if (!duct_channel)
		return;
	c = *duct_channel;
	snprintf(path, sizeof path, "%s/%llu", SEEDS, (unsigned long long)c.event.used);
	if (!(f = fopen(path, "wb")))
		return;
	fwrite(&c, sizeof c, 1, f);
	struct channel_area *area[] = { &c.input, &c.node, &c.var, &c.event, &c.address, &c.blob,
		&c.unit };
	for (int i = 0; i < 7; i++)
		pack(f, base, area[i], area[i]->used);
	pack(f, base, &c.cover, c.cover.capacity < 4096 ? c.cover.capacity : 4096);
	c.setup.used = 0;
	c.size = (uint64_t)ftell(f);
	rewind(f);
	fwrite(&c, sizeof c, 1, f);
	fclose(f);
}
