/* sentences: evidence as sentences for people; tables and JSON contain it as stored. */
#include "lib/report/aims.h"
#include "lib/report/report.h"
#include "lib/base/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pieces of evidence and their meaning. Others are printed as they are. */
static const struct {
	const char *piece, *words;
} table[] = {
	{ "exhaustion", "every path was run, and none takes it" },
	{ "not for its inputs, exhaustion",
	    "none of the inputs tried there takes it, but others were not tried" },
	{ "proof: simplify: no path", "proved: constants and ranges alone rule it out" },
	{ "proof: query: no path, the function is loop-free",
	    "proved: no path leads there, the function has no loop" },
	{ "proof: bounded: every run ends, none gets there",
	    "proved: every run ends within few iterations, and none leads there" },
	{ "from any state", "for any state before the call" },
	{ "from the entry, globals as they are initialised",
	    "from the entry on, with globals as they are initialised" },
	{ "any number of calls, the first one with initial values", "for any earlier calls" },
	{ "any number of calls of the entry, in any state but for what only they write",
	    "for any earlier calls" },
	{ "pointers that come in are distinct",
	    "assumes that objects of its parameters do not overlap" },
	{ "every access stays within its object",
	    "assumes that every access stays within its object" },
	{ "the assumptions in the program hold", "assumes what the program assumes" },
	{ "budget over: not looked for on its own",
	    "time ran out before it was looked for on its own" },
	{ "not reached: not looked for on its own",
	    "no run takes it, and it was not looked for on its own" },
	{ "prove: an input that was proposed does not exercise it",
	    "the model of the proof allows a path that the run of its input does not take" },
	{ "prove: an input is proposed, but the session was over before it could run",
	    "the proof proposes an input, but the session was"
	    " over before it could run" },
	{ "prove: time limit reached", "the proof ran out of time" },
	{ "prove: its function also runs where calls are not followed",
	    "the proof does not follow all calls that lead to the function" },
	{ "prove: the call that gives the value is not followed",
	    "the proof does not follow the call that gives the value" },
	{ "prove: a counter reaches its limit first",
	    "a counter would have to reach its limit first" },
	{ "no open branch leads there", "no branch that is left leads there" },
};

/* Over-approximations of a proof: it holds in more cases than runs can reach, so they are not
 * mentioned. */
static const char *const allowed[] = {
	"from any state",
	"any call of the entry, in any state",
	"an index into an object of ",
	"signal handlers and threads: ",
	"constructors run first: ",
	"model too large: ",
	"berkeley-abc is missing: ",
	"when ",
};

static bool is_allowed_for(const char *piece)
{
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
		if (!strncmp(piece, allowed[i], strlen(allowed[i])))
			return true;
	return false;
}

/* "STAGE: 2 of loop heads, inductive", "induction, k = 2". */
static bool induction(FILE *f, const char *piece)
{
	char stage[32];
	unsigned facts;
	int end = 0;

	if (sscanf(piece, "proof: induction, k = %u%n", &facts, &end) == 1 && !piece[end]) {
		fprintf(f, "proved by induction over %u step%s", facts, facts == 1 ? "" : "s");
		return true;
	}
	end = 0;
	if (sscanf(piece, "proof: %31[a-z ]: %u of loop heads, inductive%n", stage, &facts, &end)
	        != 2
	    || !end || piece[end])
		return false;
	if (facts)
		fprintf(f, "proved by induction over its loops, from %u fact%s at their heads (%s)",
		    facts, facts == 1 ? "" : "s", stage);
	else
		fprintf(f, "proved: no reachable state leads there (%s)", stage);
	return true;
}

/* "budget over: passed 15 of 16 cut points". */
static bool cut_points(FILE *f, const char *piece)
{
	unsigned passed, all;
	int end = 0;
	bool time = !strncmp(piece, "budget over: ", strlen("budget over: "));
	const char *rest = strstr(piece, ": passed ");

	if (!rest || sscanf(rest, ": passed %u of %u cut points%n", &passed, &all, &end) != 2
	    || !end || rest[end] || passed > all)
		return false;
	fputs(time ? "time ran out " : "the search ended ", f);
	if (passed == all)
		fputs("between the last cut point and the use", f);
	else if (all - passed == 1)
		fputs("one step before the use", f);
	else
		fprintf(f, "%u steps before the use", all - passed);
	return true;
}

/* "blocked at x.c:3:7 p:true: unsat": the place where the path that came closest cannot go on. */
static bool blocked(FILE *f, const char *piece)
{
	static const char head[] = "blocked at ", tail[] = ": unsat";
	size_t n = strlen(piece), behind = sizeof tail - 1;

	if (strncmp(piece, head, sizeof head - 1) || n < sizeof head - 1 + behind
	    || strcmp(piece + n - behind, tail))
		return false;
	fprintf(f, "the path that came closest is blocked at %.*s: no input takes it",
	    (int)(n - behind - (sizeof head - 1)), piece + sizeof head - 1);
	return true;
}

/* "proved within them by STAGE: FACTS": of limits. */
static bool within(FILE *f, const char *piece)
{
	static const char head[] = "proved within them by ";

	if (strncmp(piece, head, sizeof head - 1))
		return false;
	fputs("within these limits a proof shows that no run gets there", f);
	return true;
}

static void explain_piece(FILE *f, const char *piece)
{
	if (within(f, piece) || induction(f, piece) || cut_points(f, piece) || blocked(f, piece))
		return;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		size_t n = strlen(table[i].piece);
		if (!strncmp(piece, table[i].piece, n) && (!piece[n] || piece[n] == ':')) {
			fprintf(f, "%s%s", table[i].words, piece + n);
			return;
		}
	}
	fputs(piece, f);
}

/* Frees the text and returns a new one, which the caller frees. A prefix "ENTRY, session N: "
 * becomes "from ENTRY: ", or is dropped if the entry is the function itself; a suffix ", under:
 * ..." stays. */
static char *explain(char *evidence, const char *function)
{
	char *text = NULL, *at = evidence, *tail, *end,
	     *head = evidence ? strstr(evidence, ", session ") : NULL;
	size_t size;
	FILE *f;

	if (!evidence || !*evidence)
		return evidence;
	f = text_stream(&text, &size);
	if (head && (end = strstr(head, ": "))) {
		*head = 0;
		if (strcmp(evidence, function))
			fprintf(f, "from %s: ", evidence);
		at = end + 2;
	}
	if ((tail = strstr(at, ", under: ")))
		*tail = 0;
	bool proof = !strncmp(at, "proof: ", strlen("proof: "));
	for (char *piece = at; piece; piece = end) {
		if ((end = strstr(piece, "; "))) {
			*end = 0;
			end += 2;
		}
		if (proof && is_allowed_for(piece))
			continue;
		fputs(piece == at ? "" : "; ", f);
		explain_piece(f, piece);
	}
	if (tail)
		fprintf(f, ", under: %s", tail + strlen(", under: "));
	fclose(f);
	free(evidence);
	return text;
}

/* The same, for one of many that mostly have the evidence of the one before: what was explained
 * last, and how, are in said. */
struct explained {
	char *evidence, *text;
	const char *function;
};

static char *explain_next(struct explained *said, char *evidence, const char *function)
{
	if (!evidence || !*evidence)
		return evidence;
	if (!said->evidence || strcmp(said->evidence, evidence)
	    || strcmp(said->function, function)) {
		free(said->evidence);
		free(said->text);
		said->evidence = copied(evidence);
		said->text = explain(evidence, function);
		said->function = function;
	} else {
		free(evidence);
	}
	return copied(said->text);
}

void report_explain(struct store_view *v)
{
	struct explained said = { 0 };

	for (unsigned kind = 0; kind < STORE_AIMS; kind++)
		for (size_t i = 0; i < aims_count(v, (enum store_aim)kind); i++) {
			struct objective a = aim_at(v, (enum store_aim)kind, i);
			*a.evidence = explain_next(&said, *a.evidence, a.function);
		}
	free(said.evidence);
	free(said.text);
	for (size_t i = 0; i < v->targets; i++)
		v->target[i].evidence = explain(v->target[i].evidence, v->target[i].function);
	for (size_t i = 0; i < v->evaluations; i++)
		v->evaluation[i].evidence = explain(v->evaluation[i].evidence, "");
}
