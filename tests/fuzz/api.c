/* The C functions that Lua scripts call: the bytes are read as a list of calls of core's functions
 * and of methods of their results, with arguments that are numbers, names, tables, and results of
 * earlier calls. A call may fail with a message, but not crash. Functions that start other
 * commands, change folders or only wait are left out. DUCT_FUZZ_PROGRAM: an instrumented program.
 */
#include "lib/script/inner.h"
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { POOL = 1, CORE = 2, MOST_CALLS = 64, MOST_NAMES = 128 };

static const char *const classes[] = {
	META_SPACE,
	META_MODEL,
	META_SOLVER,
	META_RUNNER,
	META_TRACE,
	META_FLOW,
	META_DISTANCE,
	META_DEFUSE,
	META_GUIDE,
	META_AIM,
	META_PARTITION,
	META_STORE,
	META_RANDOM,
	META_SEQUENCE,
	META_WORKLIST,
	META_BRANCHES,
	META_CLASSES,
	META_BANDIT,
	META_POOL,
};
#define CLASSES (sizeof classes / sizeof *classes)

static const char *const harmful[] = { "spawn", "run", "scratch", "remove", "folder", "say", "cpu",
	"sleep", "now", "memory" };

/* Fields of options, and words that they, or arguments, may be. */
static const char *const words[] = {
	"program",
	"entry",
	"search",
	"seed",
	"depth",
	"steps",
	"timeout",
	"memory",
	"output",
	"strategy",
	"layers",
	"engines",
	"criterion",
	"protocol",
	"scope",
	"flow",
	"plan",
	"bounds",
	"parameters",
	"files",
	"flags",
	"len",
	"may_alias",
	"partial",
	"refine",
	"cross",
	"narrowing",
	"exhausted",
	"ended",
	"extra",
	"environment",
	"argv",
	"scratch",
	"parent",
	"origin",
	"keep",
	"trace",
	"pairs",
	"mispredicted",
	"test",
	"b",
	"x",
	"x=2",
	"all-uses",
	"all-defs",
	"paper",
	"inter",
	"late",
	"none",
	"sat",
	"z3",
	"slice",
	"cache",
	"json",
	"text",
	"html",
	"exhaustion",
	"covered",
	"infeasible",
	"",
	"\t\n",
	"%s%n",
};
#define WORDS (sizeof words / sizeof *words)

struct names {
	const char *name[MOST_NAMES];
	size_t n;
};
static struct names functions, methods[CLASSES];

struct bytes {
	const uint8_t *p;
	size_t n;
};

static unsigned take(struct bytes *b)
{
	return b->n ? b->n--, *b->p++ : 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of the functions of the table on top, in an order that is the same each time. */
static void gather(lua_State *L, struct names *to)
{
	to->n = 0;
	for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
		size_t i = 0, n = sizeof harmful / sizeof *harmful;
		const char *name = lua_tostring(L, -2);
		while (to == &functions && i < n && strcmp(name, harmful[i]))
			i++;
		bool waits = !strcmp(name, "take"); /* for another process */
		if (!lua_isfunction(L, -1) || (to == &functions && i < n) || waits)
			continue;
		if (to->n == MOST_NAMES)
			abort();
		to->name[to->n++] = strdup(name);
	}
	qsort(to->name, to->n, sizeof *to->name, by_name);
}

static void push_any(lua_State *L, struct bytes *b)
{
	unsigned c = take(b);
	if (c < 128)
		lua_rawgeti(L, POOL, 1 + (lua_Integer)(c % (lua_rawlen(L, POOL) + 1)));
	else if (c < 192)
		lua_pushinteger(L, (lua_Integer)c - 130);
	else if (c < 240)
		lua_pushstring(L, words[take(b) % WORDS]);
	else if (c < 250)
		lua_pushinteger(L, (lua_Integer)(((uint64_t)take(b) << (take(b) & 63)) - 1));
	else if (c < 252)
		lua_pushnumber(L, (double)take(b) / 3);
	else if (c < 254)
		lua_pushboolean(L, c & 1);
	else
		lua_pushstring(L, c & 1 ? getenv("DUCT_FUZZ_PROGRAM") : ":memory:");
}

/* Moves the value on top of the stack to the pool, but drops nil. */
static void keep(lua_State *L)
{
	if (lua_isnil(L, -1))
		lua_pop(L, 1);
	else
		lua_rawseti(L, POOL, (lua_Integer)lua_rawlen(L, POOL) + 1);
}

static void call(lua_State *L, struct bytes *b, int below, int args)
{
	int most = (int)(take(b) & 7);
	for (int i = 0; i < most; i++)
		push_any(L, b);
	if (lua_pcall(L, args + most, LUA_MULTRET, 0) != LUA_OK) {
		if (!lua_isstring(L, -1))
			abort();
		lua_settop(L, below);
	}
	if (lua_gettop(L) > below + 8)
		lua_settop(L, below + 8);
	while (lua_gettop(L) > below)
		keep(L);
}

static void call_method(lua_State *L, struct bytes *b, int below)
{
	lua_rawgeti(L, POOL, 1 + (lua_Integer)(take(b) % (lua_rawlen(L, POOL) + 1)));
	for (size_t i = 0; i < CLASSES; i++)
		if (luaL_testudata(L, -1, classes[i])) {
			lua_getfield(L, -1, methods[i].name[take(b) % methods[i].n]);
			lua_insert(L, -2);
			call(L, b, below, 1);
			return;
		}
	lua_settop(L, below);
}

static void step(lua_State *L, struct bytes *b)
{
	int below = lua_gettop(L);
	switch (take(b) & 7) {
	case 0:
	case 1:
		lua_getfield(L, CORE, functions.name[take(b) % functions.n]);
		call(L, b, below, 0);
		break;
	case 2: /* a new table */
		lua_newtable(L);
		for (unsigned i = 1, n = take(b) & 7; i <= n; i++) {
			push_any(L, b);
			lua_rawseti(L, -2, i);
		}
		keep(L);
		break;
	case 3: /* a field of a table */
		lua_rawgeti(L, POOL, 1 + (lua_Integer)(take(b) % (lua_rawlen(L, POOL) + 1)));
		if (lua_istable(L, -1)) {
			push_any(L, b);
			lua_setfield(L, -2, words[take(b) % WORDS]);
		}
		lua_settop(L, below);
		break;
	default: call_method(L, b, below);
	}
}

/* So that not all has to be found out: a program's model, a tree, a store. No first run: it would
 * need a process. */
static const char preamble[] =
    "local core, program = ...\n"
    "local flow = core.flow(program)\n"
    "local space = core.space(flow)\n"
    "local model, store = space:model(), core.store(':memory:', 'write')\n"
    "return flow, space, model, store\n";

static int session(lua_State *L)
{
	struct bytes *b = lua_touserdata(L, 1);
	lua_settop(L, 0);
	lua_newtable(L);
	lua_newtable(L);
	script_add_space(L), script_add_solver(L), script_add_runner(L), script_add_flow(L),
	    script_add_defuse(L), script_add_guide(L);
	script_add_effects(L), script_add_partition(L), script_add_store(L), script_add_system(L);
	script_add_random(L), script_add_sequence(L), script_add_worklist(L),
	    script_add_branches(L), script_add_classes(L), script_add_bandit(L), script_add_pool(L);
	if (!functions.n) {
		gather(L, &functions);
		for (size_t i = 0; i < CLASSES; i++) {
			luaL_getmetatable(L, classes[i]);
			lua_getfield(L, -1, "__index");
			gather(L, &methods[i]);
			lua_settop(L, CORE);
		}
	}
	unsigned head = take(b);
	if (head & 1) {
		if (luaL_loadstring(L, preamble))
			abort();
		lua_pushvalue(L, CORE);
		lua_pushstring(L, getenv("DUCT_FUZZ_PROGRAM"));
		if (lua_pcall(L, 2, LUA_MULTRET, 0) != LUA_OK) {
			fprintf(stderr, "%s\n", lua_tostring(L, -1));
			abort();
		}
		while (lua_gettop(L) > CORE)
			keep(L);
	}
	for (int i = 0; i < MOST_CALLS && b->n; i++)
		step(L, b);
	return 0;
}

/* Calls write files whose names they are given: the program is from now on a copy that nobody can
 * write. */
static void protect_program(void)
{
	const char *name = getenv("DUCT_FUZZ_PROGRAM");
	FILE *from = name ? fopen(name, "rb") : NULL;
	int to = memfd_create("program", MFD_ALLOW_SEALING);
	char part[65536], path[64];
	size_t n;

	while (from && (n = fread(part, 1, sizeof part, from)))
		if (write(to, part, n) != (ssize_t)n)
			abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", to);
	if (!from || fcntl(to, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW)
	    || setenv("DUCT_FUZZ_PROGRAM", path, 1))
		abort();
	fclose(from);
}

/* Tries each call that makes a process, in C and from Lua, and ends the fuzzer if one does. */
static void try_to_fork(void)
{
	static const char calls[] =
	    "local core, program = ...\n"
	    "for _, try in ipairs {\n"
	    "	function() return core.fork() end,\n"
	    "	function() return core.spawn { '/bin/true' } end,\n"
	    "	function() return core.run { '/bin/true' } == 0 end,\n"
	    "	function() return core.runner { program = program } end,\n"
	    "	function() local f = io.popen('echo made') return f and f:read() end,\n"
	    "	function() return os.execute 'true' end } do\n"
	    "	local fine, made = pcall(try)\n"
	    "	assert(not (fine and made), 'a call made a process')\n"
	    "end\n";
	char *const command[] = { (char *)"true", NULL };
	lua_State *L = luaL_newstate();
	pid_t pid;

	if (fork() >= 0 || syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) >= 0
	    || !posix_spawn(&pid, "/bin/true", NULL, NULL, command, NULL))
		abort();
	luaL_openlibs(L);
	if (luaL_loadstring(L, calls))
		abort();
	lua_newtable(L);
	script_add_space(L), script_add_runner(L), script_add_process(L), script_add_system(L);
	lua_pushstring(L, getenv("DUCT_FUZZ_PROGRAM"));
	if (lua_pcall(L, 2, 0, 0) != LUA_OK) {
		fprintf(stderr, "%s\n", lua_tostring(L, -1));
		abort();
	}
	lua_close(L);
}

/* No call may make a process: threads of the fuzzer itself and the sanitizer's own helper share its
 * memory. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
#ifdef SYS_fork
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fork, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_vfork, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
#endif
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, CLONE_VM | CLONE_VFORK),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CLONE_VM, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
	(void)argc, (void)argv;
	protect_program();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	    || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		abort();
	try_to_fork();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = { data, size };
	lua_State *L = luaL_newstate();
	if (!L || !getenv("DUCT_FUZZ_PROGRAM"))
		abort();
	lua_pushcfunction(L, session);
	lua_pushlightuserdata(L, &b);
	if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
		fprintf(stderr, "%s\n", lua_tostring(L, -1));
		abort();
	}
	lua_close(L);
	return 0;
}
