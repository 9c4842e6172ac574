/* Memory at addresses that the source states, as registers of a device have one: mapped before the
 * program begins. Where the kernel gives none, as for low addresses, a run that gets there ends:
 * what it would do on the device is not known. */
#include "lib/runtime/rt.h"

#include <sys/mman.h>

#define PAGE 4096u

extern const struct duct_device __start_duct_devices[] __attribute__((weak)),
    __stop_duct_devices[] __attribute__((weak));

/* What the kernel did not give. */
static struct hole {
	uintptr_t from, to;
	const char *name;
} hole[64];
static uint32_t holes;
static uintptr_t ours_from = UINTPTR_MAX, ours_to; /* of which all that is mapped is ours */

static bool map_page(uintptr_t a)
{
	return sys6(SYS_mmap, a, PAGE, PROT_READ | PROT_WRITE,
	           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0)
	    == (long)a;
}

const char *duct_device_at(uintptr_t a)
{
	for (uint32_t i = 0; i < holes; i++)
		if (a >= hole[i].from && a < hole[i].to)
			return hole[i].name;
	return NULL;
}

static void map(uintptr_t from, uintptr_t to, const char *name)
{
	for (uintptr_t a = from & -(uintptr_t)PAGE; a < to; a += PAGE) {
		if (map_page(a)) {
			ours_from = a < ours_from ? a : ours_from;
			ours_to = a + PAGE > ours_to ? a + PAGE : ours_to;
		} else if ((a < ours_from || a >= ours_to) && holes < sizeof hole / sizeof *hole) {
			hole[holes++] = (struct hole){ a < from ? from : a,
				a + PAGE < to ? a + PAGE : to, name };
		}
	}
}

void duct_devices_map(void)
{
	for (const struct duct_device *d = __start_duct_devices; d < __stop_duct_devices; d++)
		map(d->address, d->address + d->size, d->name);
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
