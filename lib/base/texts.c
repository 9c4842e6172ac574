#include "lib/base/texts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/grow.h"

static uint64_t hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h ? h : 1;
}

uint32_t texts_number(struct texts *t, const char *text)
{
	bool fresh;
	uint32_t *first = map_at(&t->first, hash(text), &fresh), i = *first;

	while (i && strcmp(t->text[i - 1], text))
		i = t->next[i - 1];
	if (i)
		return i;
	t->text = grow_one(t->text, t->n, sizeof *t->text);
	t->next = grow_one(t->next, t->n, sizeof *t->next);
	t->text[t->n] = copied(text);
	t->next[t->n] = *first;
	return *first = (uint32_t)++t->n;
}

void texts_close(struct texts *t)
{
	while (t->n)
		free(t->text[--t->n]);
	free(t->text);
	free(t->next);
	map_close(&t->first);
	*t = (struct texts){ 0 };
}
