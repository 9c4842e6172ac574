/* calls: a filter of system calls that no program under test has a use for, and that reach out of
 * its confinement. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/fs.h>
#include <linux/ioprio.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/run/internal.h"

#if defined __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define MACHINE AUDIT_ARCH_AARCH64
#else
#define MACHINE 0
#endif

#define X32 0x40000000u /* numbers of another ABI of the same machine */
#define NAMESPACES \
	(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS \
	    | CLONE_NEWCGROUP)

/* System calls that are refused with EPERM: they affect other processes, namespaces and mounts, the
 * kernel itself, the machine's clock, or keys. */
static const unsigned refused[] = {
	SYS_ptrace,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_pidfd_getfd,
	SYS_kcmp,
	SYS_setns,
	SYS_unshare,
	SYS_mount,
	SYS_umount2,
	SYS_pivot_root,
	SYS_chroot,
	SYS_fsopen,
	SYS_fspick,
	SYS_fsconfig,
	SYS_fsmount,
	SYS_move_mount,
	SYS_open_tree,
	SYS_mount_setattr,
	SYS_name_to_handle_at,
	SYS_open_by_handle_at,
	SYS_kexec_load,
	SYS_init_module,
	SYS_finit_module,
	SYS_delete_module,
	SYS_bpf,
	SYS_perf_event_open,
	SYS_userfaultfd,
	SYS_io_uring_setup,
	SYS_io_uring_enter,
	SYS_io_uring_register,
	SYS_reboot,
	SYS_swapon,
	SYS_swapoff,
	SYS_acct,
	SYS_quotactl,
	SYS_syslog,
	SYS_vhangup,
	SYS_fanotify_init,
	SYS_lookup_dcookie,
	SYS_settimeofday,
	SYS_clock_settime,
	SYS_clock_adjtime,
	SYS_adjtimex,
	SYS_add_key,
	SYS_request_key,
	SYS_keyctl,
#ifdef SYS_kexec_file_load
	SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
	SYS_iopl,
	SYS_ioperm,
#endif
};

enum { SERVER = 1 }; /* the number of the server of runs in its namespace */

/* System calls that are refused with EPERM when an argument, counted from 0, has this value:
 * changes of the server, which all later runs would inherit, or of every process of the user; input
 * of terminals; attributes that a directory keeps when it is emptied; locks that block others who
 * open a file. */
static const struct {
	unsigned call, argument, value;
} refused_with[] = {
	{ SYS_prlimit64, 0, SERVER },
	{ SYS_sched_setaffinity, 0, SERVER },
	{ SYS_sched_setattr, 0, SERVER },
	{ SYS_sched_setparam, 0, SERVER },
	{ SYS_sched_setscheduler, 0, SERVER },
	{ SYS_migrate_pages, 0, SERVER },
	{ SYS_move_pages, 0, SERVER },
	{ SYS_setpriority, 0, PRIO_USER },
	{ SYS_setpriority, 1, SERVER },
	{ SYS_ioprio_set, 0, IOPRIO_WHO_USER },
	{ SYS_ioprio_set, 1, SERVER },
	{ SYS_ioctl, 1, TIOCSTI },
	{ SYS_ioctl, 1, TIOCLINUX },
	{ SYS_ioctl, 1, FS_IOC_SETFLAGS },
	{ SYS_ioctl, 1, FS_IOC_FSSETXATTR },
	{ SYS_fcntl, 1, F_SETLEASE },
};

#define FIELD(f) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, f))
#define LOW(i) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, \
	    offsetof(struct seccomp_data, args) + 8 * (i))          /* little endian */
#define IS(k, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, k, 0, skip) /* else skips so many */
#define ANSWER(a) BPF_STMT(BPF_RET | BPF_K, a)
#define ERROR(e) ANSWER(SECCOMP_RET_ERRNO | (e))

bool calls_filter(void)
{
	const struct sock_filter head[] = {
		FIELD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
		ANSWER(SECCOMP_RET_KILL_PROCESS),
		FIELD(nr),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32, 0, 1),
		ERROR(ENOSYS),
		IS(SYS_clone3, 1),
		ERROR(ENOSYS), /* its flags lie in memory: callers fall back to clone */
		IS(SYS_clone, 4),
		LOW(0),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1),
		ERROR(EPERM),
		ANSWER(SECCOMP_RET_ALLOW),
		IS(SYS_prctl, 4),
		LOW(0), /* it would hide which files it has open from room.c: nothing is done */
		IS(PR_SET_DUMPABLE, 1),
		ERROR(0),
		FIELD(nr),
		IS(SYS_socket, 7),
		LOW(0), /* some families know no namespaces */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 4, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 1, 0),
		ERROR(EAFNOSUPPORT),
		ANSWER(SECCOMP_RET_ALLOW),
	};
	enum {
		HEAD = sizeof head / sizeof *head,
		LIST = sizeof refused / sizeof *refused,
		WITH = sizeof refused_with / sizeof *refused_with
	};
	struct sock_filter all[HEAD + 2 * LIST + 5 * WITH + 1];
	struct sock_fprog program = { 0, all };

	if (!MACHINE)
		return false;
	for (size_t i = 0; i < HEAD; i++)
		all[program.len++] = head[i];
	for (size_t i = 0; i < LIST; i++) {
		all[program.len++] = (struct sock_filter)IS(refused[i], 1);
		all[program.len++] = (struct sock_filter)ERROR(EPERM);
	}
	for (size_t i = 0; i < WITH; i++) {
		const struct sock_filter test[] = {
			IS(refused_with[i].call, 4),
			LOW(refused_with[i].argument),
			IS(refused_with[i].value, 1),
			ERROR(EPERM),
			FIELD(nr),
		};
		memcpy(all + program.len, test, sizeof test);
		program.len += sizeof test / sizeof *test;
	}
	all[program.len++] = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
	return !syscall(
	    SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
}
