// memory: what lib/base/grow.h says of memory, for C++ and LLVM.
#include "lib/front/front.h"

extern "C" {
#include "lib/base/grow.h"
}

#include <llvm/Support/ErrorHandling.h>

#include <new>

namespace duct
{

static void out_of_llvm(void *, const char *, bool)
{
	no_memory(0);
}

void end_without_memory()
{
	std::set_new_handler([] { no_memory(0); });
	llvm::install_bad_alloc_error_handler(out_of_llvm);
}

} // namespace duct
