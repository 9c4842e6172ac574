/* goals: distances against a search instruction by instruction; pairs(5) and goals(5) written and
 * read again; what the readers refuse. */
#include "lib/goals/goals.h"
#include "tests/unit/tap.h"

#include <stdlib.h>
#include <string.h>

static struct flow *flow_of(const char *source)
{
	char *command, *error = NULL;
	struct flow *fl;
	FILE *f;
	if (asprintf(&command, "cfg-dump %s/%s", getenv("ROOT"), source) < 0
	    || !(f = popen(command, "r")))
		exit(1);
	fl = flow_read(f, source, &error);
	if (!fl)
		printf("# %s\n", error);
	free(error);
	free(command);
	pclose(f);
	return fl;
}

/* Least instructions from each to the target, within a function whose calls cost one. */
static void search(const struct flow_unit *u, uint32_t target, uint32_t *d)
{
	bool changed = true;
	memset(d, 0xff, (u->insts + 1) * sizeof *d);
	d[target] = 0;
	while (changed) {
		changed = false;
		for (uint32_t i = 1; i <= u->insts; i++) {
			uint32_t best = i < u->insts && u->inst[i].block == u->inst[i - 1].block
			    ? d[i + 1]
			    : DEFUSE_FAR;
			for (size_t e = 0; e < u->edges && best == DEFUSE_FAR; e++) {
				bool last =
				    i == u->insts || u->inst[i].block != u->inst[i - 1].block;
				if (!last || u->edge[e].from != u->inst[i - 1].block)
					continue;
				for (size_t k = e; k < u->edges; k++)
					for (uint32_t j = 1; j <= u->insts; j++)
						if (u->edge[k].from == u->inst[i - 1].block
						    && u->inst[j - 1].block == u->edge[k].to) {
							best = d[j] < best ? d[j] : best;
							break;
						}
			}
			if (best != DEFUSE_FAR && best + 1 < d[i]) {
				d[i] = best + 1;
				changed = true;
			}
		}
	}
}

static uint32_t first_of(const struct flow_unit *u, uint32_t block)
{
	uint32_t i = 1;
	while (u->inst[i - 1].block != block)
		i++;
	return i;
}

static void distances(void)
{
	struct flow *fl = flow_of("share/examples/triangle.c");
	struct defuse_options o = { 0 };
	struct defuse *d = fl ? defuse_new(fl, &o) : NULL;
	const struct flow_unit *u = fl ? &fl->unit[0] : NULL;
	uint32_t *want = u ? malloc((u->insts + 1) * sizeof *want) : NULL;
	unsigned wrong = 0, far = 0, near = 0;
	for (uint32_t target = 1; d && want && target <= u->insts; target += 3) {
		search(u, target, want);
		for (size_t e = 0; e < u->edges; e++) {
			uint32_t got, expected;
			if (!u->edge[e].branch)
				continue;
			got = defuse_distance(d, 0, u->edge[e].outcome, 0, target);
			expected = want[first_of(u, u->edge[e].to)];
			wrong += got != expected;
			far += got == DEFUSE_FAR;
			near += got != DEFUSE_FAR;
		}
	}
	ok(d && !wrong && far && near, "distances within a function");
	printf("# %u with a way, %u without\n", near, far);
	free(want);
	defuse_free(d);
	flow_free(fl);
}

static uint32_t entry_of(const struct flow *fl, const char *name)
{
	const struct flow_unit *u;
	const struct flow_func *f = flow_find(fl, name, &u);
	return f->first_block;
}

static void over_calls(void)
{
	struct flow *fl = flow_of("tests/defuse/src/calls.c");
	struct defuse_options o = { .inter = true };
	struct defuse *d = defuse_new(fl, &o);
	const struct flow_unit *u = &fl->unit[0];
	uint32_t test = entry_of(fl, "test"), odd = first_of(u, entry_of(fl, "odd")),
	         note = first_of(u, entry_of(fl, "note"));
	uint32_t down = defuse_block_distance(d, 0, test, 0, odd);
	ok(down != DEFUSE_FAR && down > defuse_block_distance(d, 0, entry_of(fl, "even"), 0, odd),
	    "down into calls");
	ok(defuse_block_distance(d, 0, entry_of(fl, "reset"), 0, odd) < down,
	    "up from a callee, and down again");
	ok(defuse_block_distance(d, 0, entry_of(fl, "name"), 0, note) == DEFUSE_FAR,
	    "no way back to what ran before");
	ok(defuse_block_distance(d, 0, entry_of(fl, "odd"), 0, odd) == 0, "none to where it is");
	defuse_free(d);
	flow_free(fl);
}

static FILE *text(const char *s)
{
	return fmemopen((void *)(uintptr_t)s, strlen(s), "r");
}

static void refuse(const char *records, const char *message, bool goals)
{
	FILE *f = text(records);
	char *error = NULL;
	void *got = goals ? (void *)goals_read(f, "t", &error) : (void *)pairs_read(f, "t", &error);
	ok(!got && error && strstr(error, message), message);
	if (error && !strstr(error, message))
		printf("# %s\n", error);
	free(error);
	fclose(f);
}

static void round_trip(void)
{
	struct flow *fl = flow_of("share/examples/power.c");
	struct defuse_options o = { .paper = true, .alias.entry = "power" };
	struct defuse *d = defuse_new(fl, &o);
	char *error = NULL, *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);
	ok(!defuse_write(d, f) && !fclose(f), "pairs are written");
	f = text(out);
	struct pairs *p = pairs_read(f, "pairs", &error);
	ok(p && p->pairs == 24 && p->units == 1 && p->options.paper
	        && !strcmp(p->options.alias.entry, "power"),
	    "and read");
	fclose(f);
	free(out);
	f = open_memstream(&out, &size);
	ok(p && !goals_write(d, p, 0, false, f, &error) && !fclose(f), "goals are written");
	f = text(out);
	struct goals *g = goals_read(f, "goals", &error);
	ok(g && g->goals == 24 && g->goal[16].key == p->pair[16].key
	        && !strcmp(g->goal[16].name, "res"),
	    "and read");
	ok(g && g->point[g->goal[16].point - 1].role == DEFUSE_USE, "a goal's point is its use");
	fclose(f);
	free(out);
	goals_free(g);
	pairs_free(p);
	defuse_free(d);
	flow_free(fl);
}

int main(void)
{
	distances();
	over_calls();
	round_trip();
	refuse("#pairs 1 t\n#meta scope wide\nend\t0\n",
	    "t:3: unknown criterion, protocol or scope", false);
	refuse(
	    "#pairs 1 t\nend\t0\n#pairs 1 t\nunit\t1\t0123456789abcdef\tx\nend\t1\n#pairs 1 t\nunit\t1\t0123456789abcdef\tx\nend\t1\n",
	    "a second stream", false);
	refuse("#goals 1 t\npoint\t1\t0\t1\t2\tcut\nend\t1\n",
	    "t:2: unit 1 is used before its definition", true);
	refuse(
	    "#goals 1 t\nunit\t1\t0123456789abcdef\tx\npoint\t1\t0\t1\t2\tuse\ngoal\t1\t1\t1\t0\tq\t0\t0123456789abcdef\tx\nend\t3\n",
	    "t:4: kind is `q`", true);
	refuse("#goals 1 t\nunit\t1\t0123456789abcdef\tx\npoint\t1\t1\t1\t2\tuse\nend\t2\n",
	    "t:3: point 1 is used before its definition", true);
	return finish();
}
