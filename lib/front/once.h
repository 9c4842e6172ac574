// once: parses a file once for its program model and for the harness that follows from it.
#ifndef DUCT_FRONT_ONCE_H
#define DUCT_FRONT_ONCE_H

#include <string>

namespace duct
{

// To be called from LoadOptions::ask. Forks: the child continues as if the file ended here, until
// its load() has the program model, which end_copy passes to the parent. In the parent, returns the
// child's exit status, and the program model in `flow`; in the child, returns `copy`: it appends no
// harness.
enum { copy = -1 };
int flow_so_far(std::string &flow);
bool is_copy();
// After load(): ends the child, which passes its program model on if `loaded`. Does nothing in the
// parent.
void end_copy(bool loaded, const std::string &flow);

} // namespace duct

#endif
