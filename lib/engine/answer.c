#include "lib/engine/answer.h"

#include <stdio.h>
#include <string.h>

bool answer_value(const char *model, uint32_t var, struct value *v)
{
	char key[24];
	int len = snprintf(key, sizeof key, "\nv%u ", var);
	/* never at the start: the first line is "sat" */
	const char *s = strstr(model, key);
	if (!s)
		return false;
	*v = (struct value){ 0, 0 };
	for (s += len; *s == '0' || *s == '1' || *s == 'x'; s++) {
		v->hi = v->hi << 1 | v->lo >> 63;
		v->lo = v->lo << 1 | (*s == '1');
	}
	return true;
}
