/* Calls of code that is not woven. Called after such a call returned: what it was
 * given, and what it may have written. */
#include "lib/runtime/rt.h"
#include <stdio.h>

/* What a function of the C library does with memory behind its pointer arguments, and
 * whether a symbolic argument is a loss: output changes nothing that a path sees but for its result, and
 * CONTENT has one that does not tell what was written. */
enum effect { WRITES, READS, OUTPUT, CONTENT, THREADS };

struct known { const char *name; enum effect effect; };

static const struct known known[] = { /* sorted by name */
	{ "abs", READS }, { "access", READS }, { "alarm", OUTPUT }, { "atexit", OUTPUT }, { "atof", READS },
	{ "atoi", READS }, { "atol", READS }, { "atoll", READS }, { "bcmp", READS }, { "chdir", READS },
	{ "chmod", READS }, { "clock", READS }, { "close", OUTPUT }, { "dprintf", OUTPUT },
	{ "errx", OUTPUT }, { "fclose", OUTPUT }, { "fdopen", READS }, { "feof", READS }, { "ferror", READS },
	{ "fflush", OUTPUT }, { "ffs", READS }, { "fileno", READS }, { "flockfile", OUTPUT },
	{ "fopen", READS }, { "fprintf", OUTPUT }, { "fputc", OUTPUT }, { "fputs", CONTENT },
	{ "free", OUTPUT }, { "freopen", READS }, { "funlockfile", OUTPUT }, { "fwrite", OUTPUT },
	{ "getenv", READS }, { "getpid", READS }, { "getppid", READS }, { "getuid", READS },
	{ "index", READS }, { "isalnum", READS }, { "isalpha", READS }, { "isatty", READS },
	{ "isdigit", READS }, { "islower", READS }, { "isspace", READS }, { "isupper", READS },
	{ "labs", READS }, { "llabs", READS }, { "longjmp", OUTPUT }, { "malloc", READS },
	{ "memchr", READS }, { "memcmp", READS }, { "memmem", READS }, { "memrchr", READS },
	{ "mkdir", READS }, { "open", READS }, { "perror", OUTPUT }, { "printf", OUTPUT },
	{ "pthread_create", THREADS }, { "pthread_mutex_destroy", OUTPUT }, { "pthread_mutex_init", OUTPUT },
	{ "pthread_mutex_lock", OUTPUT }, { "pthread_mutex_unlock", OUTPUT }, { "putc", OUTPUT },
	{ "putchar", OUTPUT }, { "putenv", READS }, { "puts", OUTPUT }, { "raise", OUTPUT },
	{ "rand", READS }, { "remove", READS }, { "rename", READS }, { "rindex", READS }, { "rmdir", READS },
	{ "setbuf", OUTPUT }, { "setbuffer", OUTPUT }, { "setenv", READS }, { "setlinebuf", OUTPUT },
	{ "setlocale", READS }, { "setvbuf", OUTPUT }, { "signal", OUTPUT }, { "sleep", OUTPUT },
	{ "srand", OUTPUT }, { "srandom", OUTPUT }, { "strcasecmp", READS }, { "strchr", READS },
	{ "strcmp", READS }, { "strcoll", READS }, { "strcspn", READS }, { "strdup", READS },
	{ "strerror", READS }, { "strlen", READS }, { "strncasecmp", READS }, { "strncmp", READS },
	{ "strndup", READS }, { "strnlen", READS }, { "strpbrk", READS }, { "strrchr", READS },
	{ "strsignal", READS }, { "strspn", READS }, { "strstr", READS }, { "strverscmp", READS },
	{ "syslog", OUTPUT }, { "system", READS }, { "thrd_create", THREADS }, { "tolower", READS },
	{ "toupper", READS }, { "unlink", READS }, { "usleep", OUTPUT }, { "vfprintf", OUTPUT },
	{ "vprintf", OUTPUT }, { "warn", OUTPUT }, { "warnx", OUTPUT }, { "write", OUTPUT },
};

static int order(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return (uint8_t)*a - (uint8_t)*b;
}

static enum effect effect_of(const char *name)
{
	size_t low = 0, high = sizeof known / sizeof *known;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int c = order(name, known[middle].name);

		if (c == 0)
			return known[middle].effect;
		if (c < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return WRITES;
}

/* Bytes that a callee may reach directly through p: to the end of its object. */
size_t duct_reach(uintptr_t p)
{
	struct duct_object *o = duct_object_at(p);

	return o && p - o->base < o->room ? o->room - (p - o->base) : 16;
}

static bool symbolic(uintptr_t p, size_t n)
{
	uintptr_t end = p + n;

	while ((p = duct_next_flag(p, end)) < end) {
		if (duct_entry(p))
			return true;
		p++;
	}
	return false;
}

int duct_rt_symbolic(const void *p, size_t n)
{
	const char *s = p;

	for (size_t i = 0; duct_channel && i < n; i++) {
		duct_node byte = duct_rt_node_at(s + i, 1);

		if (byte && !duct_implied(byte, 4))
			return 1;
	}
	return 0;
}

/* Streams whose bytes are inputs: what has no model would read values that nothing is known of.
 * When there are more than the table holds, any may be one. */
static const void *streams[64];
static uint32_t stream_count;

static bool is_stream(uint64_t p)
{
	for (uint32_t i = 0; i < stream_count; i++)
		if ((uintptr_t)streams[i] == p)
			return true;
	return stream_count == sizeof streams / sizeof *streams || (p == (uintptr_t)stdin && (duct_rt_setup("", "stdin") || duct_rt_environment()));
}

void duct_rt_stream(const void *file)
{
	if (!is_stream((uintptr_t)file))
		streams[stream_count++] = file;
}

bool duct_may_write(const char *name)
{
	return effect_of(name) == WRITES;
}

void duct_rt_external(struct duct_unit *u, uint32_t place, const char *name, uint32_t n,
                      const uint64_t *value, uint64_t pointers)
{
	enum effect effect;
	bool lost = false;

	if (!duct_channel)
		return;
	effect = effect_of(name);
	if (effect == THREADS)
		duct_lost(u, place, "threads are not followed", NULL);
	for (uint32_t i = 0; i < n; i++) {
		lost |= duct_args[i] && !duct_implied(duct_args[i], 4);
		if (i >= 63 || !(pointers >> i & 1) || value[i] < 4096)
			continue;
		lost |= effect != CONTENT && symbolic(value[i], duct_reach(value[i]));
		if (effect == WRITES && name[0] != '(') /* models call through pointers */
			lost |= is_stream(value[i]);
		if (effect == WRITES)
			duct_shadow_clear(value[i], duct_reach(value[i]));
	}
	if (lost && ((effect != OUTPUT && effect != CONTENT) || pointers >> 63))
		duct_lost(u, place, "symbolic value into ", name);
}
