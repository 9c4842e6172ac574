// For the sanitizer build: inline allocators in LLVM's headers poison memory that LLVM's own,
// uninstrumented libraries then use.
#ifdef __SANITIZE_ADDRESS__
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options()
{
	return "allow_user_poisoning=0";
}
#endif
