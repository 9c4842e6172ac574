/* compared: the variables whose addresses a unit compares with pointers. */
#include "lib/base/grow.h"
#include "lib/flow/flow.h"

#include <stdlib.h>
#include <string.h>

char *flow_compared(const struct flow *f, const char *entry)
{
	const struct flow_unit *u = NULL;
	char *text = NULL;
	size_t size;
	FILE *out = text_stream(&text, &size);

	flow_find(f, entry, &u);
	bool *told = u ? zeroed(u->vars + 1, sizeof *told) : NULL;
	for (size_t i = 0; u && i < u->insts; i++) {
		const struct flow_inst *in = &u->inst[i];
		bool equal = in->op == FLOW_COMPARE && in->name
		    && (!strcmp(in->name, "eq") || !strcmp(in->name, "ne"));
		for (uint32_t k = 0; equal && k < in->operands; k++) {
			const struct flow_operand *o = &u->operand[in->first + k];
			const struct flow_var *v = o->kind == '&' ? &u->var[o->id - 1] : NULL;
			if (!v || v->kind != 'g' || !*v->name || !v->defined || v->is_thread
			    || told[o->id - 1])
				continue;
			fprintf(out, "%s\n", v->name);
			told[o->id - 1] = true;
		}
	}
	fclose(out);
	free(told);
	return text;
}
