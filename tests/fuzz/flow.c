/* The program model, what is asked of it, and the analyses that begin with it: whatever a reader
 * lets through must not lead them astray. */
#include "lib/defuse/defuse.h"
#include "lib/distance/distance.h"
#include "lib/flow/ends.h"
#include "lib/flow/flow.h"
#include "tests/fuzz/records.h"

static void nothing(void *arg, const void *data, size_t n)
{
	(void)arg, (void)data, (void)n;
}

static void ask_unit(const struct flow *fl, const struct flow_unit *u)
{
	struct texts names = { 0 };
	struct ends_unit *ends = ends_unit_new(u, &names);
	uint8_t *cover = calloc((size_t)u->outcomes % 100000 + u->blocks + 1, 1);
	enum flow_side side;
	size_t which;

	(void)flow_unit_by_key(fl, u->key);
	for (uint32_t k = 0; k < u->outcomes && k < 1000; k++)
		(void)flow_outcome(u, k, &side, &which);
	for (uint32_t last = 1; cover && u->outcomes < 100000 && last <= u->blocks && last < 20;
	    last++) {
		struct ends e =
		    ends_new(&ends, 1, last % 2 ? ENDS_CALL : ENDS_WITHIN, false, ends, last, 1);
		uint32_t lines, calls;

		for (uint32_t b = 1; b <= u->blocks; b++)
			if (!ends_passed(&e, ends, cover, b))
				ends_reached(&e, ends, b, &lines, &calls);
		ends_free(&e);
	}
	free(cover);
	ends_unit_free(ends);
	texts_close(&names);
}

static void ask_pairs(const struct flow *fl, bool inter)
{
	struct defuse *d = defuse_new(fl, &(struct defuse_options){ .inter = inter });
	struct defuse_paths *paths = d ? defuse_paths_new(d) : NULL;
	FILE *out = fopen("/dev/null", "w");
	size_t n;

	if (!d || !paths || !out || defuse_write(d, out))
		abort();
	for (uint32_t i = 0; i < d->pairs && i < 50; i++) {
		free(defuse_points(d, i, &n));
		free(defuse_kills(d, i, &n));
		free(defuse_path(paths, i));
	}
	fclose(out);
	defuse_paths_free(paths);
	defuse_free(d);
}

static void ask_entry(const struct flow *fl, const char *entry)
{
	flow_marks_free(fl, flow_reachable(fl, entry));
	free(flow_needed(fl, entry));
	free(flow_state(fl, entry));
	free(flow_setters(fl, entry));
	free(flow_casts(fl, entry));
	flow_closure(fl, entry, nothing, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *f = fuzz_file(data, size);
	char *error = NULL;
	struct flow *fl = flow_read(f, "input", &error);

	if (!fl == !error)
		abort();
	for (size_t i = 0; fl && i < fl->units; i++)
		ask_unit(fl, &fl->unit[i]);
	if (fl && fl->units && fl->unit[0].funcs)
		ask_entry(fl, fl->unit[0].func[0].name);
	if (fl) {
		struct distance *d = distance_new(fl, true);

		if (fl->units && fl->unit[0].outcomes) {
			distance_want(d, 0, 0, true);
			(void)distance_get(d, 0, fl->unit[0].outcomes - 1);
		}
		distance_free(d);
		ask_pairs(fl, false);
		ask_pairs(fl, true);
	}
	flow_free(fl);
	free(error);
	fclose(f);
	return 0;
}
