/* open: 2 (a device; fstat() that fails)
 * What a file is: its kind, permissions, length and time; a folder of its own. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int look(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return 1;
	if (S_ISDIR(st.st_mode))
		return 2;
	if (S_ISFIFO(st.st_mode))
		return 3;
	if (S_ISSOCK(st.st_mode))
		return 4;
	if (!S_ISREG(st.st_mode))
		return 5;
	if (st.st_size > 100000)
		return 6;
	if (st.st_mode & 022)
		puts("others may write");
	if (st.st_mtime > 1000000)
		puts("new");
	return 0;
}

int main(void)
{
	struct stat st;
	int fd;
	DIR *d;

	if (look("a"))
		puts("a");
	if (access("b", X_OK) == 0)
		puts("b");
	if (access("b", F_OK) == 0 && access("b", W_OK) != 0)
		puts("not b");
	if ((fd = open("c", O_RDONLY)) >= 0 && fstat(fd, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			puts("c");
		if (st.st_size > 1 << 20)
			puts("long");
	}
	if (lstat("d", &st) == 0 && S_ISLNK(st.st_mode))
		puts("d");
	if ((d = opendir("e")))
		closedir(d);
	return 0;
}
