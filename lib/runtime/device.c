/* Memory at constant addresses in the source, such as those of device registers. It is mapped
 * before the program begins. Where the kernel maps none, as at low addresses, a run that reaches
 * the access ends, because its effect on a device is not known. */
#include "lib/runtime/rt.h"

#include <sys/mman.h>

#define PAGE 4096u

extern struct duct_device __start_duct_devices[] __attribute__((weak)),
    __stop_duct_devices[] __attribute__((weak));

const char *duct_device_at(uintptr_t a)
{
	for (const struct duct_device *d = __start_duct_devices; d < __stop_duct_devices; d++)
		if (d->missing && a - d->address < d->size)
			return d->name;
	return NULL;
}

static bool map_page(uintptr_t a)
{
	return sys6(SYS_mmap, a, PAGE, PROT_READ | PROT_WRITE,
	           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0)
	    == (long)a;
}

/* The table is ordered by address: only the last page of an entry may be the first page of the next
 * one. */
void duct_devices_map(void)
{
	uintptr_t next = 0;
	bool is_there = true; /* the page before */

	for (struct duct_device *d = __start_duct_devices; d < __stop_duct_devices; d++)
		for (uintptr_t a = d->address & -(uintptr_t)PAGE; a < d->address + d->size;
		    a += PAGE) {
			if (a >= next)
				is_there = map_page(a);
			next = a + PAGE;
			d->missing |= !is_there;
		}
}

void duct_rt_device(void *p, size_t size)
{
	uintptr_t from = (uintptr_t)p;
	const struct duct_object *o;

	if (!duct_channel)
		return;
	o = duct_object_at(from); /* or one that ends there */
	if (duct_device_at(from))
		duct_limit("device", duct_device_at(from), 0);
	else if (!o || from - o->base >= o->size)
		duct_object_add(from, size, DUCT_OBJECT_GLOBAL, false);
}
