/* files: one program from several files: flow(5) streams or instrumented programs. */
#include "lib/flow/flow.h"
#include "lib/base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_program(FILE *f)
{
	int c = getc(f);

	ungetc(c, f);
	return c == 0x7f;
}

static struct flow *read_one(const char *name, int *status, char **error)
{
	bool standard = !strcmp(name, "-");
	FILE *f = standard ? stdin : fopen(name, "r");
	struct flow *fl;

	if (!f) {
		*status = 4;
		*error = formatted("%s: %s", name, strerror(errno));
		return NULL;
	}
	*status = 3;
	fl = !standard && is_program(f) ? flow_read_whole(name, error)
	                                : flow_read(f, standard ? "stdin" : name, error);
	if (!standard)
		fclose(f);
	return fl;
}

/* Moves the units of `from` to the end of `to`. */
static void join(struct flow *to, struct flow *from)
{
	to->unit = resized(to->unit, to->units + from->units + 1, sizeof *to->unit);
	memcpy(to->unit + to->units, from->unit, from->units * sizeof *to->unit);
	to->units += from->units;
	from->units = 0;
}

struct flow *flow_read_files(char **files, int *status, char **error)
{
	char standard[] = "-", *only[] = { standard, NULL };
	struct flow *fl = zeroed(1, sizeof *fl), *one;

	*status = 4;
	*error = NULL;
	for (char **file = *files ? files : only; *file; file++) {
		if (!(one = read_one(*file, status, error))) {
			flow_free(fl);
			return NULL;
		}
		join(fl, one);
		flow_free(one);
	}
	*status = 0;
	return fl;
}
