/* The ways a run ends: by the runtime; by assert, abort and exit, which are defined here in place
 * of the C library's, weak and hidden, so that the program's own definitions take precedence; and
 * by signals. */
#include "lib/runtime/process.h"
#include <assert.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#define ALTERNATE ((size_t)1 << 16) /* bytes of stack for the handler */
#define KERNEL_SET ((size_t)8)      /* bytes of the kernel's signal set */
#define INSTEAD __attribute__((weak, visibility("hidden"), noreturn))

static void (*real_exit)(int);    /* looked up by the server, for all runs */
static unsigned char on_segv[64]; /* the handler installed for SIGSEGV, in the kernel's form */

void *duct_rt_real(const char *name)
{
	void *p = dlsym(RTLD_NEXT, name);

	return p ? p : dlsym(RTLD_DEFAULT, name);
}

/* Ends the run with a need instead of a fault, after calls that callers of the entry need not make.
 */
static void end_apart(void)
{
	if (duct_called_by)
		duct_need("back", duct_called_by, 0);
	if (duct_is_before)
		duct_end(FAULT_REJECTED, "a call before the entry fails");
}

void duct_end(enum channel_fault fault, const char *message)
{
	static bool ending;

	if (!duct_channel)
		sys1(SYS_exit_group, 4);
	if (fault == FAULT_BOUNDS && duct_grow_shared && !ending)
		duct_need("shared", duct_grow_shared, 0);
	if ((fault == FAULT_BOUNDS || fault == FAULT_ASSERT) && !ending)
		end_apart();
	if (!ending) {
		ending = true; /* the blob may be full: then this is called again */
		duct_channel->fault = fault;
		if (message)
			duct_channel->fault_message = duct_blob_text(message, NULL, NULL);
	}
	for (;;)
		sys1(SYS_exit_group, 0);
}

#if defined(__x86_64__)
#define STACK_POINTER(m) ((uintptr_t)(m).gregs[REG_RSP])
#define PROGRAM_COUNTER(m) ((uintptr_t)(m).gregs[REG_RIP])
#else
#define STACK_POINTER(m) ((uintptr_t)(m).sp)
#define PROGRAM_COUNTER(m) ((uintptr_t)(m).pc)
#endif

/* Is it recursion without end? Then the bad address is close to the stack pointer. */
static bool ends_stack(const siginfo_t *info, const ucontext_t *context)
{
	uintptr_t sp = STACK_POINTER(context->uc_mcontext);
	uintptr_t at = (uintptr_t)info->si_addr;

	return at + (1 << 16) > sp && at < sp + (1 << 16);
}

extern const char __executable_start[], etext[];

bool duct_is_code(uintptr_t a)
{
	return a >= (uintptr_t)__executable_start && a < (uintptr_t)etext;
}

#define NEAR ((uintptr_t)1 << 20)

/* Does a use of the value as a pointer cause this fault? For addresses that no process can have,
 * the processor does not report the address. */
static bool leads_to(uintptr_t v, const siginfo_t *info)
{
	return info->si_code == SI_KERNEL ? v >> 47 : (uintptr_t)info->si_addr - v < NEAR;
}

/* Called in the handler after a need was recorded. If that did not end the run, the faulting
 * instruction is executed again when the handler returns, and the default action has to end the
 * process. */
static void make_fatal(void)
{
	static const unsigned char by_default[sizeof on_segv];

	sys4(SYS_rt_sigaction, SIGSEGV, by_default, NULL, KERNEL_SET);
}

/* If a library function dereferenced a null pointer that it was passed, determines which input it
 * is. */
static void ask_callee(const siginfo_t *info, const ucontext_t *context)
{
	uintptr_t at = PROGRAM_COUNTER(context->uc_mcontext);

	if ((uintptr_t)info->si_addr >= 4096 || !duct_args_for || duct_is_code(at))
		return;
	for (uint32_t i = 0; i < duct_args_count; i++)
		if (duct_args[i] && duct_at(duct_args[i])->value < 4096
		    && duct_grow_null(duct_args[i], 8)) {
			duct_faults_restore();
			duct_grow_need_object(NULL, 0, duct_args[i]);
			make_fatal();
		}
}

/* Is the address an offset to NULL, or to the beginning of a caller's object, and outside of
 * that? */
static void ask_sum(duct_node sum)
{
	const struct channel_node *n = duct_at(sum);
	uint32_t operand[2] = { n->a, n->b };

	if (duct_grow_from_null(sum, 8))
		duct_grow_need_object(NULL, 0, sum);
	for (int k = 0; k < 2; k++) {
		struct duct_object *o = duct_object_at((uintptr_t)duct_at(operand[k])->value);

		if (o && o->input)
			duct_grow_leave(o, (int64_t)(n->value - o->base));
	}
}

/* Finds the offset after a fault in a library model: these do not ask before each access. */
static void ask_offset(const siginfo_t *info)
{
	for (uint32_t i = duct_nodes.count; i > 0; i--)
		if (duct_at(i)->op == OP_ADD && duct_at(i)->width == 64
		    && leads_to((uintptr_t)duct_at(i)->value, info)) {
			duct_faults_restore();
			ask_sum(i);
			make_fatal();
		}
}

/* ---- crashes of the runtime itself */

/* The section of the runtime's code; it is missing in unit tests. */
extern const char __start_duct_runtime[] __attribute__((weak, visibility("hidden")));
extern const char __stop_duct_runtime[] __attribute__((weak, visibility("hidden")));

uintptr_t duct_touched;

/* Does the address belong to the program? The runtime reads the program's memory: the content of
 * objects, and arguments. */
static bool is_of_program(uintptr_t a)
{
	return a + 4096 - duct_touched < NEAR || duct_object_at(a);
}

/* The handler was reset when the signal came; the process may run further inputs. */
static void rearm(int sig)
{
	sys4(SYS_rt_sigaction, sig, on_segv, NULL, KERNEL_SET);
}

/* If the fault is in the runtime itself, ends the run with an error of duct. */
static void ask_runtime(int sig, const siginfo_t *info, const ucontext_t *context)
{
	uintptr_t at = PROGRAM_COUNTER(context->uc_mcontext);
	char text[64] = "signal ";
	size_t n = 7;

	if (!__start_duct_runtime || at < (uintptr_t)__start_duct_runtime
	    || at >= (uintptr_t)__stop_duct_runtime || info->si_code <= 0)
		return;
	duct_channel->fault = FAULT_CHECK; /* in case the following code faults, too */
	if ((sig == SIGSEGV || sig == SIGBUS)
	    && (ends_stack(info, context) || is_of_program((uintptr_t)info->si_addr))) {
		duct_channel->fault = FAULT_NONE;
		return;
	}
	n += duct_digits(text + n, (uint64_t)sig);
	for (const char *s = " in duct's own code, byte "; *s; s++)
		text[n++] = *s;
	n += duct_digits(text + n, at - (uintptr_t)__start_duct_runtime);
	text[n] = 0;
	rearm(sig);
	duct_end(FAULT_CHECK, text);
}

void duct_faults_restore(void)
{
	rearm(SIGSEGV);
}

static bool divided;

void duct_divide_badly(void)
{
	divided = true;
	sys3(SYS_tgkill, sys0(SYS_getpid), sys0(SYS_gettid), SIGFPE);
	divided = false;
}

/* Does the caller prevent recursion without end? Then the process may still run the next input. */
static void ask_end(void)
{
	if (duct_grow_cycle || duct_grow_called)
		duct_faults_restore();
	if (duct_grow_cycle)
		duct_need("cycle", duct_grow_cycle, UINT32_MAX); /* no wider limit helps */
	if (duct_grow_called)
		duct_need("callee", duct_grow_called, 0);
}

/* A library function may read through a pointer that consists of bytes of inputs. */
static void note_strange(const siginfo_t *info)
{
	for (uint32_t i = duct_nodes.count; i > 0; i--)
		if (duct_at(i)->op == OP_CONCAT && duct_at(i)->width == 64
		    && leads_to((uintptr_t)duct_at(i)->value, info)) {
			duct_lost(NULL, 0, "symbolic address of no known object", NULL);
			return;
		}
}

/* Records where a memory fault was, and lets the signal take its normal course: the handler was
 * reset before it ran, so that the same fault, or the signal sent again, is fatal. */
static void on_fault(int sig, siginfo_t *info, void *context)
{
	if (duct_channel && sig == SIGSEGV && ends_stack(info, context))
		ask_end();
	if (duct_channel)
		ask_runtime(sig, info, context);
	if (duct_channel && sig == SIGSEGV && info->si_code > 0)
		ask_callee(info, context);
	if (duct_channel && sig == SIGSEGV && info->si_code > 0)
		ask_offset(info);
	if (duct_channel && sig == SIGSEGV && duct_device_at((uintptr_t)info->si_addr)) {
		duct_faults_restore();
		duct_need("device", duct_device_at((uintptr_t)info->si_addr), 0);
	}
	if (duct_channel && sig == SIGSEGV && duct_grow_none && info->si_code > 0) {
		duct_faults_restore();
		duct_need("memory", duct_grow_none, 0);
	}
	if (duct_channel && sig == SIGSEGV && duct_grow_shared && info->si_code > 0) {
		duct_faults_restore();
		duct_need("shared", duct_grow_shared, 0);
	}
	if (duct_channel && (duct_called_by || duct_is_before) && info->si_code > 0) {
		duct_faults_restore();
		end_apart();
	}
	if (duct_channel) {
		if (sig == SIGSEGV && info->si_code > 0)
			note_strange(info);
		duct_channel->fault_code = sig == SIGFPE && divided ? FPE_INTDIV : info->si_code;
		if (sig == SIGSEGV || sig == SIGBUS)
			duct_channel->fault_address = (uint64_t)(uintptr_t)info->si_addr;
	}
	if (info->si_code <= 0) /* sent by kill: no instruction will raise it again */
		sys3(SYS_tgkill, sys0(SYS_getpid), sys0(SYS_gettid), sig);
}

void duct_faults_install(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };
	stack_t stack = { .ss_sp = duct_reserve_shared(ALTERNATE), .ss_size = ALTERNATE };
	struct sigaction action = { .sa_sigaction = on_fault };

	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
	sys2(SYS_sigaltstack, &stack, NULL);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct sigaction old;

		if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(signals[i], &action, NULL);
	}
	sys4(SYS_rt_sigaction, SIGSEGV, NULL, on_segv, KERNEL_SET);
	real_exit = (void (*)(int))duct_rt_real("exit");
}

static void fault(enum channel_fault kind, const char *message, const char *file, unsigned line)
{
	duct_record_end(RECORD_ABORT, 0);
	if (!duct_channel)
		return;
	end_apart();
	duct_channel->fault = kind;
	duct_channel->fault_line = line;
	duct_channel->fault_message = duct_blob_text(message, NULL, NULL);
	duct_channel->fault_file = file ? duct_blob_text(file, NULL, NULL) : 0;
}

static void finished(int status)
{
	duct_record_end(RECORD_EXIT, status);
	if (duct_channel)
		duct_channel->finished = duct_channel->finished ? 1 : CHANNEL_LEFT;
}

INSTEAD void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
	void (*real)(const char *, const char *, unsigned, const char *) =
	    duct_rt_real("__assert_fail");

	if (duct_channel)
		duct_tell_implied();
	fault(FAULT_ASSERT, text, file, line);
	if (real)
		real(text, file, line, function);
	for (;;)
		sys1(SYS_exit_group, 134);
}

INSTEAD void abort(void)
{
	void (*real)(void) = duct_rt_real("abort");

	fault(FAULT_ABORT, "abort", NULL, 0);
	if (real)
		real();
	for (;;)
		sys1(SYS_exit_group, 134);
}

INSTEAD void exit(int status)
{
	finished(status);
	duct_leaks(0);
	if (!real_exit)
		real_exit = (void (*)(int))duct_rt_real("exit");
	if (real_exit)
		real_exit(status);
	for (;;)
		sys1(SYS_exit_group, status);
}

INSTEAD void _exit(int status)
{
	finished(status);
	for (;;)
		sys1(SYS_exit_group, status);
}

INSTEAD void _Exit(int status)
{
	_exit(status);
}
