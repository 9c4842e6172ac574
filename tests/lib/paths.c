/* Counts the paths that a set of concrete inputs takes, without duct: the program is built
 * by clang with -fsanitize-coverage=trace-pc-guard, which calls us at every edge, and
 * a path is the hash of that sequence. An oracle for "paths" where all inputs can be tried.
 *
 * A test supplies `void enumerate(void)`, which calls path_try for every input.
 */
#include "tests/lib/paths.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash;
static int on;
static uint64_t *set;
static size_t room, used;
static jmp_buf out;

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);
void __sanitizer_cov_trace_pc_guard(uint32_t *guard);
void duct_assume(int condition);

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop)
{
	static uint32_t n;

	for (; start < stop; start++)
		*start = ++n;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
	if (on)
		hash = (hash ^ *guard) * 0x9E3779B97F4A7C15u + 1;
}

static int insert(uint64_t h)
{
	size_t i = h % room;

	while (set[i] != 0 && set[i] != h)
		i = (i + 1) % room;
	if (set[i] == h)
		return 0;
	set[i] = h;
	return 1;
}

static void grow(void)
{
	uint64_t *old = set;
	size_t n = room;

	room = room ? 2 * room : 1024;
	set = calloc(room, sizeof *set);
	if (set == NULL)
		exit(4);
	for (size_t i = 0; i < n; i++)
		if (old[i] != 0)
			insert(old[i]);
	free(old);
}

static void path_end(void)
{
	on = 0;
	if (2 * (used + 1) > room)
		grow();
	used += (size_t)insert(hash);
}

/* An assumption that fails makes the input no path at all. A caller's && inside the
 * argument would tell apart inputs that take one path, so its edges are not counted: the
 * enumerations only try what is assumed. */
void duct_assume(int condition)
{
	if (!condition) {
		on = 0;
		longjmp(out, 1);
	}
}

/* A program that fails still took its path. */
void abort(void)
{
	path_end();
	longjmp(out, 1);
}

void path_try(void (*run)(void))
{
	if (setjmp(out))
		return;
	hash = 1;
	on = 1;
	run();
	path_end();
}

void path_ints(int *word, int n, int low, int high, void (*each)(void))
{
	if (n == 0) {
		each();
		return;
	}
	for (int i = low; i <= high; i++) {
		word[0] = i;
		path_ints(word + 1, n - 1, low, high, each);
	}
}

void path_text(char *word, int n, const char *alphabet, void (*each)(void))
{
	*word = '\0';
	each();
	for (const char *p = alphabet; n > 0 && *p != '\0'; p++) {
		*word = *p;
		path_text(word + 1, n - 1, alphabet, each);
		*word = '\0';
	}
}

int main(void)
{
	enumerate();
	fprintf(stderr, "%zu\n", used);
	return 0;
}
