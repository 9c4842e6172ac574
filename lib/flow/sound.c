/* sound: checks relations between the records of a unit that analyses rely on. Anybody may have
 * made the program that contains the program model, so a unit that violates one is refused. */
#include "lib/base/map.h"
#include "lib/base/grow.h"
#include "lib/flow/read.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(struct flow_in *in, const char *what, size_t id, const char *why)
{
	rec_fail(in->r, "%s %zu %s", what, id, why);
	return false;
}

static uint32_t func_of(const struct flow_unit *u, uint32_t block)
{
	return block ? u->block_func[block - 1] : 0;
}

/* Are the blocks of each function exactly those that its record names? */
static bool blocks_sound(struct flow_in *in)
{
	const struct flow_unit *u = in->u;
	uint64_t owned = 0;

	for (size_t i = 0; i < u->funcs; i++) {
		const struct flow_func *f = &u->func[i];
		if (!f->blocks)
			return refuse(in, "function", i + 1, "has no block");
		for (uint32_t b = 0; b < f->blocks; b++)
			if (u->block_func[f->first_block - 1 + b] != i + 1)
				return refuse(
				    in, "function", i + 1, "has a block of another function");
		owned += f->blocks;
	}
	if (owned == u->blocks)
		return true;
	rec_fail(in->r, "functions have %llu of %u blocks", (unsigned long long)owned, u->blocks);
	return false;
}

static bool operand_sound(const struct flow_unit *u, uint32_t func, const struct flow_operand *o)
{
	switch (o->kind) {
	case '%': return func_of(u, u->inst_block[o->id - 1]) == func;
	case '!': return func_of(u, o->id) == func;
	case '?': return u->branch[o->id - 1].func == func;
	case '&': return !u->var[o->id - 1].func || u->var[o->id - 1].func == func;
	}
	return true;
}

static bool operands_exist(struct flow_in *in)
{
	const struct flow_unit *u = in->u;

	for (size_t i = 0; i < u->operands; i++)
		if (u->operand[i].kind == '%' && u->operand[i].id > u->insts) {
			rec_fail(in->r, "an operand is instruction %u, but there are %zu",
			    u->operand[i].id, u->insts);
			return false;
		}
	return true;
}

/* Do branches and switches name the blocks that they lead to? */
static bool targets_sound(const struct flow_unit *u, const struct flow_inst *i)
{
	const struct flow_operand *o = &u->operand[i->first];

	if (i->op == FLOW_SWITCH)
		return o[1].kind == '!';
	return i->op != FLOW_BR || o->kind == '!'
	    || (i->operands >= 3 && o[1].kind == '!' && o[2].kind == '!');
}

/* Do instructions come in the order of blocks, with operands of their own function? */
static bool insts_sound(struct flow_in *in)
{
	const struct flow_unit *u = in->u;
	uint32_t last = 0;

	for (size_t i = 0; i < u->insts; i++) {
		uint32_t block = u->inst_block[i];
		if (block && block < last)
			return refuse(in, "instruction", i + 1, "is of an earlier block");
		last = block ? block : last;
		for (uint32_t k = 0; u->inst && k < u->inst[i].operands; k++)
			if (!operand_sound(u, func_of(u, block), &u->operand[u->inst[i].first + k]))
				return refuse(
				    in, "instruction", i + 1, "has an operand of another function");
		if (u->inst && !targets_sound(u, &u->inst[i]))
			return refuse(in, "instruction", i + 1, "leads to no block");
	}
	for (size_t i = 1; i < u->accesses; i++)
		if (u->access[i].inst < u->access[i - 1].inst)
			return refuse(in, "access", i + 1, "is of an earlier instruction");
	return true;
}

static uint64_t sides(const struct flow_branch *b)
{
	return b->kind == 's' ? b->cases + 1 : 2;
}

static bool decides_within(const struct flow_unit *u, const struct flow_branch *b, uint32_t next)
{
	return !next || next >= FLOW_IS_FALSE || u->branch[next - 1].func == b->func;
}

/* Units may leave room for outcomes of conditions that are not there yet. */
#define MOST_SPARE (1u << 20)

static bool branches_sound(struct flow_in *in)
{
	const struct flow_unit *u = in->u;
	uint64_t outcomes = 0;

	for (size_t i = 0; i < u->branches; i++)
		outcomes += sides(&u->branch[i]);
	if (u->outcomes > outcomes + MOST_SPARE) {
		rec_fail(in->r, "the unit says %u outcomes, its branches have %llu", u->outcomes,
		    (unsigned long long)outcomes);
		return false;
	}
	for (size_t i = 0; i < u->branches; i++) {
		const struct flow_branch *b = &u->branch[i];
		if (b->first + sides(b) > u->outcomes) {
			rec_fail(in->r, "branch %zu has outcomes beyond the unit's %u", i + 1,
			    u->outcomes);
			return false;
		}
		if ((b->block && func_of(u, b->block) != b->func)
		    || !decides_within(u, b, b->next[0]) || !decides_within(u, b, b->next[1]))
			return refuse(in, "branch", i + 1, "leads out of its function");
	}
	return true;
}

static bool edges_sound(struct flow_in *in)
{
	const struct flow_unit *u = in->u;

	for (size_t i = 0; i < u->edges; i++) {
		const struct flow_edge *e = &u->edge[i];
		const struct flow_branch *b = e->branch ? &u->branch[e->branch - 1] : NULL;
		uint32_t func = func_of(u, e->from);
		if (func_of(u, e->to) != func || (b && b->func != func))
			return refuse(in, "edge", i + 1, "leads out of its function");
		if (b && (e->outcome < b->first || e->outcome - b->first >= sides(b)))
			return refuse(in, "edge", i + 1, "has an outcome of another branch");
	}
	return true;
}

static uint64_t edge_key(uint32_t from, uint32_t to)
{
	return (uint64_t)from << 32 | to;
}

/* Do instructions lead only where edges do? Loops are found by edges. */
static bool ways_sound(struct flow_in *in)
{
	const struct flow_unit *u = in->u;
	struct map edges = { 0 };
	size_t wrong = 0;
	bool fresh;

	for (size_t i = 0; u->inst && i < u->edges; i++)
		*map_at(&edges, edge_key(u->edge[i].from, u->edge[i].to), &fresh) = 1;
	for (size_t i = 0; u->inst && i < u->insts && !wrong; i++) {
		const struct flow_inst *inst = &u->inst[i];
		if (inst->op != FLOW_BR && inst->op != FLOW_SWITCH && inst->op != FLOW_GOTO)
			continue;
		for (uint32_t k = 0; k < inst->operands; k++) {
			const struct flow_operand *o = &u->operand[inst->first + k];
			if (o->kind == '!' && !map_get(&edges, edge_key(u->inst_block[i], o->id)))
				wrong = i + 1;
		}
	}
	map_close(&edges);
	return !wrong || refuse(in, "instruction", wrong, "leads where no edge does");
}

/* Do records of the unit's code come in its order? */
static bool order_sound(struct flow_in *in)
{
	const struct flow_unit *u = in->u;

	for (size_t i = 1; i < u->calls; i++)
		if (u->call[i].func < u->call[i - 1].func)
			return refuse(in, "call", i + 1, "is of an earlier function");
	for (size_t i = 1; i < u->lines; i++)
		if (u->line[i].block < u->line[i - 1].block)
			return refuse(in, "line", i + 1, "is of an earlier block");
	for (size_t i = 0; i < u->checks; i++)
		if (func_of(u, u->check[i].block) != u->check[i].func)
			return refuse(in, "check", i + 1, "is of another function");
	return true;
}

/* Updates the nesting depth of a type from the types that it contains by value; was it too low? */
static bool rises(const struct flow_unit *u, uint32_t *level, size_t i)
{
	const struct flow_type *t = &u->type[i];
	uint32_t most = t->kind == 'a' && t->of ? level[t->of - 1] + 1 : 0;
	bool higher;

	for (size_t k = 0; strchr("sn", t->kind) && k < t->members; k++) {
		uint32_t part = t->member[k].type ? level[t->member[k].type - 1] + 1 : 0;
		most = part > most ? part : most;
	}
	higher = most > level[i];
	level[i] = most;
	return higher;
}

/* Have arrays elements, and does no type contain itself? Analyses look into types recursively. */
static bool types_sound(struct flow_in *in)
{
	enum { DEEPEST = 256 };
	const struct flow_unit *u = in->u;
	uint32_t *level = zeroed(u->types + 1, sizeof *level);
	size_t risen = 1;

	for (size_t i = 0; i < u->types; i++)
		if (u->type[i].kind == 'a' && u->type[i].count && !u->type[i].of) {
			free(level);
			return refuse(in, "type", i + 1, "is an array without a type of elements");
		}
	for (int pass = 0; risen && pass < DEEPEST; pass++) {
		risen = 0;
		for (size_t i = 0; i < u->types; i++)
			risen = rises(u, level, i) ? i + 1 : risen;
	}
	free(level);
	return !risen
	    || refuse(in, "type", risen, "contains itself, or is nested more than 256 times");
}

bool flow_unit_is_sound(struct flow_in *in)
{
	const struct flow_unit *u = in->u;

	if (u->branches != in->want_branches || in->blocks != u->blocks) {
		rec_fail(in->r, "the unit says %u branches and %u blocks, there are %zu and %u",
		    in->want_branches, u->blocks, u->branches, in->blocks);
		return false;
	}
	return types_sound(in) && blocks_sound(in) && branches_sound(in) && operands_exist(in)
	    && insts_sound(in) && edges_sound(in) && ways_sound(in) && order_sound(in);
}
