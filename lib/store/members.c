/* members: members of structures that a function assigns. Where it does, such as `s->n++`, its
 * checks of the member behind an access are about the value that it leaves there for the next call;
 * where it does not, they come late. */
#include "lib/store/db.h"

#include <ctype.h>
#include <string.h>

/* The last word of a path such as `r->head` or `r[0].head`, and its length. */
static const char *last_word(const char *path, size_t *n)
{
	const char *end = path + strlen(path), *begin;

	while (end > path && !isalnum((unsigned char)end[-1]) && end[-1] != '_')
		end--;
	for (begin = end; begin > path && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_');)
		begin--;
	*n = (size_t)(end - begin);
	return begin;
}

static uint64_t key_of(const struct flow_unit *u, uint32_t func, const char *path)
{
	size_t n;
	const char *word = last_word(path, &n);
	uint64_t h = (u->key ^ func) * UINT64_C(0x9e3779b97f4a7c15);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)word[i]) * UINT64_C(0x100000001b3);
	return h ? h : 1;
}

void store_members_begin(struct store *s, const struct store_start *st)
{
	const struct flow *fl = st->defuse ? st->defuse->flow : st->records;

	for (size_t i = 0; fl && i < fl->units; i++) {
		const struct flow_unit *u = &fl->unit[i];
		for (size_t k = 0; k < u->accesses; k++) {
			const struct flow_access *a = &u->access[k];
			uint32_t block = a->is_def && a->path && strpbrk(a->path, ".>")
			    ? u->inst_block[a->inst - 1]
			    : 0;
			bool fresh;
			if (block)
				*map_at(&s->assigned, key_of(u, u->block_func[block - 1], a->path),
				    &fresh) = 1;
		}
	}
}

bool store_assigns(
    const struct store *s, const struct flow_unit *u, uint32_t func, const char *name)
{
	return map_get(&s->assigned, key_of(u, func, name)) != 0;
}
