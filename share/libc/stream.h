/* stream: symbolic files as the library models of stdio and of descriptors read them. A file is
 * symbolic when run-trace was told so (--stdin, --file), or by default (--environment): its bytes
 * are inputs, made one by one as they are first read, and its end is decided by the input NAME.len.
 * The file itself holds the same bytes, for code that is not modelled. */
#ifndef DUCT_STREAM_H
#define DUCT_STREAM_H

#include <stdio.h>

#include "share/libc/model.h"

/* The content of a file, however often it is opened. */
struct file_content {
	struct file_content *next;
	const char *name;           /* of its inputs */
	const char *kind;           /* of the limit that its size is: "stdin" or "file" */
	uint32_t max;               /* bytes at most */
	uint32_t len;               /* symbolic */
	unsigned char *byte, *made; /* bytes, and which of them are inputs already */
	/* Kind and mode of a file that has a name (kinds.c): symbolic, and whether they are inputs
	 * already. */
	const char *path; /* NULL: it has none */
	unsigned char form, knows_kind, knows_mode;
	unsigned char looked; /* something was read, or its length used */
	uint16_t mode;
	uint32_t more, time; /* more: bytes that no run reads */
};

/* An open file description: what descriptors share. */
struct opened {
	struct file_content *content;
	uint64_t pos;
	uint32_t links; /* descriptors */
	int changed; /* the program writes the file: bytes that were not read ahead are read from it
	              */
	int ended;   /* a read has found the end */
};

/* A FILE, which reads a block ahead of what it gives, so that the description is at the end of the
 * block. */
struct stream {
	struct stream *next;
	FILE *file;
	struct opened *at;
	uint64_t pos, filled; /* next byte, end of the block */
	uint64_t block;
	int eof;
	int told;   /* at that end: the program knows that it is one, and that no read failed */
	int failed; /* there a read failed, instead */
	int pushed; /* characters given back by ungetc, in back[] */
	unsigned char back[8];
};

/* All is hidden: one copy in a program. */
#pragma GCC visibility push(hidden)
/* The stream behind a FILE, what a descriptor has open; NULL when it is concrete. Cheap when
 * nothing is symbolic. */
struct stream *duct_stream(FILE *f);
struct opened *duct_opened(int fd);
/* Is it standard input, whose position others may have set before? */
int duct_is_standard(const struct opened *o);
/* A read finds the end. That a later one finds it again is a limit: a terminal or a growing file
 * gives more, and the read before may have failed. */
void duct_opened_end(struct opened *o);
/* A file with this content was opened. f may be NULL. */
void duct_stream_open(struct file_content *c, FILE *f, int fd);
/* A FILE was made for a descriptor. */
void duct_stream_attach(FILE *f, int fd);
void duct_stream_drop(FILE *f);
/* duct_stream_close: a descriptor is closed. duct_stream_alias: a descriptor becomes a copy of an
 * open one, or, with NULL, of none. */
void duct_stream_close(int fd);
void duct_stream_alias(int fd, struct opened *o);
/* The stream, or what a descriptor has open, when it is about to be read; NULL when it is concrete.
 * If the run has written symbolic values into a concrete file, the read is reported as a loss. */
struct stream *duct_reader(FILE *f);
struct opened *duct_reader_fd(int fd);
/* Symbolic values were written to a file that is no symbolic one. */
void duct_stream_wrote(int fd);
/* The content called NAME, of `max` bytes at most, made when it is first asked for; NULL when out
 * of memory. */
struct file_content *duct_content(const char *name, const char *kind, uint32_t max);
/* duct_content_length: the length as a number. duct_content_touch: reports that the run reached the
 * content's limit. */
uint32_t duct_content_length(struct file_content *c);
void duct_content_touch(const struct file_content *c);
/* The descriptor, and streams of it, no longer read an input. */
void duct_stream_forget(int fd);
/* The program has opened the file for writing, or truncated it: streams that read it already return
 * the bytes that they have read ahead, and continue in the file itself. */
void duct_content_change(struct file_content *c);
/* A file that is an input was opened for reading and writing: its bytes are as in this run. */
void duct_content_updated(void);
/* Next character, or EOF. */
int duct_stream_get(struct stream *s);
int duct_opened_get(struct opened *o);

/* files.c: the content of the file with that name; NULL: it is concrete, or does not exist. Called
 * before the C library opens it for reading in FUNCTION. */
struct file_content *duct_file(const char *path, const char *function);
/* The same of one that is only named: it may be of any kind. */
struct file_content *duct_file_named(const char *path, const char *function);
/* kinds.c: is it a file that can be read? opens: the program is about to. Only runs that may open
 * it so go on. Is it a directory? */
int duct_content_is_regular(struct file_content *c, int opens);
void duct_content_allows(struct file_content *c, int writes);
int duct_content_is_directory(struct file_content *c);
/* pipe.c: n bytes were written to a pipe, or read from one: then they get their symbolic values
 * back, unless it returns 0. Further descriptors; fd -1: all pipes. */
void duct_pipe_wrote(int fd, const void *from, size_t n);
int duct_pipe_gave(int fd, void *buffer, size_t n);
void duct_pipe_close(int fd);
void duct_pipe_copied(int fd, int to);
void duct_pipe_lose(int fd);

/* system.c: is the descriptor a terminal? -1: that is no input. */
int duct_is_terminal(int fd);
/* machine.c: the text that the inputs INPUT[i] are, after `before`, as an answer of FUNCTION. NULL
 * when it is none. */
char *duct_answered(const char *function, const char *input, const char *before);
/* machine.c: the result of sysconf(_SC_OPEN_MAX), a resource limit. */
long duct_open_max(void);

/* The working directory has changed since the start. */
extern int duct_moved;
/* children.c: the program is about to fork; this process, to run another program. */
void duct_children_begin(void);
void duct_child_tries(void);

/* signal.c: the program has installed a handler. */
extern int duct_handles;
/* For harnesses: a parameter of type FILE *. */
FILE *duct_model_stream(const char *name);
/* The program is about to look at the whole folder: 0 when that is not the one of its files. The
 * text behind a name of n characters that it has there; NULL: it follows from no input. */
int duct_files_list(const char *path);
const char *duct_file_name(const char *name, size_t n);
/* The program creates or changes the file: it is concrete from now on. duct_file_write: it is
 * changed in place, so that streams that read it already see the change. duct_stdin_write: by
 * descriptor 0, which is open for reading and writing. */
void duct_file_own(const char *path);
void duct_file_write(const char *path);
void duct_stdin_write(void);

/* The output of a stream of open_memstream. */
struct memory {
	struct memory *next;
	FILE *file; /* the C library's; nothing is written to it */
	char **at, *buf, *unused;
	size_t *size, n, room, unused_size;
};
struct memory *duct_memory(FILE *f);
void duct_memory_close(FILE *f);
#pragma GCC visibility pop

/* glibc has a mark in a FILE, which is overwritten when that is closed. */
static inline void duct_stream_check(const FILE *f)
{
	if (duct_live)
		duct_rt_used_as_stream(f);
	if (f && ((unsigned)f->_flags & 0xffff0000u) != 0xfbad0000u)
		duct_rt_closed();
}

/* Called before the C library follows the pointer: detects a null pointer. */
static inline void duct_follows(FILE *f)
{
	if (!duct_live)
		return;
	duct_rt_used_as_stream(f);
	(void)*(const volatile char *)f;
	duct_stream_check(f);
}

/* Is it another stream than stdout and stderr, whose output the program does not read? */
static inline int duct_writes_file(FILE *f)
{
	return !duct_rt_same(f, stdout) && !duct_rt_same(f, stderr);
}

/* Calls the C library's function, for calls without symbolic values. */
#define CALL_REAL(name, ...) \
	({ \
		static void *real_; \
		((__typeof__(&name))duct_model_real(&real_, #name))(__VA_ARGS__); \
	})

#endif
