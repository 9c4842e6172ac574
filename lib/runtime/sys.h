/* sys: system calls made directly. The program under test may define functions called
 * read, write or mmap, and the runtime must never end up in them. Results are the
 * kernel's: a negative errno on failure. */
#ifndef DUCT_SYS_H
#define DUCT_SYS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#pragma GCC visibility push(hidden)
long duct_sys(long n, long a, long b, long c, long d, long e, long f);
extern const char duct_sys_end[]; /* behind the instruction that enters the kernel */
#pragma GCC visibility pop

#define sys0(n) duct_sys(n, 0, 0, 0, 0, 0, 0)
#define sys1(n, a) duct_sys(n, (long)(a), 0, 0, 0, 0, 0)
#define sys2(n, a, b) duct_sys(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define sys3(n, a, b, c) duct_sys(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define sys4(n, a, b, c, d) duct_sys(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define sys6(n, a, b, c, d, e, f) \
	duct_sys(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#endif
