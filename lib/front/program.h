// program: makes the program that settings ask for: harness, objects, link.
#ifndef DUCT_FRONT_PROGRAM_H
#define DUCT_FRONT_PROGRAM_H

#include "lib/front/settings.h"

namespace duct
{

// The program model of all files; the caller frees it.
struct flow *load_all(const Settings &s);

// Is code kept that programs with other entries share?
bool shares_code(const Settings &s);

// Settings that follow from the options, and the harness; `where` becomes the index of the file
// that the harness is appended to.
void prepare(Settings &s, size_t &where);

// Makes the objects of all files, except those that are kept. The harness, if there is one, is
// appended to file `where`, and that unit's program model has the records about the entry. beside:
// the objects of file `where`, if they were made before.
int make_objects(
    const Settings &s, size_t where, Strings &objects, const Strings *beside = nullptr);

// Links them, with stubs for what nothing defines.
int link_objects(Settings &s, Strings &objects, size_t where);

} // namespace duct

#endif
