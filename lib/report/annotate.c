/* annotate: prints the sources with the verdicts on each line's conditions and pairs. */
#include "lib/report/aims.h"
#include "lib/report/lines.h"
#include "lib/report/quote.h"
#include "lib/report/report.h"
#include "lib/base/grow.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 256 << 20 }; /* of a source; generated ones have tens of megabytes */

char *source_path(const struct store_view *v, const char *file)
{
	return !v->folder || file[0] == '/' ? copied(file) : formatted("%s/%s", v->folder, file);
}

FILE *source_open(const struct store_view *v, const char *file)
{
	char *path = source_path(v, file);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	free(path);
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= MOST_BYTES)
		return fdopen(fd, "r");
	if (fd >= 0)
		close(fd);
	return NULL;
}

/* `+` everything covered, `-` nothing, `~` part; infeasible objectives do not count. */
static char mark_of(const struct objective *from, const struct objective *to)
{
	bool some = false, missing = false;

	for (; from < to; from++) {
		some |= from->verdict == VERDICT_COVERED;
		missing |= from->verdict == VERDICT_UNKNOWN;
	}
	return missing ? some ? '~' : '-' : '+';
}

static void tell(FILE *f, const struct store_view *v, const struct objective *n)
{
	if (n->verdict == VERDICT_COVERED)
		return;
	fprintf(f, "       |   %c %u: ", n->verdict == VERDICT_INFEASIBLE ? 'x' : '!', n->col);
	if (n->kind == STORE_PAIRS) {
		const struct view_pair *p = &v->pair[n->i];
		fprintf(f, "%s of %s:%u:%u %s %s", p->variable, p->def_file, p->def_line,
		    p->def_col, p->kind, verdict_name(p->verdict));
		fprintf(f, ": %s", reason_pair(p));
	} else {
		side_print(f, &v->objective[n->i]);
		fprintf(f, " of `%s` %s: ", v->objective[n->i].text, verdict_name(n->verdict));
		reason_print(f, v, n->i);
	}
	putc('\n', f);
}

static void annotate_file(
    FILE *f, const struct store_view *v, const struct objective *note, const struct objective *end)
{
	FILE *source = source_open(v, note->file);
	char *text = NULL;
	size_t size = 0;
	ssize_t n = 0;

	fputs("==> ", f);
	quote_line(f, note->file);
	putc('\n', f);
	if (!source)
		fputs("(the source cannot be read)\n", f);
	for (uint32_t line = 1; note < end || source; line++) {
		const struct objective *from = note;
		if (!source) /* behind its end, or a store's invention: nothing in between */
			line = note->line;
		while (note < end && note->line <= line)
			note++;
		if (source && (n = getline(&text, &size, source)) < 0) {
			fclose(source);
			source = NULL;
		}
		if (source)
			fprintf(f, "%c%6u | %.*s\n", from < note ? mark_of(from, note) : ' ', line,
			    (int)(n && text[n - 1] == '\n' ? n - 1 : n), text);
		else if (from < note)
			fprintf(f, "%c%6u |\n", mark_of(from, note), line);
		for (; from < note; from++)
			tell(f, v, from);
	}
	free(text);
}

void report_annotate(FILE *f, const struct store_view *v)
{
	size_t n, i, k;
	struct objective *list = aims_all(v, &n);

	qsort(list, n, sizeof *list, aims_by_line);
	for (i = 0; i < n; i = k) {
		for (k = i; k < n && !strcmp(list[k].file, list[i].file); k++)
			;
		annotate_file(f, v, &list[i], &list[k]);
	}
	free(list);
}
