/* entry: f
 * class: environment: memory that others change
 * compilers: differ
 */
volatile int ready;

int
f(const volatile unsigned char *device)
{
	if (ready == 2)
		return 1;
	if (device[0] != device[0])
		return 2;
	return 0;
}

#ifdef NATIVE
#include "native.h"
#include <pthread.h>

static volatile unsigned char byte;
static volatile int stop;

static void *
change(void *unused)
{
	while (!stop)
		byte++;
	return unused;
}

int
main(void)
{
	pthread_t other;

	ready = 2;
	f(&byte);
	ready = 0;
	pthread_create(&other, 0, change, 0);
	for (long i = 0; i < 20000000 && f(&byte) != 2; i++)
		;
	stop = 1;
	pthread_join(other, 0);
	return 0;
}
#endif
