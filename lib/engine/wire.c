#include "lib/engine/wire.h"
#include "lib/base/clock.h"
#include "lib/base/stop.h"
#include "lib/engine/process.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <sys/socket.h>

#define LOOK 0.2 /* seconds after which it is looked whether to stop */

int wire_send(int fd, const void *data, uint64_t size)
{
	const char *s = data;
	while (size) {
		ssize_t n = send(fd, s, size, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		s += n, size -= (uint64_t)n;
	}
	return 0;
}

bool wire_ready(int fd, double deadline)
{
	for (;;) {
		struct pollfd pf = { .fd = fd, .events = POLLIN };
		double left = deadline - clock_now();
		int r = poll(&pf, 1, clock_milliseconds(left < LOOK ? left : LOOK));
		if (stop_asked() || (r < 0 && errno != EINTR) || (r == 0 && left <= LOOK))
			return false;
		if (r > 0)
			return true;
	}
}

int wire_receive(int fd, void *data, uint64_t size, double deadline)
{
	char *s = data;
	while (size) {
		if (deadline > 0 && !wire_ready(fd, deadline))
			return -1;
		ssize_t n = recv(fd, s, size, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		s += n, size -= (uint64_t)n;
	}
	return 0;
}
