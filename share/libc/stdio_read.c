/* Reading of stdio streams; streams that are not symbolic are left to the C library. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "share/libc/stream.h"
#include "share/libc/names.h"

#undef getchar
#undef getc_unlocked
#undef getchar_unlocked
#undef fgetc_unlocked
#undef feof_unlocked
#undef ferror_unlocked
#undef clearerr_unlocked
#undef fread_unlocked

int _IO_getc(FILE *f);
ssize_t __getdelim(char **line, size_t *size, int end, FILE *f);

#define GET(name) \
	MODEL int name(FILE *f) \
	{ \
		struct stream *s = duct_reader(f); \
		return s ? duct_stream_get(s) : CALL_REAL(fgetc, f); \
	}

GET(getc)
ALIAS(getc)
GET(fgetc)
GET(_IO_getc)
GET(getc_unlocked)
GET(fgetc_unlocked)

MODEL int getchar(void)
{
	return getc(stdin);
}

MODEL int getchar_unlocked(void)
{
	return getc(stdin);
}

MODEL int ungetc(int c, FILE *f)
{
	struct stream *s = duct_stream(f);

	if (!s)
		return CALL_REAL(ungetc, c, f);
	if (c == EOF || s->pushed == sizeof s->back)
		return EOF;
	s->back[s->pushed++] = (unsigned char)c;
	s->eof = s->told = 0;
	return (unsigned char)c;
}

/* The memory that the C library is going to write is concrete from now on. */
static void forget(void *p, size_t n)
{
	duct_rt_set(NULL, 0, p, n, 0, 0, 0);
}

char *fgets(char *buf, int size, FILE *f)
{
	struct stream *s = duct_reader(f);
	int n = 0, c = 0;

	if (!s) {
		if (size > 0)
			forget(buf, (size_t)size);
		return CALL_REAL(fgets, buf, size, f);
	}
	if (size <= 0)
		return NULL;
	while (n < size - 1 && (c = duct_stream_get(s)) != EOF) {
		buf[n++] = (char)c;
		if (c == '\n')
			break;
	}
	if (n == 0 && size > 1)
		return NULL;
	s->told |= s->eof; /* the end of a line that a failure would have lost */
	buf[n] = 0;
	duct_rt_written(buf, (size_t)n + 1);
	return buf;
}
ALIAS(fgets)

MODEL char *fgets_unlocked(char *buf, int size, FILE *f)
{
	return fgets(buf, size, f);
}

char *gets(char *s);

/* Each byte is checked before it is written, as the object may end before the line does. */
MODEL char *gets(char *s)
{
	struct stream *in = duct_reader(stdin);
	int c = EOF;
	size_t n = 0;

	if (!in)
		return CALL_REAL(gets, s);
	while ((c = duct_stream_get(in)) != EOF && c != '\n') {
		duct_rt_written(s, n + 1);
		s[n++] = (char)c;
	}
	if (n == 0 && c == EOF)
		return NULL;
	in->told |= in->eof;
	duct_rt_written(s, n + 1);
	s[n] = 0;
	return s;
}

size_t fread(void *buf, size_t size, size_t count, FILE *f)
{
	struct stream *s = duct_reader(f);
	unsigned char *p = buf;
	size_t n = 0;
	int c;

	if (!s) {
		forget(buf, size * count);
		return CALL_REAL(fread, buf, size, count, f);
	}
	if (!size)
		return 0;
	while (n < size * count && (c = duct_stream_get(s)) != EOF)
		p[n++] = (unsigned char)c;
	duct_rt_written(buf, n);
	return n / size;
}
ALIAS(fread)

MODEL size_t fread_unlocked(void *buf, size_t size, size_t count, FILE *f)
{
	return fread(buf, size, count, f);
}

/* Room for n bytes in *line. */
static int make_room(char **line, size_t *size, size_t n)
{
	size_t more = *size ? *size : 120;
	char *p;

	if (*line && *size >= n)
		return 1;
	while (more < n)
		more *= 2;
	if (!(p = realloc(*line, more))) {
		errno = ENOMEM;
		return 0;
	}
	*line = p;
	*size = more;
	return 1;
}

ssize_t getdelim(char **line, size_t *size, int end, FILE *f)
{
	struct stream *s = duct_reader(f);
	size_t n = 0;
	int c;

	if (!s) {
		if (line && *line && size)
			forget(*line, *size);
		return CALL_REAL(getdelim, line, size, end, f);
	}
	if (!line || !size) {
		errno = EINVAL;
		return -1;
	}
	if (!*line)
		*size = 0;
	while ((c = duct_stream_get(s)) != EOF) {
		if (!make_room(line, size, n + 2))
			return -1;
		(*line)[n++] = (char)c;
		if (c == end)
			break;
	}
	if (!n)
		return -1;
	s->told |= s->eof;
	(*line)[n] = 0;
	return (ssize_t)n;
}
ALIAS(getdelim)

MODEL ssize_t __getdelim(char **line, size_t *size, int end, FILE *f)
{
	return getdelim(line, size, end, f);
}

MODEL ssize_t getline(char **line, size_t *size, FILE *f)
{
	return getdelim(line, size, '\n', f);
}

/* ---- state */

/* May callers of the entry have read all of standard input before? */
static int may_have_ended(const struct stream *s)
{
	return HAS_CALLERS && duct_is_standard(s->at) && !s->pos && !s->pushed;
}

#define END(name) \
	MODEL int name(FILE *f) \
	{ \
		struct stream *s = duct_stream(f); \
		duct_stream_check(f); \
		if (s && (s->eof ? !s->told && !s->failed : may_have_ended(s))) \
			OUTSIDE(#name); \
		if (s && s->eof) \
			s->told = 1; \
		return s ? s->eof && !s->failed : CALL_REAL(feof, f); \
	}

END(feof)
END(feof_unlocked)

/* Reading may have failed instead of reached the end of the file, until a call shows that it has
 * not. All calls are counted, so that tests find the one that fails. */
#define ERROR(name) \
	MODEL int name(FILE *f) \
	{ \
		struct stream *s = duct_stream(f); \
		int open = s ? s->eof && !s->told && !s->failed : __fwriting(f); \
		int used = duct_result_used && open; \
		int fails = FAILS_IF(used, #name, 0); \
		duct_stream_check(f); \
		if (!s) \
			return fails ? 1 : CALL_REAL(ferror, f); \
		s->told |= used; \
		return s->failed |= fails; \
	}

ERROR(ferror)
ERROR(ferror_unlocked)

void clearerr(FILE *f)
{
	struct stream *s = duct_stream(f);

	if (s)
		s->eof = s->told = s->failed = 0;
	CALL_REAL(clearerr, f);
}
ALIAS(clearerr)

MODEL void clearerr_unlocked(FILE *f)
{
	clearerr(f);
}

/* ---- buffers: how far is read ahead */

static void set_block(FILE *f, const char *buf, uint64_t size)
{
	struct stream *s = duct_stream(f);

	if (!s)
		return;
	s->block = size ? size : 1;
	if (buf)
		duct_rt_lost(duct_block_unit, duct_block,
		    "buffer of a symbolic stream, which is not filled");
}

static int buffered(FILE *f, char *buf, int mode, size_t size)
{
	duct_follows(f);
	set_block(f, buf, mode == _IONBF ? 1 : buf ? size : BUFSIZ / 2);
	return CALL_QUIETLY("setvbuf", setvbuf, f, buf, mode, size);
}

MODEL int setvbuf(FILE *f, char *buf, int mode, size_t size)
{
	return buffered(f, buf, mode, size);
}

MODEL void setbuf(FILE *f, char *buf)
{
	buffered(f, buf, buf ? _IOFBF : _IONBF, BUFSIZ);
}

MODEL void setbuffer(FILE *f, char *buf, size_t size)
{
	buffered(f, buf, buf ? _IOFBF : _IONBF, size);
}

#define FILENO(name) \
	MODEL int name(FILE *f) \
	{ \
		duct_follows(f); \
		return CALL_QUIETLY(#name, name, f); \
	}
FILENO(fileno)
FILENO(fileno_unlocked)

/* ---- position; what was pushed back counts as not read */

static int64_t position(const struct stream *s)
{
	return (int64_t)(s->pos == s->filled ? s->at->pos : s->pos) - s->pushed;
}

static int seek(struct stream *s, int64_t offset, int whence)
{
	int64_t to = whence == SEEK_SET ? offset
	    : whence == SEEK_CUR        ? position(s) + offset
	                                : (int64_t)duct_content_length(s->at->content) + offset;

	if (whence < 0 || whence > 2 || to < 0) {
		errno = EINVAL;
		return -1;
	}
	if (s->at->changed) {
		if (CALL_QUIETLY("fseeko", fseeko, s->file, whence == SEEK_END ? offset : to,
		        whence == SEEK_END ? SEEK_END : SEEK_SET))
			return -1;
		to = CALL_QUIETLY("ftello", ftello, s->file);
	}
	s->pos = s->filled = s->at->pos = (uint64_t)to;
	s->pushed = 0;
	s->eof = s->told = 0;
	return 0;
}

MODEL int fseek(FILE *f, long offset, int whence)
{
	struct stream *s = duct_stream(f);

	if (MAY_FAIL("fseek", ESPIPE))
		return -1;
	return s ? seek(s, offset, whence) : CALL_REAL(fseek, f, offset, whence);
}

MODEL int fseeko(FILE *f, off_t offset, int whence)
{
	struct stream *s = duct_stream(f);

	if (MAY_FAIL("fseeko", ESPIPE))
		return -1;
	return s ? seek(s, offset, whence) : CALL_REAL(fseeko, f, offset, whence);
}

MODEL void rewind(FILE *f)
{
	struct stream *s = duct_stream(f);

	if (s) {
		seek(s, 0, SEEK_SET);
		s->failed = 0;
	} else {
		CALL_REAL(rewind, f);
	}
}

MODEL long ftell(FILE *f)
{
	struct stream *s = duct_stream(f);
	struct memory *m = duct_memory(f);

	if (MAY_FAIL("ftell", ESPIPE))
		return -1;
	if (s && duct_is_standard(s->at))
		OUTSIDE("ftell"); /* others may have read from it before */
	return m ? (long)m->n : s ? (long)position(s) : CALL_REAL(ftell, f);
}

MODEL off_t ftello(FILE *f)
{
	struct stream *s = duct_stream(f);

	if (MAY_FAIL("ftello", ESPIPE))
		return -1;
	if (s && duct_is_standard(s->at))
		OUTSIDE("ftello");
	return s ? (off_t)position(s) : CALL_REAL(ftello, f);
}

/* ---- opening and closing */

/* Does the mode only read? A file that is written is the program's own from then on. */
static int only_reads(const char *path, const char *mode, const struct file_content *c)
{
	int updates = strchr(mode, '+') != NULL;

	if (mode[0] == 'r' && !updates)
		return 1;
	if (c && updates && mode[0] != 'w')
		duct_content_updated();
	duct_file_write(path);
	return 0;
}

/* Is it a valid mode? The C library examines the rest, which it gets unchanged except for '+'. */
static int is_mode(const char *mode)
{
	if (*mode == 'r' || *mode == 'w' || *mode == 'a')
		return 1;
	errno = EINVAL;
	return 0;
}

static FILE *opened(const char *path, const char *mode, const char *function)
{
	struct file_content *c;
	FILE *f;

	if (!is_mode(mode))
		return NULL;
	c = duct_file(path, function);
	f = CALL_QUIETLY("fopen", fopen, path, mode);

	if (f && c)
		duct_content_allows(c, mode[0] != 'r');
	if (f && only_reads(path, mode, c))
		duct_stream_open(c, f, fileno(f));
	return f;
}

FILE *fopen(const char *path, const char *mode)
{
	return FAILS("fopen", EACCES) ? NULL : opened(path, mode, "fopen");
}
ALIAS(fopen)

MODEL FILE *fopen64(const char *path, const char *mode)
{
	return FAILS("fopen64", EACCES) ? NULL : opened(path, mode, "fopen64");
}

MODEL FILE *fdopen(int fd, const char *mode)
{
	FILE *f;

	if (MAY_FAIL("fdopen", ENOMEM))
		return NULL;
	OUTSIDE("fdopen"); /* which descriptors are open at the start */
	f = CALL_REAL(fdopen, fd, mode);
	duct_pipe_lose(fd);
	if (f)
		duct_stream_attach(f, fd);
	return f;
}

/* The FILE of stdin is another stream of the same name then. */
MODEL FILE *freopen(const char *path, const char *mode, FILE *f)
{
	struct file_content *c = path ? duct_file(path, "freopen") : NULL;

	if (duct_stream(f)) {
		duct_stream_close(fileno(f));
		duct_stream_drop(f);
	}
	f = CALL_QUIETLY("freopen", freopen, path, mode, f);
	if (f && path && only_reads(path, mode, c))
		duct_stream_open(c, f, fileno(f));
	return f;
}

MODEL int fclose(FILE *f)
{
	duct_stream_check(f);
	duct_memory_close(f);
	if (duct_stream(f)) {
		duct_stream_close(fileno(f));
		duct_stream_drop(f);
	}
	if (FAILS("fclose", EIO)) {
		int error = errno;

		CALL_REAL(fclose, f);
		errno = error;
		return EOF;
	}
	return CALL_REAL(fclose, f);
}

/* ---- functions that read in a way that is not followed */

#define LOST(name) \
	do { \
		if (duct_live || duct_rt_environment()) \
			duct_rt_lost(duct_block_unit, duct_block, \
			    "input of " #name ", which is not followed"); \
	} while (0)

MODEL wint_t getwchar(void)
{
	LOST(getwchar);
	return CALL_REAL(getwchar);
}

MODEL FILE *fmemopen(void *buf, size_t n, const char *mode)
{
	LOST(fmemopen);
	return CALL_REAL(fmemopen, buf, n, mode);
}

/* The output of a command is an input, because any program may have that command's name. */
MODEL FILE *popen(const char *command, const char *mode)
{
	static unsigned count;
	struct file_content *c;
	char name[40];
	FILE *f;

	if (MAY_FAIL("popen", EMFILE))
		return NULL;
	f = CALL_REAL(popen, command, mode);
	if (!f || *mode != 'r')
		return f;
	if (duct_rt_apart() || !duct_rt_environment()) {
		LOST(popen);
		return f;
	}
	CALL_QUIETLY("sprintf", sprintf, name, "system.popen[%u]", count++);
	if ((c = duct_content(name, "answer", (uint32_t)duct_rt_grown("text"))))
		duct_stream_open(c, f, fileno(f));
	return f;
}

MODEL FILE *tmpfile(void)
{
	if (MAY_FAIL("tmpfile", EACCES))
		return NULL;
	LOST(tmpfile);
	return CALL_REAL(tmpfile);
}
