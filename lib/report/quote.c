/* quote: escaping for the languages of the reports. */
#include "lib/report/quote.h"
#include "lib/base/utf8.h"

#include <string.h>

void quote_json(FILE *f, const char *text, const char *also)
{
	if (!text) {
		fputs("null", f);
		return;
	}
	putc('"', f);
	for (const unsigned char *s = (const unsigned char *)text; *s;) {
		size_t n = utf8_length((const char *)s);
		if (*s == '"' || *s == '\\')
			fprintf(f, "\\%c", *s++);
		else if (*s == '\n')
			fprintf(f, "\\n%.0s", s++);
		else if (*s < ' ' || *s == 127 || n == 0 || strchr(also, *s))
			fprintf(f, "\\u%04x", *s++);
		else if (utf8_is_control(
		             (const char *)s)) /* two bytes, of which the second says it */
			fprintf(f, "\\u%04x", s[1]), s += 2;
		else
			for (; n; n--)
				putc(*s++, f);
	}
	putc('"', f);
}

static const char *entity(unsigned char c)
{
	switch (c) {
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '&': return "&amp;";
	case '"': return "&quot;";
	case '\n': return "&#10;";
	case '\t': return "&#9;";
	default: return c < ' ' ? "?" : NULL;
	}
}

/* Is it U+FFFE or U+FFFF? */
static int is_barred(const unsigned char *s, size_t n)
{
	return n == 3 && s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe;
}

void quote_xml(FILE *f, const char *text)
{
	for (const unsigned char *s = (const unsigned char *)text; *s;) {
		size_t n = utf8_length((const char *)s);
		const char *as = is_barred(s, n) ? "?" : entity(*s);
		if (as)
			fputs(as, f);
		else if (n == 0)
			fprintf(f, "&#%d;", *s);
		else
			fwrite(s, 1, n, f);
		s += n ? n : 1;
	}
}

/* Is it the end of a backslash, or of its trigraph, with which a line ends, if for blanks?
 * Compilers join such a line with the next one, which could make an end of the comment. */
static bool joins_lines(const unsigned char *s)
{
	return (*s == '\\' || *s == '/') && s[1 + strspn((const char *)s + 1, " \t")] == '\n';
}

void quote_comment(FILE *f, const char *text)
{
	for (const unsigned char *s = (const unsigned char *)text; *s;) {
		size_t n = utf8_length((const char *)s);
		if (n == 0 || *s < ' ' || *s == 127)
			putc(n && (*s == '\n' || *s == '\t') ? *s : '?', f);
		else
			fwrite(s, 1, n, f);
		if ((*s == '*' && s[1] == '/') || (*s == '/' && s[1] == '*') || joins_lines(s))
			putc(*s == '*' || s[1] == '*' ? ' ' : '.', f);
		s += n ? n : 1;
	}
}

void quote_line(FILE *f, const char *text)
{
	for (const unsigned char *s = (const unsigned char *)text; *s; s++)
		if (*s < ' ' || *s == 127)
			fprintf(f, "\\x%02x", *s);
		else
			putc(*s, f);
}

bool quote_fits_make(const char *text)
{
	return !strpbrk(text, "\n\r");
}

void quote_sh(FILE *f, const char *text)
{
	putc('\'', f);
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", f);
		else
			putc(*text, f);
	putc('\'', f);
}

void quote_make(FILE *f, const char *text)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,+-@%^";

	if (*text && !text[strspn(text, plain)]) {
		fputs(text, f);
		return;
	}
	putc('\'', f);
	for (; *text; text++)
		switch (*text) {
		case '$': fputs("$$", f); break;
		case '#': fputs("$(DUCT_HASH)", f); break;
		case '\\': fputs("$(DUCT_BACKSLASH)", f); break;
		case '\'': fputs("'\"'\"'", f); break;
		default: putc(*text, f);
		}
	putc('\'', f);
}

const char quote_make_head[] =
    "DUCT_HASH := \\#\nDUCT_NOTHING :=\nDUCT_BACKSLASH := \\$(DUCT_NOTHING)\n";
