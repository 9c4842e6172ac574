/* A text that is longer than it is at first. open: 1 */
#include <string.h>

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	return strlen(argv[1]) > 30 ? 1 : 0;
}
