/* Says what Unity says: a line a failure, totals, and how many failed. */
#include "unity.h"

#include <stdio.h>

static const char *current;
static int tests, failures;

void unity_run(void (*test)(void), const char *name)
{
	current = name;
	tests++;
	setUp();
	test();
	tearDown();
}

void unity_fail(const char *message, int line)
{
	failures++;
	printf("suite.c:%d:%s:FAIL: %s\n", line, current, message);
}

int unity_end(void)
{
	printf("%d Tests %d Failures 0 Ignored\n%s\n", tests, failures, failures ? "FAIL" : "OK");
	return failures;
}
