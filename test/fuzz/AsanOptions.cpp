//===- AsanOptions.cpp - what ASan does in fuzzers of the compiler --------===//

/// LLVM's allocators poison memory that they have not given out. They are half
/// inline, with the sanitizer, and half in the shared library, without it,
/// where nothing unpoisons what it gives out.
extern "C" const char *__asan_default_options();
const char *__asan_default_options() { return "allow_user_poisoning=0"; }
