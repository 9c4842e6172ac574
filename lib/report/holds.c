/* holds: the conditions of --fail-under and --fail-on. */
#include "lib/criteria/criteria.h"
#include "lib/report/aims.h"
#include "lib/report/lines.h"
#include "lib/report/report.h"
#include "lib/report/tests.h"

#include <string.h>

/* The same for the criteria that the report was asked for by name. */
static bool criteria_hold(
    const struct store_view *v, double fail_under, const char *fail_on, char **why)
{
	for (unsigned c = 0; c < CRITERIA; c++) {
		struct store_totals t = { 0 };
		if (v->criteria >> c & 1)
			t = criterion_count(v, c);
		double percent = coverage(&t) < 0 ? 100 : 100 * coverage(&t);
		const char *name = criterion_name((enum criterion)c);
		if (percent < fail_under)
			return !tests_fail(why,
			    "coverage of %s is %.1f %%, below --fail-under %g: %zu open", name,
			    percent, fail_under, t.unknown);
		if (fail_on && !strcmp(fail_on, "unknown") && t.unknown)
			return !tests_fail(
			    why, "--fail-on unknown: %zu objectives of %s", t.unknown, name);
	}
	return true;
}

bool report_holds(const struct store_view *v, double fail_under, const char *fail_on, char **why)
{
	struct store_totals b = aims_totals(v, STORE_BRANCHES), p = aims_totals(v, STORE_PAIRS);
	size_t feasible = b.total - b.infeasible;
	double percent = feasible ? 100.0 * (double)b.covered / (double)feasible : 100;

	*why = NULL;
	if (v->criteria && !criteria_hold(v, fail_under, fail_on, why))
		return false;
	if (fail_under > 0 && percent < fail_under)
		return !tests_fail(why,
		    "coverage of branches is %.1f %%, below --fail-under %g: %zu open", percent,
		    fail_under, b.unknown);
	if (!fail_on)
		return true;
	if (!strcmp(fail_on, "finding") && v->failures)
		return !tests_fail(why, "--fail-on finding: there %s %zu",
		    v->failures == 1 ? "is" : "are", v->failures);
	if (!strcmp(fail_on, "unknown") && b.unknown + p.unknown)
		return !tests_fail(why,
		    "--fail-on unknown: %zu outcome%s of conditions, %zu pair%s", b.unknown,
		    b.unknown == 1 ? "" : "s", p.unknown, p.unknown == 1 ? "" : "s");
	return true;
}
