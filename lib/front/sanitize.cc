// The sanitizer build: inline allocators of LLVM's headers mark memory as poisoned that LLVM's
// own libraries, which are not built so, then use.
#ifdef __SANITIZE_ADDRESS__
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }
#endif
