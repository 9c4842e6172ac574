/* options: suggestions for misspelt names. */
#include "lib/harness/options.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/words.h"

const char *suggest_function(const struct flow *f, const char *name)
{
	struct words_search near = words_search(name);

	for (size_t i = 0; i < f->units; i++)
		for (size_t j = 0; j < f->unit[i].funcs; j++)
			if (!f->unit[i].func[j].in_system)
				words_consider(&near, f->unit[i].func[j].name);
	return near.found;
}

const char *suggest_extern(const struct flow *f, const char *name)
{
	struct words_search near = words_search(name);

	for (size_t i = 0; i < f->units; i++)
		for (size_t j = 0; j < f->unit[i].exts; j++)
			words_consider(&near, f->unit[i].ext[j].name);
	return near.found;
}

const char *suggest_global(const struct flow_unit *u, const char *name)
{
	struct words_search near = words_search(name);

	for (size_t i = 0; i < u->vars; i++)
		if (u->var[i].kind == 'g')
			words_consider(&near, u->var[i].name);
	return near.found;
}
