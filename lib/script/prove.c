#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/script/inner.h"
#include "lib/script/supervisor.h"
#include "lib/verdicts/verdicts.h"

/* core.prove(defuse, goals, seconds, given): the filter prove, in a copy of this process, which has
 * the program model and pairs already. */

static struct goals *read_goals(const char *path)
{
	FILE *f = fopen(path, "re");
	char *error = NULL;
	struct goals *g = f ? goals_read(f, path, &error) : NULL;
	if (!g)
		fprintf(stderr, "prove: %s: %s\n", path, error ? error : strerror(errno));
	if (f)
		fclose(f);
	return g;
}

/* Signals that this process catches are the new one's end; it ends with this one, too. */
static void leave_session(pid_t parent)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGPIPE, SIGUSR1, SIGALRM };
	for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
		signal(caught[i], SIG_DFL);
	supervisor_apart();
	prctl(PR_SET_NAME, "prove"); /* by which the supervisor knows it */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		raise(SIGTERM);
}

static _Noreturn void be_prover(
    struct defuse *d, const char *path, const struct prove_options *o, int to)
{
	struct goals *g = read_goals(path);
	FILE *out = fdopen(to, "w");
	int status = 4;
	if (g && out)
		status = verdicts_run(
		    &(struct verdicts_job){ .flow = d->flow, .defuse = d, .goals = g, .prove = o },
		    out);
	if (out && fflush(out))
		status = 4;
	_exit(status);
}

/* core.prove(defuse, goals, seconds, given) -> process, of which verdicts(5) are read; nil: there
 * is no room for it; given: as with prove -g, or "" */
static int prove(lua_State *L)
{
	struct defuse_box *b = script_defuse(L, 1);
	const char *path = luaL_checkstring(L, 2), *given = luaL_checkstring(L, 4);
	struct prove_options o = { .began = clock_now(),
		.seconds = luaL_checknumber(L, 3),
		.most_insts = PROVE_INSTS,
		.given = *given ? verdicts_read_given(given) : 0 };
	pid_t parent = getpid(), pid;
	int from[2];
	luaL_argcheck(L, o.seconds > 0, 3, "no time");
	luaL_argcheck(L, o.given != UINT_MAX, 4, "not given facts");
	if (pipe2(from, O_CLOEXEC))
		return luaL_error(L, "cannot make a pipe: %s", strerror(errno));
	if ((pid = fork()) < 0) {
		close(from[0]);
		close(from[1]);
		return 0;
	}
	if (!pid) {
		close(from[0]);
		leave_session(parent);
		be_prover(b->d, path, &o, from[1]);
	}
	close(from[1]);
	script_push_process(L, pid, from[0], "prove", "verdicts");
	return 1;
}

void script_add_prove(lua_State *L)
{
	lua_pushcfunction(L, prove);
	lua_setfield(L, -2, "prove");
}
