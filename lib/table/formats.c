#include "lib/table/table.h"

/* As in the man pages pairs(5), goals(5), verdicts(5) and blocks(5). */

const struct table_tag table_pairs[] = {
	{ "unit", "id key text" },
	{ "func", "id @unit number text" },
	{ "def",
	    "id @func number access|library|incoming|argument|result text number number text" },
	{ "use",
	    "id @func number access|library|incoming|argument|result text number number text" },
	{ "pair", "id @def @use text number key text" },
	{ NULL, NULL },
};

const struct table_tag table_goals[] = {
	{ "unit", "id key text" },
	{ "place", "id text" },
	{ "kill", "@place @unit number must|may" },
	{ "point", "id @point? @unit number cut|def|use" },
	{ "goal", "id number @point @place? text number key text" },
	{ "outcome", "number @unit number number" },
	{ "condition", "number @unit number text" },
	{ "blocks", "number @unit text" },
	{ "evaluation", "number @unit text" },
	{ NULL, NULL },
};

const struct table_tag table_verdicts[] = {
	{ "question", "id key text" },
	{ "narrow", "@question text" },
	{ "model", "@question text number text" },
	{ "invariant", "id @question" },
	{ "clause", "@invariant text" },
	{ "verdict", "id @question text covered|infeasible|unknown text" },
	{ "stage", "@question text text number number" },
	{ "value", "@verdict text i|u|c|b|f|n number text" },
	{ "proof", "@verdict text number @invariant? text text" },
	{ "name", "text text" },
	{ NULL, NULL },
};

const struct table_tag table_blocks[] = {
	{ "block", "id" },
	{ "input", "@block text" },
	{ "merge", "@block @block text number number text" },
	{ NULL, NULL },
};

/* distance(1) */
const struct table_tag table_distances[] = {
	{ "unit", "id key text" },
	{ "distance", "@unit number number text" },
	{ NULL, NULL },
};

const struct table_tag table_flowmap[] = {
	{ "unit", "id key" },
	{ "image", "key" },
	{ "written", "key stack|memory|object key number number" },
	{ "within", "key key" },
	{ NULL, NULL },
};
