#include "lib/base/utf8.h"

size_t utf8_length(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n;

	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0)
	    || (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))
		return 0;
	n = *s < 0x80                 ? 1
	    : *s >= 0xc2 && *s < 0xe0 ? 2
	    : *s >= 0xe0 && *s < 0xf0 ? 3
	    : *s >= 0xf0 && *s < 0xf5 ? 4
	                              : 0;
	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

/* Some terminals obey U+0080 to U+009F, others the bytes 0x80 to 0x9f that are no UTF-8. */
bool utf8_is_control(const char *s)
{
	unsigned char c = (unsigned char)*s, next = c ? (unsigned char)s[1] : 0;

	return c < ' ' || c == 127 || (c == 0xc2 && next >= 0x80 && next < 0xa0)
	    || (c >= 0x80 && c < 0xa0);
}

void utf8_tidy(char *s)
{
	while (*s) {
		size_t n = utf8_length(s);

		if (utf8_is_control(s))
			*s = '?', n = n > 1 && (s[1] = '?') ? 2 : 1;
		s += n ? n : 1;
	}
}

void utf8_show(FILE *f, const char *s, size_t n)
{
	for (size_t i = 0, k; i < n; i += k) {
		k = utf8_length(s + i);
		k = k && k <= n - i ? k : 1;
		if (s[i] == '\n' || s[i] == '\t' || !utf8_is_control(s + i))
			fwrite(s + i, 1, k, f);
		else
			for (size_t b = 0; b < k; b++)
				fprintf(f, "\\x%02x", (unsigned char)s[i + b]);
	}
}
