/* justify: stores reasons, given by users, why objectives need not be covered. */
#include "lib/store/db.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

int store_justify(struct store *s, const char *objective, const char *text)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return *text ? store_do(s, "INSERT OR REPLACE INTO justification VALUES (?, ?, ?)", "ttd",
	                   objective, text, (double)now.tv_sec + 1e-9 * (double)now.tv_nsec)
	             : store_do(s, "DELETE FROM justification WHERE objective = ?", "t", objective);
}

char *store_justification(struct store *s, const char *objective)
{
	sqlite3_stmt *st =
	    store_sql(s, "SELECT text FROM justification WHERE objective = ?", "t", objective);
	char *text = store_row(s, st) ? copied(store_string(st, 0)) : NULL;

	if (st)
		sqlite3_reset(st);
	return text;
}
