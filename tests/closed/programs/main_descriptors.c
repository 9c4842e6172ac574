/* entry: main
 * class: ways to standard input
 * run: for k in r s w d p o a; do $P $k; printf q | $P $k; printf az | $P $k; printf abcz | $P $k; done
 * run: $P; { printf a; sleep 0.2; printf z; } | $P a
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

int
main(int argc, char **argv)
{
	char b[4] = "";
	struct iovec v[2] = { { b, 1 }, { b + 1, 3 } };
	long n = -1;
	FILE *in;

	if (argc < 2)
		return 9;
	switch (argv[1][0]) {
	case 'r': n = readv(0, v, 2); break;
	case 's': n = syscall(SYS_read, 0, b, sizeof b); break;
	case 'w': b[0] = (char)getwchar(); n = 1; break;
	case 'd':
		in = fdopen(dup(0), "r");
		if (in)
			n = (long)fread(b, 1, sizeof b, in);
		break;
	case 'p':
		in = fopen("/proc/self/fd/0", "r");
		if (in)
			n = (long)fread(b, 1, sizeof b, in);
		break;
	case 'o':
		n = read(open("/dev/stdin", O_RDONLY), b, sizeof b);
		break;
	case 'a':
		b[0] = (char)getchar();
		n = read(0, b + 1, 3);
		break;
	}
	if (n <= 0)
		return 1;
	if (b[0] == 'q')
		return 2;
	if (b[1] == 'z')
		return 3;
	if (n > 2 && b[3] == 'z')
		return 4;
	return 0;
}
