/* Standard input: a byte that says which base, one of options, and what is to be encoded or decoded. */
#undef main
#include <stdio.h>

int basez_main(int argc, const char *argv[]);

int main(void)
{
	static const char *const bases[] = { "-x", "-j", "-e", "-a", "-u", "-m", "-p" };
	static const char *const others[] = { "-d", "-s", "-g", "-t", "-l", "-r", "-c" };
	const char *argv[10] = { "basez" };
	int base = getchar(), options = getchar(), argc = 1;

	if (base < 0 || base > 6 || options < 0)
		return 2;
	argv[argc++] = bases[base];
	for (int i = 0; i < 7; i++)
		if (options >> i & 1)
			argv[argc++] = others[i];
	return basez_main(argc, argv);
}
