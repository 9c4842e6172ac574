/* entry: main
 * class: signals
 * run: $P
 * run: $P & p=$!; sleep 0.1; kill -USR1 $p; wait $p
 */
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t seen;

static void
handler(int n)
{
	seen = n;
}

int
main(void)
{
	signal(SIGUSR1, handler);
	usleep(300000);
	if (seen)
		return 1;
	return 0;
}
