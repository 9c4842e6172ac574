// sanitizer: options of AddressSanitizer for the programs that contain Clang and LLVM (make asan).
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)

// Inline functions of LLVM's allocators, which are compiled here, poison memory that LLVM's
// libraries use: those were compiled without the sanitizer and do not unpoison it.
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options()
{
	return "allow_user_poisoning=0";
}

#endif
