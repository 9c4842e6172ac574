/* Constants of the program that inputs are made of. */
#include "lib/script/inner.h"

/* The constants that an instruction passes to a function that the program does not define, or
 * stores: what it passes to its own functions are mostly characters and kinds. */
static void add_amounts(
    lua_State *L, const struct flow *f, const struct flow_unit *u, const struct flow_inst *in)
{
	const struct flow_operand *o = &u->operand[in->first];
	const struct flow_unit *unit;
	uint32_t first = 0, end = in->operands < 1 ? in->operands : 1; /* what a store stores */

	if (in->op == FLOW_CALL) {
		if (!in->operands || o->kind != '@' || !o->name || flow_find(f, o->name, &unit))
			return;
		first = 1;
		end = in->operands;
	} else if (in->op != FLOW_STORE) {
		return;
	}
	for (uint32_t k = first; k < end; k++)
		if (o[k].kind == '#' && o[k].value > 0) {
			lua_pushinteger(L, (lua_Integer)o[k].value);
			lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
		}
}

/* flow:amounts(entry) -> { N, ... }: constants that functions which the entry reaches store, or
 * pass to library functions; in any order, with repetitions. Needs a flow with all records. */
int script_flow_amounts(lua_State *L)
{
	const struct flow *f = script_whole_flow(L, 1);
	bool **mark = flow_reachable(f, luaL_checkstring(L, 2));

	lua_newtable(L);
	for (size_t i = 0; i < f->units; i++)
		for (size_t k = 0; k < f->unit[i].insts; k++) {
			uint32_t block = f->unit[i].inst[k].block,
			         func = block ? f->unit[i].block_func[block - 1] : 0;
			if (func && !f->unit[i].func[func - 1].is_harness
			    && (!mark || mark[i][func - 1]))
				add_amounts(L, f, &f->unit[i], &f->unit[i].inst[k]);
		}
	if (mark)
		flow_marks_free(f, mark);
	return 1;
}

/* flow:texts() -> { TEXT, ... }: the program's string literals of printable characters; in any
 * order, with repetitions. Needs a flow with all records. */
int script_flow_texts(lua_State *L)
{
	const struct flow *f = script_whole_flow(L, 1);
	lua_Integer n = 0;

	lua_newtable(L);
	for (size_t i = 0; i < f->units; i++)
		for (size_t k = 0; k < f->unit[i].contents; k++) {
			const struct flow_bytes *b = &f->unit[i].bytes[k];
			size_t length = 0;
			while (
			    length < b->known && b->bytes[length] >= ' ' && b->bytes[length] < 127)
				length++;
			if (b->kind == '$' && length && length + 1 == b->size) {
				lua_pushlstring(L, (const char *)b->bytes, length);
				lua_rawseti(L, -2, ++n);
			}
		}
	return 1;
}
