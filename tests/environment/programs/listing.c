/* The files of the working folder. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	DIR *d = opendir(".");
	struct dirent *e;
	int n = 0;

	while ((e = readdir(d))) {
		size_t k = strlen(e->d_name);

		if (e->d_name[0] == '.')
			continue;
		n++;
		if (k > 2 && !strcmp(e->d_name + k - 2, ".c"))
			puts("source");
	}
	closedir(d);
	if (n > 1)
		puts("many");
	if (fopen("core", "r"))
		puts("core");
	return n == 0;
}
