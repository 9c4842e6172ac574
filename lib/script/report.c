/* Reports of a store: methods of core.store. */
#include "lib/report/report.h"
#include "lib/base/grow.h"
#include "lib/script/inner.h"
#include "lib/store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Writes a file whole or not at all. A message, or NULL. */
static char *to_file(
    const char *path, const struct store_view *v, void (*write)(FILE *, const struct store_view *))
{
	char *temporary;
	FILE *f = report_begin_file(path, &temporary);

	if (f) {
		write(f, v);
		if (!report_end_file(f, path, temporary))
			return NULL;
	}
	return formatted("cannot write %s: %s", path, strerror(errno));
}

static void write_lcov(FILE *f, const struct store_view *v)
{
	report_lcov(f, v);
}

/* The number of the session that a table asks for: "all" is all that the store has, none is the
 * latest. */
static int64_t view_number(lua_State *L, int t, struct store *s)
{
	const char *word;
	int64_t n;
	lua_getfield(L, t, "session");
	word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
	n = word && !strcmp(word, "all") ? store_everything(s) : (int64_t)lua_tointeger(L, -1);
	lua_pop(L, 1);
	return n;
}

/* The view of a session, qualified, or explained, too. Reading it takes seconds where there are
 * 400,000 pairs: it is kept for the next report until the store changes or is closed. */
static struct store_view *view_of(lua_State *L, struct store *s, int64_t number, bool explained)
{
	struct script_view *k = script_store_view(L);
	int64_t version = store_version(s);

	if (k->view && k->number == number && k->version == version && version >= 0
	    && (explained || !k->explained)) {
		if (explained && !k->explained)
			report_explain(k->view);
		k->explained = explained;
		return k->view;
	}
	store_view_free(k->view);
	*k = (struct script_view){ store_view(s, number), number, version, explained };
	if (k->view)
		report_qualify(k->view);
	if (k->view && explained)
		report_explain(k->view);
	return k->view;
}

/* Both parts of the summary for a screen; field `between` of the table is called between them. */
static void screen(lua_State *L, const struct store_view *v, const struct report_style *style)
{
	report_result(stdout, v, style);
	lua_getfield(L, 2, "between");
	lua_call(L, 0, 0);
	report_open(stdout, v, style);
}

/* The list of strings in a field of a table, NULL-terminated, which stays on the stack; empty when
 * there is none. */
static const char *const *words_of(lua_State *L, int t, const char *key)
{
	static const char *const none[] = { NULL };
	const char *const *list = script_get_list(L, t, key);
	return list ? list : none;
}

/* The field `models`: a list of { files, flags, records }; stays on the stack. NULL: there is none.
 */
static const struct report_flow *models_of(lua_State *L, int t)
{
	lua_getfield(L, t, "models");
	if (!lua_istable(L, -1))
		return NULL;
	size_t n = (size_t)lua_rawlen(L, -1);
	struct report_flow *m = lua_newuserdatauv(L, (n + 1) * sizeof *m, 0);
	int list = lua_gettop(L) - 1;
	for (size_t i = 0; i < n; i++) {
		luaL_checkstack(L, 8, NULL);
		lua_rawgeti(L, list, (lua_Integer)i + 1);
		int one = lua_gettop(L);
		luaL_argcheck(L, lua_istable(L, one), 2, "models: a list of tables");
		m[i].file = words_of(L, one, "files");
		m[i].flag = words_of(L, one, "flags");
		m[i].records = script_get_string(L, one, "records", NULL);
	}
	m[n] = (struct report_flow){ 0 };
	return m;
}

/* store:report{ kind, place, format, session, stats, store }: text, screen, json, branches, checks
 * or pairs on stdout; lcov to a file; html, tests, collection (tests of all that the store
 * has) or corpus into a folder. models: of html, what report_html is given. not_counted: of json.
 * `session`: "all" for all that the store has. For text the place is the folder that got the tests,
 * and `store` what the store is called in the commands that it suggests. */
int script_store_report(lua_State *L)
{
	static const char *const kinds[] = { "text", "screen", "json", "branches", "checks",
		"pairs", "lcov", "html", "tests", "collection", "corpus", NULL };
	struct store *s = script_store(L);
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_getfield(L, 2, "kind");
	int kind = luaL_checkoption(L, -1, NULL, kinds);
	const char *place = script_get_string(L, 2, "place", NULL),
	           *format = script_get_string(L, 2, "format", NULL);
	struct report_style style = { .out = place,
		.store = script_get_string(L, 2, "store", NULL),
		.stats = script_get_bool(L, 2, "stats"),
		.brief = script_get_bool(L, 2, "brief"),
		.colour = report_colour() };
	struct store_view *v;
	char *error = NULL;
	luaL_argcheck(L, place || kind < 6, 2, "where to?");
	if (kind >= 7 && kind < 10 && report_own(place, kind == 7 ? "index.html" : NULL, &error))
		return script_fail(L, error);
	if (kind == 9) /* of all questions, with views of its own */
		return report_collection(place, s, format, &error) ? script_fail(L, error) : 0;
	if (!(v = view_of(L, s, view_number(L, 2, s), kind < 2 || kind == 7)))
		return script_store_fail(L, s);
	switch (kind) {
	case 0: report_text(stdout, v, &style); break;
	case 1: screen(L, v, &style); break;
	case 2: report_json(stdout, v, script_get_list(L, 2, "not_counted")); break;
	case 3: report_branches(stdout, v); break;
	case 4: report_checks(stdout, v); break;
	case 5: report_pairs(stdout, v); break;
	case 6: error = to_file(place, v, write_lcov); break;
	case 7: report_html(place, v, s, models_of(L, 2), &error); break;
	case 8: report_tests(place, v, format, &error); break;
	case 10: report_corpus(place, v, &error); break;
	}
	return error ? script_fail(L, error) : 0;
}

/* core.colour(): may what is written to standard output have colours? */
int script_colour(lua_State *L)
{
	lua_pushboolean(L, report_colour());
	return 1;
}

/* store:holds{ session, under, on } -> true, or false and what is missing: see report_holds */
int script_store_holds(lua_State *L)
{
	struct store *s = script_store(L);
	struct store_view *v;
	char *why;
	luaL_checktype(L, 2, LUA_TTABLE);
	double under = script_get_number(L, 2, "under", 0);
	const char *on = script_get_string(L, 2, "on", NULL);
	struct script_view *k = script_store_view(L);
	if (under <= 0 && !on) { /* nothing is asked: no view has to be read */
		lua_pushboolean(L, true);
		return 1;
	}
	if (!(v = view_of(L, s, view_number(L, 2, s), k->explained)))
		return script_store_fail(L, s);
	lua_pushboolean(L, report_holds(v, under, on, &why));
	lua_pushstring(L, why);
	free(why);
	return 2;
}
