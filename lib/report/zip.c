#include "lib/report/zip.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/grow.h"

/* Values of fields, see APPNOTE.TXT, sections 4.3 and 4.4. */
enum {
	VERSION = 20,          /* 2.0 reads it */
	VERSION_64 = 45,       /* 4.5, where there are more than 65,535 files */
	MADE_ON_UNIX = 3 << 8, /* the attributes are a mode */
	FIRST_DAY = 0x21,      /* 1980-01-01, the first date that there is */
	MOST_FILES = 0xffff
};
#define MODE (0100644u << 16)

static void number(struct zip *z, unsigned bytes, uint64_t v)
{
	for (unsigned i = 0; i < bytes; i++)
		putc((int)(v >> 8 * i & 0xff), z->f);
	z->at += bytes;
}

static void text(struct zip *z, const void *bytes, size_t n)
{
	fwrite(bytes, 1, n, z->f);
	z->at += n;
}

/* CRC-32 of IEEE 802.3. */
static uint32_t checksum(const uint8_t *s, size_t n)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < n; i++) {
		crc ^= s[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

/* What the header of a file and its entry in the directory share. */
static void description(struct zip *z, const struct zip_entry *e)
{
	number(z, 2, VERSION);
	number(z, 2, 0); /* flags */
	number(z, 2, 0); /* stored */
	number(z, 2, 0); /* time */
	number(z, 2, FIRST_DAY);
	number(z, 4, e->checksum);
	number(z, 4, e->size); /* compressed */
	number(z, 4, e->size);
	number(z, 2, strlen(e->path));
	number(z, 2, 0); /* extra field */
}

struct zip zip_open(FILE *f)
{
	return (struct zip){ .f = f };
}

void zip_put(struct zip *z, const char *path, const void *bytes, size_t n)
{
	struct zip_entry *e;

	if (z->full || n > UINT32_MAX || z->at > UINT32_MAX) {
		z->full = true;
		return;
	}
	e = PUSH(z->entry, z->n);
	*e = (struct zip_entry){ copied(path), checksum(bytes, n), (uint32_t)n, (uint32_t)z->at };
	text(z, "PK\3\4", 4);
	description(z, e);
	text(z, path, strlen(path));
	text(z, bytes, n);
}

static void directory_entry(struct zip *z, const struct zip_entry *e)
{
	text(z, "PK\1\2", 4);
	number(z, 2, MADE_ON_UNIX | VERSION);
	description(z, e);
	number(z, 2, 0); /* comment */
	number(z, 2, 0); /* disk */
	number(z, 2, 0); /* internal attributes */
	number(z, 4, MODE);
	number(z, 4, e->offset);
	text(z, e->path, strlen(e->path));
}

/* The end of a directory whose numbers are too large for the usual one, and where that end is. */
static void end_64(struct zip *z, uint64_t at, uint64_t size)
{
	uint64_t here = z->at;

	text(z, "PK\6\6", 4);
	number(z, 8, 44); /* bytes that follow */
	number(z, 2, MADE_ON_UNIX | VERSION_64);
	number(z, 2, VERSION_64);
	number(z, 8, 0); /* disks */
	number(z, 8, z->n);
	number(z, 8, z->n);
	number(z, 8, size);
	number(z, 8, at);
	text(z, "PK\6\7", 4);
	number(z, 4, 0); /* disk */
	number(z, 8, here);
	number(z, 4, 1); /* disks */
}

static uint64_t at_most(uint64_t v, uint64_t most)
{
	return v < most ? v : most;
}

const char *zip_close(struct zip *z)
{
	uint64_t at = z->at, size;
	const char *error = z->full ? "the archive would be larger than 4 GiB" : NULL;

	for (size_t i = 0; i < z->n; i++)
		directory_entry(z, &z->entry[i]);
	size = z->at - at;
	if (z->n >= MOST_FILES || at + size >= UINT32_MAX)
		end_64(z, at, size);
	text(z, "PK\5\6", 4);
	number(z, 4, 0); /* disks */
	number(z, 2, at_most(z->n, MOST_FILES));
	number(z, 2, at_most(z->n, MOST_FILES));
	number(z, 4, at_most(size, UINT32_MAX));
	number(z, 4, at_most(at, UINT32_MAX));
	number(z, 2, 0); /* comment */
	if (ferror(z->f))
		error = "cannot be written";
	for (size_t i = 0; i < z->n; i++)
		free(z->entry[i].path);
	free(z->entry);
	*z = (struct zip){ 0 };
	return error;
}
