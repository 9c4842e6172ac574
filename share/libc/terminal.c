/* Terminals: a descriptor for which isatty() returns 1 (system.c) has attributes, a size and a
 * name, which are inputs. Its control characters are 0 at first, and settings have no effect, which
 * is a limit. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

static struct terminal {
	struct terminal *next;
	int fd, knows_modes, knows_size;
	struct termios modes;
	struct winsize size;
	char *name;
} *terminals;

/* The terminal of a descriptor, or NULL; *real: whether it is one is no input, so that the C
 * library is called. */
static struct terminal *find(int fd, int *real)
{
	struct terminal *t = terminals;
	int is = duct_is_terminal(fd);

	*real = is < 0;
	if (is < 1) {
		errno = ENOTTY;
		return NULL;
	}
	while (t && t->fd != fd)
		t = t->next;
	if (t || !(t = calloc(1, sizeof *t)))
		return t;
	t->fd = fd;
	t->next = terminals;
	return terminals = t;
}

MODEL int tcgetattr(int fd, struct termios *to)
{
	int real;
	struct terminal *t = find(fd, &real);

	duct_rt_concrete("tcgetattr", NULL);
	if (!t)
		return real ? CALL_REAL(tcgetattr, fd, to) : -1;
	if (!t->knows_modes)
		duct_rt_asked(&t->modes, sizeof t->modes, "system", "tcgetattr",
		    "{0.iflag=u4;4.oflag=u4;8.cflag=u4;12.lflag=u4}");
	t->knows_modes = 1;
	*to = t->modes;
	return 0;
}

MODEL int tcsetattr(int fd, int when, const struct termios *from)
{
	struct terminal *t;
	int real;

	if (MAY_FAIL("tcsetattr", EINVAL))
		return -1;
	OUTSIDE("tcsetattr");
	if (!(t = find(fd, &real)))
		return real ? CALL_REAL(tcsetattr, fd, when, from) : -1;
	t->modes = *from;
	t->knows_modes = 1;
	return 0;
}

MODEL int ioctl(int fd, unsigned long request, ...)
{
	struct terminal *t;
	__builtin_va_list ap;
	void *p;
	int real;

	__builtin_va_start(ap, request);
	p = __builtin_va_arg(ap, void *);
	__builtin_va_end(ap);
	duct_rt_concrete("ioctl", NULL);
	if (request != TIOCGWINSZ)
		return CALL_REAL(ioctl, fd, request, p);
	if (!(t = find(fd, &real)))
		return real ? CALL_REAL(ioctl, fd, request, p) : -1;
	if (!t->knows_size)
		duct_rt_asked(
		    &t->size, sizeof t->size, "system", "winsize", "{0.rows=u2;2.columns=u2}");
	t->knows_size = 1;
	*(struct winsize *)p = t->size;
	return 0;
}

MODEL char *ttyname(int fd)
{
	int real;
	struct terminal *t = find(fd, &real);

	duct_rt_concrete("ttyname", NULL);
	if (!t)
		return real ? CALL_REAL(ttyname, fd) : NULL;
	if (!t->name)
		t->name = duct_answered("ttyname()", "system.ttyname", "/dev/");
	return t->name;
}
