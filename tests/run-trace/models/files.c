/* Reads the file conf by descriptor and by stream, and a variable of the environment. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	char buf[8], line[8];
	const char *mode = getenv("MODE");
	int fd = open("conf", O_RDONLY), n, i;
	struct stat st;
	FILE *f, *other;

	if (fd < 0 || fstat(fd, &st))
		return 1;
	n = (int)read(fd, buf, 3);
	for (i = 0; i < n; i++)
		if (buf[i] == '=')
			printf("equals at %d\n", i);
	if (lseek(fd, 0, SEEK_END) > 4)
		puts("long");
	if (st.st_size == 2)
		puts("two bytes");
	if (pread(fd, buf, 1, 1) == 1 && buf[0] == 'c')
		puts("c");
	close(fd);
	f = fopen("./conf", "r");
	while (fgets(line, sizeof line, f))
		printf("%d<%s>\n", line[0] == '#', line);
	if (!fseek(f, 1, SEEK_SET) && fgetc(f) == 'b')
		puts("b");
	fclose(f);
	other = fopen("/dev/null", "r");
	n = fgetc(other);
	printf("%d %d\n", n, feof(other));
	fclose(other);
	if (mode && !strcmp(mode, "-v"))
		puts("verbose");
	return 0;
}
