/* op: names and operand counts of the operations. */
#include "lib/protocol/op.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *text;
	int n;
} table[OP_COUNT] = {
#define OP(name, text, n) { text, n },
	OP_LIST(OP)
#undef OP
};

const char *op_name(enum op op)
{
	return (unsigned)op < OP_COUNT ? table[op].text : "?";
}

int op_arity(enum op op)
{
	return (unsigned)op < OP_COUNT ? table[op].n : 0;
}

enum op op_find(const char *text)
{
	for (int i = 1; i < OP_COUNT; i++)
		if (strcmp(table[i].text, text) == 0)
			return (enum op)i;
	return OP_NONE;
}
