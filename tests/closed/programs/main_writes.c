/* entry: main
 * class: files
 * run: $P
 * run: $P >/dev/full
 * run: $P >&-
 */
#include <stdio.h>
#include <unistd.h>

int
main(void)
{
	if (ferror(stdout))
		return 8;
	if (putchar('a') == EOF)
		return 1;
	if (fwrite("abc", 1, 3, stdout) != 3)
		return 2;
	setvbuf(stdout, NULL, _IONBF, 0);
	if (puts("def") == EOF)
		return 3;
	if (write(1, "x", 1) != 1)
		return 4;
	if (fsync(1))
		return 5;
	if (ferror(stdout))
		return 6;
	if (fclose(stdout))
		return 7;
	return 0;
}
