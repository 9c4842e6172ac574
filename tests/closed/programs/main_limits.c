/* entry: main
 * class: machine
 * run: $P
 * run: ulimit -n 32; $P
 * run: ulimit -n 256; $P
 * run: umask 077; $P
 * run: umask 0; $P
 */
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

int
main(void)
{
	struct rlimit r;

	getrlimit(RLIMIT_NOFILE, &r);
	if (r.rlim_cur < 64)
		return 1;
	if (sysconf(_SC_OPEN_MAX) == 256)
		return 2;
	if (umask(0) == 077)
		return 3;
	return 0;
}
