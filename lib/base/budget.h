/* budget: how many bytes of memory duct may take. */
#ifndef DUCT_BUDGET_H
#define DUCT_BUDGET_H

#include <stdint.h>

/* The least of DUCT_MEMORY, the memory of the machine, and the limit of this process's control
 * group (cgroup). */
uint64_t budget_machine(void);
/* The limit of one engine: a quarter of budget_machine, at most 4 GiB. */
uint64_t budget_engine(void);

#endif
