//===- Fuzzer.h - what the fuzzers share ------------------------*- C++ -*-===//

#ifndef DPL_TEST_FUZZ_FUZZER_H
#define DPL_TEST_FUZZ_FUZZER_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Ends the fuzzer with a finding when a promise is broken.
#define DPL_PROMISE(condition)                                                 \
  do {                                                                         \
    if (!(condition)) {                                                        \
      std::fprintf(stderr, "%s:%d: broken promise: %s\n", __FILE__, __LINE__,  \
                   #condition);                                                \
      std::abort();                                                            \
    }                                                                          \
  } while (false)

namespace dpl::test {

/// Reads memory that a result points to, so that the sanitizer sees it.
inline void readAll(const void *memory, size_t size) {
  const auto *bytes = static_cast<const volatile uint8_t *>(memory);
  for (size_t i = 0; i < size; ++i)
    (void)bytes[i];
}

} // namespace dpl::test

#endif // DPL_TEST_FUZZ_FUZZER_H
