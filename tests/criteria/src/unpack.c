#include <string.h>
#include <unistd.h>
static int unpack, all, quiet, mode;
static unsigned char buf[64];
static int load(void)
{
	int n = 0, r;
	while (n < 4 && (r = read(0, buf + n, sizeof buf - n)) > 0)
		n += r;
	return n;
}
static int expand(void)
{
	int n = load();
	if (n < 4 || buf[0] != 0x1f || buf[1] != 0x9d)
		return 1;
	if ((buf[2] & 31) > 16)
		return 4;
	return 0;
}
static int pack(void)
{
	int n = load(), sum = 0;
	for (int i = 0; i < n; i++)
		if (buf[i] == 'a')
			sum += 2;
		else if (buf[i] == 'b')
			sum += 3;
		else if (buf[i] > 'x')
			sum--;
	return sum > 7;
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (argv[i][0] != '-')
			return 2;
		for (const char *s = argv[i] + 1; *s; s++)
			switch (*s) {
			case 'd': unpack = 1; break;
			case 'a': all = 1; break;
			case 'q': quiet = 1; break;
			case 'x': mode = 'x'; break;
			case 'y': mode = 'y'; break;
			case 'z': mode = 'z'; break;
			default: return 2;
			}
	}
	if (unpack)
		return expand();
	return pack();
}
