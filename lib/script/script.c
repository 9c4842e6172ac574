#include "lib/script/script.h"
#include "lib/base/grow.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/home.h"
#include "lib/script/inner.h"
#include "lib/script/supervisor.h"

struct script {
	lua_State *L;
};

/* A function of ours, in the upvalue; the supervisor is told that no script runs meanwhile. After
 * an error it is told so by the next one. */
static int working(lua_State *L)
{
	int n;

	supervisor_works(true);
	n = lua_tocfunction(L, lua_upvalueindex(1))(L);
	supervisor_works(false);
	return n;
}

/* Replaces the functions of the table on the stack. */
static void watch_functions(lua_State *L)
{
	for (lua_pushnil(L); lua_next(L, -2);) {
		if (!lua_iscfunction(L, -1)) {
			lua_pop(L, 1);
			continue;
		}
		lua_pushcclosure(L, working, 1);
		lua_pushvalue(L, -2);
		lua_insert(L, -2);
		lua_settable(L, -4); /* an existing field: lua_next may go on */
	}
}

static int open_core(lua_State *L)
{
	lua_newtable(L);
	script_add_space(L);
	script_add_solver(L);
	script_add_runner(L);
	script_add_flow(L);
	script_add_defuse(L);
	script_add_guide(L);
	script_add_worklist(L);
	script_add_branches(L);
	script_add_classes(L);
	script_add_effects(L);
	script_add_partition(L);
	script_add_store(L);
	script_add_process(L);
	script_add_prove(L);
	script_add_system(L);
	script_add_pool(L);
	script_add_stuck(L);
	script_add_options(L);
	script_add_random(L);
	script_add_sequence(L);
	script_add_bandit(L);
	watch_functions(L);
	return 1;
}

/* The registry's field with the first module that was changed after duct was built. */
static const char changed[] = "duct.changed";

/* Opens what was compiled from a module as it is now; -1: there is no such file. */
static int open_compiled(lua_State *L, const char *source, const char *compiled, size_t *size)
{
	struct stat a, b;
	int fd = stat(source, &a) ? -1 : open(compiled, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &b) == 0
	    && (a.st_mtim.tv_sec < b.st_mtim.tv_sec
	        || (a.st_mtim.tv_sec == b.st_mtim.tv_sec
	            && a.st_mtim.tv_nsec <= b.st_mtim.tv_nsec))) {
		*size = (size_t)b.st_size;
		return fd;
	}
	if (fd < 0)
		return -1;
	close(fd);
	if (lua_getfield(L, LUA_REGISTRYINDEX, changed) == LUA_TNIL) {
		lua_pushstring(L, source);
		lua_setfield(L, LUA_REGISTRYINDEX, changed);
	}
	lua_pop(L, 1);
	return -1;
}

/* package.searchers: what was compiled from one of our modules as it is now; without it its source
 * is found. It is read at once: luaL_loadfile would make ten system calls for each of 60 modules.
 */
static int find_compiled(lua_State *L)
{
	const char *file = luaL_gsub(L, luaL_checkstring(L, 1), ".", "/");
	const char *source =
	    lua_pushfstring(L, "%s/%s.lua", lua_tostring(L, lua_upvalueindex(1)), file);
	const char *compiled =
	    lua_pushfstring(L, "%s/%s.luac", lua_tostring(L, lua_upvalueindex(2)), file);
	size_t size;
	int fd = open_compiled(L, source, compiled, &size);
	if (fd < 0)
		return 0;
	char *text = lua_newuserdatauv(L, size + 1, 0);
	bool whole = read(fd, text, size + 1) == (ssize_t)size;
	close(fd);
	const char *name = lua_pushfstring(L, "@%s", compiled);
	if (!whole || luaL_loadbufferx(L, text, size, name, "b") != LUA_OK)
		return 0;
	lua_pushstring(L, source);
	return 2;
}

static void add_compiled(lua_State *L, const char *sources)
{
	char *folder = home_path("lib", "lua");
	if (!folder)
		return;
	lua_getglobal(L, "package");
	lua_getfield(L, -1, "searchers");
	for (lua_Integer i = (lua_Integer)lua_rawlen(L, -1); i > 1; i--) {
		lua_rawgeti(L, -1, i);
		lua_rawseti(L, -2, i + 1);
	}
	lua_pushstring(L, sources);
	lua_pushstring(L, folder);
	lua_pushcclosure(L, find_compiled, 2);
	lua_rawseti(L, -2, 2); /* behind package.preload */
	lua_pop(L, 2);
	free(folder);
}

/* package.path = LUA/?.lua;..., the toolkit's modules first. */
static bool set_path(lua_State *L)
{
	char *here = home_path("lua", "duct"), *slash;
	if (!here || !(slash = strrchr(here, '/'))) {
		free(here);
		return false;
	}
	*slash = 0;
	lua_getglobal(L, "package");
	lua_getfield(L, -1, "path");
	lua_pushfstring(L, "%s/?.lua;%s", here, lua_tostring(L, -1));
	lua_setfield(L, -3, "path");
	lua_pop(L, 1);
	lua_pushstring(L, here);
	lua_setfield(L, -2, "duct"); /* package.duct: the folder itself */
	lua_pop(L, 1);
	add_compiled(L, here);
	free(here);
	return true;
}

/* Nothing is collected while modules are loaded: all of it stays. */
static int set_up(lua_State *L)
{
	lua_gc(L, LUA_GCSTOP);
	luaL_openlibs(L);
	luaL_requiref(L, "duct.core", open_core, 0);
	lua_newtable(L);
	lua_setfield(L, LUA_REGISTRYINDEX, "duct.options");
	lua_pushboolean(L, set_path(L));
	return 1;
}

struct script *script_open(char **error)
{
	struct script *s = zeroed(1, sizeof *s);
	*error = NULL;
	if (!(s->L = luaL_newstate()))
		no_memory(0);
	lua_pushcfunction(s->L, set_up);
	if (lua_pcall(s->L, 0, 1, 0) != LUA_OK)
		*error = copied(lua_tostring(s->L, -1));
	else if (!lua_toboolean(s->L, -1))
		*error = copied("the folder lua/duct of the toolkit was not found");
	lua_settop(s->L, 0);
	if (!*error)
		return s;
	script_close(s);
	return NULL;
}

void script_close(struct script *s)
{
	if (s) {
		script_end_stuck();
		lua_close(s->L);
		free(s);
	}
}

/* ---- options */

static void set_option(struct script *s, const char *name)
{
	lua_getfield(s->L, LUA_REGISTRYINDEX, "duct.options");
	lua_insert(s->L, -2);
	lua_setfield(s->L, -2, name);
	lua_pop(s->L, 1);
}

void script_flag(struct script *s, const char *name)
{
	lua_pushboolean(s->L, 1);
	set_option(s, name);
}

void script_string(struct script *s, const char *name, const char *value)
{
	lua_pushstring(s->L, value);
	set_option(s, name);
}

void script_number(struct script *s, const char *name, double value)
{
	lua_pushnumber(s->L, value);
	set_option(s, name);
}

void script_integer(struct script *s, const char *name, long long value)
{
	lua_pushinteger(s->L, value);
	set_option(s, name);
}

void script_append(struct script *s, const char *name, const char *value)
{
	lua_State *L = s->L;
	lua_getfield(L, LUA_REGISTRYINDEX, "duct.options");
	if (lua_getfield(L, -1, name) != LUA_TTABLE) {
		lua_pop(L, 1);
		lua_newtable(L);
		lua_pushvalue(L, -1);
		lua_setfield(L, -3, name);
	}
	lua_pushstring(L, value);
	lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
	lua_pop(L, 2);
}

/* ---- running */

static int traceback(lua_State *L)
{
	const char *text = lua_tostring(L, 1);
	if (getenv("DUCT_TRACEBACK"))
		luaL_traceback(L, L, text ? text : "(error object)", 1);
	else if (!text)
		lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, 1));
	if (lua_getfield(L, LUA_REGISTRYINDEX, changed) != LUA_TSTRING)
		lua_pop(L, 1);
	else
		lua_pushfstring(L, "%s\n(%s was changed after duct was built: run make)",
		    lua_tostring(L, -2), lua_tostring(L, -1));
	return 1;
}

static int call(lua_State *L)
{
	lua_getglobal(L, "require");
	lua_insert(L, 1);
	lua_call(L, 1, 1);
	lua_getfield(L, LUA_REGISTRYINDEX, "duct.options");
	lua_call(L, 1, 1);
	return 1;
}

int script_call(struct script *s, const char *name, char **error)
{
	int status = -1;
	*error = NULL;
	lua_getfield(s->L, LUA_REGISTRYINDEX, "duct.options");
	if (lua_getfield(s->L, -1, "time") == LUA_TNUMBER)
		script_set_deadline(lua_tonumber(s->L, -1));
	lua_pop(s->L, 2);
	lua_pushcfunction(s->L, traceback);
	lua_pushcfunction(s->L, call);
	lua_pushstring(s->L, name);
	if (lua_pcall(s->L, 1, 1, -3) == LUA_OK)
		status = (int)lua_tointeger(s->L, -1);
	else
		*error = copied(lua_tostring(s->L, -1));
	lua_settop(s->L, 0);
	return status;
}

/* ---- for the other parts */

void *script_box(lua_State *L, size_t size, const char *meta)
{
	void *p = lua_newuserdatauv(L, size, 2);
	memset(p, 0, size);
	luaL_setmetatable(L, meta);
	return p;
}

void *script_held(lua_State *L, int i, const char *meta)
{
	void *const *held = luaL_checkudata(L, i, meta);
	luaL_argcheck(L, *held, i, "closed");
	return *held;
}

void *script_taken(lua_State *L, const char *meta)
{
	void **held = luaL_checkudata(L, 1, meta), *was = *held;
	*held = NULL;
	return was;
}

void script_class(lua_State *L, const char *meta, const luaL_Reg *methods, lua_CFunction gc)
{
	luaL_newmetatable(L, meta);
	lua_newtable(L);
	luaL_setfuncs(L, methods, 0);
	watch_functions(L);
	lua_setfield(L, -2, "__index");
	if (gc) {
		lua_pushcfunction(L, gc);
		lua_setfield(L, -2, "__gc");
		lua_pushcfunction(L, gc);
		lua_setfield(L, -2, "__close");
	}
	lua_pop(L, 1);
}

int script_fail(lua_State *L, char *message)
{
	luaL_where(L, 1);
	lua_pushstring(L, message);
	free(message);
	lua_concat(L, 2);
	return lua_error(L);
}

const char *script_get_string(lua_State *L, int t, const char *name, const char *otherwise)
{
	const char *s = otherwise;
	t = lua_absindex(L, t);
	int type = lua_getfield(L, t, name);
	if (type != LUA_TNIL && !(s = lua_tostring(L, -1)))
		luaL_error(L, "%s must be a string", name);
	if (type == LUA_TNUMBER)
		lua_setfield(L, t, name);
	else
		lua_pop(L, 1);
	return s; /* which the table holds */
}

lua_Integer script_get_integer(lua_State *L, int t, const char *name, lua_Integer otherwise)
{
	lua_Integer v = otherwise;
	int ok = 1;
	if (lua_getfield(L, t, name) != LUA_TNIL)
		v = lua_tointegerx(L, -1, &ok);
	lua_pop(L, 1);
	if (!ok)
		luaL_error(L, "%s must be an integer", name);
	return v;
}

double script_get_number(lua_State *L, int t, const char *name, double otherwise)
{
	double v = otherwise;
	int ok = 1;
	if (lua_getfield(L, t, name) != LUA_TNIL)
		v = lua_tonumberx(L, -1, &ok);
	lua_pop(L, 1);
	if (!ok)
		luaL_error(L, "%s must be a number", name);
	return v;
}

bool script_get_bool(lua_State *L, int t, const char *name)
{
	bool v;
	lua_getfield(L, t, name);
	v = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return v;
}

const char *const *script_get_list(lua_State *L, int t, const char *name)
{
	size_t n;
	const char **list;
	if (lua_getfield(L, t, name) != LUA_TTABLE)
		return NULL; /* what stays on the stack is nil */
	n = lua_rawlen(L, -1);
	list = lua_newuserdatauv(L, (n + 1) * sizeof *list, 0);
	for (size_t i = 0; i < n; i++) {
		lua_rawgeti(L, -2, (lua_Integer)i + 1);
		if (lua_type(L, -1) != LUA_TSTRING)
			luaL_error(L, "%s must be a list of strings", name);
		list[i] = lua_tostring(L, -1);
		lua_pop(L, 1);
	}
	list[n] = NULL;
	lua_remove(L, -2);
	return list;
}

void script_set_integer(lua_State *L, const char *name, lua_Integer v)
{
	lua_pushinteger(L, v);
	lua_setfield(L, -2, name);
}

void script_set_string(lua_State *L, const char *name, const char *v)
{
	lua_pushstring(L, v); /* NULL: nil */
	lua_setfield(L, -2, name);
}

void script_set_bool(lua_State *L, const char *name, bool v)
{
	lua_pushboolean(L, v);
	lua_setfield(L, -2, name);
}
