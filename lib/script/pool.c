#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/script/inner.h"
#include "lib/base/clock.h"
#include "lib/base/grow.h"

/* core.pool(n): a work queue shared by n forked workers. Its items are texts; each is taken by one
 * worker. Shared memory tells which workers wait; a lock on a byte of it tells that a worker lives,
 * as the kernel releases the lock when the process ends. */

enum worker_state { BUSY, WAITING, GONE };
enum { MESSAGE = 1 << 18 }; /* bytes; longer ones do not go through a socket */

struct queue_state {
	atomic_int queued;
	_Atomic uint8_t state[];
};
struct work_queue {
	struct queue_state *shared;
	size_t size;
	int memory, link[2];
	unsigned n, me;
	char *text;
};

static struct work_queue *pool(lua_State *L)
{
	struct work_queue *p = luaL_checkudata(L, 1, META_POOL);
	luaL_argcheck(L, p->shared, 1, "closed");
	return p;
}

static int close_pool(lua_State *L)
{
	struct work_queue *p = luaL_checkudata(L, 1, META_POOL);
	if (!p->shared)
		return 0;
	munmap(p->shared, p->size);
	close(p->memory);
	close(p->link[0]);
	close(p->link[1]);
	free(p->text);
	p->shared = NULL;
	return 0;
}

static int new_pool(lua_State *L)
{
	lua_Integer n = luaL_checkinteger(L, 1);
	luaL_argcheck(L, n > 0 && n < 1 << 20, 1, "no such number");
	struct work_queue *p = script_box(L, sizeof *p, META_POOL);
	void *at;
	p->n = (unsigned)n;
	p->size = sizeof *p->shared + p->n;
	if ((p->memory = memfd_create("duct-pool", MFD_CLOEXEC)) < 0)
		return luaL_error(L, "cannot share memory: %s", strerror(errno));
	at = ftruncate(p->memory, (off_t)p->size)
	    ? MAP_FAILED
	    : mmap(NULL, p->size, PROT_READ | PROT_WRITE, MAP_SHARED, p->memory, 0);
	if (at == MAP_FAILED || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, p->link)) {
		close(p->memory);
		return luaL_error(L, "cannot share memory: %s", strerror(errno));
	}
	p->shared = at;
	p->text = reserved(MESSAGE, 1);
	return 1;
}

static struct flock lock_of(const struct work_queue *p, unsigned i)
{
	return (struct flock){ .l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = (off_t)(sizeof *p->shared + i),
		.l_len = 1 };
}

/* p:join(i): this process is the i-th, from 1 */
static int join(lua_State *L)
{
	struct work_queue *p = pool(L);
	lua_Integer i = luaL_checkinteger(L, 2);
	luaL_argcheck(L, i >= 1 && i <= (lua_Integer)p->n, 2, "no such number");
	p->me = (unsigned)i - 1;
	struct flock lock = lock_of(p, p->me);
	fcntl(p->memory, F_SETLK, &lock);
	return 0;
}

/* p:hungry() -> do more wait than there are texts to take? */
static int hungry(lua_State *L)
{
	const struct work_queue *p = pool(L);
	int waiting = 0;
	for (unsigned i = 0; i < p->n; i++)
		waiting += p->shared->state[i] == WAITING;
	lua_pushboolean(L, waiting > p->shared->queued);
	return 1;
}

/* p:give(text) -> was there room for it? */
static int give(lua_State *L)
{
	struct work_queue *p = pool(L);
	size_t n;
	const char *text = luaL_checklstring(L, 2, &n);
	bool sent =
	    n <= MESSAGE && send(p->link[0], text, n, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)n;
	p->shared->queued += sent;
	lua_pushboolean(L, sent);
	return 1;
}

/* p:take(seconds) -> a text from another process; nil: none came in that time. This process counts
 * as waiting from the call on until it gets one. */
static int take(lua_State *L)
{
	struct work_queue *p = pool(L);
	struct pollfd fd = { .fd = p->link[1], .events = POLLIN };
	ssize_t n;
	p->shared->state[p->me] = WAITING;
	poll(&fd, 1, clock_milliseconds(luaL_checknumber(L, 2)));
	if ((n = recv(p->link[1], p->text, MESSAGE, MSG_DONTWAIT)) < 0)
		return 0;
	p->shared->state[p->me] = BUSY;
	p->shared->queued--;
	lua_pushlstring(L, p->text, (size_t)n);
	return 1;
}

static bool is_alive(const struct work_queue *p, unsigned i)
{
	struct flock lock = lock_of(p, i);
	return fcntl(p->memory, F_GETLK, &lock) || lock.l_type != F_UNLCK;
}

/* p:there(i) -> is the i-th process still there, and has it not left? */
static int there(lua_State *L)
{
	const struct work_queue *p = pool(L);
	lua_Integer i = luaL_checkinteger(L, 2);
	luaL_argcheck(L, i >= 1 && i <= (lua_Integer)p->n, 2, "no such number");
	lua_pushboolean(L, p->shared->state[i - 1] != GONE && is_alive(p, (unsigned)i - 1));
	return 1;
}

/* p:alone() -> do all other processes wait, or have they ended? */
static int alone(lua_State *L)
{
	const struct work_queue *p = pool(L);
	bool others = false;
	for (unsigned i = 0; i < p->n && !others; i++)
		others = i != p->me && p->shared->state[i] == BUSY && is_alive(p, i);
	lua_pushboolean(L, !others);
	return 1;
}

/* p:leave(): this process takes nothing more */
static int leave(lua_State *L)
{
	struct work_queue *p = pool(L);
	p->shared->state[p->me] = GONE;
	return 0;
}

static const luaL_Reg methods[] = {
	{ "join", join },
	{ "hungry", hungry },
	{ "give", give },
	{ "take", take },
	{ "alone", alone },
	{ "there", there },
	{ "leave", leave },
	{ NULL, NULL },
};

void script_add_pool(lua_State *L)
{
	static const luaL_Reg functions[] = { { "pool", new_pool }, { NULL, NULL } };
	script_class(L, META_POOL, methods, close_pool);
	luaL_setfuncs(L, functions, 0);
}
