#include <pthread.h>
static int done;
static int *where;
static void *run(void *a)
{
	*(int *)a = 3;
	done = 1;
	return 0;
}
int main(void)
{
	pthread_t t;
	int r = 0, local = 0;
	pthread_create(&t, 0, run, &local);
	done = 0;
	while (!done)
		;
	r = 1;
	if (local == 3) /* taken */
		r = 2;
	pthread_join(t, 0);
	return r;
}
