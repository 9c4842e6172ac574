/* budget: how much memory duct may take: what DUCT_MEMORY says; what the machine, or the group of
 * processes that we belong to, has. */
#ifndef DUCT_BUDGET_H
#define DUCT_BUDGET_H

#include <stdint.h>

uint64_t budget_machine(void);
/* Bytes that one engine may take: a quarter of it, at most 4 GiB. */
uint64_t budget_engine(void);

#endif
