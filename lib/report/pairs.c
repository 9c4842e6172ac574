/* pairs: the table of def-use pairs. */
#include "lib/report/aims.h"
#include "lib/report/lines.h"
#include "lib/report/report.h"

void report_pairs(FILE *f, const struct store_view *v)
{
	fputs("#function\tvariable\tdef\tuse\tkind\tverdict\tevidence\n", f);
	for (size_t i = 0; i < v->pairs; i++) {
		const struct view_pair *p = &v->pair[i];
		field_print(f, p->function);
		field_print(f, p->variable);
		field_text(f, p->def_file);
		fprintf(f, ":%u:%u\t", p->def_line, p->def_col);
		field_text(f, p->use_file);
		fprintf(f, ":%u:%u\t%s\t%s\t", p->use_line, p->use_col, p->kind,
		    verdict_name(p->verdict));
		field_text(f, reason_pair(p));
		putc('\n', f);
	}
	aims_unlisted(f, v, "# ");
	narrowing_lines(f, v);
}
