/* A stand-in for Unity, which Debian does not have: the few of its documented macros that tests written by duct use. */
#ifndef UNITY_H
#define UNITY_H

void setUp(void);
void tearDown(void);
void unity_run(void (*test)(void), const char *name);
void unity_fail(const char *message, int line);
int unity_end(void);

#define UNITY_BEGIN() ((void)0)
#define UNITY_END() unity_end()
#define RUN_TEST(f) unity_run(f, #f)
#define TEST_FAIL_MESSAGE(m) do { unity_fail(m, __LINE__); return; } while (0)

#endif
