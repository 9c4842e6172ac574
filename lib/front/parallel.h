// parallel: the same work for several files, in processes of their own.
#ifndef DUCT_FRONT_PARALLEL_H
#define DUCT_FRONT_PARALLEL_H

#include <cstddef>
#include <functional>

namespace duct
{
// Runs job(0) to job(n - 1), as many at once as there are processors, 8 at most, and returns the
// greatest of their exit statuses. Each may have a process of its own, so that what it leaves in
// memory is lost; its messages on stderr come in the order of the numbers.
int in_parallel(size_t n, const std::function<int(size_t)> &job);
} // namespace duct

#endif
