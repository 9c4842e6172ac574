/* entry: main
 * class: threads
 * run: $P
 * run: for i in 1 2 3 4 5 6 7 8; do $P; done
 * run: taskset -c 0 $P
 * flags: -pthread
 */
#include <pthread.h>
#include <stdio.h>
#include <sched.h>

static volatile int shared;
static int plain;

static void *
work(void *p)
{
	for (int i = 0; i < 1000; i++)
		shared++;
	if (p)
		plain = 3;
	return p;
}

int
main(void)
{
	pthread_t t, u;

	pthread_create(&t, 0, work, &t);
	pthread_create(&u, 0, work, 0);
	if (shared == 0)
		puts("early");
	if (shared > 1000)
		puts("late");
	pthread_join(t, 0);
	pthread_join(u, 0);
	if (shared != 2000)
		puts("race");
	if (plain == 3)
		puts("written");
	return 0;
}
