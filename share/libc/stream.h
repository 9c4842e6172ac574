/* stream: symbolic files as the models of stdio and of descriptors read them. A file is
 * symbolic when run-trace was told so (--stdin, --file): its bytes are inputs, made one by
 * one as they are first read, and its end is decided by the input NAME.len. The file itself holds
 * the same bytes, for code that is not modelled. */
#ifndef DUCT_STREAM_H
#define DUCT_STREAM_H

#include <stdio.h>

#include "share/libc/model.h"

/* What is in a file, however often it is opened. */
struct content {
	struct content *next;
	const char *name;
	uint32_t max;                /* bytes at most */
	uint32_t len;                /* symbolic */
	unsigned char *byte, *made;  /* bytes, and which of them are inputs already */
};

/* A file that is open. */
struct stream {
	struct stream *next;
	struct content *content;
	FILE *file;                  /* NULL: opened by descriptor only */
	int fd;
	uint64_t pos;
	int eof;
	int pushed;                  /* characters given back by ungetc, in back[] */
	unsigned char back[8];
};

/* All is hidden: one copy in a program. */
#pragma GCC visibility push(hidden)
/* The stream behind a FILE or a descriptor, NULL when it is concrete. Cheap when nothing is
 * symbolic. */
struct stream *duct_stream(FILE *f);
struct stream *duct_stream_fd(int fd);
/* A file was opened: makes it a stream if it is a symbolic one. */
void duct_stream_open(const char *path, FILE *f, int fd);
/* This descriptor of it is closed. */
void duct_stream_close(struct stream *s, int fd);
/* Another descriptor for the same open file. */
void duct_stream_alias(int fd, struct stream *s);
/* The same, about to be read: where a run has written symbolic values into the file before, reading
 * what has no model is a loss. */
struct stream *duct_reader(FILE *f);
struct stream *duct_reader_fd(int fd);
/* Symbolic values were written to a file that is no symbolic one. */
void duct_stream_wrote(int fd);
/* Is this path a symbolic file? Its length then. */
const uint32_t *duct_stream_length(const char *path);
/* Is there a byte to read? Decides the end of the file. */
int duct_stream_more(struct stream *s);
/* Next byte, or EOF. */
int duct_stream_get(struct stream *s);

/* What is written to a stream of open_memstream. */
struct memory {
	struct memory *next;
	FILE *file;                  /* the C library's; nothing is written to it */
	char **at, *buf, *unused;
	size_t *size, n, room, unused_size;
};
struct memory *duct_memory(FILE *f);
void duct_memory_close(FILE *f);
#pragma GCC visibility pop

/* The C library's function, for what is not symbolic. */
#define CALL_REAL(name, ...) \
	({ static void *real_; ((__typeof__(&name))duct_model_real(&real_, #name))(__VA_ARGS__); })

#endif
