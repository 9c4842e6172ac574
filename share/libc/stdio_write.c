/* Writing to stdio streams. The C library writes; results are computed from the arguments. Streams
 * of open_memstream are written here, since the program reads their output. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "share/libc/print.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

#undef putc
#undef putchar
#undef putc_unlocked
#undef putchar_unlocked
#undef fputc_unlocked
#undef fwrite_unlocked
#undef fputs_unlocked
#undef fflush_unlocked

int _IO_putc(int c, FILE *f);

/* ---- memory */

static struct memory *memories;

struct memory *duct_memory(FILE *f)
{
	struct memory *m;

	for (m = memories; m && m->file != f; m = m->next)
		;
	return m;
}

static int make_room(struct memory *m, size_t more)
{
	size_t room = m->room;
	char *p;

	while (room <= m->n + more)
		room *= 2;
	if (room == m->room)
		return 1;
	if (!(p = realloc(m->buf, room)))
		return 0;
	m->buf = p;
	m->room = room;
	return 1;
}

static size_t append(struct memory *m, const void *p, size_t n)
{
	if (!make_room(m, n))
		return 0;
	memcpy(m->buf + m->n, p, n);
	m->n += n;
	return n;
}

/* The program sees its buffer after a flush. */
static void show(struct memory *m)
{
	m->buf[m->n] = 0;
	*m->at = m->buf;
	*m->size = m->n;
}

MODEL FILE *open_memstream(char **at, size_t *size)
{
	struct memory *m = calloc(1, sizeof *m);

	if (!m || !(m->buf = malloc(64)))
		return NULL;
	m->room = 64;
	m->at = at;
	m->size = size;
	m->file = CALL_REAL(open_memstream, &m->unused, &m->unused_size);
	m->next = memories;
	memories = m;
	show(m);
	return m->file;
}

void duct_memory_close(FILE *f)
{
	struct memory **p = &memories, *m;

	while (*p && (*p)->file != f)
		p = &(*p)->next;
	if (!(m = *p))
		return;
	show(m);
	*p = m->next; /* the C library still writes to `unused`: it stays */
}

#define FLUSH(name) \
	MODEL int name(FILE *f) \
	{ \
		int used = duct_result_used; \
		struct memory *m; \
		for (m = memories; m; m = m->next) \
			if (!f || m->file == f) \
				show(m); \
		duct_stream_check(f); \
		if (f && duct_memory(f)) \
			return 0; \
		if (FAILS_IF(used, #name, ENOSPC)) \
			return EOF; \
		return CALL_REAL(fflush, f); \
	}
FLUSH(fflush)
FLUSH(fflush_unlocked)

/* ---- characters and blocks */

/* Does the program want this write to fail? Writes are counted together, not by function, as
 * compilers call another function than the source does where a result is not used. Nothing that
 * the program sees changes then, so that only a call whose result is used may fail. */
static int fails(int used, const char *function)
{
	if (used)
		duct_rt_may_fail(function);
	return FAILS_IF(used, "output", ENOSPC);
}

static void wrote(FILE *f, const void *p, size_t n)
{
	if (duct_live && duct_writes_file(f) && duct_rt_symbolic(p, n))
		duct_stream_wrote(CALL_QUIETLY("fileno", fileno, f));
}

static int put(int c, FILE *f)
{
	unsigned char byte = (unsigned char)c;
	struct memory *m = memories ? duct_memory(f) : NULL;

	if (m)
		return append(m, &byte, 1) ? byte : EOF;
	duct_follows(f);
	wrote(f, &byte, 1);
	return CALL_QUIETLY("fputc", fputc, c, f) == EOF ? EOF : byte;
}

#define PUT(name, given, file) \
	MODEL int name given \
	{ \
		return fails(duct_result_used, #name) ? EOF : put(c, file); \
	}
PUT(putc, (int c, FILE *f), f)
PUT(fputc, (int c, FILE *f), f)
PUT(_IO_putc, (int c, FILE *f), f)
PUT(putchar, (int c), stdout)

/* Macros in system headers, which cannot be made to fail. */
#define PUT_UNLOCKED(name, given, file) \
	MODEL int name given \
	{ \
		OUTSIDE(#name); \
		return put(c, file); \
	}
PUT_UNLOCKED(putc_unlocked, (int c, FILE *f), f)
PUT_UNLOCKED(fputc_unlocked, (int c, FILE *f), f)
PUT_UNLOCKED(putchar_unlocked, (int c), stdout)

static size_t block(const void *p, size_t size, size_t n, FILE *f)
{
	struct memory *m = memories ? duct_memory(f) : NULL;
	size_t done;

	if (m)
		return append(m, p, size * n) == size * n ? n : 0;
	duct_follows(f);
	duct_rt_reads(p, size * n);
	duct_read_bytes(p, size * n);
	wrote(f, p, size * n);
	done = CALL_QUIETLY("fwrite", fwrite, p, size, n, f);
	return done == n ? n : done;
}

MODEL size_t fwrite(const void *p, size_t size, size_t n, FILE *f)
{
	return fails(duct_result_used && n && size, "fwrite") ? 0 : block(p, size, n, f);
}

MODEL size_t fwrite_unlocked(const void *p, size_t size, size_t n, FILE *f)
{
	OUTSIDE("fwrite_unlocked");
	return block(p, size, n, f);
}

static int text(const char *s, FILE *f)
{
	struct memory *m = memories ? duct_memory(f) : NULL;
	size_t n = m ? strlen(s) : 0;

	if (m)
		return append(m, s, n) == n ? 1 : EOF;
	duct_follows(f);
	duct_rt_reads_text(s, -1, 0);
	if (duct_live && duct_writes_file(f))
		wrote(f, s, CALL_QUIETLY("strlen", strlen, s));
	return CALL_QUIETLY("fputs", fputs, s, f);
}

MODEL int fputs(const char *s, FILE *f)
{
	return fails(duct_result_used, "fputs") ? EOF : text(s, f);
}

MODEL int fputs_unlocked(const char *s, FILE *f)
{
	OUTSIDE("fputs_unlocked");
	return text(s, f);
}

/* Characters written, with the end of the line. */
MODEL int puts(const char *s)
{
	int used = duct_result_used, n;

	if (fails(used, "puts"))
		return EOF;
	duct_rt_reads_text(s, -1, 0);
	n = CALL_QUIETLY("puts", puts, s);
	used = duct_live && used;
	return used && n >= 0 ? (int)strlen(s) + 1 : n;
}

/* ---- printf */

static int to_memory(struct memory *m, const char *f, va_list ap)
{
	struct print_buffer o = { 0 };
	char *made = NULL;
	int n;

	if (!duct_print_modelled(f)) {
		n = CALL_REAL(vasprintf, &made, f, ap);
		if (n >= 0)
			append(m, made, (size_t)n);
		CALL_REAL(free, made);
		return n;
	}
	if (duct_print(&o, f, ap) < 0 || !make_room(m, o.n))
		return -1;
	o = (struct print_buffer){ .to = m->buf + m->n, .room = o.n };
	n = duct_print(&o, f, ap);
	m->n += o.n;
	return n;
}

static int print(FILE *file, const char *f, va_list ap, int used)
{
	struct memory *m = memories ? duct_memory(file) : NULL;
	struct print_buffer o = { 0 };
	va_list again;
	int n;

	if (m)
		return to_memory(m, f, ap);
	duct_follows(file);
	if (duct_live && duct_writes_file(file))
		duct_stream_wrote(CALL_QUIETLY("fileno", fileno, file));
	duct_rt_prints_texts(f, ap);
	va_copy(again, ap);
	n = CALL_QUIETLY("vfprintf", vfprintf, file, f, again);
	va_end(again);
	return used && n >= 0 && !duct_print_native(f, ap, NULL, 0) && duct_print_modelled(f)
	    ? duct_print(&o, f, ap)
	    : n;
}

#define ARGUMENTS(...) __VA_ARGS__
#define PRINT(plain, listed, given, file) \
	int plain(ARGUMENTS given const char *f, ...); \
	int listed(ARGUMENTS given const char *f, va_list ap); \
	MODEL int listed(ARGUMENTS given const char *f, va_list ap) \
	{ \
		int used = duct_result_used; \
		return fails(used, #listed) ? -1 : print(file, f, ap, duct_live && used); \
	} \
	MODEL int plain(ARGUMENTS given const char *f, ...) \
	{ \
		int used = duct_result_used, n; \
		va_list ap; \
		if (fails(used, #plain)) \
			return -1; \
		va_start(ap, f); \
		n = print(file, f, ap, duct_live && used); \
		va_end(ap); \
		return n; \
	}

PRINT(printf, vprintf, (), stdout)
PRINT(fprintf, vfprintf, (FILE * file, ), file)
PRINT(__printf_chk, __vprintf_chk, (__attribute__((unused)) int flag, ), stdout)
PRINT(__fprintf_chk, __vfprintf_chk, (FILE * file, __attribute__((unused)) int flag, ), file)
