/* page_texts: texts that the page stores once. */
#include "lib/report/hash.h"
#include "lib/report/page.h"
#include "lib/report/quote.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

static size_t *slot_of(const struct page_texts *t, const char *s)
{
	uint64_t h = hash_add(HASH_START, s, strlen(s));
	size_t i;

	for (i = h & (t->slots - 1); t->slot[i] && strcmp(t->text[t->slot[i] - 1], s);
	    i = (i + 1) & (t->slots - 1))
		;
	return &t->slot[i];
}

size_t page_number(struct page_texts *t, const char *s)
{
	size_t *slot;

	if (2 * t->n >= t->slots) {
		t->slots = t->slots ? 4 * t->slots : 1024;
		free(t->slot);
		t->slot = zeroed(t->slots, sizeof *t->slot);
		for (size_t i = 0; i < t->n; i++)
			*slot_of(t, t->text[i]) = i + 1;
	}
	slot = slot_of(t, s);
	if (*slot)
		return *slot - 1;
	t->text = grow_one(t->text, t->n, sizeof *t->text);
	t->text[t->n] = copied(s);
	*slot = ++t->n;
	return t->n - 1;
}

void page_texts_free(struct page_texts *t)
{
	while (t->n)
		free(t->text[--t->n]);
	free(t->text);
	free(t->slot);
}

/* `<` must not occur inside a script element. */
void page_string(FILE *f, const char *text)
{
	quote_json(f, text, "<");
}
