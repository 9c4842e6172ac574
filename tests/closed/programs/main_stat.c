/* entry: main
 * class: files
 * run: $P
 * run: echo 1 >data; $P
 * run: mkdir data; $P
 * run: head -c 5000 /dev/zero >data; $P
 */
#include <sys/stat.h>

int
main(void)
{
	struct stat st;

	if (stat("data", &st) != 0)
		return 2;
	if (S_ISDIR(st.st_mode))
		return 3;
	if (st.st_size > 4096)
		return 1;
	return 0;
}
