#include "lib/goals/ways.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/map.h"
#include "lib/table/table.h"

struct ways {
	struct map unit;   /* key -> id */
	struct map closed; /* outcomes from which there is no way */
};

static uint64_t outcome_key(uint64_t unit, uint64_t branch, uint64_t outcome)
{
	return (unit << 40 | branch << 12 | outcome) + 1;
}

static uint64_t number(const struct rec *rec, size_t i, int base)
{
	return strtoull(rec->field[i], NULL, base);
}

static void put(struct map *m, uint64_t key, uint64_t value)
{
	bool fresh;
	*map_at(m, key ? key : 1, &fresh) = (uint32_t)value;
}

static bool take(struct ways *w, struct table *t, const struct rec *rec, size_t tag)
{
	char *end;
	if (tag == 0) {
		put(&w->unit, number(rec, 2, 16), number(rec, 1, 10));
		return true;
	}
	if (!strcmp(rec->field[4], "-")) {
		if (number(rec, 3, 10) <= 1)
			put(&w->closed,
			    outcome_key(number(rec, 1, 10), number(rec, 2, 10), number(rec, 3, 10)),
			    1);
		return true;
	}
	strtoull(rec->field[4], &end, 10);
	if (*end || rec->field[4][0] < '0' || rec->field[4][0] > '9') {
		rec_fail(table_reader(t), "distance is `%.40s`, which is neither a number nor -",
		    rec->field[4]);
		return false;
	}
	return true;
}

struct ways *ways_read(FILE *f, const char *name, char **error)
{
	struct table *t = table_open(f, name, "distances", table_distances);
	struct ways *w = zeroed(1, sizeof *w);
	enum rec_status status = REC_ERROR;
	struct rec rec;
	size_t tag;
	bool good = true;
	while (good && (status = table_next(t, &rec, &tag)) == REC_OK)
		good = take(w, t, &rec, tag);
	if (status != REC_END || !good) {
		*error = copied(rec_error(table_reader(t)));
		ways_free(w);
		w = NULL;
	}
	table_close(t);
	return w;
}

void ways_free(struct ways *w)
{
	if (!w)
		return;
	map_close(&w->unit);
	map_close(&w->closed);
	free(w);
}

bool ways_lead(const struct ways *w, uint64_t unit, uint32_t branch, uint32_t outcome)
{
	uint32_t id = map_get(&w->unit, unit ? unit : 1);
	return !id || !map_get(&w->closed, outcome_key(id, branch, outcome));
}
