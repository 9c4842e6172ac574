/* out: private to lib/report: text for people, without the folder that all sources are in, in
 * colour on a terminal. */
#ifndef DUCT_REPORT_OUT_H
#define DUCT_REPORT_OUT_H

#include "lib/report/report.h"

#include <stdio.h>

struct out {
	FILE *to, *memory;
	const struct store_view *v;
	bool colour;
	char *text;
	size_t size;
};
/* Returns where the text is written to; out_end writes it to `to`, after a line that names the
 * folder if name_folder is set and there is one. Lines that begin with a word and a colon are
 * headings. */
FILE *out_begin(struct out *o, FILE *to, const struct store_view *v, bool colour);
void out_end(struct out *o, bool name_folder);

#endif
