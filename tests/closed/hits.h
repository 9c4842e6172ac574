/* hits: what a marked program records of itself; included before everything else, so it includes nothing. */
#ifndef CLOSED_HITS_H
#define CLOSED_HITS_H

enum { CLOSED_IDS = 1024, CLOSED_VALUES = 62, CLOSED_BYTES = CLOSED_IDS * 2 + CLOSED_IDS * 8 * 64 };

/* Shared with the judge: 2 bytes for each condition, false and true; then 64 words for each switch: how many values, and
 * these. Volatile: no compiler may move a mark over what ends the run. */
extern volatile unsigned char closed_table[CLOSED_BYTES];
void closed_note(int id, long long value);
/* A line defines the variable of that number, or uses it: pairs are noted as (line of definition) << 16 | line of use. */
void closed_def(int id, int line);
void closed_use(int id, int line);

static inline int
closed_hit(int id, int outcome)
{
	closed_table[id * 2 + outcome] = 1;
	return outcome;
}

#define closed_value(ID, VALUE) __extension__ ({ __typeof__(+(VALUE)) closed_v = (VALUE); closed_note(ID, closed_v); closed_v; })

#endif
