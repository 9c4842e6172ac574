/* Rewinding: a run that asked nothing of the kernel has changed nothing but its own memory. Its
 * process can take that memory back to where the run began and serve the next one, for a fraction
 * of what a new process costs.
 *
 * A filter of system calls (seccomp) sends every call that the program makes, but for those that
 * leave nothing behind, to a handler: exit_group ends the run, anything else gives it up, and the
 * server repeats it in a process that is not watched. Memory that was there when the run began is
 * kept as a copy, all the rest of what is writable is dropped, so that a write through a wild
 * pointer lasts no longer than any other. A run in which no page was touched that is not kept has
 * had no page fault, and then there is nothing to drop. */
#include "lib/runtime/process.h"
#include "lib/runtime/smaps.h"
#include "lib/runtime/writers.h"
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/rseq.h>
#include <ucontext.h>

#define PAGE 4096u
#define USER_END ((uintptr_t)1 << 47) /* no address of a program is higher */
#define HUGE ((size_t)1 << 32)        /* no list of pages is read for mappings of this size */
#define SMALL ((size_t)2 * PAGE)
#define MOST_COPIED ((size_t)8 << 20)
/* The largest stack that a run can have; libraries lie 127 MiB below. */
#define STACK_ROOM ((size_t)64 << 20)

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#else
#define ARCH AUDIT_ARCH_AARCH64
#endif

struct piece {
	uintptr_t at;
	size_t size;
	const char *copy; /* NULL: the piece is dropped */
};

#define PIECES 4096u
#define RESERVED 64u
#define ZEROED 16u /* reserved pages that are zeroed, not dropped */

/* The memory that is rewound, and a mapping that holds its copies. */
struct snapshot {
	struct piece piece[PIECES];
	size_t n, size; /* pieces; bytes of copies */
	char *copies;
	uintptr_t stack;       /* lowest address of its mapping */
	uintptr_t flags, last; /* pages below have been examined */
};

/* A mapping of its own, which is not rewound. Its first part is read-only during runs. */
static struct checkpoint {
	const struct rewind *how;
	struct snapshot list[2], *now;
	uintptr_t brk;
	void *again[5];
	struct {
		char *at;
		size_t size;
		size_t used;  /* bytes that are zeroed after each run */
	} reserved[RESERVED]; /* by the runtime, in runs */
	uint8_t registers[512] __attribute__((aligned(64)));
} *kept;

#define KEPT whole_pages(sizeof(struct checkpoint))

/* The time and the page faults that the process has used so far. */
struct used {
	uint64_t us;
	long faults;
};

static struct scratch {
	struct used began;
	uint32_t touched;    /* runs that touched pages that are not kept */
	uint32_t look_again; /* at so many of them */
	uint32_t reserved;   /* in this run */
	uintptr_t arena;     /* the end of what runs have used of it */
	uintptr_t grown;     /* the highest end of the data segment in runs so far */
	char stack[1 << 16] __attribute__((aligned(64)));
	char text[1 << 16];
	uint64_t page[PAGE];
} *scratch;

static size_t whole_pages(size_t n)
{
	return (n + PAGE - 1) & -(size_t)PAGE;
}

static bool failed(long r)
{
	return r < 0 && r > -4096;
}

/* Maps memory that the kernel does not join to other mappings. */
static void *map(size_t size)
{
	long p =
	    sys6(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (failed(p))
		return NULL;
	sys3(SYS_madvise, p, size, MADV_DONTDUMP);
	return (void *)p;
}

static struct used used(void)
{
	struct rusage r = { 0 };

	sys2(SYS_getrusage, RUSAGE_SELF, &r);
	return (struct used){ (uint64_t)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000000u
		    + (uint64_t)(r.ru_utime.tv_usec + r.ru_stime.tv_usec),
		r.ru_minflt + r.ru_majflt };
}

/* ---- what the run begins with */

static bool add(struct snapshot *l, uintptr_t at, size_t size, bool present)
{
	struct piece *p = l->piece + l->n;

	if (!size)
		return true;
	if (l->n > 1 && present && p[-1].at + p[-1].size == at && !p[-1].copy && p[-1].size <= SMALL
	    && p[-2].at + p[-2].size == p[-1].at) {
		p[-2].size += p[-1].size; /* dropping a few pages costs more than copying them */
		p--;
		l->n--;
	}
	if (l->n && p[-1].at + p[-1].size == at && !p[-1].copy == !present) {
		p[-1].size += size;
		return true;
	}
	if (l->n == PIECES)
		return false;
	*p = (struct piece){ at, size, present ? "" : NULL };
	l->n++;
	return true;
}

/* Splits a mapping into pages that exist and, with `gaps`, pages that never did. */
static bool add_pages(struct snapshot *l, int pagemap, uintptr_t from, uintptr_t to, bool gaps)
{
	while (from < to) {
		size_t n = (to - from) / PAGE;
		long got;

		if (n > PAGE)
			n = PAGE;
		got = sys4(SYS_pread64, pagemap, scratch->page, n * 8, from / PAGE * 8);
		if (got != (long)n * 8)
			return false;
		for (size_t i = 0; i < n; i++, from += PAGE) {
			bool present = scratch->page[i] >> 62 != 0;

			if ((present || gaps) && !add(l, from, PAGE, present))
				return false;
		}
	}
	return true;
}

/* Was the mapping reserved in a run? Then it is dropped separately. */
static bool is_reserved(const struct mapping *m)
{
	for (size_t i = 0; i < RESERVED && kept->reserved[i].at; i++)
		if ((uintptr_t)kept->reserved[i].at >= m->from
		    && (uintptr_t)kept->reserved[i].at < m->to)
			return true;
	return false;
}

/* Adds the existing pages of a table that describes the memory of mappings, which come in order of
 * their addresses. Pages below `*done` have been examined. The rest of the table is dropped at
 * once. */
static bool add_about(
    struct snapshot *l, int pagemap, uintptr_t from, uintptr_t to, uintptr_t *done)
{
	from &= -(uintptr_t)PAGE;
	to = whole_pages(to);
	if (from < *done)
		from = *done;
	*done = to;
	return add_pages(l, pagemap, from, to, false);
}

/* The tables are flags, and who wrote a page last: eight bytes for each page. */
static bool add_tables(struct snapshot *l, int pagemap, uintptr_t from, uintptr_t to)
{
	uintptr_t last = duct_last_table();

	return add_about(l, pagemap, (from >> 3) + DUCT_FLAGS, (to >> 3) + DUCT_FLAGS, &l->flags)
	    && (!last
	        || add_about(l, pagemap, last + from / PAGE * 8, last + whole_pages(to) / PAGE * 8,
	            &l->last));
}

/* The end of the part of the runtime's arena that any run has used; it also holds objects of
 * inputs. */
static uintptr_t arena_end(uintptr_t *arena)
{
	uintptr_t used;

	duct_arena_at(arena, &used);
	used = whole_pages(used);
	if (scratch->arena < used)
		scratch->arena = used;
	return scratch->arena;
}

/* Does the runtime share this memory with other processes? It holds no values of the program. */
static bool is_ours(const struct mapping *m)
{
	return m->from == (uintptr_t)kept->how->channel || m->from == (uintptr_t)&duct_block_unit
	    || m->from == duct_flow_shared();
}

struct looking {
	struct snapshot *list;
	int pagemap;
};

static bool add_mapping(const struct mapping *m, void *with)
{
	struct snapshot *l = ((const struct looking *)with)->list;
	int pagemap = ((const struct looking *)with)->pagemap;
	uintptr_t arena, used = arena_end(&arena), end = m->from == arena ? used : m->to;

	/* The flags of what runs add to the data segment are kept, though it is not itself. */
	if (m->to == whole_pages(kept->brk) && end < scratch->grown)
		end = scratch->grown;
	/* The page entries of the flags of the channel's gigabytes would be a megabyte to read. */
	if (!(m->shared && is_ours(m)) && end - m->from < HUGE && end <= USER_END
	    && !add_tables(l, pagemap, m->from, end))
		return false;
	if (!m->writable || m->from == (uintptr_t)kept || is_reserved(m))
		return true;
	if (m->stack)
		l->stack = m->from;
	if (m->shared)
		return is_ours(m);
	if (m->to - m->from < HUGE)
		return add_pages(l, pagemap, m->from, m->to, true);
	if (!m->touched || m->from == DUCT_FLAGS || m->from == duct_last_table())
		return (!m->touched || kept->now) && add(l, m->from, m->to - m->from, false);
	return m->from == arena && add_pages(l, pagemap, arena, used, true)
	    && add(l, used, m->to - used, false);
}

/* Most runs that reserve memory use its beginning. */
static bool look_at_reserved(int pagemap)
{
	for (size_t i = 0; i < RESERVED && kept->reserved[i].at; i++) {
		size_t n = whole_pages(kept->reserved[i].size) / PAGE;

		n = n < ZEROED ? n : ZEROED;
		if (sys4(SYS_pread64, pagemap, scratch->page, n * 8,
		        (uintptr_t)kept->reserved[i].at / PAGE * 8)
		    != (long)n * 8)
			return false;
		while (n > 0 && !(scratch->page[n - 1] >> 62))
			n--;
		kept->reserved[i].used = n * PAGE;
	}
	return true;
}

/* Lists the memory that is mapped and writable now. */
static bool look(struct snapshot *l)
{
	long smaps = sys4(SYS_openat, AT_FDCWD, "/proc/thread-self/smaps", O_RDONLY | O_CLOEXEC, 0);
	long pagemap =
	    sys4(SYS_openat, AT_FDCWD, "/proc/thread-self/pagemap", O_RDONLY | O_CLOEXEC, 0);
	struct looking in = { l, (int)pagemap };
	bool good = !failed(smaps) && !failed(pagemap)
	    && duct_smaps_each((int)smaps, scratch->text, sizeof scratch->text, add_mapping, &in)
	    && look_at_reserved((int)pagemap);

	sys1(SYS_close, smaps);
	sys1(SYS_close, pagemap);
	for (size_t i = 0; i < l->n; i++)
		l->size += l->piece[i].copy ? l->piece[i].size : 0;
	return good && l->stack;
}

static bool copy_pieces(struct snapshot *l)
{
	char *to = l->copies = map(l->size);

	if (!to)
		return false;
	for (size_t i = 0; i < l->n; i++) {
		struct piece *p = l->piece + i;

		if (!p->copy)
			continue;
		memcpy(to, (const void *)p->at, p->size);
		p->copy = to;
		to += p->size;
	}
	return !failed(sys3(SYS_mprotect, l->copies, l->size, PROT_READ));
}

static void protect(int how)
{
	sys3(SYS_mprotect, kept, KEPT, how);
}

/* ---- and back */

static void save_registers(void)
{
#if defined(__x86_64__)
	__asm__ volatile("fxsave64 %0" : "=m"(kept->registers));
#endif
}

static void restore_registers(void)
{
#if defined(__x86_64__)
	__asm__ volatile("cld; fxrstor64 %0" : : "m"(kept->registers));
#endif
}

/* The kernel writes the number of the thread's processor there. */
static char *kernels_own(void)
{
	return (char *)__builtin_thread_pointer() + __rseq_offset;
}

/* Drops every page that was touched and is not kept. */
static void drop(void)
{
	for (size_t i = 0; i < RESERVED && kept->reserved[i].at; i++)
		sys3(SYS_madvise, kept->reserved[i].at + kept->reserved[i].used,
		    whole_pages(kept->reserved[i].size) - kept->reserved[i].used, MADV_DONTNEED);
	for (size_t i = 0; i < kept->now->n; i++) {
		const struct piece *p = kept->now->piece + i;

		if (!p->copy)
			sys3(SYS_madvise, p->at, p->size, MADV_DONTNEED);
	}
	sys3(SYS_madvise, kept->now->stack - STACK_ROOM, STACK_ROOM, MADV_DONTNEED);
}

/* Sets the end of the data segment back. */
static void end_data(void)
{
	uintptr_t end = whole_pages((uintptr_t)sys1(SYS_brk, 0));

	if (scratch->grown < end)
		scratch->grown = end;
	sys1(SYS_brk, kept->brk);
}

/* The number of pages that the run added to the data segment and touched; end_data removes them.
 * Each took a page fault at least: a run with no more page faults than these touched no other page
 * that is not kept. */
static long pages_added(void)
{
	uintptr_t from = whole_pages(kept->brk), end = whole_pages((uintptr_t)sys1(SYS_brk, 0));
	uint8_t *present = (uint8_t *)scratch->page;
	long n = 0;

	if (end <= from || end - from > sizeof scratch->page * PAGE
	    || failed(sys3(SYS_mincore, from, end - from, present)))
		return 0;
	for (size_t i = 0; i < (end - from) / PAGE; i++)
		n += present[i] & 1;
	return n;
}

static void restore(bool touched)
{
	char own[sizeof(struct rseq)], *rseq = kernels_own();

	memcpy(own, rseq, sizeof own);
	end_data();
	if (touched)
		drop();
	for (size_t i = 0; i < RESERVED && kept->reserved[i].at; i++)
		memset(kept->reserved[i].at, 0, kept->reserved[i].used);
	scratch->reserved = 0;
	for (size_t i = 0; i < kept->now->n; i++) {
		const struct piece *p = kept->now->piece + i;

		if (p->copy)
			memcpy((void *)p->at, p->copy, p->size);
	}
	memcpy(rseq, own, sizeof own);
}

/* Pages that one run touched first are likely to be touched by others. They are copied as well,
 * because dropping them costs a fault for each. */
static void restore_and_learn(void)
{
	struct snapshot *l = &kept->list[kept->now == kept->list];
	bool better;

	protect(PROT_READ | PROT_WRITE);
	if (l->copies)
		sys2(SYS_munmap, l->copies, l->size);
	l->copies = NULL;
	l->n = l->size = l->stack = l->flags = l->last = 0;
	end_data(); /* the following pages will not exist */
	better = look(l) && l->size < MOST_COPIED;
	restore(true);
	if (better && copy_pieces(l)) {
		kept->now = l;
		restore(true); /* pages that only the previous list kept must not exist */
	}
	protect(PROT_READ);
}

/* Restores memory after a run that touched pages that are not kept. At the first such run, and
 * whenever their number has doubled, these pages are kept from then on. */
static void restore_touched(void)
{
	if (++scratch->touched < scratch->look_again) {
		restore(true);
		return;
	}
	scratch->look_again = 2 * scratch->touched;
	restore_and_learn();
}

/* Waits for the next run that this process serves. For a run that needs a process of its own it
 * stops; the server makes that process and later lets this one continue. */
static void await_next(void)
{
	for (;;) {
		if (!kept->how->next())
			sys1(SYS_exit, 0);
		if (!(kept->how->channel->flags & CHANNEL_FORK))
			return;
		sys2(SYS_kill, sys0(SYS_getpid), SIGSTOP);
	}
}

/* The handler of system calls; it runs on a stack of its own. */
static void on_call(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *c = context;
	const struct used now = used();

	(void)sig;
	if (info->si_syscall != SYS_exit_group)
		sys1(SYS_exit, REWIND_GIVEN_UP);
#if defined(__x86_64__)
	kept->how->ended(
	    (int)(c->uc_mcontext.gregs[REG_RDI] & 255) << 8, now.us - scratch->began.us);
#else
	kept->how->ended((int)(c->uc_mcontext.regs[0] & 255) << 8, now.us - scratch->began.us);
#endif
	if (now.faults - scratch->began.faults == pages_added())
		restore(false);
	else
		restore_touched();
	await_next();
	restore_registers();
	__builtin_longjmp(kept->again, 1);
}

/* Memory that one run reserved is reused by the next run that reserves the same size. */
void *duct_rewind_reserve(size_t size, void *(*fresh)(size_t))
{
	uint32_t i;

	if (!kept)
		return fresh(size);
	i = scratch->reserved++;
	if (i >= RESERVED)
		sys1(SYS_exit, REWIND_GIVEN_UP);
	if (kept->reserved[i].at && kept->reserved[i].size == size)
		return kept->reserved[i].at;
	protect(PROT_READ | PROT_WRITE);
	if (kept->reserved[i].at)
		sys2(SYS_munmap, kept->reserved[i].at, kept->reserved[i].size);
	kept->reserved[i].size = size;
	kept->reserved[i].used = 0;
	kept->reserved[i].at = fresh(size);
	protect(PROT_READ);
	return kept->reserved[i].at;
}

/* ---- the filter */

#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at)
/* Both machines are little-endian. */
#define LOW(field) LOAD(offsetof(struct seccomp_data, field))
#define HIGH(field) LOAD(offsetof(struct seccomp_data, field) + 4)
#define IS(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define GIVE(what) BPF_STMT(BPF_RET | BPF_K, what)

/* Filters system calls. The program may read and write the first three files, whose content and
 * position run-trace sets for each run, ask for their properties, and move the end of its data
 * segment, which is set back. */
static bool watch_calls(void)
{
	uint64_t ours = (uint64_t)(uintptr_t)duct_sys_end;
	struct sock_filter code[] = {
		LOW(arch),
		IS(ARCH, 1, 0),
		GIVE(SECCOMP_RET_KILL_PROCESS),
		LOW(nr),
		IS(SYS_exit_group, 16, 0),   /* to the last line */
		IS(SYS_rt_sigreturn, 14, 0), /* to the one before */
		LOW(instruction_pointer),
		IS((uint32_t)ours, 0, 2),
		HIGH(instruction_pointer),
		IS((uint32_t)(ours >> 32), 10, 0),
		LOW(nr),
		IS(SYS_brk, 8, 0),
		IS(SYS_read, 5, 0), /* to the descriptor */
		IS(SYS_write, 4, 0),
		IS(SYS_lseek, 3, 0),
		IS(SYS_fstat, 2, 0),
		IS(SYS_newfstatat, 1, 0),
		GIVE(SECCOMP_RET_TRAP),
		LOW(args[0]),
		BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 2, 1, 0),
		GIVE(SECCOMP_RET_ALLOW),
		GIVE(SECCOMP_RET_TRAP),
	};
	struct sock_fprog program = { sizeof code / sizeof *code, code };

	return !failed(sys6(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0))
	    && !failed(sys3(
	        SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program));
}

static bool handle_calls(void)
{
	stack_t stack = { .ss_sp = scratch->stack, .ss_size = sizeof scratch->stack };
	struct sigaction action = { .sa_sigaction = on_call,
		.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };

	return !failed(sys2(SYS_sigaltstack, &stack, NULL))
	    && sigaction(SIGSYS, &action, NULL) == 0;
}

static bool make_room(const struct rewind *how)
{
	if (!(kept = map(KEPT + sizeof *scratch)))
		return false;
	scratch = (struct scratch *)((char *)kept + KEPT);
	kept->how = how;
	kept->brk = (uintptr_t)sys1(SYS_brk, 0);
	return true;
}

/* Without huge pages, because these would make pages exist without a fault. */
static bool keep(void)
{
	save_registers();
	if (failed(sys6(SYS_prctl, PR_SET_THP_DISABLE, 1, 0, 0, 0, 0)) || !look(kept->list)
	    || !copy_pieces(kept->list))
		return false;
	kept->now = kept->list;
	protect(PROT_READ);
	return handle_calls() && watch_calls();
}

bool duct_rewind_here(const struct rewind *how)
{
	if (!make_room(how) || (__builtin_setjmp(kept->again) == 0 && !keep())) {
		kept = NULL;
		return false;
	}
	scratch->began = used();
	how->channel->cpu_began = scratch->began.us;
	return true;
}
