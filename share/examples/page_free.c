/* free(A, count) of Majumdar and Xu (FlowTest), Figure 1(b), a page-free routine of a
 * kernel: pages in use, A[i] != 0, have their reference counts raised.
 *
 * Concolic testing runs 2^N paths; no assertion is violated. From the finest partition
 * FlowTest ends with the N blocks {A[i], count[i]}. With DEFECT, that page loses a reference
 * when it is used in one way.
 *
 * duct: concolic --entry page_free --search dfs --len A=4 --len count=4 --distinct A,count --calls 1 -- -DN=4
 * expect: exhausted=true paths=2^N failures=0
 * oracle: -DN=4
 */
#include <assert.h>

#ifndef N
#define N 2
#endif

static unsigned old_count[N];

void page_free(int *A, unsigned *count)
{
	int i;

	for (i = 0; i < N; i++)
		old_count[i] = count[i];
	for (i = 0; i < N; i++) {
		if (A[i] != 0)
			count[i]++;
#ifdef DEFECT
		if (i == DEFECT && A[i] == 4711)
			count[i]--;
#endif
	}
	for (i = 0; i < N; i++) {
		if (A[i] != 0)
			assert(count[i] == old_count[i] + 1);
	}
}
