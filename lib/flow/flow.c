/* flow: reads flow(5) streams; lookups in the program model. */
#include "lib/flow/read.h"
#include "lib/base/grow.h"

#include "lib/flow/inner.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void free_unit(struct flow_unit *u)
{
	for (size_t i = 0; i < u->files; i++)
		free(u->file[i]);
	for (size_t i = 0; i < u->types; i++) {
		for (size_t j = 0; j < u->type[i].members; j++)
			free(u->type[i].member[j].name);
		for (size_t j = 0; j < u->type[i].enumerators; j++)
			free(u->type[i].enumerator[j].name);
		free(u->type[i].enumerator);
		free(u->type[i].member);
		free(u->type[i].text);
	}
	for (size_t i = 0; i < u->vars; i++)
		free(u->var[i].name);
	for (size_t i = 0; i < u->funcs; i++) {
		free(u->func[i].name);
		free(u->func[i].param);
	}
	for (size_t i = 0; i < u->branches; i++) {
		free(u->branch[i].value);
		free(u->branch[i].case_pos);
		free(u->branch[i].way);
		free(u->branch[i].text);
	}
	for (size_t i = 0; i < u->calls; i++) {
		free(u->call[i].callee);
		free(u->call[i].signature);
	}
	for (size_t i = 0; i < u->exts; i++)
		free(u->ext[i].name);
	for (size_t i = 0; i < u->labels; i++)
		free(u->label[i].name);
	free(u->label);
	for (size_t i = 0; i < u->aliases; i++) {
		free(u->alias[i].name);
		free(u->alias[i].target.name);
	}
	for (size_t i = 0; i < u->operands; i++)
		free(u->operand[i].name);
	for (size_t i = 0; i < u->accesses; i++)
		free(u->access[i].path);
	for (size_t i = 0; i < u->relocs; i++) {
		free(u->reloc[i].object.name);
		free(u->reloc[i].target.name);
	}
	for (size_t i = 0; i < u->contents; i++)
		free(u->bytes[i].bytes);
	for (size_t i = 0; i < u->limits; i++)
		free(u->limit[i].kind);
	for (size_t i = 0; i < u->devices; i++)
		free(u->device[i].func);
	for (size_t i = 0; i < u->checks; i++) {
		free(u->check[i].criterion);
		free(u->check[i].text);
	}
	for (size_t i = 0; i < u->exacts; i++) {
		free(u->exact[i].object.name);
		free(u->exact[i].text);
	}
	void *arrays[] = { u->name, u->folder, u->entry, u->narrowing, u->watched, u->stubs,
		u->setters, u->casts, u->shared, u->libraries, u->locale, u->exact, u->file,
		u->type, u->var, u->func, u->branch, u->edge, u->call, u->converted, u->derived,
		u->device, u->ext, u->alias, u->check, u->limit, u->line, u->inst_block,
		u->block_func, u->block_pos, u->inst, u->operand, u->access, u->reloc, u->home,
		u->bytes };
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
		free(arrays[i]);
}

void flow_free(struct flow *fl)
{
	if (!fl)
		return;
	for (size_t i = 0; i < fl->units; i++)
		free_unit(&fl->unit[i]);
	free(fl->unit);
	flow_calls_free(fl->calls);
	free(fl);
}

static bool open_unit(struct flow_in *in, struct flow *fl)
{
	fl->unit = resized(fl->unit, fl->units + 1, sizeof *fl->unit);
	in->u = &fl->unit[fl->units++];
	memset(in->u, 0, sizeof *in->u);
	in->blocks = in->inst = 0;
	in->defs = in->uses = 0;
	return flow_read_unit(in);
}

struct flow *flow_read_streams(FILE *f, const char *name, size_t sparse, char **error)
{
	struct flow *fl = zeroed(1, sizeof *fl);
	struct flow_in in = { .r = rec_open(f, name, "flow", NULL), .sparse = sparse };
	enum rec_status st = REC_ERROR;
	struct rec rec;
	bool ok = true;

	*error = NULL;
	in.rec = &rec;
	while (ok && (st = rec_next(in.r, &rec)) == REC_OK) {
		if (rec_first(in.r))
			ok = (!in.u || flow_unit_is_sound(&in)) && open_unit(&in, fl);
		else
			ok = flow_read_record(&in);
	}
	if (ok && st == REC_END)
		ok = !in.u || flow_unit_is_sound(&in);
	else
		ok = false;
	if (!ok) {
		*error = copied(rec_error(in.r));
		flow_free(fl);
		fl = NULL;
	}
	rec_close(in.r);
	return fl;
}

struct flow *flow_read(FILE *f, const char *name, char **error)
{
	return flow_read_streams(f, name, 0, error);
}

const struct flow_unit *flow_unit_by_key(const struct flow *fl, uint64_t key)
{
	for (size_t i = 0; i < fl->units; i++)
		if (fl->unit[i].key == key)
			return &fl->unit[i];
	return NULL;
}

const struct flow_func *flow_find(
    const struct flow *fl, const char *name, const struct flow_unit **unit)
{
	for (size_t i = 0; i < fl->units; i++)
		for (size_t j = 0; j < fl->unit[i].funcs; j++)
			if (!strcmp(fl->unit[i].func[j].name, name)) {
				*unit = &fl->unit[i];
				return &fl->unit[i].func[j];
			}
	return NULL;
}

const struct flow_branch *flow_outcome(
    const struct flow_unit *u, uint32_t outcome, enum flow_side *side, size_t *which_case)
{
	for (size_t i = 0; i < u->branches; i++) {
		const struct flow_branch *b = &u->branch[i];
		size_t sides = b->kind == 's' ? b->cases + 1 : 2, k;
		if (outcome < b->first || outcome - b->first >= sides)
			continue;
		k = outcome - b->first;
		*which_case = b->kind == 's' && k < b->cases ? k : 0;
		if (b->kind == 's')
			*side = k < b->cases ? FLOW_CASE : FLOW_DEFAULT;
		else
			*side = k ? FLOW_FALSE : FLOW_TRUE;
		return b;
	}
	return NULL;
}
