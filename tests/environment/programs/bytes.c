/* Random bytes by a system call, which gives as many as asked for. infeasible: 1 */
#include <sys/random.h>

int main(void)
{
	unsigned char b[4];

	if (getrandom(b, sizeof b, 0) != sizeof b)
		return 9;
	if (b[0] == 1 && b[3] == 2)
		return 1;
	return 0;
}
