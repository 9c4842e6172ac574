// once: parses a file once for its model and for the harness that follows from the model.
#ifndef DUCT_FRONT_ONCE_H
#define DUCT_FRONT_ONCE_H

#include <string>

namespace duct
{

// To be called from LoadOptions::ask. A copy of this process goes on as if the file ended here, and
// load() in it gives the model, which end_copy hands over. Returns the exit status of the copy, and
// the model; in the copy itself `copy`: it has to append nothing.
enum { copy = -1 };
int model_so_far(std::string &flow);
bool is_copy();
// After load(): ends the copy, with its model if that succeeded. Otherwise nothing.
void end_copy(bool loaded, const std::string &flow);

} // namespace duct

#endif
