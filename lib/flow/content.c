/* Writes the functions, objects and types of a closure, by content. */
#include "lib/flow/inner.h"

#include "lib/base/search.h"

#include <string.h>

void closure_number(struct closure *c, uint64_t v)
{
	c->put(c->arg, &v, sizeof v);
}

static void text(struct closure *c, const char *s)
{
	c->put(c->arg, s ? s : "", s ? strlen(s) : 0);
}

/* Lines are relative to the function, if in its file. */
static void position(struct closure *c, struct flow_pos p)
{
	bool near = c->f && p.file == c->f->pos.file;

	text(c, near || !p.file ? "" : c->u->file[p.file - 1]);
	closure_number(c, near ? p.line - c->f->pos.line : p.line);
	closure_number(c, p.col);
}

void closure_refer(struct closure *c, enum entity kind, uint32_t unit, uint32_t id)
{
	uint32_t *n =
	    id && id <= closure_entities(c, unit, kind) ? &c->number[kind][unit][id - 1] : NULL;

	if (n && !*n) {
		c->order[c->n++] = (struct entity_id){ kind, unit, id };
		*n = (uint32_t)c->n;
	}
	closure_number(c, n ? *n : 0);
}

static int by_name(const void *name, const void *named)
{
	return strcmp(name, ((const struct named_entity *)named)->name);
}

/* Refers to all definitions that a name may be linked to: the unit's own, and those visible to
 * other units. */
static bool refer_name(struct closure *c, const char *name, bool is_static)
{
	size_t i = lower_bound(name, c->name, c->names, sizeof *c->name, by_name);
	bool any = false;

	text(c, name);
	for (; i < c->names && !strcmp(c->name[i].name, name); i++) {
		const struct named_entity *d = &c->name[i];
		if (d->at.unit != c->unit && (d->is_static || is_static))
			continue;
		closure_number(c, d->is_weak);
		closure_refer(c, d->at.kind, d->at.unit, d->at.id);
		any = true;
	}
	return any;
}

/* Does the name stand for more than one definition: functions that look up others by names known
 * only at run time, and section bounds? */
static bool finds_more(const char *name)
{
	static const char *const begin[] = { "dlsym", "dlvsym", "dlopen", "__start_", "__stop_" };
	bool finds = false;

	for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
		finds |= !strncmp(name, begin[i], strlen(begin[i]));
	return finds;
}

static void refer_function(struct closure *c, const char *name)
{
	const struct flow_unit *u = c->u;

	if (refer_name(c, name, false))
		return;
	c->whole |= finds_more(name);
	for (size_t i = 0; i < u->exts; i++)
		if (!strcmp(u->ext[i].name, name))
			closure_refer(c, TYPE, c->unit, u->ext[i].type);
}

static void operand(struct closure *c, const struct flow_operand *o)
{
	closure_number(c, (uint64_t)o->kind);
	closure_number(c, (uint64_t)o->value);
	switch (o->kind) {
	case '%': closure_number(c, o->id - c->inst); break;
	case '!': closure_number(c, o->id - c->f->first_block); break;
	case '?': closure_number(c, o->id - c->branch); break;
	case '&': closure_refer(c, VARIABLE, c->unit, o->id); break;
	case '$': closure_refer(c, DATUM, c->unit, o->id); break;
	case '@': refer_function(c, o->name); break;
	default: closure_number(c, o->id); text(c, o->name);
	}
}

/* ---- functions */

static void branches(struct closure *c, uint32_t id)
{
	size_t n;
	const uint32_t *at = closure_list(c, BRANCHES, id, &n);

	for (size_t i = 0; i < n; i++) {
		const struct flow_branch *b = &c->u->branch[at[i]];
		closure_number(c, (uint64_t)b->kind);
		closure_number(c, b->block ? b->block - c->f->first_block + 1 : 0);
		closure_number(c, b->first - c->outcome);
		closure_number(c, b->width);
		closure_number(c, b->required);
		text(c, b->text);
		position(c, b->pos);
		position(c, b->region);
		position(c, b->default_pos);
		closure_number(c, b->cases);
		for (size_t k = 0; k < b->cases; k++) {
			closure_number(c, (uint64_t)b->value[k]);
			position(c, b->case_pos[k]);
		}
	}
}

/* Is it the line number of an assertion? It is only printed. */
static bool is_line(const struct flow_inst *inst, const struct flow_operand *o, uint32_t k)
{
	return k == 3 && inst->op == FLOW_CALL && o[0].kind == '@'
	    && !strcmp(o[0].name, "__assert_fail") && o[k].kind == '#';
}

static void instructions(struct closure *c, uint32_t id)
{
	size_t n;
	const uint32_t *at = closure_list(c, INSTS, id, &n);

	for (size_t i = 0; i < n; i++) {
		const struct flow_inst *inst = &c->u->inst[at[i]];
		const struct flow_operand *o = &c->u->operand[inst->first];
		c->whole |= !inst->name; /* unknown operation of a later version */
		text(c, inst->name);
		closure_number(c, inst->block - c->f->first_block);
		closure_number(c, inst->width);
		position(c, inst->pos);
		closure_number(c, inst->operands);
		for (uint32_t k = 0; k < inst->operands; k++) {
			if (is_line(inst, o, k))
				closure_number(c, (uint64_t)o[k].value - c->f->pos.line);
			else
				operand(c, &o[k]);
		}
	}
}

static void accesses(struct closure *c, uint32_t id)
{
	size_t n;
	const uint32_t *at = closure_list(c, ACCESSES, id, &n);

	for (size_t i = 0; i < n; i++) {
		const struct flow_access *a = &c->u->access[at[i]];
		const uint64_t parts[] = { a->inst - c->inst, a->is_def, a->offset, a->size, a->bit,
			a->bits };
		c->put(c->arg, parts, sizeof parts);
		text(c, a->how);
		text(c, a->path);
		closure_refer(c, VARIABLE, c->unit, a->var);
		position(c, a->pos);
	}
}

static void rest(struct closure *c, uint32_t id)
{
	size_t n;
	const uint32_t *at = closure_list(c, EDGES, id, &n);

	for (size_t i = 0; i < n; i++) {
		const struct flow_edge *e = &c->u->edge[at[i]];
		const uint32_t parts[] = { e->from - c->f->first_block, e->to - c->f->first_block,
			e->branch ? e->branch - c->branch : UINT32_MAX,
			e->branch ? e->outcome - c->outcome : e->outcome };
		c->put(c->arg, parts, sizeof parts);
	}
	at = closure_list(c, CHECKS, id, &n);
	for (size_t i = 0; i < n; i++) {
		const struct flow_check *k = &c->u->check[at[i]];
		if (k->criterion) /* the function is the same, whatever objective it is for */
			continue;
		const uint32_t parts[] = { k->inst - c->inst, k->block - c->f->first_block,
			k->kind };
		c->put(c->arg, parts, sizeof parts);
		position(c, k->pos);
	}
	at = closure_list(c, EXACTS, id, &n);
	for (size_t i = 0; i < n; i++) {
		closure_number(c, c->u->exact[at[i]].object.id - c->inst);
		text(c, c->u->exact[at[i]].text);
	}
}

static uint32_t first_of(struct closure *c, enum record_list kind, uint32_t id)
{
	size_t n;
	const uint32_t *at = closure_list(c, kind, id, &n);

	return n ? at[0] + 1 : 0;
}

static void function(struct closure *c, uint32_t id)
{
	const struct flow_func *f = c->f = &c->u->func[id - 1];
	const bool flags[] = { f->is_static, f->is_variadic, f->in_system, f->address_taken,
		f->is_harness, f->no_return, f->constructor, f->destructor, f->is_weak };

	c->inst = first_of(c, INSTS, id);
	c->branch = first_of(c, BRANCHES, id);
	c->outcome = c->branch ? c->u->branch[c->branch - 1].first : 0;
	text(c, c->u->name);
	text(c, f->pos.file ? c->u->file[f->pos.file - 1] : "");
	text(c, f->name);
	c->put(c->arg, flags, sizeof flags);
	closure_number(c, f->pos.col);
	position(c, f->end);
	closure_refer(c, TYPE, c->unit, f->type);
	for (size_t i = 0; i < f->params; i++)
		closure_refer(c, VARIABLE, c->unit, f->param[i]);
	closure_number(c, f->blocks);
	for (uint32_t i = 0; i < f->blocks; i++)
		position(c, c->u->block_pos[f->first_block - 1 + i]);
	branches(c, id);
	instructions(c, id);
	accesses(c, id);
	rest(c, id);
	c->f = NULL;
}

/* ---- objects and types */

/* Initial content of an object. */
static void content(struct closure *c, uint32_t of)
{
	size_t n;
	const uint32_t *at = closure_list(c, CONTENTS, of, &n);

	for (size_t i = 0; i < n; i++) {
		closure_number(c, c->u->bytes[at[i]].size);
		c->put(c->arg, c->u->bytes[at[i]].bytes, c->u->bytes[at[i]].known);
	}
	at = closure_list(c, INITIALS, of, &n);
	for (size_t i = 0; i < n; i++)
		text(c, c->u->exact[at[i]].text);
	at = closure_list(c, RELOCS, of, &n);
	for (size_t i = 0; i < n; i++) {
		closure_number(c, c->u->reloc[at[i]].offset);
		operand(c, &c->u->reloc[at[i]].target);
	}
}

static void variable(struct closure *c, uint32_t id)
{
	const struct flow_var *v = &c->u->var[id - 1];
	size_t n;
	const uint32_t *at;

	text(c, v->name);
	closure_number(c, (uint64_t)v->kind);
	closure_number(c, v->defined);
	closure_number(c, v->is_weak);
	closure_number(
	    c, v->is_const | v->is_volatile << 1 | v->is_thread << 2 | v->is_restrict << 3);
	closure_refer(c, TYPE, c->unit, v->type);
	content(c, id);
	if (v->func) {
		c->f = &c->u->func[v->func - 1];
		position(c, v->pos);
		c->f = NULL;
	} else {
		refer_name(c, v->name, v->is_static);
		c->whole |= !v->defined && finds_more(v->name);
	}
	at = closure_list(c, HOMES, id, &n);
	for (size_t i = 0; i < n; i++)
		closure_number(c, c->u->home[at[i]].argument);
}

static void type(struct closure *c, uint32_t id)
{
	const struct flow_type *t = &c->u->type[id - 1];

	closure_number(c, (uint64_t)t->kind);
	closure_number(c, t->size);
	closure_number(c, t->count);
	text(c, t->text);
	closure_refer(c, TYPE, c->unit, t->of);
	closure_number(c, t->members);
	for (size_t i = 0; i < t->members; i++) {
		const struct flow_member *m = &t->member[i];
		text(c, m->name);
		closure_number(c, m->offset);
		closure_number(c, (uint64_t)m->bit << 32 | m->bits);
		closure_refer(c, TYPE, c->unit, m->type);
	}
}

void closure_write(struct closure *c, struct entity_id e)
{
	c->unit = e.unit;
	c->u = &c->fl->unit[e.unit];
	closure_number(c, e.kind);
	switch (e.kind) {
	case FUNCTION: function(c, e.id); break;
	case VARIABLE: variable(c, e.id); break;
	case TYPE: type(c, e.id); break;
	default: content(c, closure_object(c->u, '$', e.id));
	}
}
