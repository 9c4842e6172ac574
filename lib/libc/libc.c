#include "lib/libc/libc.h"

#include <dlfcn.h>
#include <stddef.h>

bool libc_has(const char *name)
{
	static const char *const libraries[] = { "libc.so.6", "libm.so.6" };
	bool has = false;

	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		void *l = dlopen(libraries[i], RTLD_LAZY);
		has |= l && dlsym(l, name);
		if (l)
			dlclose(l);
	}
	return has;
}
