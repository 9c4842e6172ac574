/* room: the memory that all processes of a run take together, seen from outside; the kernel limits
 * each on its own. */
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/tree.h"
#include "lib/run/internal.h"

enum { MOST_PROCESSES = 4096 }; /* that are looked at; a run with more has too many */

bool room_is_over(const struct runner *r)
{
	uint64_t most = r->o.memory + r->o.memory / 20, common = tree_bytes(r->server.pid), sum = 0;
	pid_t pid[MOST_PROCESSES];
	size_t n;
	struct stat st;

	if (!fstat(r->channel.fd, &st) && (uint64_t)st.st_blocks * 512 > SHRINK_ABOVE + most)
		return true;
	n = tree_list(r->server.pid, pid, MOST_PROCESSES);
	for (size_t i = 0; i < n; i++) { /* what each has more than it took over from the server */
		uint64_t own = tree_bytes(pid[i]);

		sum += own > common ? own - common : 0;
	}
	return sum > most || n == MOST_PROCESSES;
}
