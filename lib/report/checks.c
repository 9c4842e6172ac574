/* checks: the places that were checked for faults. */
#include "lib/protocol/checks.h"
#include "lib/report/lines.h"
#include "lib/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char option[] = "option check=";

/* The fault kinds that the session, or one of several, checked for. */
static uint32_t asked(const struct store_view *v)
{
	uint32_t kinds = 0;
	char *error;

	for (size_t i = 0; v->parameter && v->parameter[i]; i++)
		if (!strncmp(v->parameter[i], option, strlen(option))
		    && !checks_parse(v->parameter[i] + strlen(option), &kinds, &error))
			free(error);
	for (size_t i = 0; i < v->places; i++) {
		unsigned kind = check_find(v->place[i].kind);
		kinds |= kind < CHECK_KINDS ? UINT32_C(1) << kind : 0;
	}
	return kinds;
}

struct totals {
	size_t places, found, safe;
};

static struct totals count(const struct store_view *v, unsigned kind)
{
	struct totals t = { 0, 0, 0 };

	for (size_t i = 0; i < v->places; i++) {
		if (check_find(v->place[i].kind) != kind)
			continue;
		t.places++;
		t.found += !strcmp(v->place[i].verdict, "found");
		t.safe += !strcmp(v->place[i].verdict, "safe");
	}
	return t;
}

void checks_json(FILE *f, const struct store_view *v)
{
	uint32_t kinds = asked(v);
	const char *comma = "";

	fputs(",\n \"checks\": {", f);
	for (unsigned k = 1; k < CHECK_KINDS; k++) {
		struct totals t = count(v, k);
		if (!(kinds >> k & 1))
			continue;
		fprintf(f,
		    "%s\"%s\": {\"places\": %zu, \"found\": %zu, \"safe\": %zu, \"unknown\": %zu}",
		    comma, check_name(k), t.places, t.found, t.safe, t.places - t.found - t.safe);
		comma = ", ";
	}
	putc('}', f);
}

void checks_text(FILE *f, const struct store_view *v)
{
	uint32_t kinds = asked(v);
	const char *comma = "checks: ";

	for (unsigned k = 1; k < CHECK_KINDS; k++) {
		struct totals t = count(v, k);
		if (!(kinds >> k & 1) || !t.places)
			continue;
		fprintf(f, "%s%s at %zu place%s", comma, check_name(k), t.places,
		    t.places == 1 ? "" : "s");
		if (t.found)
			fprintf(f, ", found at %zu", t.found);
		if (t.safe)
			fprintf(f, ", ruled out at %zu", t.safe);
		comma = "; ";
	}
	fputs(*comma == ';' ? "\n" : "", f);
}

void report_checks(FILE *f, const struct store_view *v)
{
	fputs("#function\tkind\tposition\tverdict\tevidence\n", f);
	for (size_t i = 0; i < v->places; i++) {
		const struct view_place *p = &v->place[i];
		field_print(f, p->function);
		fprintf(f, "%s\t", p->kind);
		field_text(f, p->file);
		fprintf(f, ":%u:%u\t%s\t", p->line, p->col, p->verdict);
		if (p->test)
			fprintf(f, "test %" PRIu64 "\n", p->test);
		else
			fputs(!strcmp(p->verdict, "safe") ? "exhaustion\n" : "-\n", f);
	}
	narrowing_lines(f, v);
}
