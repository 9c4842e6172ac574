/* Seed of the fuzz target `channel`: a program under test that writes its own channel, areas
 * packed, to a file in the folder SEEDS. */
#include "lib/protocol/channel.h"
#include <stdio.h>
#include <string.h>

/* Where the channel is mapped: the runtime's own names are not visible to programs. */
static const char *find_channel(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long at = 0;
	char line[4096];

	while (f && !at && fgets(line, sizeof line, f))
		if (strstr(line, "memfd:duct-channel"))
			sscanf(line, "%lx-", &at);
	if (f)
		fclose(f);
	return (const char *)at;
}

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
	const char *base = find_channel();
	struct channel c;
	char path[4096];
	FILE *f;

	if (!base)
		return;
	memcpy(&c, base, sizeof c);
	snprintf(path, sizeof path, "%s/%llu", SEEDS, (unsigned long long)c.event.used);
	if (!(f = fopen(path, "wb")))
		return;
	fwrite(&c, sizeof c, 1, f);
	struct channel_area *area[] = { &c.input, &c.node, &c.var, &c.event, &c.address, &c.blob,
		&c.unit, &c.pair, &c.step, &c.meet, &c.wrote, &c.setup };
	for (size_t i = 0; i < sizeof area / sizeof *area; i++)
		pack(f, base, area[i], area[i]->used);
	pack(f, base, &c.cover, c.cover.capacity < 4096 ? c.cover.capacity : 4096);
	c.size = (uint64_t)ftell(f);
	rewind(f);
	fwrite(&c, sizeof c, 1, f);
	fclose(f);
}
