/* stuck: ends Lua code that goes on after the session was interrupted or its time is over. A count
 * hook slows Lua down to half, so there is none until then: the signal's handler sets it on the
 * thread that runs, and coroutine.resume on each that runs later. Code that asks for the time or
 * for interruptions is not stuck. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/script/inner.h"
#include "lib/base/clock.h"
#include "lib/script/script.h"
#include "lib/script/supervisor.h"
#include "lib/base/stop.h"

/* A search may take INSTRUCTIONS for so many BRANCHES of a path. */
enum { INSTRUCTIONS = 1000000, STUCK = 50, BRANCHES = 2000, MOST_ERRORS = 3 };

static const double SLOWEST = 0.05; /* seconds for INSTRUCTIONS */
static lua_State *volatile running;
static volatile sig_atomic_t hooked;
static unsigned ticks, more, errors;
static double deadline; /* of the session, 0: none; by clock_now */

volatile sig_atomic_t script_interrupted;

static void hook(lua_State *L, lua_Debug *ar)
{
	static const char text[] = "duct: a Lua script does not end: stopped\n";
	(void)ar;
	supervisor_works(false); /* an error may have ended a function of duct's */
	if (++ticks < STUCK + more)
		return;
	ticks = 0;
	if (++errors > MOST_ERRORS) { /* it catches them */
		ssize_t n = write(2, text, strlen(text));
		_exit(n < 0 ? 5 : 4);
	}
	luaL_where(L, 0);
	lua_pushfstring(L, "%sthe script does not end: %s", lua_tostring(L, -1),
	    script_interrupted ? "interrupted" : "the time of the session is over");
	lua_error(L);
}

static void set_hook(lua_State *L)
{
	if (lua_gethook(L) != hook)
		lua_sethook(L, hook, LUA_MASKCOUNT, INSTRUCTIONS);
}

static void over(int signal)
{
	(void)signal;
	hooked = 1;
	if (running)
		set_hook(running);
}

void script_interrupt(int signal)
{
	script_interrupted++;
	stop_ask();
	over(signal);
}

/* The supervisor's signal that the session is overdue: all loops that check for an end stop. */
static void hurry(int signal)
{
	stop_ask();
	over(signal);
}

void script_alive(void)
{
	ticks = 0;
}

void script_expect(size_t branches)
{
	more = (unsigned)(branches / BRANCHES);
	supervisor_allow(more * SLOWEST);
}

void script_arm(void)
{
	const struct sigaction a = { .sa_handler = over, .sa_flags = SA_RESTART };
	double left = deadline - clock_now();
	if (deadline <= 0)
		return;
	struct timespec t = clock_timespec(left < 0.001 ? 0.001 : left);
	struct itimerval at = { .it_value = { t.tv_sec, t.tv_nsec / 1000 } };
	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &at, NULL);
}

static void set_own_deadline(double seconds)
{
	if (!script_interrupted)
		stop_take_back();
	deadline = clock_now() + (seconds < 1e8 ? seconds : 1e8);
	script_arm();
}

void script_set_deadline(double seconds)
{
	set_own_deadline(seconds);
	supervisor_expect(deadline, seconds);
}

/* core.pause(whether): what is done until core.pause(false) is not of the session's time */
static int set_pause(lua_State *L)
{
	supervisor_pause(lua_toboolean(L, 1));
	return 0;
}

/* core.memory(bytes): that the session and the programs that prove for it may take; core.memory():
 * the most that this process has taken so far, in KiB */
static int set_memory(lua_State *L)
{
	struct rusage r;
	lua_Integer bytes = luaL_optinteger(L, 1, -1);
	if (bytes < 0) {
		getrusage(RUSAGE_SELF, &r);
		lua_pushinteger(L, r.ru_maxrss);
		return 1;
	}
	supervisor_memory(bytes > 0 ? (uint64_t)bytes : 0);
	return 0;
}

/* core.ending(): from now on what was found is written */
static int set_ending(lua_State *L)
{
	(void)L;
	supervisor_ending();
	return 0;
}

/* core.deadline(seconds, own): scripts that do not end are stopped that much later; own: this
 * process alone, which another one of the session waits for no longer than that */
static int set_deadline(lua_State *L)
{
	double seconds = luaL_checknumber(L, 1);

	if (lua_toboolean(L, 2))
		set_own_deadline(seconds);
	else
		script_set_deadline(seconds);
	return 0;
}

/* coroutine.resume, the original in its upvalue. */
static int resume(lua_State *L)
{
	lua_State *co, *before = running;
	int n = lua_gettop(L);
	luaL_checktype(L, 1, LUA_TTHREAD);
	co = lua_tothread(L, 1);
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	running = co;
	if (hooked)
		set_hook(co);
	lua_call(L, n, LUA_MULTRET); /* it raises nothing: what it runs is protected */
	running = before;
	if (hooked && before)
		set_hook(before);
	return lua_gettop(L);
}

void script_add_stuck(lua_State *L)
{
	const struct sigaction a = { .sa_handler = hurry, .sa_flags = SA_RESTART };
	sigaction(SIGUSR1, &a, NULL);
	running = L;
	lua_pushcfunction(L, set_deadline);
	lua_setfield(L, -2, "deadline");
	lua_pushcfunction(L, set_pause);
	lua_setfield(L, -2, "pause");
	lua_pushcfunction(L, set_memory);
	lua_setfield(L, -2, "memory");
	lua_pushcfunction(L, set_ending);
	lua_setfield(L, -2, "ending");
	lua_getglobal(L, "coroutine");
	lua_getfield(L, -1, "resume");
	lua_pushcclosure(L, resume, 1);
	lua_setfield(L, -2, "resume");
	lua_pop(L, 1);
}

void script_end_stuck(void)
{
	const struct itimerval none = { 0 };
	setitimer(ITIMER_REAL, &none, NULL);
	running = NULL;
	deadline = 0;
	hooked = 0;
}
