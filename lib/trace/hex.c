/* hex: see hex.h. */
#include <inttypes.h>
#include <stdio.h>

#include "lib/trace/hex.h"

void hex_put(struct rec_writer *w, struct value v)
{
	char buf[40];

	if (!v.hi) {
		rec_hex(w, v.lo);
		return;
	}
	snprintf(buf, sizeof buf, "%" PRIx64 "%016" PRIx64, v.hi, v.lo);
	rec_str(w, buf);
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool hex_get(struct rec_reader *r, const struct rec *rec, size_t i, const char *what,
    unsigned width, struct value *out)
{
	struct value v = { 0, 0 };
	size_t k;
	int d;

	if (i >= rec->n || !rec->len[i] || rec->len[i] > 32) {
		rec_fail(r, "%s is no hexadecimal number of at most 32 digits", what);
		return false;
	}
	for (k = 0; k < rec->len[i]; k++) {
		if ((d = digit(rec->field[i][k])) < 0) {
			rec_fail(r, "%s is `%.40s`, which is no hexadecimal number in lower case",
			    what, rec->field[i]);
			return false;
		}
		v.hi = v.hi << 4 | v.lo >> 60;
		v.lo = v.lo << 4 | (unsigned)d;
	}
	if (!value_fits(v, width)) {
		rec_fail(
		    r, "%s is `%.40s`, which does not fit %u bits", what, rec->field[i], width);
		return false;
	}
	*out = v;
	return true;
}

bool hex_bytes(struct rec_reader *r, const struct rec *rec, size_t i, uint8_t *out)
{
	size_t k;
	int high, low;

	if (rec->len[i] % 2 || !rec->len[i]) {
		rec_fail(r, "bytes are pairs of hexadecimal digits");
		return false;
	}
	for (k = 0; k < rec->len[i]; k += 2) {
		high = digit(rec->field[i][k]);
		low = digit(rec->field[i][k + 1]);
		if (high < 0 || low < 0) {
			rec_fail(r, "bytes are pairs of hexadecimal digits in lower case");
			return false;
		}
		out[k / 2] = (uint8_t)(high * 16 + low);
	}
	return true;
}
