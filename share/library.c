/* library: linked into each shared library that `duct cc` makes: tells the runtime, which is in the
 * program, of the library's units. A program without runtime goes on without. */
#include "lib/runtime/library.h"

extern struct duct_unit __start_duct_units[] __attribute__((weak, visibility("hidden")));
extern struct duct_unit __stop_duct_units[] __attribute__((weak, visibility("hidden")));

extern struct duct_pairs __start_duct_pairs[] __attribute__((weak, visibility("hidden")));
extern struct duct_pairs __stop_duct_pairs[] __attribute__((weak, visibility("hidden")));

extern __typeof__(duct_rt_library) duct_rt_library __attribute__((weak));
extern __typeof__(duct_rt_unload) duct_rt_unload __attribute__((weak));

__attribute__((constructor(101))) static void start(int argc, char **argv, char **env)
{
	(void)argc;
	(void)argv;
	if (duct_rt_library)
		duct_rt_library(__start_duct_units, __stop_duct_units, __start_duct_pairs,
		    __stop_duct_pairs, env);
}

__attribute__((destructor(101))) static void end(void)
{
	if (duct_rt_unload)
		duct_rt_unload(__start_duct_pairs);
}
