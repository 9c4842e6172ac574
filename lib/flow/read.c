/* read: flow(5) records into memory. Every id is checked where it is met, counts when
 * the unit is complete. */
#include "lib/flow/read.h"

#include <stdlib.h>
#include <string.h>

/* Room for one more element of an array that doubles; NULL when out of memory. */
static void *
more(void *array, size_t n, size_t size)
{
	if (n & (n - 1) || (n && n < 8))
		return array;
	return realloc(array, (n ? n * 2 : 8) * size);
}

#define APPEND(in, array, n) \
	(((in)->room = more((array), (n), sizeof *(array))) \
	 ? ((array) = (in)->room, memset(&(array)[n], 0, sizeof *(array)), &(array)[(n)++]) \
	 : (rec_fail((in)->r, "out of memory"), NULL))

/* Field i as an id of at most `max`; 0 only when `none` says so. */
static bool
id(struct flow_in *in, size_t i, const char *what, size_t max, bool none, uint32_t *out)
{
	uint64_t v;

	if (!rec_u64(in->r, in->rec, i, what, none ? 0 : 1, max, &v))
		return false;
	*out = (uint32_t)v;
	return true;
}

/* The id of a new record: one more than the last. */
static bool
next_id(struct flow_in *in, size_t have)
{
	uint64_t v;

	if (!rec_u64(in->r, in->rec, 1, "id", 1, UINT32_MAX, &v))
		return false;
	if (v != have + 1) {
		rec_fail(in->r, "%s %llu where %llu is next", in->rec->field[0], (unsigned long long)v,
		         (unsigned long long)have + 1);
		return false;
	}
	return true;
}

static bool
number(struct flow_in *in, size_t i, const char *what, uint64_t max, uint64_t *out)
{
	return rec_u64(in->r, in->rec, i, what, 0, max, out);
}

static bool
small(struct flow_in *in, size_t i, const char *what, uint32_t *out)
{
	uint64_t v;

	if (!number(in, i, what, UINT32_MAX, &v))
		return false;
	*out = (uint32_t)v;
	return true;
}

static bool
position(struct flow_in *in, size_t i, struct flow_pos *p)
{
	return id(in, i, "file", in->u->files, true, &p->file) && small(in, i + 1, "line", &p->line)
	       && small(in, i + 2, "column", &p->col);
}

static bool
letter(struct flow_in *in, size_t i, const char *what, const char *set, char *out)
{
	const struct rec *rec = in->rec;

	if (i < rec->n && rec->len[i] == 1 && strchr(set, *rec->field[i])) {
		*out = *rec->field[i];
		return true;
	}
	rec_fail(in->r, "%s is `%.20s`, expected one of %s", what, i < rec->n ? rec->field[i] : "", set);
	return false;
}

static bool
text(struct flow_in *in, size_t i, char **out)
{
	if (i < in->rec->n && (*out = strdup(in->rec->field[i])))
		return true;
	rec_fail(in->r, "`%s` has no field %zu", in->rec->field[0], i);
	return false;
}

static bool
read_unit(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	char *end;

	if (!rec_want(in->r, in->rec, 6, 6))
		return false;
	u->key = strtoull(in->rec->field[1], &end, 16);
	if (*end || end == in->rec->field[1]) {
		rec_fail(in->r, "key is `%.40s`, which is not hexadecimal", in->rec->field[1]);
		return false;
	}
	return text(in, 2, &u->name) && small(in, 3, "branches", &in->want_branches)
	       && small(in, 4, "outcomes", &u->outcomes) && small(in, 5, "blocks", &u->blocks);
}

static bool
read_file(struct flow_in *in)
{
	char **f;

	return rec_want(in->r, in->rec, 3, 3) && next_id(in, in->u->files)
	       && (f = APPEND(in, in->u->file, in->u->files)) && text(in, 2, f);
}

static bool
read_type(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_type *t;

	return rec_want(in->r, in->rec, 7, 7) && next_id(in, u->types)
	       && (t = APPEND(in, u->type, u->types))
	       && letter(in, 2, "kind", "iucbfpasnveo", &t->kind)
	       && number(in, 3, "size", UINT64_MAX, &t->size)
	       && id(in, 4, "type", u->types - 1, true, &t->of)
	       && number(in, 5, "count", UINT64_MAX, &t->count) && text(in, 6, &t->text);
}

static bool
read_member(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_member *m;
	struct flow_type *t;
	uint32_t type;

	if (!rec_want(in->r, in->rec, 7, 7) || !id(in, 1, "type", u->types, false, &type))
		return false;
	t = &u->type[type - 1];
	if (t->kind != 's' && t->kind != 'n') {
		rec_fail(in->r, "type %u is neither struct nor union", type);
		return false;
	}
	return (m = APPEND(in, t->member, t->members)) && text(in, 2, &m->name)
	       && id(in, 3, "type", u->types, true, &m->type)
	       && number(in, 4, "offset", UINT64_MAX, &m->offset) && small(in, 5, "bit", &m->bit)
	       && small(in, 6, "bits", &m->bits);
}

static bool
read_func(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_func *f;
	uint32_t blocks;

	if (!rec_want(in->r, in->rec, 12, 12) || !next_id(in, u->funcs)
	    || !(f = APPEND(in, u->func, u->funcs)) || !text(in, 2, &f->name)
	    || !id(in, 3, "type", u->types, true, &f->type) || !position(in, 4, &f->pos)
	    || !small(in, 7, "line", &f->end.line) || !small(in, 8, "column", &f->end.col)
	    || !small(in, 10, "block", &f->first_block) || !small(in, 11, "blocks", &blocks))
		return false;
	const char *flags = in->rec->field[9];
	f->end.file = f->pos.file;
	f->blocks = blocks;
	f->is_static = strchr(flags, 's');
	f->is_variadic = strchr(flags, 'v');
	f->in_system = strchr(flags, 'y');
	f->address_taken = strchr(flags, 't');
	f->is_harness = strchr(flags, 'h');
	f->no_return = strchr(flags, 'n');
	if (blocks && (f->first_block == 0 || (uint64_t)f->first_block + blocks - 1 > u->blocks)) {
		rec_fail(in->r, "blocks %u to %llu of %u", f->first_block,
		         (unsigned long long)f->first_block + blocks - 1, u->blocks);
		return false;
	}
	return true;
}

static bool
read_extern(struct flow_in *in)
{
	struct flow_extern *e;

	if (!rec_want(in->r, in->rec, 4, 4) || !(e = APPEND(in, in->u->ext, in->u->exts))
	    || !text(in, 1, &e->name) || !id(in, 2, "type", in->u->types, true, &e->type))
		return false;
	e->address_taken = strchr(in->rec->field[3], 't');
	return true;
}

static bool
add_param(struct flow_in *in, struct flow_func *f, uint32_t var)
{
	uint32_t *p = APPEND(in, f->param, f->params);

	if (p)
		*p = var;
	return p;
}

static bool
read_var(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_var *v;
	uint32_t defined;

	if (!rec_want(in->r, in->rec, 10, 10) || !next_id(in, u->vars)
	    || !(v = APPEND(in, u->var, u->vars)) || !id(in, 2, "function", u->funcs, true, &v->func)
	    || !letter(in, 3, "kind", "gslp", &v->kind) || !id(in, 4, "type", u->types, true, &v->type)
	    || !position(in, 5, &v->pos) || !small(in, 8, "defined", &defined) || !text(in, 9, &v->name))
		return false;
	v->defined = (uint8_t)defined;
	if ((v->func == 0) != (v->kind == 'g') && v->kind != 's') {
		rec_fail(in->r, "variable of kind %c in function %u", v->kind, v->func);
		return false;
	}
	return v->kind != 'p' || add_param(in, &u->func[v->func - 1], (uint32_t)u->vars);
}

static bool
read_block(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	uint32_t func;

	if (!rec_want(in->r, in->rec, 6, 6) || !next_id(in, in->blocks)
	    || !id(in, 2, "function", u->funcs, false, &func))
		return false;
	if (in->blocks == u->blocks) {
		rec_fail(in->r, "more blocks than the unit says");
		return false;
	}
	if (!u->block_func) {
		u->block_func = calloc(u->blocks, sizeof *u->block_func);
		u->block_pos = calloc(u->blocks, sizeof *u->block_pos);
	}
	if (!u->block_func || !u->block_pos) {
		rec_fail(in->r, "out of memory");
		return false;
	}
	u->block_func[in->blocks] = func;
	return position(in, 3, &u->block_pos[in->blocks++]);
}

static bool
read_branch(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_branch *b;
	uint32_t required;

	if (!rec_want(in->r, in->rec, 12, 12) || !next_id(in, u->branches)
	    || !(b = APPEND(in, u->branch, u->branches))
	    || !id(in, 2, "function", u->funcs, false, &b->func)
	    || !id(in, 3, "block", in->blocks, true, &b->block) || !letter(in, 4, "kind", "bsqa", &b->kind)
	    || !small(in, 5, "outcome", &b->first) || !position(in, 6, &b->pos)
	    || !small(in, 9, "width", &b->width) || !small(in, 10, "required", &required)
	    || !text(in, 11, &b->text))
		return false;
	b->required = (uint8_t)required;
	return true;
}

static struct flow_branch *
branch_of(struct flow_in *in)
{
	uint32_t branch;

	return id(in, 1, "branch", in->u->branches, false, &branch) ? &in->u->branch[branch - 1] : NULL;
}

static bool
read_within(struct flow_in *in)
{
	struct flow_branch *b;

	return rec_want(in->r, in->rec, 5, 5) && (b = branch_of(in)) && position(in, 2, &b->within);
}

static bool
read_case(struct flow_in *in)
{
	struct flow_branch *b;
	struct flow_pos *pos;
	int64_t *value;
	size_t n;

	if (!rec_want(in->r, in->rec, 6, 6) || !(b = branch_of(in)))
		return false;
	if (b->kind != 's') {
		rec_fail(in->r, "a case of a branch that is no switch");
		return false;
	}
	n = b->cases;
	return (value = APPEND(in, b->value, n)) && (pos = APPEND(in, b->case_pos, b->cases))
	       && rec_i64(in->r, in->rec, 2, "value", value) && position(in, 3, pos);
}

static bool
read_default(struct flow_in *in)
{
	struct flow_branch *b;

	return rec_want(in->r, in->rec, 5, 5) && (b = branch_of(in)) && position(in, 2, &b->default_pos);
}

static bool
read_edge(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_edge *e;

	return rec_want(in->r, in->rec, 5, 5) && (e = APPEND(in, u->edge, u->edges))
	       && id(in, 1, "block", in->blocks, false, &e->from)
	       && id(in, 2, "block", in->blocks, false, &e->to)
	       && id(in, 3, "branch", u->branches, true, &e->branch)
	       && rec_want(in->r, in->rec, 5, 5) && small(in, 4, "outcome", &e->outcome);
}

static bool
read_call(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	struct flow_call *c;
	uint32_t inst;

	if (!rec_want(in->r, in->rec, 4, 4) || !id(in, 1, "instruction", u->insts, false, &inst)
	    || !(c = APPEND(in, u->call, u->calls)))
		return false;
	c->block = u->inst_block[inst - 1];
	c->func = c->block ? u->block_func[c->block - 1] : 0;
	c->pos = c->block ? u->block_pos[c->block - 1] : (struct flow_pos){ 0, 0, 0 };
	if (in->inst == inst)
		c->pos = in->inst_pos;
	return !in->rec->len[2] || text(in, 2, &c->callee);
}

static bool
read_inst(struct flow_in *in)
{
	struct flow_unit *u = in->u;
	uint32_t block, *slot;
	uint64_t n;

	if (in->rec->n < 8) {
		rec_want(in->r, in->rec, 8, SIZE_MAX);
		return false;
	}
	if (!in->sparse && !next_id(in, u->insts))
		return false;
	if (!rec_u64(in->r, in->rec, 1, "id", u->insts + 1, UINT32_MAX, &n)
	    || !id(in, 2, "block", in->blocks, false, &block) || !position(in, 5, &in->inst_pos))
		return false;
	while (u->insts < n)
		if (!(slot = APPEND(in, u->inst_block, u->insts)))
			return false;
	u->inst_block[n - 1] = block;
	in->inst = (uint32_t)n;
	return true;
}

static bool
access_record(struct flow_in *in, size_t *count)
{
	struct flow_pos pos;
	uint32_t inst, var;

	if (!rec_want(in->r, in->rec, 11, 11) || !next_id(in, *count))
		return false;
	++*count;
	return id(in, 2, "instruction", in->u->insts, false, &inst)
	       && id(in, 3, "variable", in->u->vars, true, &var) && position(in, 5, &pos);
}

static bool
read_def(struct flow_in *in)
{
	return in->sparse || access_record(in, &in->defs);
}

static bool
read_use(struct flow_in *in)
{
	return in->sparse || access_record(in, &in->uses);
}

static const struct { const char *tag; bool (*read)(struct flow_in *); } readers[] = {
	{ "inst", read_inst },   { "use", read_use },         { "def", read_def },
	{ "edge", read_edge },   { "block", read_block },     { "branch", read_branch },
	{ "case", read_case },   { "default", read_default }, { "call", read_call },
	{ "var", read_var },     { "func", read_func },       { "type", read_type },
	{ "member", read_member }, { "file", read_file },     { "extern", read_extern },
	{ "within", read_within },
};

bool
flow_read_record(struct flow_in *in)
{
	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
		if (!strcmp(in->rec->field[0], readers[i].tag))
			return readers[i].read(in) && (flow_hash_record(in), true);
	return true;
}

bool
flow_read_unit(struct flow_in *in)
{
	if (!strcmp(in->rec->field[0], "unit"))
		return read_unit(in);
	rec_fail(in->r, "`%.40s` before the unit record", in->rec->field[0]);
	return false;
}
