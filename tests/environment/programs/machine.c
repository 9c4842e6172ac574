/* What the machine is set to; open: 1 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	char path[4096], name[70];
	struct rlimit r;

	getcwd(path, sizeof path);
	if (strlen(path) > 5 && !strcmp(path + strlen(path) - 5, "/work"))
		puts("work");
	gethostname(name, sizeof name);
	if (!strcmp(name, "build"))
		puts("build");
	getrlimit(RLIMIT_NOFILE, &r);
	if (r.rlim_cur < 64)
		puts("few files");
	if (r.rlim_cur == 100 && sysconf(_SC_OPEN_MAX) == 100)
		puts("hundred files");
	if (umask(0) == 077)
		puts("private");
	return (int)umask(0);
}
