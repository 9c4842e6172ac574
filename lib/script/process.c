#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/tree.h"
#include "lib/base/grow.h"
#include "lib/script/inner.h"

/* Filters as co-processes: core.spawn(argv, writes, reads), core.run(argv, ...). */

extern char **environ;

struct process {
	pid_t pid; /* 0: waited for */
	FILE *to, *from;
	struct rec_writer out;
	struct rec_reader *in;
	struct input_value *v;
	size_t capacity;
	int status;
};

static char **arguments(lua_State *L, int i)
{
	size_t n;
	char **argv;
	luaL_checktype(L, i, LUA_TTABLE);
	n = lua_rawlen(L, i);
	luaL_argcheck(L, n > 0, i, "an empty command");
	argv = lua_newuserdatauv(L, (n + 1) * sizeof *argv, 0);
	for (size_t k = 0; k < n; k++) {
		lua_rawgeti(L, i, (lua_Integer)k + 1);
		if (lua_type(L, -1) != LUA_TSTRING)
			luaL_error(L, "argument %d of a command is not a string", (int)k + 1);
		argv[k] = (char *)lua_tostring(L, -1);
		lua_pop(L, 1);
	}
	argv[n] = NULL;
	return argv;
}

/* It is told to end when we are. */
static int wait_for(pid_t pid)
{
	bool told = false;
	pid_t got;
	int status;
	while ((got = waitpid(pid, &status, WNOHANG)) <= 0) {
		if (got < 0 && errno != EINTR)
			return 127;
		if (script_interrupted && !told)
			told = !kill(pid, SIGTERM);
		tree_await(pid, 0.1);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Standard input, output and error of a command. in, out: a descriptor; -1: ours. output, errors:
 * the name of a new file; NULL: ours. */
struct streams {
	int in, out;
	const char *output, *errors;
};

static void open_streams(posix_spawn_file_actions_t *actions, const struct streams *s)
{
	const int flags = O_WRONLY | O_CREAT | O_TRUNC;
	if (s->in >= 0)
		posix_spawn_file_actions_adddup2(actions, s->in, 0);
	if (s->out >= 0)
		posix_spawn_file_actions_adddup2(actions, s->out, 1);
	if (s->output)
		posix_spawn_file_actions_addopen(actions, 1, s->output, flags, 0666);
	if (s->errors)
		posix_spawn_file_actions_addopen(actions, 2, s->errors, flags, 0666);
}

static pid_t start(char **argv, struct streams streams)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	pid_t pid = 0;
	int failed;
	if (posix_spawn_file_actions_init(&actions) || posix_spawnattr_init(&attributes))
		return 0;
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE); /* ignored here, not there */
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	open_streams(&actions, &streams);
	failed = posix_spawnp(&pid, argv[0], &actions, &attributes, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	errno = failed;
	return failed ? 0 : pid;
}

/* The same, with its temporary files in a folder. */
static pid_t start_in(const char *folder, char **argv, struct streams streams)
{
	const char *now = getenv("TMPDIR");
	char *before = now ? copied(now) : NULL;
	pid_t pid;
	int failed;
	setenv("TMPDIR", folder, 1);
	pid = start(argv, streams);
	failed = errno;
	if (before)
		setenv("TMPDIR", before, 1);
	else
		unsetenv("TMPDIR");
	free(before);
	errno = failed;
	return pid;
}

/* core.run(argv, errors, output, folder) -> exit status; 128 + signal; nil and a message when it
 * cannot be started. errors, output: files for its stderr and stdout, or nil; folder: for its
 * temporary files, or nil */
static int run(lua_State *L)
{
	const char *errors = luaL_optstring(L, 2, NULL), *output = luaL_optstring(L, 3, NULL);
	const char *folder = luaL_optstring(L, 4, NULL);
	char **argv = arguments(L, 1);
	const struct streams to = { -1, -1, output, errors };
	pid_t pid = folder ? start_in(folder, argv, to) : start(argv, to);
	if (!pid) {
		lua_pushnil(L);
		lua_pushfstring(L, "cannot run %s: %s", argv[0], strerror(errno));
		return 2;
	}
	lua_pushinteger(L, wait_for(pid));
	return 1;
}

/* A connection with what takes requests at a socket of this path; -1: nothing does. */
static int connect_to(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int s =
	    strlen(path) < sizeof to.sun_path ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
	strncpy(to.sun_path, path, sizeof to.sun_path - 1);
	if (s >= 0 && connect(s, (const struct sockaddr *)&to, sizeof to)) {
		close(s);
		return -1;
	}
	return s;
}

static bool send_all(int to, const char *text, size_t n)
{
	for (ssize_t sent; n > 0; text += sent, n -= (size_t)sent)
		if ((sent = send(to, text, n, MSG_NOSIGNAL)) < 0 && errno != EINTR)
			return false;
		else if (sent < 0)
			sent = 0;
	return true;
}

/* core.request(path, words) -> exit status and messages of `instrument --serve`; nothing where it
 * has no answer */
static int request(lua_State *L)
{
	char **words = arguments(L, 2), part[4096];
	int s = connect_to(luaL_checkstring(L, 1));
	size_t size;
	ssize_t n = 0;
	luaL_Buffer b;
	if (s < 0)
		return 0;
	for (size_t i = 0; words[i] && !n; i++)
		n = !send_all(s, words[i], strlen(words[i]) + 1);
	shutdown(s, SHUT_WR);
	luaL_buffinit(L, &b);
	while (!n && ((n = read(s, part, sizeof part)) > 0 || (n < 0 && errno == EINTR))) {
		luaL_addlstring(&b, part, n > 0 ? (size_t)n : 0);
		n = 0;
	}
	close(s);
	luaL_pushresult(&b);
	const char *text = lua_tolstring(L, -1, &size);
	if (n || size < 2 || text[size - 2])
		return 0;
	lua_pushinteger(L, text[size - 1]);
	lua_pushlstring(L, text, size - 2);
	return 2;
}

void script_push_process(lua_State *L, int pid, int from, const char *name, const char *format)
{
	struct process *p = script_box(L, sizeof *p, META_PROCESS);
	p->pid = pid;
	p->to = fopen("/dev/null", "we");
	p->from = fdopen(from, "r");
	if (!p->to || !p->from || !(p->in = rec_open(p->from, name, format, NULL)))
		luaL_error(L, "cannot read from %s: %s", name, strerror(errno));
}

/* core.spawn(argv, format it reads, format it writes) -> process */
static int spawn(lua_State *L)
{
	char **argv = arguments(L, 1);
	const char *writes = luaL_checkstring(L, 2), *reads = luaL_checkstring(L, 3);
	struct process *p = script_box(L, sizeof *p, META_PROCESS);
	int to[2], from[2];
	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		return luaL_error(L, "cannot make a pipe: %s", strerror(errno));
	p->pid = start(argv, (struct streams){ .in = to[0], .out = from[1] });
	close(to[0]);
	close(from[1]);
	p->to = fdopen(to[1], "w");
	p->from = fdopen(from[0], "r");
	if (!p->pid || !p->to || !p->from)
		return luaL_error(L, "cannot run %s: %s", argv[0], strerror(errno));
	rec_begin(&p->out, p->to, writes, 1, "duct-" DUCT_VERSION);
	p->in = rec_open(p->from, argv[0], reads, NULL);
	return 1;
}

static struct process *process(lua_State *L)
{
	struct process *p = luaL_checkudata(L, 1, META_PROCESS);
	luaL_argcheck(L, p->to, 1, "closed");
	return p;
}

static int collect(lua_State *L)
{
	struct process *p = luaL_checkudata(L, 1, META_PROCESS);
	if (p->to)
		fclose(p->to);
	if (p->from)
		fclose(p->from);
	rec_close(p->in);
	free(p->v);
	if (p->pid)
		p->status = wait_for(p->pid);
	*p = (struct process){ .status = p->status };
	return 0;
}

/* process:write(tag, field, ...): integers and strings, a record */
static int write_record(lua_State *L)
{
	struct process *p = process(L);
	int n = lua_gettop(L);
	for (int i = 2; i <= n; i++) {
		size_t length;
		if (lua_isinteger(L, i)) {
			rec_int(&p->out, lua_tointeger(L, i));
		} else {
			const char *s = luaL_checklstring(L, i, &length);
			rec_mem(&p->out, s, length);
		}
	}
	rec_eol(&p->out);
	return 0;
}

static int flush(lua_State *L)
{
	struct process *p = process(L);
	if (fflush(p->to) || ferror(p->to))
		return luaL_error(L, "cannot write to a filter: %s", strerror(errno));
	return 0;
}

/* process:read() -> { tag, field, ... }; nil at the end of its streams */
static int read_record(lua_State *L)
{
	struct process *p = process(L);
	struct rec rec;
	enum rec_status status = rec_next(p->in, &rec);
	if (status == REC_ERROR)
		return luaL_error(L, "%s", rec_error(p->in));
	if (status == REC_END)
		return 0;
	lua_createtable(L, (int)rec.n, 0);
	for (size_t i = 0; i < rec.n; i++) {
		lua_pushlstring(L, rec.field[i], rec.len[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* process:input(id, model or nil, partition or nil, block or nil): an input record group, flushed;
 * as runner:run */
static int write_input(lua_State *L)
{
	struct process *p = process(L);
	struct model *m = lua_isnoneornil(L, 3) ? NULL : luaL_checkudata(L, 3, META_MODEL);
	struct input in;
	script_input(m, (uint64_t)luaL_checkinteger(L, 2), &p->v, &p->capacity, &in);
	script_vary(L, 4, &in);
	input_write(&p->out, &in);
	lua_settop(L, 1);
	return flush(L);
}

/* process:trace() -> trace; nil at the end */
static int read_trace(lua_State *L)
{
	struct process *p = process(L);
	struct trace_box *t = script_new_trace(L);
	enum rec_status status = trace_read(p->in, &t->t);
	if (status == REC_ERROR)
		return luaL_error(L, "%s", rec_error(p->in));
	return status == REC_OK;
}

/* process:finish(): writes the end of our stream; what it still says can be read */
static int finish(lua_State *L)
{
	struct process *p = process(L);
	bool failed = rec_end(&p->out) != 0;
	failed |= fclose(p->to) != 0;
	p->to = fopen("/dev/null", "w");
	if (failed)
		return luaL_error(L, "cannot write to a filter");
	return 0;
}

/* process:close() -> exit status */
static int close_process(lua_State *L)
{
	struct process *p = luaL_checkudata(L, 1, META_PROCESS);
	collect(L);
	lua_pushinteger(L, p->status);
	return 1;
}

static const luaL_Reg methods[] = {
	{ "write", write_record },
	{ "flush", flush },
	{ "read", read_record },
	{ "input", write_input },
	{ "trace", read_trace },
	{ "finish", finish },
	{ "close", close_process },
	{ NULL, NULL },
};

void script_add_process(lua_State *L)
{
	script_class(L, META_PROCESS, methods, collect);
	lua_pushcfunction(L, run);
	lua_setfield(L, -2, "run");
	lua_pushcfunction(L, request);
	lua_setfield(L, -2, "request");
	lua_pushcfunction(L, spawn);
	lua_setfield(L, -2, "spawn");
}
