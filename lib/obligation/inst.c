/* inst: one instruction of the flow as C: memory accesses with the cover flag, and control flow. */
#include "lib/obligation/inner.h"

#include <stdlib.h>
#include <string.h>

/* The memory at an address operand; variables by name, not as a number. */
static void memory(struct obligation_writer *o, const struct flow_operand *x, unsigned width)
{
	if (width > 64)
		obligation_refuse(o, "a value of %u bits", width);
	fprintf(o->f, "*(%s *)",
	    width <= 8        ? "m8"
	        : width <= 16 ? "m16"
	        : width <= 32 ? "m32"
	                      : "m64");
	if (x->kind != '&') {
		obligation_value(o, x, 64);
		return;
	}
	fputc('(', o->f);
	obligation_variable(o, o->unit, x->id);
	fprintf(o->f, x->value ? " + %lld)" : ")", (long long)x->value);
}

/* ---- control */

/* Jumps to a block; evaluates all its phis before it sets any. */
static void enter(struct obligation_writer *o, uint32_t from, uint32_t block)
{
	const struct flow_unit *u = unit_of(o);
	fputs("{ ", o->f);
	for (int set = 0; set < 2; set++)
		for (uint32_t k = 1; k <= u->insts; k++) {
			const struct flow_inst *i = &u->inst[k - 1];
			if (i->op != FLOW_PHI || i->block != block)
				continue;
			for (uint32_t n = 0; n + 1 < i->operands && !set; n += 2)
				if (operand(o, i, n + 1)->id == from) {
					fprintf(o->f, "u64 p%u = ", k);
					v(o, i, n, i->width);
					fputs("; ", o->f);
					break;
				}
			if (set)
				fprintf(o->f, "r%u = p%u; ", k, k);
		}
	fprintf(o->f, "goto b%u; }\n", block);
}

/* Reports the pair exercised when its outcome is taken. */
static void taken(struct obligation_writer *o, const struct flow_inst *i, size_t side)
{
	if (obligation_takes(o, i, side))
		fputs("if (hit) reach_error(); ", o->f);
}

/* A comparison in the same block is repeated here; its operands cannot have changed. */
static void condition(struct obligation_writer *o, const struct flow_inst *i)
{
	const struct flow_operand *x = operand(o, i, 0);
	const struct flow_inst *by = x->kind == '%' ? &unit_of(o)->inst[x->id - 1] : NULL;
	if (by && by->op == FLOW_COMPARE && by->block == i->block)
		obligation_compare(o, by);
	else
		v(o, i, 0, 1);
}

static void branch(struct obligation_writer *o, const struct flow_inst *i)
{
	if (i->operands < 3) {
		fputs("\t", o->f);
		enter(o, i->block, operand(o, i, 0)->id);
		return;
	}
	for (uint32_t side = 0; side < 2; side++) {
		fputs(side ? "\telse { " : "\tif (", o->f);
		if (!side) {
			condition(o, i);
			fputs(") { ", o->f);
		}
		taken(o, i, side);
		enter(o, i->block, operand(o, i, 1 + side)->id);
		fputs("\t}\n", o->f);
	}
}

static void switched(struct obligation_writer *o, const struct flow_inst *i)
{
	unsigned w = obligation_operand_width(o, operand(o, i, 0), i->width ? i->width : 64);
	size_t k = 0;
	for (uint32_t n = 2; n + 1 < i->operands && operand(o, i, n + 1)->kind == '!';
	    n += 2, k++) {
		fputs("\tif (", o->f);
		v(o, i, 0, w);
		fputs(" == ", o->f);
		v(o, i, n, w);
		fputs(") { ", o->f);
		taken(o, i, k);
		enter(o, i->block, operand(o, i, n + 1)->id);
		fputs("\t}\n", o->f);
	}
	fputs("\t{ ", o->f);
	taken(o, i, k);
	enter(o, i->block, operand(o, i, 1)->id);
	fputs("\t}\n", o->f);
}

/* A conditional value takes its outcome here. */
static void chosen(struct obligation_writer *o, const struct flow_inst *i)
{
	for (uint32_t side = 0; side < 2; side++)
		if (obligation_takes(o, i, side)) {
			fputs(side ? "\tif (hit && !(" : "\tif (hit && (", o->f);
			v(o, i, 0, 1);
			fputs(")) reach_error();\n", o->f);
		}
}

static void returned(struct obligation_writer *o, uint32_t inst, const struct flow_inst *i)
{
	obligation_returned(o, inst);
	fputs("\treturn ", o->f);
	if (i->operands)
		v(o, i, 0, i->width);
	else
		fputc('0', o->f);
	fputs(";\n", o->f);
}

/* ---- all instructions */

static void copy(struct obligation_writer *o, uint32_t inst, const struct flow_inst *i)
{
	const struct flow_operand *n = operand(o, i, 2);
	bool fills = i->op == FLOW_FILL;
	uint64_t size = (uint64_t)n->value;
	if (n->kind != '#' || n->value < 0)
		obligation_refuse(o, "a copy of a size that is not known");
	if (!fills)
		obligation_read(o, inst, 1, size);
	fprintf(o->f, "\t%s((unsigned char *)", fills ? "filled" : "copied");
	v(o, i, 0, 64);
	fputs(fills ? ", (unsigned char)" : ", (unsigned char *)", o->f);
	v(o, i, 1, fills ? 8 : 64);
	fprintf(o->f, ", %llu);\n", (unsigned long long)size);
	obligation_written(o, inst, 0, size);
}

void obligation_inst(struct obligation_writer *o, uint32_t inst)
{
	const struct flow_inst *i = &unit_of(o)->inst[inst - 1];
	uint64_t size = (i->width + 7) / 8;
	switch (i->op) {
	case FLOW_LOAD:
		obligation_read(o, inst, 0, size);
		fprintf(o->f, "\tr%u = ", inst);
		memory(o, operand(o, i, 0), i->width);
		fputs(";\n", o->f);
		if (i->width % 8 || (size & (size - 1)))
			fprintf(o->f, "\tr%u = CUT(%u, r%u);\n", inst, i->width, inst);
		break;
	case FLOW_STORE:
		fputc('\t', o->f);
		memory(o, operand(o, i, 1), i->width);
		fputs(" = ", o->f);
		v(o, i, 0, i->width);
		fputs(";\n", o->f);
		obligation_written(o, inst, 1, size);
		break;
	case FLOW_COPY:
	case FLOW_FILL: copy(o, inst, i); break;
	case FLOW_CALL: obligation_call(o, inst, i); break;
	case FLOW_BR: branch(o, i); break;
	case FLOW_SWITCH: switched(o, i); break;
	case FLOW_RET: returned(o, inst, i); break;
	case FLOW_UNREACHABLE: fputs("\tabort(); return 0;\n", o->f); break;
	case FLOW_PHI: break;
	case FLOW_ALLOCA:
		if (operand(o, i, 0)->kind != '#')
			obligation_refuse(o, "an array of variable length");
		else
			fprintf(o->f, "\tr%u = (u64)t%u;\n", inst, inst);
		break;
	case FLOW_ASM:
	case FLOW_GOTO:
	case FLOW_OTHER:
		obligation_refuse(o, "%s",
		    i->op == FLOW_ASM        ? "inline assembly"
		        : i->op == FLOW_GOTO ? "a computed goto"
		                             : "an operation that is not known");
		break;
	default:
		if (i->op == FLOW_SELECT)
			chosen(o, i);
		if (i->width > 64)
			obligation_refuse(o, "a value of %u bits", i->width);
		fprintf(o->f, "\tr%u = ", inst);
		obligation_compute(o, i);
		fputs(";\n", o->f);
	}
}
