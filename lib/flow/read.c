/* read: reads flow(5) records. Ids are checked at once, the rest at the end of a unit (sound.c). */
#include "lib/protocol/checks.h"
#include "lib/base/grow.h"
#include "lib/flow/read.h"

#include <stdlib.h>
#include <string.h>

bool flow_in_id(
    struct flow_in *in, size_t i, const char *what, size_t max, bool none, uint32_t *out)
{
	uint64_t v;

	if (!rec_u64(in->r, in->rec, i, what, none ? 0 : 1, max, &v))
		return false;
	*out = (uint32_t)v;
	return true;
}

bool flow_in_next_id(struct flow_in *in, size_t have)
{
	uint64_t v;

	if (!rec_u64(in->r, in->rec, 1, "id", 1, UINT32_MAX, &v))
		return false;
	if (v != have + 1) {
		rec_fail(in->r, "%s %llu where %llu is next", in->rec->field[0],
		    (unsigned long long)v, (unsigned long long)have + 1);
		return false;
	}
	return true;
}

bool flow_in_number(struct flow_in *in, size_t i, const char *what, uint64_t max, uint64_t *out)
{
	return rec_u64(in->r, in->rec, i, what, 0, max, out);
}

bool flow_in_small(struct flow_in *in, size_t i, const char *what, uint32_t *out)
{
	uint64_t v;

	if (!flow_in_number(in, i, what, UINT32_MAX, &v))
		return false;
	*out = (uint32_t)v;
	return true;
}

bool flow_in_position(struct flow_in *in, size_t i, struct flow_pos *p)
{
	return flow_in_id(in, i, "file", in->u->files, true, &p->file)
	    && flow_in_small(in, i + 1, "line", &p->line)
	    && flow_in_small(in, i + 2, "column", &p->col);
}

bool flow_in_letter(struct flow_in *in, size_t i, const char *what, const char *set, char *out)
{
	const struct rec *rec = in->rec;

	if (i < rec->n && rec->len[i] == 1 && strchr(set, *rec->field[i])) {
		*out = *rec->field[i];
		return true;
	}
	rec_fail(
	    in->r, "%s is `%.20s`, expected one of %s", what, i < rec->n ? rec->field[i] : "", set);
	return false;
}

bool flow_in_text(struct flow_in *in, size_t i, char **out)
{
	if (i >= in->rec->n) {
		rec_fail(in->r, "`%s` has no field %zu", in->rec->field[0], i);
		return false;
	}
	*out = copied(in->rec->field[i]);
	return true;
}

static bool read_unit(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	const struct {
		const char *key;
		char **to;
	} told[] = {
		{ "folder", &u->folder },
		{ "entry", &u->entry },
		{ "narrowing", &u->narrowing },
		{ "watched", &u->watched },
		{ "stubs", &u->stubs },
		{ "setters", &u->setters },
		{ "casts", &u->casts },
		{ "shared", &u->shared },
		{ "libraries", &u->libraries },
		{ "locale", &u->locale },
	};
	char *end;

	if (!rec_want(in->r, in->rec, 6, 6))
		return false;
	for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
		const char *value = rec_meta(in->r, told[i].key);
		*told[i].to = value ? copied(value) : NULL;
	}
	u->tells_pairs = rec_meta(in->r, "pairs") != NULL;
	u->merges = rec_meta(in->r, "merges") != NULL;
	u->asks_calls = rec_meta(in->r, "calls") != NULL;
	u->key = strtoull(in->rec->field[1], &end, 16);
	if (*end || end == in->rec->field[1]) {
		rec_fail(in->r, "key is `%.40s`, which is not hexadecimal", in->rec->field[1]);
		return false;
	}
	return flow_in_text(in, 2, &u->name) && flow_in_small(in, 3, "branches", &in->want_branches)
	    && flow_in_small(in, 4, "outcomes", &u->outcomes)
	    && flow_in_small(in, 5, "blocks", &u->blocks);
}

static bool read_file(struct flow_in *in)
{
	char **f;

	return rec_want(in->r, in->rec, 3, 3) && flow_in_next_id(in, in->u->files)
	    && (f = PUSH(in->u->file, in->u->files)) && flow_in_text(in, 2, f);
}

static bool read_type(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_type *t;

	return rec_want(in->r, in->rec, 7, 7) && flow_in_next_id(in, u->types)
	    && (t = PUSH(u->type, u->types))
	    && flow_in_letter(in, 2, "kind", "iucbfpasnveo", &t->kind)
	    && flow_in_number(in, 3, "size", UINT64_MAX, &t->size)
	    && flow_in_id(in, 4, "type", u->types - 1, true, &t->of)
	    && flow_in_number(in, 5, "count", UINT64_MAX, &t->count)
	    && flow_in_text(in, 6, &t->text);
}

static bool read_own(struct flow_in *in)
{
	uint32_t type;

	if (!rec_want(in->r, in->rec, 2, 2)
	    || !flow_in_id(in, 1, "type", in->u->types, false, &type))
		return false;
	in->u->type[type - 1].is_own = true;
	return true;
}

static bool read_member(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_member *m;
	struct flow_type *t;
	uint32_t type;

	if (!rec_want(in->r, in->rec, 7, 7) || !flow_in_id(in, 1, "type", u->types, false, &type))
		return false;
	t = &u->type[type - 1];
	if (!strchr("sne", t->kind)) {
		rec_fail(in->r, "type %u has no members", type);
		return false;
	}
	return (m = PUSH(t->member, t->members)) && flow_in_text(in, 2, &m->name)
	    && flow_in_id(in, 3, "type", u->types, true, &m->type)
	    && flow_in_number(in, 4, "offset", UINT64_MAX, &m->offset)
	    && flow_in_small(in, 5, "bit", &m->bit) && flow_in_small(in, 6, "bits", &m->bits);
}

static bool read_enumerator(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_enumerator *e;
	struct flow_type *t;
	uint32_t type;

	if (!rec_want(in->r, in->rec, 4, 4) || !flow_in_id(in, 1, "type", u->types, false, &type))
		return false;
	t = &u->type[type - 1];
	if (!strchr("iub", t->kind)) {
		rec_fail(in->r, "type %u is no enumeration", type);
		return false;
	}
	return (e = PUSH(t->enumerator, t->enumerators)) && flow_in_text(in, 2, &e->name)
	    && rec_i64(in->r, in->rec, 3, "value", &e->value);
}

static bool read_func(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_func *f;
	uint32_t blocks;

	if (!rec_want(in->r, in->rec, 12, 12) || !flow_in_next_id(in, u->funcs)
	    || !(f = PUSH(u->func, u->funcs)) || !flow_in_text(in, 2, &f->name)
	    || !flow_in_id(in, 3, "type", u->types, true, &f->type)
	    || !flow_in_position(in, 4, &f->pos) || !flow_in_small(in, 7, "line", &f->end.line)
	    || !flow_in_small(in, 8, "column", &f->end.col)
	    || !flow_in_small(in, 10, "block", &f->first_block)
	    || !flow_in_small(in, 11, "blocks", &blocks))
		return false;
	const char *flags = in->rec->field[9];
	f->end.file = f->pos.file;
	f->blocks = blocks;
	f->is_static = strchr(flags, 's');
	f->is_variadic = strchr(flags, 'v');
	f->in_system = strchr(flags, 'y');
	f->address_taken = strchr(flags, 't');
	f->is_harness = strchr(flags, 'h');
	f->is_foreign = strchr(flags, 'o');
	f->no_return = strchr(flags, 'n');
	f->constructor = strchr(flags, 'c');
	f->destructor = strchr(flags, 'd');
	f->is_weak = strchr(flags, 'w');
	f->is_inline = strchr(flags, 'i');
	if (blocks && (!f->first_block || (uint64_t)f->first_block + blocks - 1 > u->blocks)) {
		rec_fail(in->r, "blocks %u to %llu of %u", f->first_block,
		    (unsigned long long)f->first_block + blocks - 1, u->blocks);
		return false;
	}
	return true;
}

static bool read_extern(struct flow_in *in)
{
	struct flow_extern *e;

	if (!rec_want(in->r, in->rec, 4, 4) || !(e = PUSH(in->u->ext, in->u->exts))
	    || !flow_in_text(in, 1, &e->name)
	    || !flow_in_id(in, 2, "type", in->u->types, true, &e->type))
		return false;
	e->address_taken = strchr(in->rec->field[3], 't');
	e->no_return = strchr(in->rec->field[3], 'n');
	e->is_weak = strchr(in->rec->field[3], 'w');
	e->of_library = strchr(in->rec->field[3], 's');
	return true;
}

static bool read_var(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_var *v;
	uint32_t defined;

	if (!rec_want(in->r, in->rec, 10, 10) || !flow_in_next_id(in, u->vars)
	    || !(v = PUSH(u->var, u->vars))
	    || !flow_in_id(in, 2, "function", u->funcs, true, &v->func)
	    || !flow_in_letter(in, 3, "kind", "gslp", &v->kind)
	    || !flow_in_id(in, 4, "type", u->types, false, &v->type)
	    || !flow_in_position(in, 5, &v->pos) || !flow_in_small(in, 8, "defined", &defined)
	    || !flow_in_text(in, 9, &v->name))
		return false;
	v->defined = (uint8_t)defined;
	if ((v->func == 0) != (v->kind == 'g') && v->kind != 's') {
		rec_fail(in->r, "variable of kind %c in function %u", v->kind, v->func);
		return false;
	}
	if (v->kind == 'p') {
		struct flow_func *f = &u->func[v->func - 1];
		*PUSH(f->param, f->params) = (uint32_t)u->vars;
	}
	return true;
}

static bool read_block(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_pos *pos;
	uint32_t func, known = in->blocks; /* the unit's record may announce more blocks than there
	                                      is memory for */

	if (!rec_want(in->r, in->rec, 6, 6) || !flow_in_next_id(in, in->blocks)
	    || !flow_in_id(in, 2, "function", u->funcs, false, &func))
		return false;
	if (in->blocks == u->blocks) {
		rec_fail(in->r, "more blocks than the unit says");
		return false;
	}
	*PUSH(u->block_func, known) = func;
	pos = PUSH(u->block_pos, in->blocks);
	return flow_in_position(in, 3, pos);
}

static bool read_branch(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_branch *b;
	uint32_t required;

	if (!rec_want(in->r, in->rec, 12, 12) || !flow_in_next_id(in, u->branches)
	    || !(b = PUSH(u->branch, u->branches))
	    || !flow_in_id(in, 2, "function", u->funcs, false, &b->func)
	    || !flow_in_id(in, 3, "block", in->blocks, true, &b->block)
	    || !flow_in_letter(in, 4, "kind", "bsqa", &b->kind)
	    || !flow_in_small(in, 5, "outcome", &b->first) || !flow_in_position(in, 6, &b->pos)
	    || !flow_in_small(in, 9, "width", &b->width)
	    || !flow_in_small(in, 10, "required", &required) || !flow_in_text(in, 11, &b->text))
		return false;
	b->required = (uint8_t)required;
	b->region = b->pos;
	return true;
}

static struct flow_branch *branch_of(struct flow_in *in)
{
	uint32_t branch;

	return flow_in_id(in, 1, "branch", in->u->branches, false, &branch)
	    ? &in->u->branch[branch - 1]
	    : NULL;
}

static bool read_within(struct flow_in *in)
{
	struct flow_branch *b;

	if (!rec_want(in->r, in->rec, 5, 5) || !(b = branch_of(in)))
		return false;
	b->of_macro = true;
	return flow_in_position(in, 2, &b->pos);
}

static bool read_case(struct flow_in *in)
{
	struct flow_branch *b;
	struct flow_pos *pos;
	int64_t *value;
	size_t n;

	if (!rec_want(in->r, in->rec, 6, 6) || !(b = branch_of(in)))
		return false;
	if (b->kind != 's' || b->way) {
		rec_fail(in->r,
		    b->way ? "a case after a `way` of its switch"
		           : "a case of a branch that is no switch");
		return false;
	}
	n = b->cases;
	return (value = PUSH(b->value, n)) && (pos = PUSH(b->case_pos, b->cases))
	    && rec_i64(in->r, in->rec, 2, "value", value) && flow_in_position(in, 3, pos);
}

/* The first field names a case that runs the same code as the case of the second field. */
static bool read_way(struct flow_in *in)
{
	struct flow_branch *b;
	uint64_t k, first;

	if (!rec_want(in->r, in->rec, 4, 4) || !(b = branch_of(in))
	    || !rec_u64(in->r, in->rec, 2, "case", 0, UINT32_MAX, &k)
	    || !rec_u64(in->r, in->rec, 3, "case", 0, UINT32_MAX, &first))
		return false;
	if (k >= b->cases || first >= k || (b->way && b->way[first] != first)) {
		rec_fail(in->r, "a `way` that names no case of its switch");
		return false;
	}
	if (!b->way) {
		b->way = zeroed(b->cases, sizeof *b->way);
		for (uint32_t i = 0; i < b->cases; i++)
			b->way[i] = i;
	}
	b->way[k] = (uint32_t)first;
	return true;
}

static bool read_default(struct flow_in *in)
{
	struct flow_branch *b;

	return rec_want(in->r, in->rec, 5, 5) && (b = branch_of(in))
	    && flow_in_position(in, 2, &b->default_pos);
}

/* Reads the next condition of a decision: a branch, or the decision's outcome. */
static bool read_next(struct flow_in *in, size_t i, uint32_t *next)
{
	const char *text = i < in->rec->n ? in->rec->field[i] : "";

	if (strcmp(text, "t") && strcmp(text, "f"))
		return flow_in_id(in, i, "branch", in->u->branches, false, next);
	*next = *text == 't' ? FLOW_IS_TRUE : FLOW_IS_FALSE;
	return true;
}

static bool read_decision(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	uint32_t number, branch;

	if (!rec_want(in->r, in->rec, 5, 5)
	    || !flow_in_id(in, 1, "decision", UINT32_MAX, false, &number)
	    || !flow_in_id(in, 2, "branch", u->branches, false, &branch))
		return false;
	struct flow_branch *b = &u->branch[branch - 1];
	if (b->kind == 's' || b->decision) {
		rec_fail(in->r, "branch %u %s", branch,
		    b->decision ? "is of two decisions" : "is a switch");
		return false;
	}
	b->decision = number;
	return read_next(in, 3, &b->next[0]) && read_next(in, 4, &b->next[1]);
}

static bool read_label(struct flow_in *in)
{
	struct flow_label *l;
	char kind;

	if (!rec_want(in->r, in->rec, 4, 4) || !flow_in_letter(in, 2, "kind", "el", &kind)
	    || !(l = PUSH(in->u->label, in->u->labels)))
		return false;
	l->error = kind == 'e';
	return flow_in_id(in, 1, "block", in->blocks, false, &l->block)
	    && flow_in_text(in, 3, &l->name);
}

static bool read_edge(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_edge *e;

	return rec_want(in->r, in->rec, 5, 5) && (e = PUSH(u->edge, u->edges))
	    && flow_in_id(in, 1, "block", in->blocks, false, &e->from)
	    && flow_in_id(in, 2, "block", in->blocks, false, &e->to)
	    && flow_in_id(in, 3, "branch", u->branches, true, &e->branch)
	    && rec_want(in->r, in->rec, 5, 5) && flow_in_small(in, 4, "outcome", &e->outcome);
}

static bool read_call(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_call *c;
	uint32_t inst;

	if (!rec_want(in->r, in->rec, 4, 5)
	    || !flow_in_id(in, 1, "instruction", u->insts, false, &inst)
	    || !(c = PUSH(u->call, u->calls)))
		return false;
	c->inst = inst;
	c->block = u->inst_block[inst - 1];
	c->func = c->block ? u->block_func[c->block - 1] : 0;
	c->pos = c->block ? u->block_pos[c->block - 1] : (struct flow_pos){ 0, 0, 0 };
	if (in->inst == inst)
		c->pos = in->inst_pos;
	return (!in->rec->len[2] || flow_in_text(in, 2, &c->callee))
	    && (in->rec->n < 5 || !in->rec->len[4] || flow_in_text(in, 4, &c->signature));
}

static bool read_converted(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_converted *c = PUSH(u->converted, u->conversions);

	return flow_in_id(in, 1, "type", u->types, false, &c->from)
	    && flow_in_id(in, 2, "type", u->types, true, &c->to);
}

static bool read_derived(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_derived *d = PUSH(u->derived, u->derivations);

	return flow_in_id(in, 1, "type", u->types, false, &d->from)
	    && flow_in_id(in, 2, "type", u->types, false, &d->to);
}

static bool read_device(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_device *d = PUSH(u->device, u->devices);
	uint64_t open;

	if (!d || !rec_want(in->r, in->rec, 5, 5) || !flow_in_text(in, 1, &d->func)
	    || !flow_in_number(in, 2, "address", INT64_MAX, &d->address)
	    || !flow_in_id(in, 3, "type", u->types, false, &d->type)
	    || !flow_in_number(in, 4, "open", 1, &open))
		return false;
	d->open = open;
	return true;
}

/* Checks of unknown kinds, from later versions, are skipped. */
static bool read_check(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_check *c;
	unsigned kind;

	if (!rec_want(in->r, in->rec, 8, 8))
		return false;
	kind = check_find(in->rec->field[2]);
	if (kind == CHECK_NONE || objective_is(kind))
		return true;
	if (!(c = PUSH(u->check, u->checks)))
		return false;
	c->kind = (uint8_t)kind;
	return flow_in_small(in, 1, "instruction", &c->inst)
	    && flow_in_id(in, 3, "function", u->funcs, false, &c->func)
	    && flow_in_id(in, 4, "block", in->blocks, false, &c->block)
	    && flow_in_position(in, 5, &c->pos);
}

/* Objectives of unknown kinds are skipped, too. */
static bool read_objective(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_check *c;
	unsigned kind;

	if (!rec_want(in->r, in->rec, 10, 10))
		return false;
	kind = check_find(in->rec->field[2]);
	if (!objective_is(kind))
		return true;
	if (!(c = PUSH(u->check, u->checks)))
		return false;
	c->kind = (uint8_t)kind;
	return flow_in_small(in, 1, "instruction", &c->inst) && flow_in_text(in, 3, &c->criterion)
	    && flow_in_id(in, 4, "function", u->funcs, false, &c->func)
	    && flow_in_id(in, 5, "block", in->blocks, false, &c->block)
	    && flow_in_position(in, 6, &c->pos) && flow_in_text(in, 9, &c->text);
}

static bool read_limit(struct flow_in *in)
{
	struct flow_limit *l = PUSH(in->u->limit, in->u->limits);

	return l && flow_in_id(in, 1, "function", in->u->funcs, false, &l->func)
	    && flow_in_text(in, 2, &l->kind) && flow_in_position(in, 3, &l->pos);
}

static const struct {
	const char *tag;
	bool (*read)(struct flow_in *);
} readers[] = {
	{ "inst", flow_read_inst },
	{ "use", flow_read_use },
	{ "def", flow_read_def },
	{ "edge", read_edge },
	{ "block", read_block },
	{ "branch", read_branch },
	{ "case", read_case },
	{ "way", read_way },
	{ "default", read_default },
	{ "call", read_call },
	{ "converted", read_converted },
	{ "derived", read_derived },
	{ "device", read_device },
	{ "var", read_var },
	{ "func", read_func },
	{ "type", read_type },
	{ "own", read_own },
	{ "member", read_member },
	{ "file", read_file },
	{ "extern", read_extern },
	{ "within", read_within },
	{ "reloc", flow_read_reloc },
	{ "home", flow_read_home },
	{ "static", flow_read_static },
	{ "check", read_check },
	{ "objective", read_objective },
	{ "data", flow_read_data },
	{ "init", flow_read_init },
	{ "alias", flow_read_alias },
	{ "weak", flow_read_weak },
	{ "qualified", flow_read_qualified },
	{ "exact", flow_read_exact },
	{ "line", flow_read_line },
	{ "limit", read_limit },
	{ "enumerator", read_enumerator },
	{ "decision", read_decision },
	{ "label", read_label },
};

bool flow_read_record(struct flow_in *in)
{
	const char *tag = in->rec->field[0];

	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
		if (*tag == *readers[i].tag && !strcmp(tag, readers[i].tag))
			return readers[i].read(in) && (flow_hash_record(in), true);
	return true;
}

bool flow_read_unit(struct flow_in *in)
{
	if (!strcmp(in->rec->field[0], "unit"))
		return read_unit(in);
	rec_fail(in->r, "`%.40s` before the unit record", in->rec->field[0]);
	return false;
}
