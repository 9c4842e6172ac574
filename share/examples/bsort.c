/* Bubble sort of N numbers; a subject of Koroglu and Sen (IPPC), Tables 1 and 2, where N
 * is 30. It stops after a pass that exchanged nothing.
 *
 * Every path orders the input, so there is one for each outcome of sorting: a run of
 * comparisons without exchange says that neighbours are in order. For 2 and 3 numbers
 * that is 2 and 6 paths.
 *
 * duct: concolic --entry bsort --search dfs --len a=4 -- -DN=4
 * expect: exhausted=true paths=24 branches.unknown=0
 * oracle: -DN=4
 */
#ifndef N
#define N 30
#endif

void bsort(int *a)
{
	int last, i, moved = 1;

	for (last = N - 1; last > 0 && moved; last--) {
		moved = 0;
		for (i = 0; i < last; i++) {
			if (a[i] > a[i + 1]) {
				int t = a[i];

				a[i] = a[i + 1];
				a[i + 1] = t;
				moved = 1;
			}
		}
	}
}
