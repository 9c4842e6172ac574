/* inst: reads records of instructions, definitions, uses, and pointers in initialisers. */
#include "lib/flow/read.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum flow_op op;
	uint32_t needs;
} operations[] = {
	{ "load", FLOW_LOAD, 1 },
	{ "store", FLOW_STORE, 2 },
	{ "br", FLOW_BR, 1 },
	{ "addr", FLOW_ADDR, 2 },
	{ "call", FLOW_CALL, 1 },
	{ "phi", FLOW_PHI, 0 },
	{ "select", FLOW_SELECT, 3 },
	{ "copy", FLOW_COPY, 3 },
	{ "fill", FLOW_FILL, 3 },
	{ "alloca", FLOW_ALLOCA, 1 },
	{ "switch", FLOW_SWITCH, 2 },
	{ "goto", FLOW_GOTO, 0 },
	{ "ret", FLOW_RET, 0 },
	{ "asm", FLOW_ASM, 0 },
	{ "unreachable", FLOW_UNREACHABLE, 0 },
	{ "add", FLOW_ADD, 2 },
	{ "sub", FLOW_SUB, 2 },
	{ "eq", FLOW_COMPARE, 0 },
	{ "ne", FLOW_COMPARE, 0 },
	{ "ult", FLOW_COMPARE, 0 },
	{ "ule", FLOW_COMPARE, 0 },
	{ "ugt", FLOW_COMPARE, 0 },
	{ "uge", FLOW_COMPARE, 0 },
	{ "slt", FLOW_COMPARE, 0 },
	{ "sle", FLOW_COMPARE, 0 },
	{ "sgt", FLOW_COMPARE, 0 },
	{ "sge", FLOW_COMPARE, 0 },
	{ "zext", FLOW_CAST, 1 },
	{ "sext", FLOW_CAST, 1 },
	{ "trunc", FLOW_CAST, 1 },
	{ "mul", FLOW_VALUE, 0 },
	{ "udiv", FLOW_VALUE, 0 },
	{ "sdiv", FLOW_VALUE, 0 },
	{ "urem", FLOW_VALUE, 0 },
	{ "srem", FLOW_VALUE, 0 },
	{ "shl", FLOW_VALUE, 0 },
	{ "lshr", FLOW_VALUE, 0 },
	{ "ashr", FLOW_VALUE, 0 },
	{ "and", FLOW_VALUE, 0 },
	{ "or", FLOW_VALUE, 0 },
	{ "xor", FLOW_VALUE, 0 },
	{ "part", FLOW_VALUE, 0 },
	{ "ctpop", FLOW_VALUE, 0 },
	{ "cttz", FLOW_VALUE, 0 },
	{ "ctlz", FLOW_VALUE, 0 },
	{ "bswap", FLOW_VALUE, 0 },
	{ "bitreverse", FLOW_VALUE, 0 },
	{ "abs", FLOW_VALUE, 0 },
	{ "umin", FLOW_VALUE, 0 },
	{ "umax", FLOW_VALUE, 0 },
	{ "smin", FLOW_VALUE, 0 },
	{ "smax", FLOW_VALUE, 0 },
	{ "fshl", FLOW_VALUE, 0 },
	{ "fshr", FLOW_VALUE, 0 },
	{ "sadd.overflow", FLOW_VALUE, 0 },
	{ "uadd.overflow", FLOW_VALUE, 0 },
	{ "smul.overflow", FLOW_VALUE, 0 },
	{ "umul.overflow", FLOW_VALUE, 0 },
	{ "ssub.overflow", FLOW_VALUE, 0 },
	{ "usub.overflow", FLOW_VALUE, 0 },
	{ "other", FLOW_OTHER, 0 },
	{ "fadd", FLOW_FLOAT, 0 },
	{ "fsub", FLOW_FLOAT, 0 },
	{ "fmul", FLOW_FLOAT, 0 },
	{ "fdiv", FLOW_FLOAT, 0 },
	{ "frem", FLOW_FLOAT, 0 },
	{ "fneg", FLOW_FLOAT, 0 },
	{ "ftrunc", FLOW_FLOAT, 0 },
	{ "fext", FLOW_FLOAT, 0 },
	{ "fto.s", FLOW_FLOAT, 0 },
	{ "fto.u", FLOW_FLOAT, 0 },
	{ "fof.s", FLOW_FLOAT, 0 },
	{ "fof.u", FLOW_FLOAT, 0 },
	{ "foeq", FLOW_FLOAT, 0 },
	{ "fogt", FLOW_FLOAT, 0 },
	{ "foge", FLOW_FLOAT, 0 },
	{ "folt", FLOW_FLOAT, 0 },
	{ "fole", FLOW_FLOAT, 0 },
	{ "fone", FLOW_FLOAT, 0 },
	{ "ford", FLOW_FLOAT, 0 },
	{ "funo", FLOW_FLOAT, 0 },
	{ "fueq", FLOW_FLOAT, 0 },
	{ "fugt", FLOW_FLOAT, 0 },
	{ "fuge", FLOW_FLOAT, 0 },
	{ "fult", FLOW_FLOAT, 0 },
	{ "fule", FLOW_FLOAT, 0 },
	{ "fune", FLOW_FLOAT, 0 },
	{ "fabs", FLOW_FLOAT, 1 },
	{ "fcopysign", FLOW_FLOAT, 2 },
	{ "fclass", FLOW_FLOAT, 2 },
	{ "fsqrt", FLOW_FLOAT, 1 },
	{ "fround.down", FLOW_FLOAT, 1 },
	{ "fround.up", FLOW_FLOAT, 1 },
	{ "fround.zero", FLOW_FLOAT, 1 },
	{ "fround.even", FLOW_FLOAT, 1 },
	{ "fround.away", FLOW_FLOAT, 1 },
	{ "ffast", FLOW_FLOAT, 0 },
};

static enum flow_op operation(const char *name, uint32_t *needs, const char **known)
{
	*needs = 0;
	*known = NULL;
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		if (*name == *operations[i].name && !strcmp(name, operations[i].name)) {
			*needs = operations[i].needs;
			*known = operations[i].name;
			return operations[i].op;
		}
	return *name == 'f' && strncmp(name, "fsh", 3) ? FLOW_FLOAT : FLOW_VALUE;
}

static bool bad_operand(struct flow_in *in, const char *text)
{
	rec_fail(in->r, "`%.40s` is not an operand", text);
	return false;
}

/* Parses "NUMBER" or "NUMBER+BYTES" after the sign. */
static bool numbered(struct flow_in *in, const char *text, size_t max, struct flow_operand *o)
{
	char *end;
	unsigned long long n = strtoull(text + 1, &end, 10);

	if (end == text + 1 || n > max || (n == 0 && *text != '^'))
		return bad_operand(in, text);
	o->id = (uint32_t)n;
	if (*end && strchr("&$", *text))
		o->value = strtoll(end, &end, 10);
	return !*end || bad_operand(in, text);
}

static void take_name(const char *text, struct flow_operand *o)
{
	const char *sign = strpbrk(text + 1, "+-");

	o->value = sign ? strtoll(sign, NULL, 10) : 0;
	o->name = copied_part(text + 1, sign ? (size_t)(sign - text - 1) : strlen(text + 1));
}

static bool parse_operand(struct flow_in *in, const char *text, struct flow_operand *o)
{
	struct flow_unit *u = in->u;

	o->kind = *text;
	switch (*text) {
	case '%': return numbered(in, text, UINT32_MAX, o);
	case '&': return numbered(in, text, u->vars, o);
	case '$':
	case '^': return numbered(in, text, UINT32_MAX, o);
	case '!': return numbered(in, text, u->blocks, o);
	case '?': return numbered(in, text, u->branches, o);
	case '@': take_name(text, o); return true;
	case '~':
		if (strlen(text) <= 17)
			o->value = (int64_t)strtoull(text + 1, NULL, 16);
		else /* a constant of more than 64 bits is kept as text */
			o->name = copied(text);
		return true;
	case '-':
		if (!text[1])
			return true;
		break;
	}
	o->kind = '#';
	o->value =
	    *text == '-' ? (int64_t)strtoll(text, NULL, 10) : (int64_t)strtoull(text, NULL, 0);
	if (*text != '-' && (*text < '0' || *text > '9'))
		return bad_operand(in, text);
	if (strlen(text) > 18 && text[1] == 'x') /* likewise */
		o->name = copied(text);
	return true;
}

/* For operation `other`, field 8 is the operation's name, not an operand. */
static bool read_operands(struct flow_in *in, struct flow_inst *i)
{
	size_t k = !strcmp(in->rec->field[3], "other") ? 9 : 8;

	if (!in->u->operand) /* analyses take the array's address even if it is empty */
		in->u->operand = grow_one(NULL, 0, sizeof *in->u->operand);
	i->first = (uint32_t)in->u->operands;
	for (; k < in->rec->n; k++) {
		struct flow_operand *o = PUSH(in->u->operand, in->u->operands);
		if (!o || !parse_operand(in, in->rec->field[k], o))
			return false;
		i->operands++;
	}
	return true;
}

static bool keep_inst(struct flow_in *in, uint32_t block)
{
	struct flow_unit *u = in->u;
	size_t have = u->insts - 1;
	struct flow_inst *i = PUSH(u->inst, have);
	uint32_t needs;

	if (!i)
		return false;
	i->block = block;
	i->op = (uint8_t)operation(in->rec->field[3], &needs, &i->name);
	i->pos = in->inst_pos;
	if (!flow_in_small(in, 4, "width", &i->width) || !read_operands(in, i))
		return false;
	if (i->operands >= needs)
		return true;
	rec_fail(in->r, "`%s` has %u operand%s, needs %u", in->rec->field[3], i->operands,
	    i->operands == 1 ? "" : "s", needs);
	return false;
}

static bool add_line(struct flow_in *in, uint32_t block, uint32_t file, uint32_t line)
{
	struct flow_unit *u = in->u;
	const struct flow_line *last = u->lines ? &u->line[u->lines - 1] : NULL;
	struct flow_line *l;

	if (!line || (last && last->block == block && last->file == file && last->line == line))
		return true;
	if (!(l = PUSH(u->line, u->lines)))
		return false;
	*l = (struct flow_line){ block, file, line };
	return true;
}

bool flow_read_line(struct flow_in *in)
{
	uint32_t block, file, line;

	if (!in->sparse)
		return true;
	return rec_want(in->r, in->rec, 4, 4)
	    && flow_in_id(in, 1, "block", in->blocks, false, &block)
	    && flow_in_id(in, 2, "file", in->u->files, true, &file)
	    && flow_in_small(in, 3, "line", &line) && add_line(in, block, file, line);
}

bool flow_read_inst(struct flow_in *in)
{
	enum { LEAST = 16 }; /* bytes of the shortest instruction record */
	struct flow_unit *u = in->u;
	uint32_t block, *slot;
	uint64_t n, most = in->sparse ? in->sparse / LEAST : UINT32_MAX;

	if (in->rec->n < 8) {
		rec_want(in->r, in->rec, 8, SIZE_MAX);
		return false;
	}
	if (!in->sparse && !flow_in_next_id(in, u->insts))
		return false;
	if (!rec_u64(
	        in->r, in->rec, 1, "id", u->insts + 1, most < UINT32_MAX ? most : UINT32_MAX, &n)
	    || !flow_in_id(in, 2, "block", in->blocks, false, &block)
	    || !flow_in_position(in, 5, &in->inst_pos)
	    || !add_line(in, block, in->inst_pos.file, in->inst_pos.line))
		return false;
	while (u->insts < n)
		if (!(slot = PUSH(u->inst_block, u->insts)))
			return false;
	u->inst_block[n - 1] = block;
	in->inst = (uint32_t)n;
	return in->sparse || keep_inst(in, block);
}

static bool access_record(struct flow_in *in, size_t *count, bool is_def)
{
	struct flow_unit *u = in->u;
	struct flow_access *a;

	if (in->sparse)
		return true;
	if (!rec_want(in->r, in->rec, 11, 13) || !flow_in_next_id(in, *count)
	    || !(a = PUSH(u->access, u->accesses)))
		return false;
	++*count;
	a->is_def = is_def;
	if (*in->rec->field[4] != '-')
		snprintf(a->how, sizeof a->how, "%s", in->rec->field[4]);
	return flow_in_id(in, 2, "instruction", u->insts, false, &a->inst)
	    && flow_in_id(in, 3, "variable", u->vars, true, &a->var)
	    && flow_in_position(in, 5, &a->pos)
	    && flow_in_number(in, 8, "offset", UINT64_MAX, &a->offset)
	    && flow_in_number(in, 9, "size", UINT64_MAX, &a->size) && flow_in_text(in, 10, &a->path)
	    && (in->rec->n < 13
	        || (flow_in_small(in, 11, "bit", &a->bit)
	            && flow_in_small(in, 12, "bits", &a->bits)));
}

bool flow_read_def(struct flow_in *in)
{
	return access_record(in, &in->defs, true);
}

bool flow_read_use(struct flow_in *in)
{
	return access_record(in, &in->uses, false);
}

bool flow_read_reloc(struct flow_in *in)
{
	struct flow_reloc *r;

	return in->sparse
	    || (rec_want(in->r, in->rec, 4, 4) && (r = PUSH(in->u->reloc, in->u->relocs))
	        && parse_operand(in, in->rec->field[1], &r->object)
	        && flow_in_number(in, 2, "offset", UINT64_MAX, &r->offset)
	        && parse_operand(in, in->rec->field[3], &r->target));
}

bool flow_read_alias(struct flow_in *in)
{
	struct flow_alias *a;

	if (!rec_want(in->r, in->rec, 4, 4) || !(a = PUSH(in->u->alias, in->u->aliases))
	    || !flow_in_text(in, 1, &a->name) || !parse_operand(in, in->rec->field[2], &a->target))
		return false;
	a->is_weak = strchr(in->rec->field[3], 'w');
	return strchr("&@", a->target.kind) || bad_operand(in, in->rec->field[2]);
}

bool flow_read_exact(struct flow_in *in)
{
	struct flow_exact *e;

	return in->sparse
	    || (rec_want(in->r, in->rec, 3, 3) && (e = PUSH(in->u->exact, in->u->exacts))
	        && parse_operand(in, in->rec->field[1], &e->object)
	        && flow_in_text(in, 2, &e->text));
}

static bool is_local(struct flow_in *in, uint32_t var)
{
	if (in->u->var[var - 1].func)
		return true;
	rec_fail(in->r, "variable %u is in no function", var);
	return false;
}

bool flow_read_home(struct flow_in *in)
{
	struct flow_home *h;

	return in->sparse
	    || (rec_want(in->r, in->rec, 3, 3) && (h = PUSH(in->u->home, in->u->homes))
	        && flow_in_id(in, 1, "variable", in->u->vars, false, &h->var)
	        && flow_in_small(in, 2, "argument", &h->argument) && is_local(in, h->var));
}

static struct flow_var *read_var(struct flow_in *in)
{
	uint32_t var;

	return rec_want(in->r, in->rec, 2, 2)
	        && flow_in_id(in, 1, "variable", in->u->vars, false, &var)
	    ? &in->u->var[var - 1]
	    : NULL;
}

bool flow_read_static(struct flow_in *in)
{
	struct flow_var *v = read_var(in);

	return v && (v->is_static = true);
}

bool flow_read_weak(struct flow_in *in)
{
	struct flow_var *v = read_var(in);

	return v && (v->is_weak = true);
}

bool flow_read_qualified(struct flow_in *in)
{
	struct flow_var *v;
	uint32_t var;

	if (!rec_want(in->r, in->rec, 3, 3)
	    || !flow_in_id(in, 1, "variable", in->u->vars, false, &var))
		return false;
	v = &in->u->var[var - 1];
	v->is_const = strchr(in->rec->field[2], 'c');
	v->is_volatile = strchr(in->rec->field[2], 'v');
	v->is_thread = strchr(in->rec->field[2], 't');
	v->is_restrict = strchr(in->rec->field[2], 'r');
	return true;
}

/* Parses a field of hexadecimal bytes. */
static bool read_bytes(struct flow_in *in, size_t field, struct flow_bytes *b)
{
	const char *hex = in->rec->n > field ? in->rec->field[field] : "";
	size_t n = strlen(hex) / 2;
	unsigned byte;

	b->bytes = reserved(n + 1, 1);
	for (; b->known < n; b->known++) {
		if (sscanf(hex + 2 * b->known, "%2x", &byte) != 1) {
			rec_fail(in->r, "`%.40s` is not hexadecimal", hex);
			return false;
		}
		b->bytes[b->known] = (uint8_t)byte;
	}
	return true;
}

bool flow_read_data(struct flow_in *in)
{
	struct flow_bytes *b;

	if (in->sparse)
		return true;
	if (!rec_want(in->r, in->rec, 3, 4))
		return false;
	b = PUSH(in->u->bytes, in->u->contents);
	b->kind = '$';
	return flow_in_small(in, 1, "data", &b->id)
	    && flow_in_number(in, 2, "size", UINT64_MAX, &b->size) && read_bytes(in, 3, b);
}

bool flow_read_init(struct flow_in *in)
{
	struct flow_bytes *b;

	if (in->sparse)
		return true;
	if (!rec_want(in->r, in->rec, 2, 3) || !(b = PUSH(in->u->bytes, in->u->contents)))
		return false;
	b->kind = '&';
	return flow_in_id(in, 1, "variable", in->u->vars, false, &b->id) && read_bytes(in, 2, b)
	    && (b->size = b->known, true);
}
