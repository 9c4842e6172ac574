/* db: opens stores and runs SQL statements. */
#include "lib/store/db.h"
#include "lib/base/home.h"
#include "lib/base/grow.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BUSY_SECONDS = 10 };

int store_fail(struct store *s, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = formatted_list(fmt, ap);
	va_end(ap);
	if (!s->error)
		s->error = text; /* only the first error is reported */
	else
		free(text);
	return -1;
}

const char *store_error(const struct store *s)
{
	return s->error;
}

const char *store_path(const struct store *s)
{
	const char *path = sqlite3_db_filename(s->db, "main");

	return path ? path : "";
}

static int sql_fail(struct store *s)
{
	if (sqlite3_errcode(s->db) == SQLITE_BUSY)
		return store_fail(s, "in use by another process for %d seconds", BUSY_SECONDS);
	if (sqlite3_errcode(s->db) == SQLITE_NOTADB)
		return store_fail(s, "not a store of duct");
	return store_fail(s, "%s", sqlite3_errmsg(s->db));
}

static sqlite3_stmt *prepare(struct store *s, const char *sql)
{
	struct statement *p;

	for (size_t i = 0; i < s->statements; i++)
		if (s->statement[i].sql == sql) {
			sqlite3_reset(s->statement[i].st);
			return s->statement[i].st;
		}
	s->statement = grow_one(s->statement, s->statements, sizeof *s->statement);
	p = &s->statement[s->statements];
	if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &p->st, NULL)
	    != SQLITE_OK) {
		sql_fail(s);
		return NULL;
	}
	p->sql = sql;
	s->statements++;
	return p->st;
}

/* `keep`: SQLITE_STATIC if the statement runs before the bound texts are freed. */
static void bind(sqlite3_stmt *st, const char *types, va_list ap, sqlite3_destructor_type keep)
{
	for (int i = 1; *types; types++, i++) {
		const void *data;
		switch (*types) {
		case 'i': sqlite3_bind_int64(st, i, va_arg(ap, int64_t)); break;
		case 'u': sqlite3_bind_int64(st, i, (sqlite3_int64)va_arg(ap, uint64_t)); break;
		case 'n': sqlite3_bind_int64(st, i, va_arg(ap, int)); break;
		case 'd': sqlite3_bind_double(st, i, va_arg(ap, double)); break;
		case 't': sqlite3_bind_text(st, i, va_arg(ap, const char *), -1, keep); break;
		case 'b':
			data = va_arg(ap, const void *);
			sqlite3_bind_blob64(st, i, data ? data : "", va_arg(ap, size_t), keep);
			break;
		}
	}
}

static sqlite3_stmt *sql_v(
    struct store *s, const char *sql, const char *types, va_list ap, sqlite3_destructor_type keep)
{
	sqlite3_stmt *st = prepare(s, sql);

	if (st)
		bind(st, types, ap, keep);
	return st;
}

sqlite3_stmt *store_sql(struct store *s, const char *sql, const char *types, ...)
{
	va_list ap;

	va_start(ap, types);
	sqlite3_stmt *st = sql_v(s, sql, types, ap, SQLITE_TRANSIENT);
	va_end(ap);
	return st;
}

bool store_row(struct store *s, sqlite3_stmt *st)
{
	int rc = st ? sqlite3_step(st) : SQLITE_ERROR;

	if (rc == SQLITE_ROW)
		return true;
	if (rc != SQLITE_DONE)
		sql_fail(s);
	if (st)
		sqlite3_reset(st);
	return false;
}

const char *store_string(sqlite3_stmt *st, int col)
{
	const unsigned char *text = sqlite3_column_text(st, col);

	return text ? (const char *)text : "";
}

/* Steps a statement, if it is not NULL, once, and stores the first column of its row in *out. */
static int step_once(struct store *s, sqlite3_stmt *st, int64_t *out)
{
	int rc = st ? sqlite3_step(st) : SQLITE_ERROR;

	if (rc == SQLITE_ROW && out)
		*out = sqlite3_column_int64(st, 0);
	if (st && rc != SQLITE_DONE && rc != SQLITE_ROW)
		sql_fail(s);
	if (st)
		sqlite3_reset(st);
	return rc == SQLITE_DONE || rc == SQLITE_ROW ? 0 : -1;
}

int store_do(struct store *s, const char *sql, const char *types, ...)
{
	sqlite3_stmt *st;
	va_list ap;

	va_start(ap, types);
	st = sql_v(s, sql, types, ap, SQLITE_STATIC);
	va_end(ap);
	return step_once(s, st, NULL);
}

int store_do_all(struct store *s, const char *const *sql, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (store_do(s, sql[i], ""))
			return -1;
	return 0;
}

void store_forget_statements(struct store *s)
{
	for (size_t i = 0; i < s->statements; i++)
		sqlite3_finalize(s->statement[i].st);
	free(s->statement);
	s->statement = NULL;
	s->statements = 0;
}

int store_get(struct store *s, int64_t *out, int64_t none, const char *sql, const char *types, ...)
{
	sqlite3_stmt *st;
	va_list ap;

	va_start(ap, types);
	st = sql_v(s, sql, types, ap, SQLITE_STATIC);
	va_end(ap);
	*out = none;
	return step_once(s, st, out);
}

static char *schema_text(struct store *s)
{
	char *path = home_path("share", "schema.sql"), *text = NULL;
	size_t size = 0;
	FILE *f = path ? fopen(path, "r") : NULL;

	if (!f)
		store_fail(s, "cannot find share/schema.sql");
	else if (getdelim(&text, &size, 0, f) < 0)
		store_fail(s, "%s: %s", path, strerror(errno));
	if (f)
		fclose(f);
	free(path);
	return s->error ? (free(text), NULL) : text;
}

/* Makes a new file a store; another process may do the same at the same time. *made: this process
 * did. */
static int create(struct store *s, bool *made)
{
	int64_t tables;
	char *schema, mark[120];
	int rc = -1;

	/* no fsync here: the change to a write-ahead log, which follows, does it */
	if (store_do(s, "PRAGMA synchronous = OFF", "") || store_do(s, "BEGIN IMMEDIATE", "")
	    || store_get(s, &tables, 0, "SELECT count(*) FROM sqlite_master", ""))
		return -1;
	if (tables)
		return store_do(s, "COMMIT", "");
	if (!(schema = schema_text(s)))
		return -1;
	snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
	    STORE_APPLICATION, STORE_VERSION);
	if (sqlite3_exec(s->db, schema, NULL, NULL, NULL) == SQLITE_OK
	    && sqlite3_exec(s->db, mark, NULL, NULL, NULL) == SQLITE_OK)
		rc = 0;
	else
		sql_fail(s);
	free(schema);
	*made = !rc;
	return rc;
}

/* Removes comments, and white space except single blanks between words. */
static void normalise(char *s)
{
	char *to = s;

	for (const char *from = s; *from; from++) {
		if (from[0] == '-' && from[1] == '-') {
			from += strcspn(from, "\n");
			if (!*from)
				break;
		}
		if (!strchr(" \t\n", *from))
			*to++ = *from;
		else if (to > s && !strchr(" (,;", to[-1]))
			*to++ = ' ';
	}
	*to = 0;
}

/* Has the file all that the schema says and nothing else? A trigger, or a view in a table's place,
 * would run with our statements. */
static int check_schema(struct store *s)
{
	char *schema = schema_text(s);
	size_t statements = 0, found = 0;
	sqlite3_stmt *st;
	bool same = true;

	if (!schema)
		return -1;
	normalise(schema);
	for (const char *p = schema; (p = strchr(p, ';')); p++)
		statements++;
	st = store_sql(s,
	    "SELECT sql FROM sqlite_master WHERE sql NOT NULL AND name NOT GLOB 'sqlite_stat*'",
	    "");
	for (; store_row(s, st); found++) {
		char *sql = copied(store_string(st, 0)), *at;
		normalise(sql);
		at = strstr(schema, sql);
		same &= at && (at == schema || at[-1] == ';') && at[strlen(sql)] == ';';
		free(sql);
	}
	free(schema);
	if (s->error)
		return -1;
	return same && found == statements
	    ? 0
	    : store_fail(s, "not a store that duct made: its tables differ");
}

/* New rows must get the number after the last one's: SQLite takes any number if the highest
 * possible one is in use. */
static int check_ids(struct store *s)
{
#define WRONG_IN(table) \
	"WHEN (SELECT min(id) FROM " #table ") < 1 OR (SELECT max(id) FROM " #table \
	") > 1 << 53 THEN '" #table "' "
	sqlite3_stmt *st = store_sql(s,
	    "SELECT CASE " WRONG_IN(program) WRONG_IN(function) WRONG_IN(branch) WRONG_IN(pair)
	        WRONG_IN(question) WRONG_IN(session) WRONG_IN(test) "ELSE '' END",
	    "");
#undef WRONG_IN
	const char *wrong = store_row(s, st) ? store_string(st, 0) : "";

	if (!s->error && *wrong)
		store_fail(
		    s, "not a store that duct made: a row of `%s` has an impossible number", wrong);
	sqlite3_reset(st);
	return s->error ? -1 : 0;
}

static int check(struct store *s)
{
	int64_t application, version, tables;
	bool made = s->write && !*store_path(s) && store_fresh_memory(s->db);

	if (made)
		return 0;
	if (store_get(s, &tables, 0, "SELECT count(*) FROM sqlite_master", ""))
		return -1;
	if (!tables && s->write && create(s, &made))
		return -1;
	if (made)
		return 0;
	if (store_get(s, &application, 0, "PRAGMA application_id", "")
	    || store_get(s, &version, 0, "PRAGMA user_version", ""))
		return -1;
	if (application != STORE_APPLICATION)
		return store_fail(s, "not a store of duct");
	if (version != STORE_VERSION)
		return store_fail(s,
		    "a store of version %lld, and this duct has version %d: name another one, or remove it",
		    (long long)version, STORE_VERSION);
	return check_schema(s) || check_ids(s) ? -1 : 0;
}

int store_check_pages(struct store *s)
{
	sqlite3_stmt *st = store_sql(s, "PRAGMA quick_check(1)", "");

	if (!store_row(s, st))
		return s->error ? -1 : store_fail(s, "cannot be checked");
	int rc = strcmp(store_string(st, 0), "ok")
	    ? store_fail(s, "damaged: %s", store_string(st, 0))
	    : 0;
	sqlite3_reset(st);
	return rc;
}

static bool has_log(const char *path)
{
	struct stat st;
	char *log = formatted("%s-wal", path);

	bool has = !stat(log, &st) && st.st_size > 0;
	free(log);
	return has;
}

/* In a read-only place SQLite cannot create the files that readers share with writers. If no
 * session left a log there, the store is read as an immutable file. */
static int open_unchanged(struct store *s, const char *path)
{
	char *uri = reserved(3 * strlen(path) + 32, 1), *to = uri;
	int rc;

	to += sprintf(to, "file:");
	for (const char *p = path; *p; p++)
		to += isalnum((unsigned char)*p) || strchr("/._-", *p)
		    ? sprintf(to, "%c", *p)
		    : sprintf(to, "%%%02x", (unsigned char)*p);
	strcpy(to, "?immutable=1");
	store_forget_statements(s);
	sqlite3_close(s->db);
	s->db = NULL;
	rc = sqlite3_open_v2(uri, &s->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
	free(uri);
	free(s->error);
	s->error = NULL;
	if (rc != SQLITE_OK)
		return s->db ? sql_fail(s) : store_fail(s, "%s", sqlite3_errstr(rc));
	return check(s);
}

/* Switches to a write-ahead log. SQLite's busy timeout does not apply to this. */
static bool use_log(struct store *s)
{
	const struct timespec pause = { 0, 10000000 };
	int rc = SQLITE_BUSY;

	for (int i = 0; rc == SQLITE_BUSY && i < 100 * BUSY_SECONDS; i++) {
		if (i)
			nanosleep(&pause, NULL);
		rc = sqlite3_exec(s->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
	}
	return rc != SQLITE_OK;
}

static int set_up(struct store *s, const char *path)
{
	int flags = s->write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;

	if (strcmp(path, ":memory:") && !s->write && access(path, F_OK))
		return store_fail(s, "%s", strerror(errno));
	bool fresh = s->write && strcmp(path, ":memory:") && store_fresh_file(path);
	int rc = sqlite3_open_v2(path, &s->db, flags, NULL);
	if (rc != SQLITE_OK && !s->write) { /* the store may be in a read-only place */
		sqlite3_close(s->db);
		rc = sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READONLY, NULL);
	}
	if (rc != SQLITE_OK)
		return s->db ? sql_fail(s) : store_fail(s, "%s", sqlite3_errstr(rc));
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_busy_timeout(s->db, 1000 * BUSY_SECONDS);
	if (!fresh && check(s))
		return !s->write && sqlite3_errcode(s->db) == SQLITE_CANTOPEN
		        && access(path, R_OK) == 0 && !has_log(path)
		    ? open_unchanged(s, path)
		    : -1;
	if (!s->write)
		return 0;
	return use_log(s)
	        || sqlite3_exec(s->db, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON",
	               NULL, NULL, NULL)
	            != SQLITE_OK
	    ? sql_fail(s)
	    : 0;
}

/* Only one thread of a process uses stores: SQLite's locks would take a tenth of the time of a
 * short session. */
static void configure(void)
{
	static bool done;

	if (!done) {
		sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
		sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
		sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 512, 1000);
	}
	done = true;
}

/* Opens the file, or in a folder the store that `duct test` keeps there. */
static int open_path(struct store *s, const char *path)
{
	struct stat st;
	char *inside;
	int rc;

	if (!strcmp(path, ":memory:") || stat(path, &st) || !S_ISDIR(st.st_mode))
		return set_up(s, path);
	inside = formatted("%s/store.db", path);
	rc = access(inside, F_OK) ? store_fail(s, "a folder without store.db") : set_up(s, inside);
	free(inside);
	return rc;
}

struct store *store_open(const char *path, enum store_mode mode, char **error)
{
	struct store *s = zeroed(1, sizeof *s);

	*error = NULL;
	s->write = mode == STORE_WRITE;
	configure();
	if (!open_path(s, path))
		return s;
	*error = formatted("%s: %s", path, s->error);
	store_close(s);
	return NULL;
}

int store_close(struct store *s)
{
	int rc = 0;

	if (!s)
		return 0;
	if (s->session)
		rc = store_flush(s);
	store_session_free(s);
	store_forget_statements(s);
	sqlite3_close(s->db);
	free(s->error);
	free(s);
	return rc;
}
