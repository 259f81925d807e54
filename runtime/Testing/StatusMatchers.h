//===- Testing/StatusMatchers.h - Expecting failures ------------*- C++ -*-===//

#ifndef DPL_RUNTIME_TESTING_STATUSMATCHERS_H
#define DPL_RUNTIME_TESTING_STATUSMATCHERS_H

#include "runtime/Base/Status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <initializer_list>
#include <string>

namespace dpl::rt::testing {

/// Expects a failure of `category` whose text has all `pieces`.
inline void expectFailure(const Status &status, Exit category,
                          std::initializer_list<std::string> pieces) {
  EXPECT_EQ(status.exitCode(), static_cast<int>(category)) << status.text();
  for (const std::string &piece : pieces)
    EXPECT_THAT(status.text(), ::testing::HasSubstr(piece));
}

} // namespace dpl::rt::testing

#define ASSERT_OK(expression)                                                  \
  do {                                                                         \
    const auto &checked = (expression);                                        \
    ASSERT_TRUE(checked.ok()) << ::dpl::rt::testing::textOf(checked);          \
  } while (false)

namespace dpl::rt::testing {
inline std::string textOf(const Status &status) { return status.text(); }
template <typename T> std::string textOf(const Result<T> &result) {
  return result.status().text();
}
} // namespace dpl::rt::testing

#endif // DPL_RUNTIME_TESTING_STATUSMATCHERS_H
