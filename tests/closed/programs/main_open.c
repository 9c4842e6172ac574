/* entry: main
 * class: files
 * run: $P
 * run: printf '\177ELF............................................' >in; $P
 * run: printf 'short' >in; $P
 * run: printf '\177ELF' >in; $P
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int
main(void)
{
	unsigned char head[20];
	int fd = open("in", O_RDONLY);

	if (fd < 0)
		return 2;
	ssize_t n = read(fd, head, sizeof head);

	if (n >= 4 && memcmp(head, "\177ELF", 4) == 0) {
		if (n < (ssize_t)sizeof head)
			return 3;
		return 1;
	}
	close(fd);
	return 0;
}
