/* A program with a thread. */
#include "scale.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *p)
{
	int *x = p;

	*x = clamp(*x);
	return NULL;
}

int main(int argc, char **argv)
{
	int x = scale(argc > 1 ? atoi(argv[1]) : 0);
	pthread_t t;

	x = clamp(x);
	if (pthread_create(&t, NULL, work, &x))
		return 1;
	pthread_join(t, NULL);
	printf("%d\n", x);
	return 0;
}
