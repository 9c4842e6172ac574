#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/clib/clib.h"
#include "lib/base/clock.h"
#include "lib/base/folder.h"
#include "lib/criteria/criteria.h"
#include "lib/protocol/checks.h"
#include "lib/base/home.h"
#include "lib/libc/libc.h"
#include "lib/run/run.h"
#include "lib/script/inner.h"
#include "lib/script/supervisor.h"
#include "lib/base/tree.h"
#include "lib/base/words.h"

/* Clocks, folders, the terminal. */

static double seconds(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int now(lua_State *L)
{
	script_alive();
	lua_pushnumber(L, clock_now());
	return 1;
}

/* core.library_has(name): does the C library, mathematics included, define it? */
static int library_has(lua_State *L)
{
	lua_pushboolean(L, libc_has(luaL_checkstring(L, 1)));
	return 1;
}

/* core.libraries_folder() -> where the C library lies; nil if that is unknown */
static int libraries_folder(lua_State *L)
{
	char *path = libc_folder();
	lua_pushstring(L, path);
	free(path);
	return 1;
}

/* core.library_defines(path, names) -> those of the names that the library defines, a set */
static int library_defines_of(lua_State *L)
{
	enum { MOST = 64 };
	const char *path = luaL_checkstring(L, 1), *name[MOST];
	bool has[MOST];

	luaL_checktype(L, 2, LUA_TTABLE);
	size_t n = lua_rawlen(L, 2);
	luaL_argcheck(L, n <= MOST, 2, "too many names");
	for (size_t i = 0; i < n; i++) {
		luaL_argcheck(L, lua_rawgeti(L, 2, (lua_Integer)i + 1) == LUA_TSTRING, 2,
		    "not all are texts");
		name[i] = lua_tostring(L, -1);
		lua_pop(L, 1); /* the table keeps it */
	}
	library_defines(path, name, n, has);
	lua_newtable(L);
	for (size_t i = 0; i < n; i++)
		if (has[i]) {
			lua_pushboolean(L, true);
			lua_setfield(L, -2, name[i]);
		}
	return 1;
}

/* core.cpu() -> seconds of this process */
static int cpu(lua_State *L)
{
	lua_pushnumber(L, seconds(CLOCK_PROCESS_CPUTIME_ID));
	return 1;
}

/* core.children_cpu() -> seconds of children that were waited for */
static int children_cpu(lua_State *L)
{
	struct rusage r;
	getrusage(RUSAGE_CHILDREN, &r);
	lua_pushnumber(L,
	    (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec)
	        + (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6);
	return 1;
}

/* core.resident(): bytes of memory that this process has now */
static int resident(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)tree_bytes(getpid()));
	return 1;
}

static int interrupted(lua_State *L)
{
	script_alive();
	lua_pushboolean(L, script_interrupted != 0);
	return 1;
}

static int terminal(lua_State *L)
{
	lua_pushboolean(L, isatty(2));
	return 1;
}

/* core.columns() -> width of that terminal, 80 when it does not say */
static int columns(lua_State *L)
{
	struct winsize size;
	lua_pushinteger(L, !ioctl(2, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : 80);
	return 1;
}

/* core.say(text): to stderr as it is */
static int say(lua_State *L)
{
	fputs(luaL_checkstring(L, 1), stderr);
	return 0;
}

/* core.confines() -> what of runs cannot be confined here, or nil */
static int confines(lua_State *L)
{
	lua_pushstring(L, run_confines(CONFINE_FULL));
	return 1;
}

/* core.home(part, name) -> path of the toolkit's own file, or nil */
static int home(lua_State *L)
{
	char *path = home_path(luaL_checkstring(L, 1), luaL_checkstring(L, 2));
	lua_pushstring(L, path);
	free(path);
	return 1;
}

static int exists(lua_State *L)
{
	lua_pushboolean(L, access(luaL_checkstring(L, 1), F_OK) == 0);
	return 1;
}

#define SCRATCH "duct-session-"

/* Folders of sessions that were killed: nobody holds their lock. Younger ones may not have it yet.
 */
static void remove_dead(const char *base)
{
	enum { YOUNG = 10 }; /* seconds */
	DIR *d = opendir(base);
	struct dirent *e;
	struct stat st;
	while (d && (e = readdir(d))) {
		if (strncmp(e->d_name, SCRATCH, strlen(SCRATCH))
		    || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW)
		    || !S_ISDIR(st.st_mode) || st.st_uid != geteuid()
		    || st.st_ctime > time(NULL) - YOUNG)
			continue;
		int fd =
		    openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB)) {
			char path[PATH_MAX];
			if (snprintf(path, sizeof path, "%s/%s", base, e->d_name)
			    < (int)sizeof path)
				folder_remove(path);
		}
		if (fd >= 0)
			close(fd);
	}
	if (d)
		closedir(d);
}

/* core.scratch() -> a new folder, which this process has locked */
static int scratch(lua_State *L)
{
	const char *base = getenv("TMPDIR");
	char path[PATH_MAX];
	int fd;
	base = base && *base ? base : "/tmp";
	remove_dead(base);
	if (snprintf(path, sizeof path, "%s/" SCRATCH "XXXXXX", base) >= (int)sizeof path
	    || !mkdtemp(path))
		return luaL_error(L, "cannot make a folder in %s: %s", base, strerror(errno));
	if ((fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0)
		flock(fd, LOCK_EX | LOCK_NB); /* until we end, however that is */
	lua_pushstring(L, path);
	return 1;
}

/* core.remove(folder): with all that is in it */
static int remove_folder(lua_State *L)
{
	folder_remove(luaL_checkstring(L, 1));
	return 0;
}

/* core.folder(path): makes it unless it is there */
static int folder(lua_State *L)
{
	const char *path = luaL_checkstring(L, 1);
	struct stat st;
	if (mkdir(path, 0777) && (errno != EEXIST || stat(path, &st) || !S_ISDIR(st.st_mode)))
		return luaL_error(L, "cannot make the folder %s: %s", path, strerror(errno));
	return 0;
}

static bool may_be_folder(const struct dirent *e)
{
	return e->d_type == DT_DIR || e->d_type == DT_LNK || e->d_type == DT_UNKNOWN;
}

/* core.list(folder, folders) -> names of what is in it; empty when it cannot be read; folders: only
 * of what may be a folder */
static int list(lua_State *L)
{
	DIR *d = opendir(luaL_checkstring(L, 1));
	bool folders = lua_toboolean(L, 2);
	struct dirent *e;
	lua_Integer n = 0;
	lua_newtable(L);
	while (d && (e = readdir(d)))
		if (!folders || may_be_folder(e)) {
			lua_pushstring(L, e->d_name);
			lua_rawseti(L, -2, ++n);
		}
	if (d)
		closedir(d);
	return 1;
}

/* core.fork() -> number of a process that goes on from here too; there nil. It is told to end when
 * this one does. */
static int new_process(lua_State *L)
{
	pid_t parent = getpid(), pid;
	fflush(NULL);
	if ((pid = fork()) < 0)
		return luaL_error(L, "cannot start another process: %s", strerror(errno));
	if (pid) {
		lua_pushinteger(L, pid);
		return 1;
	}
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		raise(SIGTERM);
	supervisor_apart();
	script_arm();
	return 0;
}

enum { MOST_PROCESSES = 4096 };

/* Ends a process, first so that it starts no other one, and all that it started. */
static void end_tree(pid_t root)
{
	pid_t pid[MOST_PROCESSES];
	size_t n = tree_list(root, pid, MOST_PROCESSES);

	kill(root, SIGKILL);
	while (n)
		kill(pid[--n], SIGKILL);
}

/* core.wait(process, seconds, more) -> its exit status, or 128 and the signal that ended it. When
 * we are to end, it is told so. After `seconds`, if they are given, it is told that its time is
 * over, and `more` seconds later it is ended with all that it started. */
static int wait_for(lua_State *L)
{
	pid_t pid = (pid_t)luaL_checkinteger(L, 1);
	double hurry = luaL_optnumber(L, 2, 0), end;
	bool limited = !lua_isnoneornil(L, 2), told = false, hurried = false;
	int status, rc;
	hurry += clock_now();
	end = hurry + luaL_optnumber(L, 3, 0);
	while (!(rc = waitpid(pid, &status, WNOHANG))) {
		double now = limited ? clock_now() : 0;
		if (script_interrupted && !told)
			told = !kill(pid, SIGTERM);
		if (limited && now >= hurry && !hurried)
			hurried = !kill(pid, SIGUSR1);
		if (limited && now >= end)
			end_tree(pid);
		tree_await(pid, 0.01);
	}
	lua_pushinteger(L,
	    rc < 0                  ? 4
	        : WIFEXITED(status) ? WEXITSTATUS(status)
	                            : 128 + WTERMSIG(status));
	return 1;
}

/* core.sleep(seconds) */
static int rest(lua_State *L)
{
	struct timespec t = clock_timespec(luaL_checknumber(L, 1));
	nanosleep(&t, NULL);
	return 0;
}

/* core.lua_folder() -> where the toolkit's scripts are */
static int lua_folder(lua_State *L)
{
	lua_getglobal(L, "package");
	lua_getfield(L, -1, "duct");
	return 1;
}

/* core.edits(a, b) -> edit distance, for suggestions */
static int edits(lua_State *L)
{
	lua_pushinteger(
	    L, (lua_Integer)words_edits(luaL_checkstring(L, 1), luaL_checkstring(L, 2)));
	return 1;
}

/* core.unlisted(name): a function of which nothing is known, where a program calls it and has not:
 * not of the C library, not duct's own. */
static int unlisted(lua_State *L)
{
	const char *name = luaL_checkstring(L, 1);
	static const char *const own[] = { "duct_", "__VERIFIER_", "llvm." };
	bool known = clib_find(name);

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		known |= !strncmp(name, own[i], strlen(own[i]));
	lua_pushboolean(L, !known);
	return 1;
}

/* core.fallible(name): can --faults make this function of the C library fail? */
static int fallible(lua_State *L)
{
	const struct clib *c = clib_find(luaL_optstring(L, 1, ""));
	lua_pushboolean(L, c && clib_does(c, "F"));
	return 1;
}

/* core.asks(name) -> letters of what a function of the C library asks of the environment (lib/clib,
 * asks); nil: nothing, or unknown */
static int asks(lua_State *L)
{
	const struct clib *c = clib_find(luaL_optstring(L, 1, ""));
	lua_pushstring(L, c && *c->asks ? c->asks : NULL);
	return 1;
}

/* core.any_criterion(list, trait): has one of these criteria, separated by commas, the trait
 * (lib/protocol/criterion.h)? nil: no criteria. */
static int any_criterion(lua_State *L)
{
	const char *list = luaL_optstring(L, 1, "");
	unsigned trait = criterion_trait(luaL_checkstring(L, 2));
	char *error = NULL;

	luaL_argcheck(L, trait, 2, "no trait");
	lua_pushboolean(
	    L, *list && criteria_parse(list, &error) & criteria_with((enum criterion_trait)trait));
	free(error);
	return 1;
}

/* core.check_sizes(options, name) -> what is wrong with options.file, .arg or .env; nil: nothing */
static int check_sizes(lua_State *L)
{
	const char *option = luaL_checkstring(L, 2);
	const char *const *list = script_get_list(L, 1, option);
	char *error = NULL;

	if (!run_check_sizes(option, list, &error))
		return 0;
	lua_pushstring(L, error);
	free(error);
	return 1;
}

/* core.criteria() -> names of all coverage criteria */
static int criteria(lua_State *L)
{
	lua_createtable(L, CRITERIA, 0);
	for (unsigned c = 0; c < CRITERIA; c++) {
		lua_pushstring(L, criterion_name((enum criterion)c));
		lua_rawseti(L, -2, c + 1);
	}
	return 1;
}

static const luaL_Reg functions[] = {
	{ "now", now },
	{ "cpu", cpu },
	{ "children_cpu", children_cpu },
	{ "resident", resident },
	{ "interrupted", interrupted },
	{ "colour", script_colour },
	{ "confined", script_confined },
	{ "terminal", terminal },
	{ "columns", columns },
	{ "say", say },
	{ "home", home },
	{ "confines", confines },
	{ "exists", exists },
	{ "scratch", scratch },
	{ "remove", remove_folder },
	{ "library_has", library_has },
	{ "libraries_folder", libraries_folder },
	{ "library_defines", library_defines_of },
	{ "fallible", fallible },
	{ "unlisted", unlisted },
	{ "asks", asks },
	{ "criteria", criteria },
	{ "any_criterion", any_criterion },
	{ "check_sizes", check_sizes },
	{ "folder", folder },
	{ "list", list },
	{ "fork", new_process },
	{ "sleep", rest },
	{ "wait", wait_for },
	{ "lua_folder", lua_folder },
	{ "edits", edits },
	{ NULL, NULL },
};

void script_add_system(lua_State *L)
{
	luaL_setfuncs(L, functions, 0);
	lua_pushstring(L, DUCT_VERSION);
	lua_setfield(L, -2, "version");
}
