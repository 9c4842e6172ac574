/* out: text for people, on its way to standard output. */
#include "lib/report/out.h"
#include "lib/base/grow.h"
#include "lib/base/utf8.h"
#include "lib/report/lines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_system(const char *file)
{
	return !strncmp(file, "/usr/", strlen("/usr/"));
}

/* Length of the folder that all source files are in, with its last slash; *of: one of them. */
static size_t common_folder(const struct store_view *v, const char **of)
{
	const char **file = source_files(v);
	size_t n = 0;

	*of = NULL;
	for (size_t i = 0; file[i]; i++) {
		if (is_system(file[i]))
			continue;
		if (!*of) {
			*of = file[i];
			n = strlen(*of);
		}
		while (n && (strncmp(*of, file[i], n) || (*of)[n - 1] != '/'))
			n--;
	}
	free(file);
	return n;
}

/* Copies a text without the folder of the sources, where a place begins, and without control
 * characters. */
static void without_folder(FILE *f, const char *text, const char *folder, size_t n)
{
	const char *at = text;

	for (; n && (at = strstr(at, folder)); at += n) {
		if (at > text && !strchr(" `(", at[-1]))
			continue;
		utf8_show(f, text, (size_t)(at - text));
		text = at + n;
	}
	utf8_show(f, text, strlen(text));
}

/* Colours of headings. */
static const struct {
	const char *heading, *colour;
} table[] = {
	{ "failures: none", "" },
	{ "failures:", "1;31" },
	{ "findings:", "1;31" },
	{ "  unknown:", "33" },
	{ "open:", "1;33" },
	{ "  infeasible:", "36" },
};

/* Length of a line's beginning that a colour is for; *colour: which one, "" none. */
static size_t heading_of(const char *line, const char **colour)
{
	size_t n = strcspn(line, ":\n");

	*colour = "";
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (!strncmp(line, table[i].heading, strlen(table[i].heading))) {
			*colour = table[i].colour;
			return strlen(table[i].heading);
		}
	if (*line != ' ' && line[n] == ':' && !memchr(line, ' ', n))
		*colour = "1";
	return n + (line[n] == ':');
}

/* Writes a text with its headings in colour. */
static void painted(FILE *f, const char *text)
{
	while (*text) {
		const char *colour;
		size_t n = heading_of(text, &colour), end = strcspn(text, "\n");
		if (*colour)
			fprintf(f, "\33[%sm%.*s\33[m", colour, (int)n, text);
		else
			n = 0;
		end += text[end] == '\n';
		fwrite(text + n, 1, end - n, f);
		text += end;
	}
}

bool report_colour(void)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") && !(no && *no);
}

FILE *out_begin(struct out *o, FILE *to, const struct store_view *v, bool colour)
{
	*o = (struct out){ .to = to, .v = v, .colour = colour };
	o->memory = text_stream(&o->text, &o->size);
	return o->memory;
}

void out_end(struct out *o, bool name_folder)
{
	const char *file;
	size_t n = common_folder(o->v, &file), size;
	char *folder = copied_part(n ? file : "", n), *text = NULL;
	FILE *m = text_stream(&text, &size);

	fclose(o->memory);
	if (n && name_folder)
		fprintf(m, "places are in %s\n", folder);
	without_folder(m, o->text, folder, n);
	fclose(m);
	if (o->colour)
		painted(o->to, text);
	else
		fputs(text, o->to);
	free(o->text);
	free(text);
	free(folder);
}
