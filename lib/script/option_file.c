/* option_file: reads a file of options, which is Lua code that is not trusted: it runs in a state
 * of its own, without any function, with limits of memory and time. The values that it returns are
 * copied. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/script/inner.h"
#include "lib/base/grow.h"

enum {
	MOST_TEXT = 1 << 20,    /* bytes of the file */
	MOST_MEMORY = 64 << 20, /* while it runs */
	MOST_VALUES = 100000,   /* in its table, and those in it */
	MOST_STEPS = 100000000, /* of Lua's: about a second */
	MOST_DEPTH = 8
};

static void *limited(void *left, void *p, size_t old, size_t new)
{
	size_t *room = left, had = p ? old : 0; /* else it is the kind of an object */
	void *q;

	if (new > had &&new - had > *room)
		return NULL;
	if (!new) {
		free(p);
		*room += had;
		return NULL;
	}
	if ((q = realloc(p, new))) /* Lua's own allocator: NULL is an error of the script */
		*room = *room + had - new;
	return q;
}

static void too_long(lua_State *L, lua_Debug *ar)
{
	(void)ar;
	luaL_where(L, 0);
	lua_pushfstring(L, "%sthe script does not end", lua_tostring(L, -1));
	lua_error(L);
}

/* Copies the value on top of `from` to `to`; what no option can be becomes false. Returns whether
 * there were not too many. */
static bool copy(lua_State *from, lua_State *to, int depth, int *left)
{
	size_t size;
	const char *text;

	if (!--*left || !lua_checkstack(from, 4))
		return false;
	luaL_checkstack(to, 4, NULL);
	switch (lua_type(from, -1)) {
	case LUA_TNUMBER:
		if (lua_isinteger(from, -1))
			lua_pushinteger(to, lua_tointeger(from, -1));
		else
			lua_pushnumber(to, lua_tonumber(from, -1));
		return true;
	case LUA_TSTRING:
		text = lua_tolstring(from, -1, &size);
		lua_pushlstring(to, text, size);
		return true;
	case LUA_TTABLE: break;
	default:
		lua_pushboolean(to, lua_toboolean(from, -1) && lua_isboolean(from, -1));
		return true;
	}
	lua_newtable(to);
	for (lua_pushnil(from); depth < MOST_DEPTH && lua_next(from, -2); lua_pop(from, 1)) {
		int kind = lua_type(from, -2);

		if (kind != LUA_TSTRING && kind != LUA_TNUMBER)
			continue;
		lua_pushvalue(from, -2);
		if (!copy(from, to, depth + 1, left))
			return false;
		lua_pop(from, 1);
		if (!copy(from, to, depth + 1, left))
			return false;
		lua_rawset(to, -3);
	}
	if (depth >= MOST_DEPTH)
		lua_pop(from, 1); /* the key before the first */
	return true;
}

/* nil, the exit status, the message */
static int refuse(lua_State *L, int status, const char *path, const char *why)
{
	lua_pushnil(L);
	lua_pushinteger(L, status);
	if (path)
		lua_pushfstring(L, "%s: %s", path, why);
	else
		lua_pushstring(L, why);
	return 3;
}

/* An error of Lua's, which begins with the place in the file as a rule. */
static int tell_error(lua_State *L, const char *path, const char *error)
{
	return refuse(L, 3, strncmp(error, path, strlen(path)) ? path : NULL, error);
}

/* Could anyone have put it there: in a directory like /tmp, of another user? */
static bool is_foreign(const char *path, const struct stat *file)
{
	const char *name = strrchr(path, '/');
	char *folder = name ? copied_part(path, (size_t)(name - path) + 1) : copied(".");
	struct stat st;
	bool foreign = !stat(folder, &st) && (st.st_mode & S_ISVTX) && (st.st_mode & S_IWOTH)
	    && file->st_uid != geteuid() && file->st_uid != st.st_uid;

	free(folder);
	return foreign;
}

/* The text of the file; NULL: *why. */
static char *read_text(const char *path, bool named, size_t *size, const char **why)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char *text = NULL;
	struct stat st;
	ssize_t n = 0;

	*why = NULL;
	*size = 0;
	if (fd < 0 || fstat(fd, &st))
		*why = strerror(errno);
	else if (!S_ISREG(st.st_mode) || st.st_size > MOST_TEXT)
		*why = "not a regular file of at most 1 MiB";
	else if (!named && is_foreign(path, &st))
		*why =
		    "another user owns it, in a folder where everyone may write: name it with --setup to use it";
	else
		text = reserved((size_t)st.st_size + 1, 1);
	while (text && *size < (size_t)st.st_size
	    && (n = read(fd, text + *size, (size_t)st.st_size - *size)) > 0)
		*size += (size_t)n;
	if (fd >= 0)
		close(fd);
	return text;
}

/* The file's table, in the state `in`; else its message there. */
static int evaluate(lua_State *in, const char *path, const char *text, size_t size)
{
	char *name = reserved(strlen(path) + 2, 1);
	int wrong;

	name[0] = '@';
	strcpy(name + 1, path);
	lua_sethook(in, too_long, LUA_MASKCOUNT, MOST_STEPS);
	if (!(wrong = luaL_loadbufferx(in, text, size, name, "t")))
		wrong = lua_pcall(in, 0, 1, 0);
	free(name);
	return wrong;
}

/* core.options(path, named) -> text, table; or nil, status, message. named: the user named the file
 */
static int options(lua_State *L)
{
	const char *path = luaL_checkstring(L, 1), *why;
	size_t size, room = MOST_MEMORY;
	char *text = read_text(path, lua_toboolean(L, 2), &size, &why);
	lua_State *in;
	int wrong, left = MOST_VALUES, results = 2;

	if (!text)
		return refuse(L, why && strerror(errno) == why ? 4 : 3, path, why);
	lua_pushlstring(L, text, size);
	free(text);
	text = (char *)(uintptr_t)lua_tostring(L, -1);
	if (!(in = lua_newstate(limited, &room)))
		no_memory(0);
	wrong = evaluate(in, path, text, size);
	if (wrong == LUA_ERRMEM)
		results = refuse(L, 3, path, "it takes more than 64 MiB");
	else if (wrong)
		results = tell_error(
		    L, path, lua_type(in, -1) == LUA_TSTRING ? lua_tostring(in, -1) : "an error");
	else if (!lua_istable(in, -1))
		results = refuse(L, 3, NULL, lua_pushfstring(L, "%s:1: it returns no table", path));
	else if (!copy(in, L, 0, &left))
		results = refuse(L, 3, path, "more than 100000 values");
	lua_close(in);
	return results;
}

void script_add_options(lua_State *L)
{
	lua_pushcfunction(L, options);
	lua_setfield(L, -2, "options");
}
