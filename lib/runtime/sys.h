/* sys: system calls made directly. The program under test may define functions called
 * read, write or mmap, and the runtime must never end up in them. Results are the
 * kernel's: a negative errno on failure. */
#ifndef DUCT_SYS_H
#define DUCT_SYS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

static inline long duct_sys(long n, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;
	__asm__ volatile("syscall" : "=a"(result)
	                 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
	                 : "rcx", "r11", "memory");
	return result;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = n;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;
	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
	                 : "memory");
	return x0;
#else
#error "lib/runtime/sys.h does not know this machine"
#endif
}

#define sys0(n)             duct_sys(n, 0, 0, 0, 0, 0, 0)
#define sys1(n, a)          duct_sys(n, (long)(a), 0, 0, 0, 0, 0)
#define sys2(n, a, b)       duct_sys(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define sys3(n, a, b, c)    duct_sys(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define sys4(n, a, b, c, d) duct_sys(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define sys6(n, a, b, c, d, e, f) \
	duct_sys(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#endif
