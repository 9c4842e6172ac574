#include "lib/table/table.h"

/* As the man pages pairs(5), goals(5), verdicts(5) and blocks(5) say. */

const struct table_tag table_pairs[] = {
	{ "unit", "id key text" },
	{ "func", "id @unit text" },
	{ "var",  "id @unit @func? text" },
	{ "def",  "id @var number text number number" },
	{ "use",  "id @var number c|p integer text number number" },
	{ "pair", "id @def @use" },
	{ NULL, NULL },
};

const struct table_tag table_goals[] = {
	{ "unit",  "id key text" },
	{ "goal",  "id number" },
	{ "point", "@goal @unit number entry|cut|def|use" },
	{ "kill",  "@goal @unit number" },
	{ NULL, NULL },
};

const struct table_tag table_verdicts[] = {
	{ "question", "id key text" },
	{ "narrow",   "@question text" },
	{ "verdict",  "id @question number covered|infeasible|unknown text" },
	{ "value",    "@verdict text i|u|c|b|f|n number text" },
	{ NULL, NULL },
};

const struct table_tag table_blocks[] = {
	{ "block", "id" },
	{ "input", "@block text" },
	{ "merge", "@block @block text number number text" },
	{ NULL, NULL },
};
