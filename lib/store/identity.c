/* identity: the program and the question of a session, each with the hash by which other sessions
 * find it. */
#include "lib/store/db.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

static const char harness_file[] = "duct-harness";

bool store_hash_content(struct store_hash *h, const char *name)
{
	char buf[65536];
	size_t n;
	FILE *f = fopen(name, "r");

	if (!f)
		return false;
	while ((n = fread(buf, 1, sizeof buf, f)))
		store_hash_add(h, buf, n);
	fclose(f);
	return true;
}

void store_hash_file(struct store_hash *h, const char *name, uint64_t key)
{
	store_hash_text(h, name);
	if (!store_hash_content(h, name))
		store_hash_add(
		    h, &key, sizeof key); /* the program model's key stands for the content */
}

void store_program_hash(const struct store_start *st, char text[STORE_HASH_TEXT])
{
	struct store_hash h;

	store_hash_begin(&h);
	for (size_t i = 0; i < st->flow->units; i++) {
		const struct flow_unit *u = &st->flow->unit[i];
		store_hash_text(&h, u->name);
		for (size_t j = 0; j < u->files; j++)
			if (strcmp(u->file[j], harness_file))
				store_hash_file(&h, u->file[j], u->key);
	}
	for (const char *const *f = st->flag; f && *f; f++)
		store_hash_text(&h, *f);
	store_hash_print(&h, text);
}

int store_add_program(struct store *s, const struct store_start *st, const char *hash)
{
	const char *name = st->file && *st->file ? *st->file
	    : st->flow->units                    ? st->flow->unit[0].name
	                                         : "";

	if (store_do(
	        s, "INSERT OR IGNORE INTO program (hash, name) VALUES (?, ?)", "tt", hash, name))
		return -1;
	return store_get(s, &s->program, 0, "SELECT id FROM program WHERE hash = ?", "t", hash);
}

static void list(FILE *f, const char *kind, const char *const *item)
{
	for (; item && *item; item++)
		fprintf(f, "%s %s\n", kind, *item);
}

/* Adds variables with hashes of their values, which may be private: a store may be given away. */
static void variables(FILE *f, const char *const *variable)
{
	for (; variable && *variable; variable++) {
		const char *value = strchr(*variable, '=');
		char text[STORE_HASH_TEXT] = "-";
		struct store_hash h;
		store_hash_begin(&h);
		store_hash_text(&h, value ? value + 1 : "");
		if (value)
			store_hash_print(&h, text);
		fprintf(f, "variable %.*s %s\n",
		    value ? (int)(value - *variable) : (int)strlen(*variable), *variable, text);
	}
}

/* Adds files by their contents; a file that cannot be read is added by its name only. */
static void contents(FILE *f, const char *const *name)
{
	for (; name && *name; name++) {
		char text[STORE_HASH_TEXT] = "-";
		struct store_hash h;
		store_hash_begin(&h);
		if (store_hash_content(&h, *name))
			store_hash_print(&h, text);
		fprintf(f, "content %s %s\n", text, *name);
	}
}

static void put_hash(void *hash, const void *data, size_t n)
{
	store_hash_add(hash, data, n);
}

bool store_calls_back(const char *const *flag)
{
	static const char *const harmless[] = { "-lc", "-lm", "-lpthread", "-ldl", "-lrt" };
	bool other = false;

	for (; flag && *flag; flag++) {
		const char *dot = strrchr(*flag, '.');
		bool known = false;
		for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
			known |= !strcmp(*flag, harmless[i]);
		other |= !known
		    && (!strncmp(*flag, "-l", 2) || !strncmp(*flag, "-Wl,", 4)
		        || (dot && **flag != '-'
		            && (!strcmp(dot, ".o") || !strcmp(dot, ".a")
		                || !strncmp(dot, ".so", 3))));
	}
	return other;
}

/* Writes the text of all that the entry may reach, or of the whole program when the program model
 * lacks records. */
static void program_text(const struct store_start *st, const char *program, FILE *f)
{
	const struct flow *fl = st->defuse ? st->defuse->flow : st->records;
	struct store_hash h;
	char hash[STORE_HASH_TEXT];

	if (!fl) {
		fprintf(f, "program %s\n", program);
		for (size_t i = 0; i < st->flow->units;
		    i++) /* the program model does not name headers that only define macros */
			fprintf(f, "model %016llx\n", (unsigned long long)st->flow->unit[i].key);
		return;
	}
	store_hash_begin(&h);
	flow_closure(fl, st->entry, put_hash, &h);
	store_hash_print(&h, hash);
	fprintf(f, "duct " DUCT_VERSION "\nreachable %s\n", hash);
	if (st->linked || store_calls_back(st->flag))
		fprintf(f, "program %s\n", program);
}

/* The text of everything on which verdicts depend, and its hash. */
static char *question_text(const struct store_start *st, char hash[STORE_HASH_TEXT])
{
	char *text = NULL, program[STORE_HASH_TEXT], *stated = store_assumptions(st->narrowing),
	     *rest = stated;
	struct store_hash h;
	size_t size;
	FILE *f = text_stream(&text, &size);

	store_program_hash(st, program);
	program_text(st, program, f);
	fprintf(f, "entry %s\n", st->entry);
	list(f, "flag", st->flag);
	list(f, "environment", st->environment);
	list(f, "bound", st->bound);
	variables(f, st->variable);
	contents(f, st->content);
	for (const char *line; (line = strsep(&rest, "\n"));)
		if (*line)
			fprintf(f, "stated %s\n", line);
	free(stated);
	fputs(st->plan ? st->plan : "", f);
	fclose(f);
	store_hash_begin(&h);
	store_hash_text(&h, text);
	store_hash_print(&h, hash);
	return text;
}

int store_add_question(struct store *s, const struct store_start *st)
{
	char hash[STORE_HASH_TEXT], *text = question_text(st, hash);
	int rc = store_do(s, "INSERT OR IGNORE INTO question (hash, text) VALUES (?, ?)", "tt",
	             hash, text)
	    || store_get(s, &s->question, 0, "SELECT id FROM question WHERE hash = ?", "t", hash);

	free(text);
	return rc ? -1 : 0;
}

/* The session's parameters, a line each. */
static char *parameter_text(const struct store_start *st)
{
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	for (const char *const *p = st->parameter; p && *p; p++)
		fprintf(f, "%s\n", *p);
	fclose(f);
	return text;
}

int64_t store_answered(struct store *s, const struct store_start *st)
{
	char hash[STORE_HASH_TEXT], seed[24], *text = question_text(st, hash),
	                                      *parameters = parameter_text(st);
	int64_t session = 0;

	snprintf(seed, sizeof seed, "%llu", (unsigned long long)st->seed);
	store_get(s, &session, 0,
	    "SELECT max(session.id) FROM session JOIN question ON question = question.id WHERE"
	    " question.hash = ? AND strategy = ? AND search = ? AND seed = ? AND ended NOT NULL AND ended <> 'interrupted'"
	    " AND ? = (SELECT coalesce(group_concat(value || char(10), ''), '') FROM (SELECT value FROM parameter WHERE"
	    " session = session.id AND kind = 'parameter' ORDER BY position))",
	    "ttttt", hash, st->strategy, st->search ? st->search : "", seed, parameters);
	free(text);
	free(parameters);
	return session;
}
