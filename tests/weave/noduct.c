/* Linked into native builds instead of the runtime. */
#include "share/duct.h"
void duct_symbolic(void *p, size_t size, const char *name) { (void)p; (void)size; (void)name; }
void duct_assume(int condition) { (void)condition; }
void duct_assert(int condition) { (void)condition; }
