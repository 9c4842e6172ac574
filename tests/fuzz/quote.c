/* Quoting for the languages of the reports: the text is read back as its language would read it. */
#include "lib/report/quote.h"
#include "tests/fuzz/fuzz.h"

#include <stdbool.h>

/* The character at s, of *n bytes; a byte of invalid UTF-8 counts as a character. */
static uint32_t character(const unsigned char *s, size_t *n)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t bytes = *s < 0x80 ? 1
	    : *s < 0xc0          ? 0
	    : *s < 0xe0          ? 2
	    : *s < 0xf0          ? 3
	    : *s < 0xf8          ? 4
	                         : 0;
	uint32_t c = bytes < 2 ? *s : *s & (0x7fu >> bytes);

	for (size_t i = 1; i < bytes; i++) {
		if ((s[i] & 0xc0) != 0x80)
			bytes = 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	*n = bytes && c >= least[bytes] && c < 0x110000 && (c < 0xd800 || c > 0xdfff) ? bytes : 0;
	if (*n)
		return c;
	*n = 1;
	return *s;
}

static bool is_valid(const char *s)
{
	size_t n;

	for (; *s; s += n)
		if (character((const unsigned char *)s, &n) >= 0x80 && n == 1)
			return false;
	return true;
}

static char *written(void (*write)(FILE *f, const char *s), const char *text)
{
	char *out;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	write(f, text);
	if (fclose(f) || strlen(out) != size)
		abort();
	return out;
}

static void write_json(FILE *f, const char *text)
{
	quote_json(f, text, "<");
}

static void check_json(const char *text)
{
	char *out = written(write_json, text);
	const unsigned char *s = (const unsigned char *)out + 1, *t = (const unsigned char *)text;
	size_t n, m;

	if (*out != '"' || !is_valid(out))
		abort();
	for (; *s != '"'; s += n, t += m) {
		uint32_t c = character(s, &n), want = character(t, &m);
		if (c < ' ' || c == '<')
			abort();
		if (c == '\\') {
			n = s[1] == 'u' ? 6 : 2;
			c = s[1] == 'u'   ? (uint32_t)strtoul((char[]){ (char)s[2], (char)s[3],
			                                          (char)s[4], (char)s[5], 0 },
			                        NULL, 16)
			    : s[1] == 'n' ? '\n'
			                  : s[1];
		}
		if (c != want)
			abort();
	}
	if (*t || s[1])
		abort();
	free(out);
}

static void check_xml(const char *text)
{
	char *out = written(quote_xml, text), *s;

	if (!is_valid(out) || strpbrk(out, "<>\""))
		abort();
	for (s = out; *s; s++)
		if ((unsigned char)*s < ' ' || (*s == '&' && !strchr(s, ';')))
			abort();
	free(out);
}

/* As compilers read it: trigraphs, then joined lines. */
static void check_comment(const char *text)
{
	char *out = written(quote_comment, text), *to = out;

	for (const char *s = out; *s;) {
		size_t back = *s == '\\' ? 1 : strncmp(s, "?\?/", 3) ? 0 : 3;
		size_t blank = back ? strspn(s + back, " \t\v\f\r") : 0;
		if (back && s[back + blank] == '\n')
			s += back + blank + 1;
		else
			*to++ = *s++;
	}
	*to = 0;
	if (strstr(out, "*/") || strstr(out, "/*"))
		abort();
	free(out);
}

static void check_line(const char *text)
{
	char *out = written(quote_line, text);

	for (const char *s = out; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 127)
			abort();
	free(out);
}

static bool skip(const char **s, const char *word)
{
	bool is = !strncmp(*s, word, strlen(word));

	*s += is ? strlen(word) : 0;
	return is;
}

/* As make expands it, then as the shell reads the word. */
static void check_make(const char *text)
{
	char *out = written(quote_make, text), *to = out;
	char quote = 0;

	for (const char *s = out; *s;) {
		char c = skip(&s, "$$")             ? '$'
		    : skip(&s, "$(DUCT_HASH)")      ? '#'
		    : skip(&s, "$(DUCT_BACKSLASH)") ? '\\'
		                                    : 0;
		if (!c && (*s == '$' || *s == '#' || *s == '\\'))
			abort();
		*to++ = c ? c : *s++;
	}
	*to = 0;
	for (const char *s = out; *s; s++) {
		if (!quote && (*s == '\'' || *s == '"')) {
			quote = *s;
		} else if (quote == *s) {
			quote = 0;
		} else {
			if ((!quote && strchr(" \t;&|<>()$`*?[]{}~!#\\", *s))
			    || (quote == '"' && strchr("$`\\", *s)) || *s != *text++)
				abort();
		}
	}
	if (quote || *text)
		abort();
	free(out);
}

/* As a shell reads it: one word. */
static void check_sh(const char *text)
{
	char *out = written(quote_sh, text);
	bool quoted = false;

	for (const char *s = out; *s; s++) {
		if (*s == '\'') {
			quoted = !quoted;
			continue;
		}
		if (!quoted && (*s != '\\' || *++s != '\''))
			abort();
		if (*s != *text++)
			abort();
	}
	if (quoted || *text || *out != '\'')
		abort();
	free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (size)
		memcpy(text, data, size);
	text[size] = 0;
	check_json(text);
	check_xml(text);
	check_comment(text);
	check_line(text);
	check_sh(text);
	if (quote_fits_make(text))
		check_make(text);
	free(text);
	return 0;
}
