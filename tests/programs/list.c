/* Pointers to structs that hold pointers, NULL as a choice.
 *
 * duct: concolic --entry sum
 * expect: exhausted=true failures=0 branches.total=4 branches.covered=4
 */
#include <stddef.h>

struct list {
	int value;
	struct list *next;
};

int sum(struct list *list)
{
	int total = 0;

	for (; list != NULL; list = list->next) {
		if (list->value > 10)
			total += list->value;
	}
	return total;
}
