/* files: one program from several files: flow(5) streams or instrumented programs. */
#include "lib/flow/flow.h"

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
		if (asprintf(error, "%s: %s", name, strerror(errno)) < 0)
			*error = NULL;
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
static bool join(struct flow *to, struct flow *from)
{
	struct flow_unit *unit = realloc(to->unit, (to->units + from->units + 1) * sizeof *unit);

	if (!unit)
		return false;
	memcpy(unit + to->units, from->unit, from->units * sizeof *unit);
	to->unit = unit;
	to->units += from->units;
	from->units = 0;
	return true;
}

struct flow *flow_read_files(char **files, int *status, char **error)
{
	char standard[] = "-", *only[] = { standard, NULL };
	struct flow *fl = calloc(1, sizeof *fl), *one;

	*status = 4;
	*error = NULL;
	for (char **file = *files ? files : only; fl && *file; file++) {
		bool good = (one = read_one(*file, status, error)) && join(fl, one);
		flow_free(one);
		if (!good) {
			flow_free(fl);
			return NULL;
		}
	}
	if (fl)
		*status = 0;
	return fl;
}
