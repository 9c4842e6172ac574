/* models: what the tests of share/libc share. Each includes models, compiled plainly under other
 * names, before this header, and compares them with the C library on random arguments. */
#ifndef DUCT_TESTS_MODELS_H
#define DUCT_TESTS_MODELS_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "share/libc/stream.h"
#include "tests/unit/tap.h"

/* With a sanitizer: strtol and the like are the C library's own, with which models are compared. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "replace_str=0";
}

/* The functions that names.h renames. */
#undef strlen
#undef strnlen
#undef strchr
#undef strrchr
#undef strcmp
#undef memcmp
#undef stpcpy
#undef stpncpy
#undef strspn
#undef strcspn
#undef strtok_r
#undef strtol
#undef strtoll
#undef strtoul
#undef strtod
#undef strtof
#undef qsort_r
#undef getc
#undef fgets
#undef fread
#undef getdelim
#undef fopen
#undef clearerr
#undef read
#undef fork
#undef memcpy
#undef memset
#undef malloc
#undef calloc
#undef realloc

uint32_t duct_live = 1;
uint32_t duct_block, duct_inner, duct_faults_left;
const char *duct_native;
struct duct_unit *duct_block_unit;

/* No stream is symbolic here. */
struct stream *duct_reader(FILE *f)
{
	(void)f;
	return NULL;
}

int duct_stream_get(struct stream *s)
{
	(void)s;
	return EOF;
}

void duct_rt_lost(struct duct_unit *u, uint32_t place, const char *reason)
{
	(void)u;
	(void)place;
	(void)reason;
}

void duct_rt_set(struct duct_unit *u, uint32_t place, void *d, size_t n, duct_node byte,
    duct_node nd, duct_node nn)
{
	(void)u, (void)place, (void)d, (void)n, (void)byte, (void)nd, (void)nn;
}

void duct_rt_written(const void *p, size_t n)
{
	(void)p, (void)n;
}

void duct_need_earlier(const char *name)
{
	(void)name;
}

int duct_rt_symbolic(const void *p, size_t n)
{
	(void)p;
	return n == 0;
}

/* Models answer all themselves. */
int duct_rt_native(const void *p, size_t n, ...)
{
	(void)p, (void)n;
	return 0;
}

int duct_rt_native_number(const char *s, const char *stop, ...)
{
	(void)s, (void)stop;
	return 0;
}

int duct_rt_number(struct duct_number *to, const char *s, int base, int is_signed)
{
	(void)to, (void)s, (void)base, (void)is_signed;
	return 0;
}

int duct_rt_compare(int *to, const void *a, const void *b, size_t n, uint32_t how)
{
	(void)to, (void)a, (void)b, (void)n, (void)how;
	return 0;
}

int duct_rt_find(char **to, const void *s, int c, size_t n)
{
	(void)to, (void)s, (void)c, (void)n;
	return 0;
}

int duct_rt_native_print(const char *format, const void *ap, const void *to, size_t room)
{
	(void)format, (void)ap, (void)to, (void)room;
	return 0;
}

int duct_rt_native_scan(const char *s, const char *format, const void *ap)
{
	(void)s, (void)format, (void)ap;
	return 0;
}

int duct_rt_fails(const char *function, int error)
{
	return function == NULL && error;
}

void *duct_rt_real(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* A string of at most n letters from a small alphabet, so that things happen. */
static void text(char *s, size_t n, const char *alphabet)
{
	size_t k = below((unsigned)n + 1);

	while (k--)
		*s++ = alphabet[below((unsigned)strlen(alphabet))];
	*s = 0;
}

#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wstringop-truncation"
#define ROUNDS 20000
#define FOR_ALL(what, alphabet, test) \
	do { \
		char a[16], b[16]; \
		int round, fine = 1; \
		for (round = 0; round < ROUNDS; round++) { \
			unsigned n = below(12); \
			int c = alphabet[below(sizeof alphabet)]; \
			text(a, 12, alphabet); \
			text(b, 4, alphabet); \
			(void)n; \
			(void)c; \
			if (!(test) && fine) { \
				printf("# %s: \"%s\" \"%s\" %u '%c'\n", what, a, b, n, c); \
				fine = 0; \
			} \
		} \
		ok(fine, what); \
	} while (0)

#endif
