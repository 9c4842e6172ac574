/* The heap: a list, an array that grows, and is indexed by an input.
 * duct: --entry list
 * expect: covered=10 infeasible=0 failures=0 */
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next; };
int list(int a, int b, int c, unsigned char n)
{
	struct node *head = NULL; int in[3]; int *big;
	in[0] = a; in[1] = b; in[2] = c;
	for (int i = 0; i < 3; i++) {
		struct node *e = malloc(sizeof *e);
		e->v = in[i]; e->next = head; head = e;
	}
	int sum = 0;
	for (struct node *e = head; e; ) { struct node *x = e->next; if (e->v > 5) sum++; free(e); e = x; }
	big = malloc(4 * sizeof *big);
	memcpy(big, in, sizeof in);
	big = realloc(big, 100 * sizeof *big);
	if (n < 3 && big[n] == 42) sum += 10;
	free(big);
	return sum;
}
