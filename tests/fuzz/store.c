/* A store whose rows say anything: each record of the input, four bytes and a text, puts the text
 * or a number into one field of one row of a sound store; then all that is read back from stores is
 * read, and all reports are made of it. DUCT_FUZZ_STORE: the sound store. */
#include "lib/report/report.h"
#include "tests/fuzz/fuzz.h"

#include <sqlite3.h>
#include <unistd.h>

enum { MOST_FIELDS = 400 };

static struct {
	char *table, *column;
} field[MOST_FIELDS];
static size_t fields;
static char copy[64];

static int add_field(void *data, int n, char **value, char **name)
{
	(void)data, (void)n, (void)name;
	if (fields == MOST_FIELDS)
		abort();
	field[fields].table = strdup(value[0]);
	field[fields++].column = strdup(value[1]);
	return 0;
}

static void copy_store(const char *from, const char *to)
{
	char buf[1 << 16];
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
	if (!in || !out)
		abort();
	for (size_t n; (n = fread(buf, 1, sizeof buf, in)) > 0;)
		if (fwrite(buf, 1, n, out) != n)
			abort();
	fclose(in);
	fclose(out);
}

static void start(const char *store)
{
	sqlite3 *db;
	snprintf(copy, sizeof copy, "/dev/shm/duct-fuzz-%d", (int)getpid());
	if (sqlite3_open_v2(store, &db, SQLITE_OPEN_READONLY, NULL)
	    || sqlite3_exec(db,
	        "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c"
	        " WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'",
	        add_field, NULL, NULL))
		abort();
	sqlite3_close(db);
}

/* Writes the text over one field of one row, as text, as a number, or nothing at all. */
static void spoil(sqlite3 *db, const uint8_t *head, const char *text, size_t size)
{
	char sql[400];
	sqlite3_stmt *st;
	size_t i = (head[0] + 256u * (head[1] & 1)) % fields;
	snprintf(sql, sizeof sql,
	    "UPDATE \"%s\" SET \"%s\" = ?1 WHERE rowid IN (SELECT rowid FROM \"%s\" LIMIT %d OFFSET %d)",
	    field[i].table, field[i].column, field[i].table, head[1] & 2 ? 100 : 1, head[2] % 8);
	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL))
		return; /* a table without rowid */
	if (head[3] < 160)
		sqlite3_bind_text(st, 1, text, (int)size, SQLITE_TRANSIENT);
	else if (head[3] < 250)
		sqlite3_bind_int64(
		    st, 1, (int64_t)(((uint64_t)size << (head[3] & 63)) - (head[3] & 1)));
	sqlite3_step(st); /* a constraint of the schema may refuse it */
	sqlite3_finalize(st);
}

static void report_tables(FILE *f, struct store_view *v)
{
	static const char lists[] = "bpktf";

	report_json(f, v, NULL);
	report_branches(f, v);
	report_checks(f, v);
	report_pairs(f, v);
	report_suite(f, v);
	report_minimal(f, v);
	report_findings(f, v);
	for (const char *list = lists; *list; list++)
		report_records(f, v, *list);
}

/* After report_explain. */
static void report_words(FILE *f, struct store_view *v)
{
	report_text(f, v, &(struct report_style){ .stats = true });
	report_annotate(f, v);
	report_markdown(f, v);
	report_gcc(f, v);
	report_lcov(f, v);
	report_cobertura(f, v);
	report_junit(f, v);
	report_sarif(f, v);
}

/* The last session, and all of them together. */
static void read_all(void)
{
	char *error = NULL;
	struct store *s = store_open(copy, STORE_READ, &error);
	FILE *f = fopen("/dev/null", "w");
	if (!s == !error || !f)
		abort();
	for (int all = 0; s && all < 2; all++) {
		struct store_view *v = store_view(s, all ? store_everything(s) : 0);
		if (v) {
			report_qualify(v);
			report_tables(f, v);
			report_explain(v);
			report_words(f, v);
		}
		store_view_free(v);
	}
	if (s)
		store_close(s);
	fclose(f);
	free(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	sqlite3 *db;
	if (!copy[0])
		start(getenv("DUCT_FUZZ_STORE"));
	copy_store(getenv("DUCT_FUZZ_STORE"), copy);
	if (sqlite3_open(copy, &db)
	    || sqlite3_exec(
	        db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL, NULL, NULL))
		abort();
	for (unsigned k = 0; k < 16 && size > 5; k++) {
		size_t n = data[4] < size - 5 ? data[4] : size - 5;
		spoil(db, data, (const char *)data + 5, n);
		data += 5 + n, size -= 5 + n;
	}
	sqlite3_close(db);
	read_all();
	unlink(copy);
	return 0;
}
