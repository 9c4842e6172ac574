/* Inflates standard input, a few bytes at a time, zlib or gzip by its header. */
#include <stdio.h>

#include "zlib.h"

int main(void)
{
	static unsigned char in[4096], out[4096];
	gz_header head = { 0 };
	z_stream z = { 0 };
	size_t n = fread(in, 1, sizeof in, stdin), at = 0;
	int status = inflateInit2(&z, 47);

	head.name = out;
	head.name_max = 16;
	head.comment = out + 16;
	head.comm_max = 16;
	inflateGetHeader(&z, &head);
	z.next_out = out + 64;
	z.avail_out = sizeof out - 64;
	while (status == Z_OK && at < n) {
		z.next_in = in + at;
		z.avail_in = n - at < 16 ? (unsigned)(n - at) : 16;
		at += z.avail_in;
		status = inflate(&z, Z_SYNC_FLUSH);
	}
	if (status == Z_DATA_ERROR && inflateSync(&z) == Z_OK)
		status = inflate(&z, Z_FINISH);
	printf("%d %lu %s\n", status, z.total_out, z.msg ? z.msg : "");
	return inflateEnd(&z) == Z_OK ? 0 : 1;
}
