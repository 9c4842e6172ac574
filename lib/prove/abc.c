#include "lib/prove/abc.h"

#include "lib/base/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the checker's summary. False unless every output is decided. */
static bool all_decided(const char *text, size_t outputs, size_t reached)
{
	const char *at = strstr(text, "Properties:");
	unsigned all, proved, disproved, undecided;
	return at
	    && sscanf(at, "Properties: All = %u. Proved = %u. Disproved = %u. Undecided = %u.",
	           &all, &proved, &disproved, &undecided)
	    == 4
	    && all == outputs && disproved == reached && proved == outputs - reached && !undecided;
}

bool abc_answer(const char *text, size_t outputs, long *reached)
{
	unsigned output, frame;
	size_t n = 0;
	for (const char *s = text; (s = strstr(s, "Output")); s++)
		if ((sscanf(s, "Output %u was asserted in frame %u", &output, &frame) == 2
		        || sscanf(
		               s, "Output %u was trivially asserted in frame %u", &output, &frame)
		            == 2)
		    && output < outputs && reached[output] < 0) {
			reached[output] = frame;
			n++;
		}
	return all_decided(text, outputs, n);
}

/* Is the line a row of an invariant: a letter for each latch, and then a blank? */
static bool is_row(const char *line, size_t latches)
{
	size_t n = strspn(line, "01-");
	return n == latches && line[n] == ' ';
}

struct abc_invariant abc_invariant(char *text)
{
	struct abc_invariant v = { .text = text };
	char *save = NULL;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, ".ilb", 4) && !v.rows) {
			for (char *s = line; (s = strstr(s, "lo")); s += 2)
				*PUSH(v.latch, v.latches) = (unsigned)strtoul(s + 2, NULL, 10);
		} else if (v.latches && is_row(line, v.latches)) {
			*PUSH(v.row, v.rows) = line;
		}
	}
	return v;
}

void abc_free(struct abc_invariant *v)
{
	free(v->latch);
	free(v->row);
	free(v->text);
}

bool abc_holds_at_start(const struct abc_invariant *v, size_t row)
{
	return !memchr(v->row[row], '1', v->latches);
}
