/* closure: serialises everything that a run from an entry may depend on, without ids and positions
 * in the file, so that unrelated code may change. Functions, variables, data and types are written
 * by content in the order of their first reference, and refer to each other by their index in that
 * order: the serialisations of two programs are equal only if these parts are. A reference by name
 * includes every definition that the linker may choose. In case of doubt everything is written: all
 * units, by their keys. */
#include "lib/flow/flow.h"
#include "lib/libc/libc.h"

#include <stdlib.h>
#include <string.h>

enum entity { FUNCTION, VARIABLE, DATUM, TYPE, ENTITIES };
/* Records that belong to a function; from RELOCS on to an object: a variable or a datum. */
enum list {
	BRANCHES,
	INSTS,
	ACCESSES,
	EDGES,
	CHECKS,
	EXACTS,
	RELOCS,
	CONTENTS,
	INITIALS,
	HOMES,
	LISTS
};

struct index {
	uint32_t *first, *at;
}; /* elements of owner i: at[first[i]] .. at[first[i +
      1] - 1] */
struct entry {
	enum entity kind;
	uint32_t unit, id;
};
struct named {
	const char *name;
	struct entry at;
	bool is_static, is_weak;
};

struct closure {
	const struct flow *fl;
	flow_put *put;
	void *arg;
	uint32_t **number[ENTITIES];  /* by unit and id - 1: index in the order, from 1;
	                                 0: not referenced yet */
	uint32_t *data;               /* by unit: number of data */
	struct index (*index)[LISTS]; /* by unit, created on demand */
	struct named *name;
	size_t names; /* defined functions and globals, and their aliases,
	                 sorted */
	struct entry *order;
	size_t n;
	const struct flow_unit *u;
	uint32_t unit;                  /* unit being written */
	const struct flow_func *f;      /* function being written, or NULL */
	uint32_t inst, branch, outcome; /* first ids of the function */
	bool whole;                     /* write everything, not only what is referenced */
	bool failed;                    /* out of memory */
};

/* ---- indices */

static uint32_t function_of(const struct flow_unit *u, uint32_t inst)
{
	return inst && inst <= u->insts ? u->block_func[u->inst[inst - 1].block - 1] : 0;
}

/* Objects are numbered: variables, then data. */
static uint32_t object(const struct flow_unit *u, char kind, uint32_t id)
{
	return kind == '&' ? id : kind == '$' ? (uint32_t)u->vars + id : 0;
}

/* Number of the owner of record i; 0: none. */
static uint32_t owner(const struct flow_unit *u, enum list kind, size_t i)
{
	switch (kind) {
	case BRANCHES: return u->branch[i].func;
	case INSTS: return function_of(u, (uint32_t)i + 1);
	case ACCESSES: return function_of(u, u->access[i].inst);
	case EDGES: return u->block_func[u->edge[i].from - 1];
	case CHECKS: return u->check[i].func;
	case EXACTS:
		return u->exact[i].object.kind == '%' ? function_of(u, u->exact[i].object.id) : 0;
	case RELOCS: return object(u, u->reloc[i].object.kind, u->reloc[i].object.id);
	case CONTENTS: return object(u, u->bytes[i].kind, u->bytes[i].id);
	case INITIALS: return object(u, u->exact[i].object.kind, u->exact[i].object.id);
	default: return u->home[i].var;
	}
}

static void make_index(struct closure *c, uint32_t unit, enum list kind)
{
	const struct flow_unit *u = &c->fl->unit[unit];
	const size_t counts[LISTS] = { u->branches, u->insts, u->accesses, u->edges, u->checks,
		u->exacts, u->relocs, u->contents, u->exacts, u->homes };
	size_t owners = kind < RELOCS ? u->funcs : u->vars + c->data[unit], n = counts[kind];
	uint32_t *first = calloc(owners + 3, sizeof *first), *at = calloc(n + 1, sizeof *at);

	c->index[unit][kind] = (struct index){ first, at };
	if (!first || !at) {
		c->failed = true;
		return;
	}
	/* counting sort: counts at owner + 2, then positions at owner + 1 */
	for (size_t i = 0; i < n; i++)
		if (owner(u, kind, i) <= owners)
			first[owner(u, kind, i) + 2]++;
	for (size_t i = 2; i < owners + 3; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < n; i++)
		if (owner(u, kind, i) <= owners)
			at[first[owner(u, kind, i) + 1]++] = (uint32_t)i;
}

/* The records of an owner in the current unit. */
static const uint32_t *list(struct closure *c, enum list kind, uint32_t of, size_t *n)
{
	struct index *x = &c->index[c->unit][kind];

	if (!x->first)
		make_index(c, c->unit, kind);
	*n = c->failed ? 0 : x->first[of + 1] - x->first[of];
	return c->failed ? NULL : x->at + x->first[of];
}

/* ---- writing */

static void number(struct closure *c, uint64_t v)
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
	number(c, near ? p.line - c->f->pos.line : p.line);
	number(c, p.col);
}

static size_t entities(const struct closure *c, uint32_t unit, enum entity kind)
{
	const struct flow_unit *u = &c->fl->unit[unit];

	return kind == FUNCTION ? u->funcs
	    : kind == VARIABLE  ? u->vars
	    : kind == TYPE      ? u->types
	                        : c->data[unit];
}

static void refer(struct closure *c, enum entity kind, uint32_t unit, uint32_t id)
{
	uint32_t *n = id && id <= entities(c, unit, kind) ? &c->number[kind][unit][id - 1] : NULL;

	if (n && !*n) {
		c->order[c->n++] = (struct entry){ kind, unit, id };
		*n = (uint32_t)c->n;
	}
	number(c, n ? *n : 0);
}

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (!order)
		order = (x->at.unit > y->at.unit) - (x->at.unit < y->at.unit);
	return order ? order : (x->at.id > y->at.id) - (x->at.id < y->at.id);
}

/* Refers to all definitions that a name may be linked to: the unit's own, and those visible to
 * other units. */
static bool refer_name(struct closure *c, const char *name, bool is_static)
{
	size_t low = 0, high = c->names;
	bool any = false;

	text(c, name);
	while (low < high) {
		size_t mid = (low + high) / 2;
		if (strcmp(c->name[mid].name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < c->names && !strcmp(c->name[low].name, name); low++) {
		const struct named *d = &c->name[low];
		if (d->at.unit != c->unit && (d->is_static || is_static))
			continue;
		number(c, d->is_weak);
		refer(c, d->at.kind, d->at.unit, d->at.id);
		any = true;
	}
	return any;
}

/* Functions that look up others by unknown names, and section bounds, which depend on many
 * objects. */
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
			refer(c, TYPE, c->unit, u->ext[i].type);
}

static void operand(struct closure *c, const struct flow_operand *o)
{
	number(c, (uint64_t)o->kind);
	number(c, (uint64_t)o->value);
	switch (o->kind) {
	case '%': number(c, o->id - c->inst); break;
	case '!': number(c, o->id - c->f->first_block); break;
	case '?': number(c, o->id - c->branch); break;
	case '&': refer(c, VARIABLE, c->unit, o->id); break;
	case '$': refer(c, DATUM, c->unit, o->id); break;
	case '@': refer_function(c, o->name); break;
	default: number(c, o->id); text(c, o->name);
	}
}

/* ---- functions */

static void branches(struct closure *c, uint32_t id)
{
	size_t n;
	const uint32_t *at = list(c, BRANCHES, id, &n);

	for (size_t i = 0; i < n; i++) {
		const struct flow_branch *b = &c->u->branch[at[i]];
		number(c, (uint64_t)b->kind);
		number(c, b->block ? b->block - c->f->first_block + 1 : 0);
		number(c, b->first - c->outcome);
		number(c, b->width);
		number(c, b->required);
		text(c, b->text);
		position(c, b->pos);
		position(c, b->within);
		position(c, b->default_pos);
		number(c, b->cases);
		for (size_t k = 0; k < b->cases; k++) {
			number(c, (uint64_t)b->value[k]);
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
	const uint32_t *at = list(c, INSTS, id, &n);

	for (size_t i = 0; i < n; i++) {
		const struct flow_inst *inst = &c->u->inst[at[i]];
		const struct flow_operand *o = &c->u->operand[inst->first];
		c->whole |= !inst->name; /* unknown operation of a later version */
		text(c, inst->name);
		number(c, inst->block - c->f->first_block);
		number(c, inst->width);
		position(c, inst->pos);
		number(c, inst->operands);
		for (uint32_t k = 0; k < inst->operands; k++) {
			if (is_line(inst, o, k))
				number(c, (uint64_t)o[k].value - c->f->pos.line);
			else
				operand(c, &o[k]);
		}
	}
}

static void accesses(struct closure *c, uint32_t id)
{
	size_t n;
	const uint32_t *at = list(c, ACCESSES, id, &n);

	for (size_t i = 0; i < n; i++) {
		const struct flow_access *a = &c->u->access[at[i]];
		const uint64_t parts[] = { a->inst - c->inst, a->is_def, a->offset, a->size, a->bit,
			a->bits };
		c->put(c->arg, parts, sizeof parts);
		text(c, a->how);
		text(c, a->path);
		refer(c, VARIABLE, c->unit, a->var);
		position(c, a->pos);
	}
}

static void rest(struct closure *c, uint32_t id)
{
	size_t n;
	const uint32_t *at = list(c, EDGES, id, &n);

	for (size_t i = 0; i < n; i++) {
		const struct flow_edge *e = &c->u->edge[at[i]];
		const uint32_t parts[] = { e->from - c->f->first_block, e->to - c->f->first_block,
			e->branch ? e->branch - c->branch : UINT32_MAX,
			e->branch ? e->outcome - c->outcome : e->outcome };
		c->put(c->arg, parts, sizeof parts);
	}
	at = list(c, CHECKS, id, &n);
	for (size_t i = 0; i < n; i++) {
		const struct flow_check *k = &c->u->check[at[i]];
		if (k->criterion) /* the function is the same, whatever is asked of it */
			continue;
		const uint32_t parts[] = { k->inst - c->inst, k->block - c->f->first_block,
			k->kind };
		c->put(c->arg, parts, sizeof parts);
		position(c, k->pos);
	}
	at = list(c, EXACTS, id, &n);
	for (size_t i = 0; i < n; i++) {
		number(c, c->u->exact[at[i]].object.id - c->inst);
		text(c, c->u->exact[at[i]].text);
	}
}

static uint32_t first_of(struct closure *c, enum list kind, uint32_t id)
{
	size_t n;
	const uint32_t *at = list(c, kind, id, &n);

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
	number(c, f->pos.col);
	position(c, f->end);
	refer(c, TYPE, c->unit, f->type);
	for (size_t i = 0; i < f->params; i++)
		refer(c, VARIABLE, c->unit, f->param[i]);
	number(c, f->blocks);
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
	const uint32_t *at = list(c, CONTENTS, of, &n);

	for (size_t i = 0; i < n; i++) {
		number(c, c->u->bytes[at[i]].size);
		c->put(c->arg, c->u->bytes[at[i]].bytes, c->u->bytes[at[i]].known);
	}
	at = list(c, INITIALS, of, &n);
	for (size_t i = 0; i < n; i++)
		text(c, c->u->exact[at[i]].text);
	at = list(c, RELOCS, of, &n);
	for (size_t i = 0; i < n; i++) {
		number(c, c->u->reloc[at[i]].offset);
		operand(c, &c->u->reloc[at[i]].target);
	}
}

static void variable(struct closure *c, uint32_t id)
{
	const struct flow_var *v = &c->u->var[id - 1];
	size_t n;
	const uint32_t *at;

	text(c, v->name);
	number(c, (uint64_t)v->kind);
	number(c, v->defined);
	number(c, v->is_weak);
	number(c, v->is_const | v->is_volatile << 1 | v->is_thread << 2);
	refer(c, TYPE, c->unit, v->type);
	content(c, id);
	if (v->func) {
		c->f = &c->u->func[v->func - 1];
		position(c, v->pos);
		c->f = NULL;
	} else {
		refer_name(c, v->name, v->is_static);
		c->whole |= !v->defined && finds_more(v->name);
	}
	at = list(c, HOMES, id, &n);
	for (size_t i = 0; i < n; i++)
		number(c, c->u->home[at[i]].argument);
}

static void type(struct closure *c, uint32_t id)
{
	const struct flow_type *t = &c->u->type[id - 1];

	number(c, (uint64_t)t->kind);
	number(c, t->size);
	number(c, t->count);
	text(c, t->text);
	refer(c, TYPE, c->unit, t->of);
	number(c, t->members);
	for (size_t i = 0; i < t->members; i++) {
		const struct flow_member *m = &t->member[i];
		text(c, m->name);
		number(c, m->offset);
		number(c, (uint64_t)m->bit << 32 | m->bits);
		refer(c, TYPE, c->unit, m->type);
	}
}

static void tell(struct closure *c, struct entry e)
{
	c->unit = e.unit;
	c->u = &c->fl->unit[e.unit];
	number(c, e.kind);
	switch (e.kind) {
	case FUNCTION: function(c, e.id); break;
	case VARIABLE: variable(c, e.id); break;
	case TYPE: type(c, e.id); break;
	default: content(c, object(c->u, '$', e.id));
	}
}

/* ---- the closure */

/* Does the unit define the name, not only declare it? */
static bool defines(struct closure *c, struct entry e)
{
	size_t n;

	c->unit = e.unit;
	c->u = &c->fl->unit[e.unit];
	if (e.kind == FUNCTION || c->u->var[e.id - 1].defined)
		return true;
	/* weak: only initial values show that it is defined */
	list(c, INITIALS, e.id, &n);
	return n > 0;
}

/* Refers to definitions of the program that replace ones of the C library. */
static void library_roots(struct closure *c)
{
	for (size_t i = 0; i < c->names; i++) {
		const struct named *d = &c->name[i];
		if (!d->is_static && defines(c, d->at) && libc_has(d->name))
			refer(c, d->at.kind, d->at.unit, d->at.id);
	}
}

/* Refers to what runs in any case: the entry, the harness, constructors and destructors. */
static void roots(struct closure *c, const char *entry)
{
	const struct flow_unit *unit;
	const struct flow_func *first = flow_find(c->fl, entry, &unit);

	for (uint32_t i = 0; i < c->fl->units; i++) {
		const struct flow_unit *u = &c->fl->unit[i];
		for (uint32_t k = 0; k < u->funcs; k++) {
			const struct flow_func *f = &u->func[k];
			if (f == first || f->is_harness || f->constructor || f->destructor)
				refer(c, FUNCTION, i, k + 1);
		}
		for (size_t k = 0; k < u->exacts; k++) /* the effects of assembly are unknown */
			c->whole |= u->exact[k].object.kind == '-';
	}
}

static void add_name(
    struct closure *c, const char *name, struct entry at, bool is_static, bool is_weak)
{
	c->name[c->names++] = (struct named){ name, at, is_static, is_weak };
}

static void add_names_of(struct closure *c, uint32_t unit)
{
	const struct flow_unit *u = &c->fl->unit[unit];

	for (uint32_t k = 0; k < u->funcs; k++)
		add_name(c, u->func[k].name, (struct entry){ FUNCTION, unit, k + 1 },
		    u->func[k].is_static, u->func[k].is_weak);
	for (uint32_t k = 0; k < u->vars; k++)
		if (u->var[k].kind == 'g')
			add_name(c, u->var[k].name, (struct entry){ VARIABLE, unit, k + 1 },
			    u->var[k].is_static, u->var[k].is_weak);
	for (size_t i = 0; i < u->aliases; i++) {
		const struct flow_alias *a = &u->alias[i];
		if (a->target.kind == '&')
			add_name(c, a->name, (struct entry){ VARIABLE, unit, a->target.id }, false,
			    a->is_weak);
		for (uint32_t k = 0; a->target.kind == '@' && k < u->funcs; k++)
			if (!strcmp(u->func[k].name, a->target.name))
				add_name(c, a->name, (struct entry){ FUNCTION, unit, k + 1 }, false,
				    a->is_weak);
	}
}

static bool add_names(struct closure *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->fl->units; i++)
		n += c->fl->unit[i].funcs + c->fl->unit[i].vars + c->fl->unit[i].aliases;
	if (!(c->name = calloc(n + 1, sizeof *c->name)))
		return false;
	for (uint32_t i = 0; i < c->fl->units; i++)
		add_names_of(c, i);
	qsort(c->name, c->names, sizeof *c->name, by_name);
	return true;
}

static void count_data(struct closure *c)
{
	for (size_t i = 0; i < c->fl->units; i++)
		for (size_t k = 0; k < c->fl->unit[i].contents; k++)
			c->data[i] += c->fl->unit[i].bytes[k].kind == '$';
}

static bool open_closure(struct closure *c)
{
	size_t units = c->fl->units, all = 0;
	bool good = (c->data = calloc(units + 1, sizeof *c->data))
	    && (c->index = calloc(units + 1, sizeof *c->index)) && add_names(c);

	if (good)
		count_data(c);
	for (int kind = 0; good && kind < ENTITIES; kind++) {
		good = (c->number[kind] = calloc(units + 1, sizeof *c->number[kind]));
		for (uint32_t i = 0; good && i < units; i++) {
			size_t n = entities(c, i, (enum entity)kind);
			good = (c->number[kind][i] = calloc(n + 1, sizeof **c->number[kind]));
			all += n;
		}
	}
	return good && (c->order = calloc(all + 1, sizeof *c->order));
}

static void close_closure(struct closure *c)
{
	for (size_t i = 0; i < c->fl->units; i++) {
		for (int kind = 0; c->index && kind < LISTS; kind++) {
			free(c->index[i][kind].first);
			free(c->index[i][kind].at);
		}
		for (int kind = 0; kind < ENTITIES; kind++)
			if (c->number[kind])
				free(c->number[kind][i]);
	}
	for (int kind = 0; kind < ENTITIES; kind++)
		free(c->number[kind]);
	free(c->data);
	free(c->index);
	free(c->name);
	free(c->order);
}

int flow_closure(const struct flow *fl, const char *entry, flow_put *put, void *arg)
{
	struct closure c = { .fl = fl, .put = put, .arg = arg };
	bool good = open_closure(&c);

	if (good) {
		roots(&c, entry);
		library_roots(&c);
		for (size_t i = 0; i < c.n && !c.failed; i++)
			tell(&c, c.order[i]);
		for (size_t i = 0; c.whole && i < fl->units; i++)
			number(&c, fl->unit[i].key);
	}
	close_closure(&c);
	return good && !c.failed ? 0 : -1;
}
