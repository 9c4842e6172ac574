/* A record that a program under `duct cover` left behind: the header's fields and texts say
 * anything; what is read of one that counts as complete lies within it. */
#include "lib/cover/file.h"
#include "tests/fuzz/fuzz.h"

#include <unistd.h>

static volatile uint64_t sum;

static void read_units(const struct record_file *f)
{
	for (uint32_t i = 0; i < f->r->units; i++) {
		const struct channel_unit *u = &record_units(f)[i];
		const uint8_t *cover = record_cover(f, u);

		for (uint64_t k = 0; k < (uint64_t)u->outcomes + u->blocks; k++)
			sum += cover[k];
	}
}

static void read_texts(const struct record_file *f)
{
	const uint64_t at[] = { f->r->command, f->r->program, f->r->test };

	for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
		const char *text = record_text(f, at[i]);

		sum += text ? strlen(text) : 0;
	}
}

static void read_pairs(const struct record_file *f)
{
	size_t n;
	const struct channel_pair *p = record_pairs(f, &n);

	for (size_t i = 0; i < n; i++)
		sum += p[i].def + p[i].use;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct record head = { 0 };
	struct record_file r;
	char path[64];
	FILE *f;

	snprintf(path, sizeof path, "/dev/shm/duct-fuzz-%d.record", (int)getpid());
	memcpy(&head, data, size < sizeof head ? size : sizeof head);
	if (size >= sizeof head && !(head.magic & 1)) { /* what no mutation finds */
		head.magic = RECORD_MAGIC;
		head.version = RECORD_VERSION;
		head.size = size;
	}
	if (!(f = fopen(path, "wb")))
		abort();
	fwrite(&head, 1, size < sizeof head ? size : sizeof head, f);
	if (size > sizeof head)
		fwrite(data + sizeof head, 1, size - sizeof head, f);
	fclose(f);
	if (record_read(path, &r)) {
		read_units(&r);
		read_texts(&r);
		read_pairs(&r);
		record_free(&r);
	}
	unlink(path);
	return 0;
}
