/* zip: files are stored, not compressed, since tests are small. libarchive would take longer to
 * load than most reports take. Numbers are little-endian; the format is PKWARE's APPNOTE.TXT, 6.3.
 */
#include "lib/report/zip.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum {
	FIRST_DAY = 1 << 5 | 1, /* 1980-01-01, the earliest date there is */
	UTF8 = 1 << 11,
	UNIX = 3 << 8,
	VERSION = 20,
	VERSION_64 = 45,
	MODE = 0100644,
	NO_16 = 0xffff /* the number is in a record of zip64 */
};
static const uint32_t no_32 = 0xffffffff;

static uint32_t crc32(const char *bytes, size_t size)
{
	uint32_t crc = no_32;

	for (size_t i = 0; i < size; i++) {
		crc ^= (unsigned char)bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static void number(FILE *f, int bytes, uint64_t value)
{
	for (; bytes > 0; bytes--, value >>= 8)
		putc((int)(value & 0xff), f);
}

void zip_open(struct zip *z, FILE *out)
{
	*z = (struct zip){ .out = out };
	z->list = text_stream(&z->listed, &z->listed_size);
}

/* The fields that the header of a file and its record in the list have in common. */
static void common(FILE *f, uint32_t crc, size_t length, size_t size, size_t extra)
{
	number(f, 2, UTF8);
	number(f, 2, 0); /* stored */
	number(f, 2, 0); /* midnight */
	number(f, 2, FIRST_DAY);
	number(f, 4, crc);
	number(f, 4, size);
	number(f, 4, size);
	number(f, 2, length);
	number(f, 2, extra);
}

void zip_add(struct zip *z, const char *path, const char *bytes, size_t size)
{
	size_t length = strlen(path);
	uint32_t crc = crc32(bytes, size);
	int far = z->at >= no_32;

	fputs("PK\3\4", z->out);
	number(z->out, 2, VERSION);
	common(z->out, crc, length, size, 0);
	fwrite(path, 1, length, z->out);
	fwrite(bytes, 1, size, z->out);

	fputs("PK\1\2", z->list);
	number(z->list, 2, UNIX | VERSION_64);
	number(z->list, 2, far ? VERSION_64 : VERSION);
	common(z->list, crc, length, size, far ? 12 : 0);
	number(z->list, 2, 0); /* no comment */
	number(z->list, 2, 0); /* first disk */
	number(z->list, 2, 0); /* no internal attributes */
	number(z->list, 4, (uint64_t)MODE << 16);
	number(z->list, 4, far ? no_32 : z->at);
	fwrite(path, 1, length, z->list);
	if (far) {
		number(z->list, 2, 1);
		number(z->list, 2, 8);
		number(z->list, 8, z->at);
	}
	z->at += 30 + length + size;
	z->files++;
}

/* The end of archives with more files or bytes than fit into the common end. */
static void end_64(const struct zip *z)
{
	fputs("PK\6\6", z->out);
	number(z->out, 8, 44);
	number(z->out, 2, UNIX | VERSION_64);
	number(z->out, 2, VERSION_64);
	number(z->out, 4, 0);
	number(z->out, 4, 0);
	number(z->out, 8, z->files);
	number(z->out, 8, z->files);
	number(z->out, 8, z->listed_size);
	number(z->out, 8, z->at);
	fputs("PK\6\7", z->out);
	number(z->out, 4, 0);
	number(z->out, 8, z->at + z->listed_size);
	number(z->out, 4, 1);
}

void zip_close(struct zip *z)
{
	fclose(z->list);
	fwrite(z->listed, 1, z->listed_size, z->out);
	int large = z->files >= NO_16 || z->at >= no_32 || z->listed_size >= no_32;
	if (large)
		end_64(z);
	fputs("PK\5\6", z->out);
	number(z->out, 2, 0);
	number(z->out, 2, 0);
	number(z->out, 2, large ? NO_16 : z->files);
	number(z->out, 2, large ? NO_16 : z->files);
	number(z->out, 4, large ? no_32 : z->listed_size);
	number(z->out, 4, large ? no_32 : z->at);
	number(z->out, 2, 0);
	free(z->listed);
}
