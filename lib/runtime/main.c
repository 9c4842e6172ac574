/* The fork server (protocol in channel.h). The process that exec made is the server: it runs
 * everything before main once, then forks a child for each run; duct_rt_main returns in the
 * child only. */
#include "lib/runtime/process.h"
#include "lib/runtime/writers.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern struct duct_unit __start_duct_units[] __attribute__((weak));
extern struct duct_unit __stop_duct_units[] __attribute__((weak));

/* The last block reached and the progress of a child lie alone on a page that the server makes
 * shared: so it knows where a killed child was. */
__asm__(".pushsection duct_live_page,\"aw\",@nobits\n"
        ".balign 4096\n"
        ".globl duct_block_unit, duct_steps, duct_block, duct_inst, duct_progress\n"
        ".type duct_block_unit, @object\n.size duct_block_unit, 8\n"
        ".type duct_steps, @object\n.size duct_steps, 8\n"
        ".type duct_block, @object\n.size duct_block, 4\n"
        ".type duct_inst, @object\n.size duct_inst, 4\n"
        "duct_block_unit: .skip 8\n"
        "duct_steps: .skip 8\n"
        "duct_block: .skip 4\n"
        "duct_inst: .skip 4\n"
        ".hidden duct_progress\n"
        "duct_progress: .skip 16\n"
        ".balign 4096\n"
        ".popsection\n");

struct channel *duct_channel;
uint32_t duct_live, duct_model_block;
void *duct_args_for;
duct_node duct_args[DUCT_MAX_ARGS];
void *duct_ret_from;
duct_node duct_ret[8];

/* Library models may define it: called in each child before the program's main goes on, to
 * replace arguments and environment. */
extern void duct_model_start(int *argc, char ***argv, char ***envp) __attribute__((weak));

/* A harness of a program may define it: gives values to globals that nothing else defines. */
extern void duct_harness_start(void) __attribute__((weak));

/* Defined by our own tests in the sanitizer's build, whose shadow lies where ours does. */
extern const char duct_without_shadow __attribute__((weak));

static struct server {
	struct channel *ch;
	int control;
	enum duct_outset outset;
	uint64_t units;
	uint32_t luck;  /* children to be made that may be rewound */
	uint32_t plain; /* that may not, before those */
	int aside; /* a child that is rewound, stopped while another one serves a run; 0: none */
} server;

static void complain(const char *text)
{
	sys3(SYS_write, 2, text, duct_length(text));
	sys1(SYS_exit_group, 4);
}

/* Before any woven code runs: libraries are started before the program. */
static void prepare(char **env)
{
	static bool done;

	if (done)
		return;
	done = true;
	duct_steps = INT64_MAX;
	duct_last_start(duct_record_start(env), duct_served(env));
	if (!duct_shadow_map() && !&duct_without_shadow)
		complain("duct: cannot reserve address space for shadow memory\n");
	duct_devices_map();
}

__attribute__((constructor(101))) static void start(int argc, char **argv, char **env)
{
	(void)argc;
	(void)argv;
	prepare(env);
	duct_record(__start_duct_units, __stop_duct_units, env, true);
}

void duct_rt_library(struct duct_unit *from, struct duct_unit *to, struct duct_pairs *pairs,
    struct duct_pairs *end, char **env)
{
	prepare(env);
	duct_last_library(pairs, end);
	duct_record(from, to, env, false);
}

static bool area_valid(const struct channel_area *a, uint64_t size)
{
	return a->offset <= size && a->capacity <= size - a->offset && a->offset % 8 == 0;
}

bool duct_channel_valid(const struct channel *ch, uint64_t size)
{
	return size >= sizeof *ch && ch->magic == CHANNEL_MAGIC && ch->version == CHANNEL_VERSION
	    && area_valid(&ch->input, size) && area_valid(&ch->node, size)
	    && area_valid(&ch->var, size) && area_valid(&ch->event, size)
	    && area_valid(&ch->address, size) && area_valid(&ch->blob, size)
	    && area_valid(&ch->cover, size) && area_valid(&ch->unit, size)
	    && area_valid(&ch->pair, size) && area_valid(&ch->step, size)
	    && area_valid(&ch->meet, size);
}

/* Decimal value of an environment variable, -1 if it is not there. Takes the variable
 * out: the program sees an environment as without duct. */
static int take_variable(char **env, const char *name)
{
	size_t n = duct_length(name);

	for (; env && *env; env++) {
		size_t i = 0;
		int v = 0;

		while (i < n && (*env)[i] == name[i])
			i++;
		if (i < n || (*env)[n] != '=')
			continue;
		for (const char *s = *env + n + 1; *s >= '0' && *s <= '9'; s++)
			v = v * 10 + *s - '0';
		do
			env[0] = env[1];
		while (*env++);
		return v;
	}
	return -1;
}

/* A copy of the descriptor out of the program's way. */
static int move_up(int fd)
{
	for (int low = 900; low > 2; low /= 2) {
		long moved = sys3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, low);

		if (moved >= 0) {
			sys1(SYS_close, fd);
			return (int)moved;
		}
	}
	return fd;
}

static struct channel *map_channel(int fd)
{
	long size = sys3(SYS_lseek, fd, 0, SEEK_END), p;

	if (size < (long)sizeof(struct channel))
		return NULL;
	p = sys6(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p < 0 && p > -4096)
		return NULL;
	sys1(SYS_close, fd);
	return duct_channel_valid((struct channel *)p, (uint64_t)size) ? (struct channel *)p : NULL;
}

/* Writes the table of units and moves their coverage into the channel. */
static bool publish_units(struct server *s)
{
	struct channel *ch = s->ch;
	struct channel_unit *to = (struct channel_unit *)((char *)ch + ch->unit.offset);
	uint64_t at = 0;

	for (struct duct_unit *u = __start_duct_units; u < __stop_duct_units; u++) {
		uint64_t size = (uint64_t)u->outcomes + u->blocks;

		if ((s->units + 1) * sizeof *to > ch->unit.capacity
		    || at + size > ch->cover.capacity)
			return false;
		to[s->units++] = (struct channel_unit){ u->key, u->branches, u->outcomes, u->blocks,
			u->flags & 1, at };
		u->cover = (uint8_t *)ch + ch->cover.offset + at;
		at += (size + 7) & ~(uint64_t)7;
	}
	ch->unit.used = s->units * sizeof *to;
	ch->cover.used = at;
	return true;
}

static bool receive(int fd, void *p, size_t n)
{
	for (size_t got = 0; got < n;) {
		long r = sys3(SYS_read, fd, (char *)p + got, n - got);

		if (r == -4 /* EINTR */)
			continue;
		if (r <= 0)
			return false;
		got += (size_t)r;
	}
	return true;
}

static void transmit(int fd, const void *p, size_t n)
{
	long r;

	while ((r = sys3(SYS_write, fd, p, n)) == -4)
		;
	if (r != (long)n)
		sys1(SYS_exit_group, 0);
}

static void clear_results(struct channel *ch)
{
	ch->fault = FAULT_NONE;
	ch->fault_unit = ch->fault_id = ch->fault_line = 0;
	ch->fault_message = ch->fault_file = ch->fault_address = ch->steps = 0;
	ch->result = 0;
	ch->has_result = ch->finished = 0;
	ch->fault_code = 0;
	ch->refused = ch->forks = ch->fault_at = 0;
	ch->flow_control = ch->flow_risk = 0;
	ch->cpu_began = 0;
	duct_block_unit = NULL;
	duct_block = duct_inst = 0;
	duct_steps =
	    ch->max_steps && ch->max_steps < INT64_MAX ? (int64_t)ch->max_steps : INT64_MAX;
}

/* The last block marker, from the shared page, which the program may have spoiled. */
static void note_place(const struct server *s)
{
	struct channel *ch = s->ch;
	uintptr_t at = (uintptr_t)duct_block_unit - (uintptr_t)__start_duct_units;
	int64_t budget =
	    ch->max_steps && ch->max_steps < INT64_MAX ? (int64_t)ch->max_steps : INT64_MAX;

	if (duct_block_unit && at % sizeof(struct duct_unit) == 0
	    && at / sizeof(struct duct_unit) < s->units) {
		ch->fault_unit = (uint32_t)(at / sizeof(struct duct_unit));
		ch->fault_id = duct_block;
		ch->fault_at = duct_inst;
	}
	ch->steps = duct_steps <= budget ? (uint64_t)(budget - duct_steps) : 0;
}

static void begin(struct server *s)
{
	clear_results(s->ch);
	duct_progress.running = 1;
	duct_progress.followed = 0;
}

/* Asked for another run? */
static bool next(void)
{
	struct channel_go go;

	if (!receive(server.control, &go, sizeof go))
		return false;
	begin(&server);
	return true;
}

/* A run of a child that is rewound is over. */
static void ended(int status, uint64_t cpu_us)
{
	struct channel_answer done = { .word = ANSWER_DONE, .status = status, .cpu_us = cpu_us };

	note_place(&server);
	duct_progress.running = 0;
	duct_progress.served++;
	transmit(server.control, &done, sizeof done);
}

static void child(struct server *s, bool rewound)
{
	static struct rewind how = { NULL, ended, next };

	sys2(SYS_setpgid, 0, 0);
	sys2(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
	how.channel = s->ch;
	if (rewound && duct_rewind_here(&how))
		return;
	duct_progress.cannot |= rewound;
	sys1(SYS_close, s->control);
}

void duct_run_start(struct channel *ch)
{
	duct_channel = ch;
	duct_way_read = 1;
	duct_calls = ch->flags & CHANNEL_CALLS;
	duct_nodes_start(ch);
	duct_grow_start();
	duct_order_start();
	duct_inputs_start(ch);
	duct_inject_start();
	duct_aliases = (enum duct_aliases)duct_rt_setup("", "aliases");
	duct_merge_start();
	duct_abstract_start();
	duct_flow_start();
}

#define LUCK 4      /* children that served no second run until others are tried */
#define PATIENCE 64 /* of those */

/* May the next child be rewound? given_up: a child that is rewound gave up the last run, which has
 * to be repeated by one that is not. */
static bool may_rewind(struct server *s, bool given_up)
{
	if (given_up || s->outset || duct_progress.cannot || s->ch->flags & CHANNEL_FORK)
		return false;
	if (s->luck)
		return true;
	if (s->plain--)
		return false;
	s->luck = 1;
	return true;
}

/* Called when a child that was rewound has ended: were its further runs worth the attempt? */
static void judge(struct server *s)
{
	if (duct_progress.served > 1)
		s->luck = LUCK;
	else if (!--s->luck)
		s->plain = PATIENCE;
}

enum course { OVER, GIVEN_UP, STANDS_ASIDE };

/* Waits until the child has ended; or until it stops, because it is rewound and the next run needs
 * a process of its own: then the child stands aside. */
static enum course await_child(struct server *s, int pid, bool rewound, struct channel_answer *done)
{
	struct rusage used;
	long r;

	do {
		r = sys4(SYS_wait4, pid, &done->status, rewound ? WUNTRACED : 0, &used);
		if (r == pid && WIFSTOPPED(done->status) && s->ch->flags & CHANNEL_FORK) {
			s->aside = pid;
			return STANDS_ASIDE;
		}
	} while (r == -EINTR || (r == pid && WIFSTOPPED(done->status)));
	done->cpu_us = r < 0 ? 0 : duct_microseconds(&used);
	return OVER;
}

/* One child, and all its runs. */
static enum course follow(struct server *s, int pid, bool rewound)
{
	struct channel_answer done = { .word = ANSWER_DONE };

	if (pid > 0) {
		if (await_child(s, pid, rewound, &done) == STANDS_ASIDE)
			return STANDS_ASIDE;
		duct_reap(pid, &s->aside, &done);
	}
	if (done.cpu_us >= s->ch->cpu_began) /* the rest was used by runs before this one */
		done.cpu_us -= s->ch->cpu_began;
	if (rewound)
		judge(s);
	if (!duct_progress.running)
		return OVER;
	duct_progress.running = 0;
	note_place(s);
	if (rewound && done.status == REWIND_GIVEN_UP << 8)
		done.word = ANSWER_AGAIN;
	else if (s->outset || duct_leaves_objects())
		done.word = ANSWER_LAST;
	transmit(s->control, &done, sizeof done);
	if (done.word == ANSWER_LAST)
		sys1(SYS_exit_group, 0);
	return done.word == ANSWER_AGAIN ? GIVEN_UP : OVER;
}

static void tell_started(const struct server *s, int pid)
{
	struct channel_answer started = { .word = ANSWER_STARTED, .pid = pid };

	transmit(s->control, &started, sizeof started);
}

/* The child that stands aside waits for the next run again. */
static enum course bring_back(struct server *s)
{
	int pid = s->aside;

	s->aside = 0;
	tell_started(s, pid);
	sys2(SYS_kill, pid, SIGCONT);
	return follow(s, pid, true);
}

/* Serves until the control socket is closed; returns where a run begins, in its process. */
static void serve(struct server *s)
{
	enum course course = OVER;

	s->luck = LUCK;
	for (;;) {
		bool rewound;
		int pid;

		if (s->aside && course != STANDS_ASIDE) {
			course = bring_back(s);
			continue;
		}
		if (course != STANDS_ASIDE && !next())
			break;
		if ((rewound = may_rewind(s, course == GIVEN_UP)))
			duct_progress.served = 0;
		pid = _Fork(); /* fork may be a library model */
		if (pid == 0) {
			child(s, rewound);
			duct_run_start(s->ch);
			if (s->outset == OUTSET_THREADS)
				duct_lost(NULL, 0, "threads that constructors started", NULL);
			return;
		}
		tell_started(s, pid);
		course = follow(s, pid, rewound);
	}
	sys1(SYS_exit_group, 0);
}

static void share_live_page(void)
{
	long p = sys6(SYS_mmap, &duct_block_unit, 4096, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (p != (long)&duct_block_unit)
		complain("duct: cannot share a page with the runs\n");
}

static bool tells_flows(void)
{
	for (struct duct_unit *u = __start_duct_units; u < __stop_duct_units; u++)
		if (u->flags & DUCT_UNIT_FLOWS)
			return true;
	return false;
}

void duct_rt_main(int *argc, char ***argv, char ***envp)
{
	static bool started;
	struct rlimit none = { 0, 0 };
	struct channel_hello hello = { CHANNEL_MAGIC, CHANNEL_VERSION, 0, 0 };
	int channel = envp ? take_variable(*envp, "DUCT_CHANNEL") : -1;

	duct_last_alone = channel < 0;
	if (started || channel < 0)
		return;
	started = true;
	server.control = take_variable(*envp, "DUCT_CONTROL");
	if (server.control < 0)
		complain("duct: DUCT_CHANNEL without DUCT_CONTROL\n");
	server.control = move_up(server.control);
	server.ch = map_channel(channel);
	if (!server.ch || !publish_units(&server))
		complain("duct: the channel does not fit this program\n");
	server.outset = duct_outset(server.ch, server.control);
	if (!duct_arena_reserve())
		complain("duct: cannot reserve address space for expressions\n");
	share_live_page();
	duct_flow_reserve(tells_flows(), server.ch->flow_map);
	duct_faults_install();
	duct_heap_start();
	duct_treap_floor(UINTPTR_MAX); /* has globals enter the treap here, not in each run */
	sys0(SYS_setsid);              /* no terminal for the runs, which get process groups */
	sys2(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1);
	sys2(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
	sys4(SYS_prlimit64, 0, RLIMIT_CORE, &none, NULL);
	hello.units = (uint32_t)server.units;
	transmit(server.control, &hello, sizeof hello);
	serve(&server);
	if (duct_model_start)
		duct_model_start(argc, argv, envp);
	if (duct_harness_start)
		duct_harness_start();
}

void duct_rt_steps(void)
{
	if (duct_channel)
		duct_end(FAULT_LIMIT, "steps");
	duct_steps = INT64_MAX;
}

/* Is the result one that a test cannot give? Not inlined: duct_leaks() takes what is left in the
 * frames below for pointers. */
static __attribute__((noinline)) void look_at_result(int64_t value)
{
	duct_node n = duct_ret[0];

	duct_taint_used(n);
	if (n && duct_value(n) == ((uint64_t)value & duct_mask(duct_at(n)->width)))
		duct_told_time |= duct_input_pointed() && duct_differs_elsewhere(n);
}

void duct_rt_result(int64_t value)
{
	duct_record_end(RECORD_RETURN, (int)value);
	if (!duct_channel)
		return;
	duct_leaks((uint64_t)value);
	if (duct_ret_from)
		look_at_result(value);
	duct_channel->result = value;
	duct_channel->has_result = 1;
	duct_channel->finished = 1;
}
