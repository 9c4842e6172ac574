#include <stdio.h>
#include <stdlib.h>

#include "lib/summary/effects.h"
#include "lib/base/grow.h"

const char *effects_hidden(const struct effects *e, uint32_t function)
{
	uint32_t unit, id;
	const struct flow_func *f = alias_function_of(e->alias, function, &unit, &id);
	return f->is_variadic ? "variable arguments"
	    : f->no_return    ? "it does not return"
	                      : e->function[function].hidden;
}

static void write_setup(FILE *out, const struct effects *e, uint32_t function)
{
	const struct flow *fl = alias_flow(e->alias);
	const struct effects_function *f = &e->function[function];
	uint32_t unit, id;
	const struct flow_func *func = alias_function_of(e->alias, function, &unit, &id);
	fprintf(out, "abstract:%llx:%u:%s:%c%c%c:", (unsigned long long)fl->unit[unit].key, id,
	    func->name, f->reads ? 'r' : '-', f->writes ? 'w' : '-', f->follows ? 'f' : '-');
	for (size_t i = 0; i < f->variables; i++) {
		const struct effects_variable *v = &f->variable[i];
		if (fl->unit[v->unit].var[v->var - 1].defined != 2)
			fprintf(out, ",%c%llx.%u", v->written ? 'w' : 'r',
			    (unsigned long long)fl->unit[v->unit].key, v->var);
	}
	for (size_t i = 0; i < f->targets; i++) {
		const struct effects_target *t = &f->target[i];
		fprintf(out, ",t%llx.%u.%llu", (unsigned long long)fl->unit[t->unit].key, t->var,
		    (unsigned long long)t->offset);
	}
	for (unsigned k = 0; k < 64; k++)
		if (f->kept >> k & 1)
			fprintf(out, ",k%u", k);
	for (size_t i = 0; i < f->heaps; i++)
		fprintf(out, ",h%llx", (unsigned long long)f->heap[i]);
}

char *effects_setup(const struct effects *e, uint32_t function)
{
	char *text = NULL;
	size_t size;
	FILE *out = text_stream(&text, &size);
	write_setup(out, e, function);
	fclose(out);
	return text;
}
