/* A large array, written and read at symbolic indices.
 * duct: --entry big
 * expect: covered=6 infeasible=0 failures=0 */
#include <string.h>
static unsigned char tab[65536];
int big(unsigned short a, unsigned short b)
{
	for (int i = 0; i < 65536; i++) tab[i] = i * 7;
	int hits = 0;
	if (tab[a] == 9) hits++;
	tab[b] = 1;
	if (tab[a] == 1) hits += 2;
	return hits;
}
