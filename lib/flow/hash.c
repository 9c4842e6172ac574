/* hash: hash of a function's conditions and calls, independent of ids and of its position in the
 * file, so that branches of an unchanged function are recognised. */
#include "lib/flow/read.h"

#include <string.h>

static void mix(uint64_t *h, const void *data, size_t n)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < n; i++)
		*h = (*h ^ p[i]) * 0x100000001b3u;
	*h ^= *h >> 29;
}

static void mix_number(uint64_t *h, uint64_t v)
{
	mix(h, &v, sizeof v);
}

static void mix_line(uint64_t *h, const struct flow_in *in, const struct flow_pos *p)
{
	mix_number(h, p->line - in->u->func[in->u->funcs - 1].pos.line);
	mix_number(h, p->col);
}

void flow_hash_record(struct flow_in *in)
{
	const char *tag = in->rec->field[0];
	struct flow_unit *u = in->u;
	uint64_t *h = u->funcs ? &u->func[u->funcs - 1].hash : NULL;

	if (!h || !strchr("fbc", *tag)) /* the first letters of the tags below */
		return;
	if (!strcmp(tag, "func")) {
		*h = 0xcbf29ce484222325u;
		mix(h, in->rec->field[2], in->rec->len[2] + 1);
		mix(h, in->rec->field[9], in->rec->len[9] + 1);
	} else if (!strcmp(tag, "branch")) {
		mix(h, in->rec->field[4], 1);
		mix_line(h, in, &u->branch[u->branches - 1].pos);
		mix(h, in->rec->field[11], in->rec->len[11] + 1);
	} else if (!strcmp(tag, "case") || !strcmp(tag, "call")) {
		mix(h, in->rec->field[2], in->rec->len[2] + 1);
	}
}
