/* Files that a run opens for reading and that exist according to the input: created in the scratch
 * folder, which is emptied after the run, when they are first needed. */
#include "lib/runtime/rt.h"
#include <fcntl.h>

#define LONGEST 4096u

static size_t put(char *to, size_t n, const char *s)
{
	while (*s && n + 1 < LONGEST)
		to[n++] = *s++;
	to[n] = 0;
	return n;
}

/* The value that the input has for NAME[i], or NAME.len. */
static uint64_t given(const char *name, const char *member, uint64_t index)
{
	char text[LONGEST + 32];
	uint64_t value = 0;
	size_t n = put(text, 0, name);

	n = put(text, n, member);
	if (*member == '[') {
		n += duct_digits(text + n, index);
		n = put(text, n, "]");
	}
	return duct_input_given(text, &value) ? value : 0;
}

static void make_folders(const char *path)
{
	char text[LONGEST];

	for (size_t i = 0; path[i] && i + 1 < LONGEST; i++) {
		if (path[i] == '/' && i) {
			text[i] = 0;
			sys3(SYS_mkdirat, AT_FDCWD, text, 0777);
		}
		text[i] = path[i];
	}
}

int duct_rt_make_file(const char *path, const char *name, uint64_t size)
{
	uint64_t n = given(name, ".len", 0);
	uint8_t bytes[512];
	size_t used = 0;
	long fd;

	make_folders(path);
	fd = sys4(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return 0;
	for (uint64_t i = 0; i < n && i < size; i++) {
		bytes[used++] = (uint8_t)given(name, "[", i);
		if (used == sizeof bytes || i + 1 == n || i + 1 == size) {
			sys3(SYS_write, fd, bytes, used);
			used = 0;
		}
	}
	sys1(SYS_close, fd);
	return 1;
}

int duct_rt_file_exists(const char *path)
{
	return sys3(SYS_faccessat, AT_FDCWD, path, 0) == 0;
}

void duct_rt_tell_path(const char *name, const char *path)
{
	char text[LONGEST + 32];

	if (!duct_channel)
		return;
	for (size_t i = 0, n; path[i] && i < 255; i++) {
		n = put(text, 0, name);
		n = put(text, n, ".path[");
		n += duct_digits(text + n, i);
		put(text, n, "]");
		duct_input_told(text, (uint8_t)path[i]);
	}
}

void duct_rt_concrete(const char *function, const char *text)
{
	char name[LONGEST];
	size_t n = put(name, 0, function);

	n = put(name, n, "(");
	if (text) {
		n = put(name, n, "\"");
		n = put(name, n, text);
		n = put(name, n, "\"");
	}
	put(name, n, ")");
	if (duct_rt_environment())
		duct_rt_limit("concrete", name, 0);
}
