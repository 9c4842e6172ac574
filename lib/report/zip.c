/* zip: local headers with contents, then the central directory, little-endian (PKWARE's APPNOTE, 4.3). */
#include "lib/report/zip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct zip {
	FILE *f, *directory;
	char *text;                  /* of the directory */
	size_t size;
	uint32_t at, files;
};

static void
number(FILE *f, uint32_t v, int bytes)
{
	for (; bytes; bytes--, v >>= 8)
		putc((int)(v & 0xff), f);
}

static uint32_t
crc32(const unsigned char *s, size_t n)
{
	uint32_t c = ~0u;

	for (size_t i = 0; i < n; i++) {
		c ^= s[i];
		for (int k = 0; k < 8; k++)
			c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
	}
	return ~c;
}

struct zip *
zip_open(FILE *f)
{
	struct zip *z = calloc(1, sizeof *z);

	if (!z || !(z->directory = open_memstream(&z->text, &z->size)))
		abort();
	z->f = f;
	return z;
}

/* What a file's header says here and in the directory: version 2.0, no flags, stored, 1 January 1980. */
static void
header(FILE *f, uint32_t crc, size_t n, const char *name)
{
	number(f, 20, 2);
	number(f, 0, 2);
	number(f, 0, 2);
	number(f, 0, 2);
	number(f, 1 << 5 | 1, 2);
	number(f, crc, 4);
	number(f, (uint32_t)n, 4);
	number(f, (uint32_t)n, 4);
	number(f, (uint32_t)strlen(name), 2);
	number(f, 0, 2);
}

void
zip_add(struct zip *z, const char *name, const void *content, size_t n)
{
	uint32_t crc = crc32(content, n);

	number(z->f, 0x04034b50, 4);
	header(z->f, crc, n, name);
	fputs(name, z->f);
	fwrite(content, 1, n, z->f);

	number(z->directory, 0x02014b50, 4);
	number(z->directory, 20, 2);
	header(z->directory, crc, n, name);
	number(z->directory, 0, 2);          /* comment */
	number(z->directory, 0, 2);          /* disk */
	number(z->directory, 0, 2);
	number(z->directory, 0, 4);
	number(z->directory, z->at, 4);
	fputs(name, z->directory);
	z->at += (uint32_t)(30 + strlen(name) + n);
	z->files++;
}

void
zip_close(struct zip *z)
{
	fclose(z->directory);
	fwrite(z->text, 1, z->size, z->f);
	number(z->f, 0x06054b50, 4);
	number(z->f, 0, 4);                  /* disks */
	number(z->f, z->files, 2);
	number(z->f, z->files, 2);
	number(z->f, (uint32_t)z->size, 4);
	number(z->f, z->at, 4);
	number(z->f, 0, 2);
	free(z->text);
	free(z);
}
