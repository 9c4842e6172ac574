/* library: what functions of the C library do with the memory that their arguments point to. */
#include "lib/alias/inner.h"

#include <stdlib.h>
#include <string.h>

/* A letter an argument, the last one stands for all that follow: r reads, w writes, b both, - neither.
 * Before a colon: = returns its first argument or a place in that object, * a new object, c copies
 * from its second argument to the first. Sorted by name. */
static const struct alias_library library[] = {
	{ "__assert_fail", ":-" }, { "__ctype_b_loc", ":-" }, { "__errno_location", ":-" },
	{ "__isoc23_scanf", ":rw" }, { "__isoc23_sscanf", ":rrw" }, { "__isoc23_strtol", ":rw-" },
	{ "__isoc23_strtoul", ":rw-" }, { "__isoc99_fscanf", ":brw" }, { "__isoc99_scanf", ":rw" },
	{ "__isoc99_sscanf", ":rrw" },
	{ "abort", ":-" }, { "abs", ":-" }, { "aligned_alloc", "*:-" }, { "atof", ":r" }, { "atoi", ":r" },
	{ "atol", ":r" }, { "atoll", ":r" }, { "calloc", "*:-" }, { "ceil", ":-" }, { "close", ":-" },
	{ "cos", ":-" }, { "duct_assert", ":-" }, { "duct_assume", ":-" }, { "duct_rt_choice", ":r-" },
	{ "duct_rt_input", ":w-rr" }, { "duct_rt_result", ":-" }, { "duct_symbolic", ":w-r" },
	{ "exit", ":-" }, { "exp", ":-" }, { "fabs", ":-" }, { "fclose", ":b" }, { "feof", ":r" },
	{ "ferror", ":r" }, { "fflush", ":b" }, { "fgetc", ":b" }, { "fgets", "=:w-b" }, { "floor", ":-" },
	{ "fmod", ":-" }, { "fopen", ":r" }, { "fprintf", ":br" }, { "fputc", ":-b" }, { "fputs", ":rb" },
	{ "fread", ":w--b" }, { "free", ":-" }, { "fscanf", ":brw" }, { "fseek", ":b-" }, { "fwrite", ":r--b" },
	{ "getc", ":b" }, { "getchar", ":-" }, { "getenv", ":r" }, { "gets", "=:w" }, { "isalnum", ":-" },
	{ "isalpha", ":-" }, { "isdigit", ":-" }, { "islower", ":-" }, { "isprint", ":-" }, { "ispunct", ":-" },
	{ "isspace", ":-" }, { "isupper", ":-" }, { "isxdigit", ":-" }, { "labs", ":-" }, { "log", ":-" },
	{ "malloc", "*:-" }, { "memchr", "=:r" }, { "memcmp", ":rr-" }, { "memcpy", "c=:wr-" },
	{ "memmove", "c=:wr-" }, { "mempcpy", "c=:wr-" }, { "memset", "=:w-" }, { "open", ":r-" },
	{ "perror", ":r" }, { "pow", ":-" }, { "printf", ":r" }, { "putc", ":-b" }, { "putchar", ":-" },
	{ "puts", ":r" }, { "rand", ":-" }, { "read", ":-w-" }, { "realloc", "*c=:b" }, { "remove", ":r" },
	{ "rewind", ":b" }, { "scanf", ":rw" }, { "sin", ":-" }, { "snprintf", ":w-r" }, { "sprintf", ":wr" },
	{ "sqrt", ":-" }, { "srand", ":-" }, { "sscanf", ":rrw" }, { "stpcpy", "=:wr" }, { "strcasecmp", ":rr" },
	{ "strcat", "=:br" }, { "strchr", "=:r" }, { "strcmp", ":rr" }, { "strcpy", "=:wr" }, { "strcspn", ":rr" },
	{ "strdup", "*:r" }, { "strerror", ":-" }, { "strlen", ":r" }, { "strncasecmp", ":rr-" },
	{ "strncat", "=:br-" }, { "strncmp", ":rr-" }, { "strncpy", "=:wr-" }, { "strndup", "*:r-" },
	{ "strnlen", ":r-" }, { "strpbrk", "=:rr" }, { "strrchr", "=:r" }, { "strspn", ":rr" },
	{ "strstr", "=:rr" }, { "strtod", ":rw" }, { "strtol", ":rw-" }, { "strtoll", ":rw-" },
	{ "strtoul", ":rw-" }, { "strtoull", ":rw-" }, { "time", ":w" }, { "tolower", ":-" }, { "toupper", ":-" },
	{ "ungetc", ":-b" }, { "unlink", ":r" }, { "write", ":-r-" },
};

static int compare(const void *name, const void *entry)
{
	return strcmp(name, ((const struct alias_library *)entry)->name);
}

const struct alias_library *alias_library(const char *name)
{
	/* The compiler's own: they note something, or save and restore the stack. */
	static const struct alias_library intrinsic = { "llvm.", ":-" };
	static const char *const act[] = { "llvm.va_", "llvm.eh.", "llvm.x86.", "llvm.aarch64.", "llvm.masked." };
	bool plain = !strncmp(name, "llvm.", 5);
	for (size_t i = 0; i < sizeof act / sizeof *act; i++)
		plain &= strncmp(name, act[i], strlen(act[i])) != 0;
	if (plain)
		return &intrinsic;
	return bsearch(name, library, sizeof library / sizeof *library, sizeof *library, compare);
}

char alias_library_effect(const char *name, size_t argument)
{
	const struct alias_library *l = name ? alias_library(name) : NULL;
	const char *effect = l ? strchr(l->effect, ':') + 1 : "b";
	size_t n = strlen(effect);
	return effect[argument < n ? argument : n - 1];
}
