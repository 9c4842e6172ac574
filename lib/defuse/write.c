/* write: pairs(5). */
#include "lib/defuse/inner.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

struct pairs_writer {
	struct rec_writer w;
	const struct defuse *d;
	uint32_t *unit, *func, *def, *use, n[4];
};

void defuse_write_meta(struct rec_writer *w, const struct defuse_options *o)
{
	rec_put_meta(w, "criterion", defuse_criterion_name(o->criterion));
	rec_put_meta(w, "protocol", o->paper ? "paper" : "default");
	rec_put_meta(w, "scope", o->inter ? "inter" : "intra");
	if (o->alias.entry)
		rec_put_meta(w, "entry", o->alias.entry);
	if (o->alias.may_alias)
		rec_put_meta(w, "may-alias", "1");
}

static uint32_t write_unit(struct pairs_writer *to, uint32_t unit)
{
	const struct flow_unit *u = &to->d->flow->unit[unit];
	char key[17];
	if (!to->unit[unit]) {
		to->unit[unit] = ++to->n[0];
		snprintf(key, sizeof key, "%016llx", (unsigned long long)u->key);
		rec_putf(&to->w, "suss", "unit", (uint64_t)to->n[0], key, u->name);
	}
	return to->unit[unit];
}

static uint32_t write_func(struct pairs_writer *to, uint32_t func)
{
	uint32_t unit, id, in;
	const struct flow_func *f = alias_function_of(to->d->alias, func, &unit, &id);
	if (!to->func[func]) {
		in = write_unit(to, unit);
		to->func[func] = ++to->n[1];
		rec_putf(&to->w, "suuus", "func", (uint64_t)to->n[1], (uint64_t)in, (uint64_t)id,
		    f->name);
	}
	return to->func[func];
}

static uint32_t write_access(struct pairs_writer *to, uint32_t access)
{
	static const char *const kinds[] = { "access", "library", "incoming", "argument",
		"result" };
	const struct defuse_access *a = &to->d->access[access];
	const struct flow_unit *u = &to->d->flow->unit[a->unit];
	uint32_t *id = a->is_def ? &to->def[access] : &to->use[access], func;
	if (!*id) {
		func = write_func(to, a->func);
		*id = ++to->n[a->is_def ? 2 : 3];
		rec_putf(&to->w, "suuussuus", a->is_def ? "def" : "use", (uint64_t)*id,
		    (uint64_t)func, (uint64_t)a->inst, kinds[a->kind],
		    a->pos.file ? u->file[a->pos.file - 1] : "", (uint64_t)a->pos.line,
		    (uint64_t)a->pos.col, a->path ? a->path : "");
	}
	return *id;
}

static void write_pair(struct pairs_writer *to, size_t i)
{
	const struct defuse_pair *p = &to->d->pair[i];
	uint32_t def = write_access(to, p->def), use = write_access(to, p->use);
	char kind[32], key[17];
	snprintf(key, sizeof key, "%016llx", (unsigned long long)p->key);
	rec_putf(&to->w, "suuususs", "pair", (uint64_t)i + 1, (uint64_t)def, (uint64_t)use,
	    defuse_kind_name(to->d, p, kind), (uint64_t)(p->outcome == DEFUSE_C ? 0 : p->outcome),
	    key, p->name);
}

int defuse_write(const struct defuse *d, FILE *f)
{
	struct pairs_writer to = { .d = d };
	int result = -1;
	to.unit = zeroed(d->flow->units + 1, sizeof *to.unit);
	to.func = zeroed(alias_functions(d->alias) + 1u, sizeof *to.func);
	to.def = zeroed(d->accesses + 1, sizeof *to.def);
	to.use = zeroed(d->accesses + 1, sizeof *to.use);
	rec_begin(&to.w, f, "pairs", 1, "defuse-" DUCT_VERSION);
	defuse_write_meta(&to.w, &d->options);
	for (size_t i = 0; i < d->pairs; i++)
		write_pair(&to, i);
	result = rec_end(&to.w);
	free(to.unit);
	free(to.func);
	free(to.def);
	free(to.use);
	return result;
}
