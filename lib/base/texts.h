/* texts: numbers for texts, from 1 on. Two texts have the same number if and only if they are
 * equal, also where their hashes collide. */
#ifndef DUCT_TEXTS_H
#define DUCT_TEXTS_H

#include <stdint.h>

#include "lib/base/map.h"

/* Empty when it is zero. */
struct texts {
	struct map first; /* by hash, which several may have */
	char **text;
	uint32_t *next; /* with the same hash, 0: none */
	size_t n;
};
/* A copy of the text is kept. */
uint32_t texts_number(struct texts *t, const char *text);
void texts_close(struct texts *t); /* it is empty then */

#endif
