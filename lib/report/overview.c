/* overview: the lists of open and of infeasible objectives in the text report, for a screen: one
 * objective for each reason, and how many others have the same. */
#include "lib/report/overview.h"
#include "lib/report/lines.h"
#include "lib/base/grow.h"
#include "lib/base/texts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LIMITS_SHOWN = 2 };

static bool begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* Writes the pieces of a text, which "; " separates. common: those that other objectives may have,
 * too; else all, but of limits only the first. */
static void pieces(FILE *f, const char *text, bool common)
{
	bool limited = begins(text, STORE_LIMITS);
	size_t shown = 0, limits = 0, hidden = 0;

	while (*text) {
		const char *piece = text, *end = strstr(text, "; ");
		size_t n = end ? (size_t)(end - text) : strlen(text);
		bool own = begins(piece, STORE_CLOSEST) || begins(piece, "next ");
		bool limit = limited && !own && !begins(piece, "proved within");
		text = end ? end + 2 : "";
		if (common && own)
			continue;
		if (!common && limit && limits++ >= LIMITS_SHOWN) {
			hidden++;
			continue;
		}
		if (hidden)
			fprintf(f, "; and %zu more", hidden);
		hidden = 0;
		fprintf(f, "%s%.*s", shown++ ? "; " : "", (int)n, piece);
	}
	if (hidden)
		fprintf(f, "; and %zu more", hidden);
}

/* The part of a row's reason that other objectives may share; malloc'ed. */
static char *reason_of(const struct overview_row *r)
{
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	fprintf(f, "%d ", r->before && begins(r->before, "reached"));
	pieces(f, r->evidence, true);
	fclose(f);
	return text;
}

static void print_row(FILE *f, const struct overview_row *r, size_t alike)
{
	fprintf(f, "      %s", r->place);
	if (alike)
		fprintf(f, ", and %zu more for the same reason", alike);
	fputs(": ", f);
	if (r->before && *r->before)
		fprintf(f, "%s; ", alike ? reason_common(r->before) : r->before);
	pieces(f, r->evidence, false);
	putc('\n', f);
}

/* leader[i]: the first row with row i's reason; alike[i]: the rows behind it that have it. */
static void find_leaders(const struct overview_row *row, size_t n, size_t *leader, size_t *alike)
{
	size_t *first = NULL, reasons = 0;
	struct texts t = { 0 };

	for (size_t i = 0; i < n; i++) {
		char *reason = reason_of(&row[i]);
		uint32_t number = texts_number(&t, reason);

		free(reason);
		if (number > reasons)
			*PUSH(first, reasons) = i;
		leader[i] = first[number - 1];
		if (leader[i] < i)
			alike[leader[i]]++;
	}
	texts_close(&t);
	free(first);
}

/* Of the rows that lead others, leaves `most` marked in shown: those that lead most. */
static void choose(const size_t *leader, const size_t *alike, size_t n, size_t most, bool *shown)
{
	for (; most; most--) {
		size_t best = n;
		for (size_t i = 0; i < n; i++)
			if (leader[i] == i && !shown[i] && (best == n || alike[i] > alike[best]))
				best = i;
		if (best == n)
			return;
		shown[best] = true;
	}
}

/* Writes the chosen rows of row i's function, unless an earlier row of that function was chosen;
 * returns how many objectives they stand for. */
static size_t print_function(FILE *f, const struct overview_row *row, size_t n, size_t i,
    const size_t *alike, const bool *shown)
{
	size_t said = 0;

	for (size_t k = 0; k < n; k++) {
		if (!shown[k] || strcmp(row[k].function, row[i].function))
			continue;
		if (k < i)
			return 0;
		if (k == i)
			fprintf(f, "    %s\n", row[i].function);
		print_row(f, &row[k], alike[k]);
		said += 1 + alike[k];
	}
	return said;
}

void overview_list(FILE *f, const char *title, const struct overview_row *row, size_t n,
    size_t most, const char *list)
{
	size_t *leader = zeroed(n + 1, sizeof *leader), *alike = zeroed(n + 1, sizeof *alike),
	       said = 0;
	bool *shown = zeroed(n + 1, sizeof *shown);

	for (size_t i = 0; i < n; i++)
		leader[i] = i;
	if (n > most)
		find_leaders(row, n, leader, alike);
	choose(leader, alike, n, most, shown);
	if (n)
		fprintf(f, "  %s:\n", title);
	for (size_t i = 0; i < n; i++)
		if (shown[i])
			said += print_function(f, row, n, i, alike, shown);
	if (n > said)
		fprintf(f, "      ... and %zu more: report %s\n", n - said, list);
	free(leader);
	free(alike);
	free(shown);
}

void overview_free(struct overview_row *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(row[i].place);
		free(row[i].before);
	}
	free(row);
}
