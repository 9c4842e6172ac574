/* write: the program of an obligation: memory, called functions, main. */
#include "lib/obligation/inner.h"
#include "lib/base/grow.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void obligation_refuse(struct obligation_writer *o, const char *fmt, ...)
{
	va_list ap;
	if (o->why)
		return;
	va_start(ap, fmt);
	o->why = formatted_list(fmt, ap);
	va_end(ap);
}

size_t obligation_arguments(const struct flow_unit *u, uint32_t func)
{
	size_t n = 0;
	for (uint32_t k = 0; k < u->insts; k++)
		for (uint32_t x = 0;
		    u->block_func[u->inst[k].block - 1] == func && x < u->inst[k].operands; x++) {
			const struct flow_operand *at = &u->operand[u->inst[k].first + x];
			n = at->kind == '^' && at->id >= n ? at->id + 1 : n;
		}
	for (size_t k = 0; k < u->homes; k++)
		if (u->var[u->home[k].var - 1].func == func && u->home[k].argument >= n)
			n = u->home[k].argument + 1;
	return n;
}

/* ---- memory */

static const struct flow_bytes *content(const struct flow_unit *u, char kind, uint32_t id)
{
	for (size_t k = 0; k < u->contents; k++)
		if (u->bytes[k].kind == kind && u->bytes[k].id == id)
			return &u->bytes[k];
	return NULL;
}

static void put_memory(struct obligation_writer *o, char kind, uint32_t id, uint64_t size)
{
	const struct flow_bytes *b = content(unit_of(o), kind, id);
	fprintf(o->f, "static unsigned char %c%u_%u[%llu] __attribute__((aligned(16)))",
	    kind == '&' ? 'v' : 'd', o->unit, id, (unsigned long long)(size ? size : 1));
	for (uint64_t k = 0; b && k < b->known && k < size; k++)
		fprintf(o->f, "%s%u", k ? "," : " = { ", b->bytes[k]);
	fputs(b && b->known && size ? " };\n" : ";\n", o->f);
}

static bool is_elsewhere(const struct obligation_writer *o, uint32_t var)
{
	const struct alias_object *at =
	    alias_object(o->d->alias, alias_variable(o->d->alias, o->unit, var));
	return at->kind == ALIAS_VARIABLE && (at->unit != o->unit || at->id != var);
}

static uint64_t size_of(const struct flow_unit *u, uint32_t var)
{
	uint32_t type = u->var[var - 1].type;
	return type ? u->type[type - 1].size : 0;
}

static void put_globals(struct obligation_writer *o)
{
	for (o->unit = 0; o->unit < o->flow->units; o->unit++) {
		const struct flow_unit *u = unit_of(o);
		for (uint32_t k = 1; k <= u->vars; k++)
			if ((u->var[k - 1].kind == 'g' || u->var[k - 1].kind == 's')
			    && !is_elsewhere(o, k))
				put_memory(o, '&', k, size_of(u, k));
		for (size_t k = 0; k < u->contents; k++)
			if (u->bytes[k].kind == '$')
				put_memory(o, '$', u->bytes[k].id, u->bytes[k].size);
	}
}

/* Initialises pointers in globals, and globals that other code defines. */
static void start_globals(struct obligation_writer *o)
{
	for (o->unit = 0; o->unit < o->flow->units; o->unit++) {
		const struct flow_unit *u = unit_of(o);
		for (uint32_t k = 1; k <= u->vars; k++)
			if (u->var[k - 1].kind == 'g' && !u->var[k - 1].defined
			    && !is_elsewhere(o, k))
				fprintf(o->f, "\tfresh(v%u_%u, sizeof v%u_%u);\n", o->unit, k,
				    o->unit, k);
		for (size_t k = 0; k < u->relocs; k++) {
			fputs("\t*(m64 *)(", o->f);
			obligation_value(o, &u->reloc[k].object, 64);
			fprintf(o->f, " + %llu) = ", (unsigned long long)u->reloc[k].offset);
			obligation_value(o, &u->reloc[k].target, 64);
			fputs(";\n", o->f);
		}
	}
}

/* ---- functions */

static void signature(struct obligation_writer *o, uint32_t number)
{
	uint32_t unit, id;
	size_t n;
	alias_function_of(o->d->alias, number, &unit, &id);
	n = obligation_arguments(&o->flow->unit[unit], id);
	fprintf(o->f, "static u64 f%u_%u(", unit, id);
	for (size_t k = 0; k < n; k++)
		fprintf(o->f, "%su64 a%zu", k ? ", " : "", k);
	fputs(n ? ")" : "void)", o->f);
}

const struct flow_home *obligation_home(const struct flow_unit *u, uint32_t var)
{
	for (size_t k = 0; k < u->homes; k++)
		if (u->home[k].var == var)
			return &u->home[k];
	return NULL;
}

static void put_locals(struct obligation_writer *o)
{
	const struct flow_unit *u = unit_of(o);
	uint32_t id = (uint32_t)(o->func - u->func) + 1;
	for (uint32_t k = 1; k <= u->vars; k++) {
		const struct flow_var *v = &u->var[k - 1];
		const struct flow_home *home = obligation_home(u, k);
		unsigned long long size = size_of(u, k);
		if (v->func != id || (v->kind != 'l' && v->kind != 'p'))
			continue;
		if (home && v->kind == 'l') {
			fprintf(o->f, "\tunsigned char *v%u_%u = (unsigned char *)a%u;\n", o->unit,
			    k, home->argument);
			continue;
		}
		fprintf(o->f, "\tunsigned char v%u_%u[%llu] __attribute__((aligned(16)));\n",
		    o->unit, k, size ? size : 1);
		if (home)
			fprintf(o->f, "\tcopied(v%u_%u, (unsigned char *)a%u, %llu);\n", o->unit, k,
			    home->argument, size);
		else if (size && !obligation_is_set(u, o->func, '&', k, size))
			fprintf(o->f, "\tfresh(v%u_%u, %llu);\n", o->unit, k, size);
	}
}

static void put_temporary(struct obligation_writer *o, uint32_t inst, uint64_t size)
{
	fprintf(o->f, "\tunsigned char t%u[%llu] __attribute__((aligned(16)));\n", inst,
	    (unsigned long long)(size ? size : 1));
	if (size && !obligation_is_set(unit_of(o), o->func, '%', inst, size))
		fprintf(o->f, "\tfresh(t%u, %llu);\n", inst, (unsigned long long)size);
}

static void put_body(struct obligation_writer *o)
{
	const struct flow_unit *u = unit_of(o);
	uint32_t last = 0;
	for (uint32_t k = 1; k <= u->insts; k++) {
		const struct flow_inst *i = &u->inst[k - 1];
		if (i->block < o->func->first_block
		    || i->block >= o->func->first_block + o->func->blocks)
			continue;
		if (i->op == FLOW_ALLOCA && u->operand[i->first].kind == '#')
			put_temporary(o, k, (uint64_t)u->operand[i->first].value);
		if (i->width)
			fprintf(o->f, "\tu64 r%u = 0;\n", k);
	}
	obligation_entered(o);
	for (uint32_t k = 1; k <= u->insts; k++) {
		uint32_t block = u->inst[k - 1].block;
		if (block < o->func->first_block || block >= o->func->first_block + o->func->blocks)
			continue;
		if (block != last)
			fprintf(o->f, "b%u: ;\n", block);
		last = block;
		obligation_inst(o, k);
	}
}

static void put_function(struct obligation_writer *o, uint32_t number)
{
	uint32_t id;
	o->func = alias_function_of(o->d->alias, number, &o->unit, &id);
	o->number = number;
	fputc('\n', o->f);
	signature(o, number);
	fprintf(o->f, "   /* %s */\n{\n", o->func->name);
	obligation_begin(o);
	put_locals(o);
	put_body(o);
	fputs("}\n", o->f);
}

/* Writes the called functions until none is missing. */
static void put_functions(struct obligation_writer *o, uint32_t root)
{
	size_t n = alias_functions(o->d->alias);
	bool *done = zeroed(n, sizeof *done), any = true;
	o->called[root] = true;
	while (any) {
		any = false;
		for (uint32_t k = 0; k < n; k++)
			if (o->called[k] && !done[k]) {
				done[k] = any = true;
				put_function(o, k);
			}
	}
	free(done);
}

static void put_main(struct obligation_writer *o, uint32_t root)
{
	uint32_t unit, id;
	const struct flow_func *f = alias_function_of(o->d->alias, root, &unit, &id);
	size_t n = obligation_arguments(&o->flow->unit[unit], id);
	for (size_t k = 0; k < f->params && !f->is_harness; k++) {
		const struct flow_unit *u = &o->flow->unit[unit];
		char kind = u->type[u->var[f->param[k] - 1].type - 1].kind;
		if (!strchr("iucb", kind) || n != f->params)
			obligation_refuse(o,
			    "%s has parameters that only a harness can make: name it by --entry",
			    f->name);
	}
	fputs("\nint main(void)\n{\n", o->f);
	start_globals(o);
	fprintf(o->f, "\tf%u_%u(", unit, id);
	for (size_t k = 0; k < n; k++) {
		const struct flow_unit *u = &o->flow->unit[unit];
		const struct flow_type *t =
		    &u->type[u->var[f->param[k < f->params ? k : 0] - 1].type - 1];
		fprintf(o->f, "%snondet(%llu)", k ? ", " : "",
		    t->kind == 'b' ? 1 : (unsigned long long)t->size * 8);
	}
	fputs(");\n\treturn 0;\n}\n", o->f);
}

static void check_pair(struct obligation_writer *o)
{
	if (o->def->kind == DEFUSE_LIBRARY || o->use->kind == DEFUSE_LIBRARY)
		obligation_refuse(o, "what the library does is not written");
	if (o->pair->outcome != DEFUSE_C && !defuse_branch(o->d, o->use->unit, o->pair->outcome))
		obligation_refuse(o, "the outcome has no condition");
}

/* Refuses if the definition, use or call was not written: reach_error() would never be called. */
static void check_told(struct obligation_writer *o)
{
	if (o->called[o->writer->func] && !o->defined)
		obligation_refuse(o, "the definition is not written");
	if (o->def->kind == DEFUSE_ARGUMENT && o->called[o->def->func] && !o->coupled)
		obligation_refuse(o, "the call that makes the definition is not written");
	if (o->called[o->use->func] && (!o->used || (o->pair->outcome != DEFUSE_C && !o->taken)))
		obligation_refuse(o, "the use is not written");
}

/* Must definition and use be in the same activation? */
static bool is_local(const struct obligation_writer *o)
{
	const struct alias_object *at = o->pair->place.object == ALIAS_NONE
	    ? NULL
	    : alias_object(o->d->alias, o->pair->place.object);
	if (o->writer->func != o->use->func)
		return false;
	return (!o->d->options.inter && !o->d->options.paper)
	    || (at && at->owner == o->writer->func && !alias_is_recursive(o->d->alias, at->owner));
}

char *obligation_write(FILE *f, struct defuse *d, uint32_t pair)
{
	const struct defuse_pair *p = &d->pair[pair];
	struct obligation_writer o = { .d = d,
		.flow = d->flow,
		.pair = p,
		.def = &d->access[p->def],
		.use = &d->access[p->use],
		.writer = &d
		    ->access[d->access[p->def].kind == DEFUSE_ARGUMENT ? d->access[p->def].formal_of
		                                                       : p->def] };
	uint32_t root = alias_root(d->alias, d->options.alias.entry);
	char *body = NULL, kind[32];
	size_t size;
	if (root == UINT32_MAX)
		return copied("the program has no entry");
	o.f = text_stream(&body, &size);
	o.called = zeroed(alias_functions(d->alias), sizeof *o.called);
	o.intra = is_local(&o);
	check_pair(&o);
	put_functions(&o, root);
	check_told(&o);
	put_main(&o, root);
	fclose(o.f);
	o.f = f;
	fprintf(f,
	    "/* Is it exercised? %s of %s, defined at %u:%u, used at %u:%u. See instrument(1). */\n"
	    "#define WATCHED %llu\n%s",
	    defuse_kind_name(d, p, kind), p->name, o.def->pos.line, o.def->pos.col, o.use->pos.line,
	    o.use->pos.col, (unsigned long long)(o.bytes ? o.bytes : 1), obligation_prelude);
	put_globals(&o);
	for (uint32_t k = 0; k < alias_functions(d->alias); k++)
		if (o.called[k]) {
			signature(&o, k);
			fputs(";\n", f);
		}
	fputs(body, f);
	free(body);
	free(o.called);
	return o.why;
}

int obligation_of_program(
    FILE *f, const char *program, const struct defuse_options *o, uint32_t pair, char **error)
{
	struct flow *fl = flow_read_whole(program, error);
	struct defuse *d = fl ? defuse_new(fl, o) : NULL;
	char *why = NULL;
	int status = !fl ? 3 : !d ? 4 : 0;
	if (d && (pair < 1 || pair > d->pairs)) {
		status = 2;
		*error = formatted("there are pairs 1 to %zu", d->pairs);
	} else if (d && (why = obligation_write(f, d, pair - 1))) {
		status = 3;
		*error = formatted("pair %u has no obligation: %s", pair, why);
	}
	free(why);
	defuse_free(d);
	flow_free(fl);
	return status;
}
