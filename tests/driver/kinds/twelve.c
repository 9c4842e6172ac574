/* Twelve numbers from arguments. Outcomes: 26 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int sorted(int *a, int n) { for (int i = 1; i < n; i++) if (a[i-1] > a[i]) return 0; return 1; }
int main(int argc, char **argv) {
	int a[12];
	if (argc != 13) { puts("twelve numbers"); return 1; }
	for (int i = 0; i < 12; i++) a[i] = atoi(argv[i+1]);
	int alt = a[0], wl = a[1], ot = a[2];
	if (alt > 600 && wl && ot == 2) { if (a[3] > a[4] + 100) puts("up"); else puts("down"); }
	if (a[5] * 3 == a[6] - 7) puts("x");
	if (a[7] > 1000 && a[8] < -5 && a[9] == 12345) puts("y");
	if (sorted(a, 12)) puts("sorted");
	return 0;
}
