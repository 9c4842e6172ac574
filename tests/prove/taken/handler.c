#include <signal.h>
static int got;
static void on(int s)
{
	got = s;
}
int main(void)
{
	int r = 0;
	signal(SIGINT, on);
	got = 0;
	if (got) /* taken */
		r = 1;
	raise(SIGINT);
	if (got) /* taken */
		r = 2;
	return r;
}
