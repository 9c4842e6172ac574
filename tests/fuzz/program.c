/* The model that a program carries: an executable or object file of any content. */
#include "lib/flow/flow.h"
#include "tests/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[40], *error = NULL;
	int fd = memfd_create("program", 0);
	struct flow *fl;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	fl = flow_read_program(path, &error);
	if (!fl == !error)
		abort();
	flow_free(fl);
	free(error);
	close(fd);
	return 0;
}
