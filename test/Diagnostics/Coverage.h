//===- Coverage.h - every message is produced by a test ---------*- C++ -*-===//
//
// Tests of a layer record what they report; at the end of its test program
// each entry of the registry that names the layer must have been seen.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_TEST_DIAGNOSTICS_COVERAGE_H
#define DPL_TEST_DIAGNOSTICS_COVERAGE_H

#include "compiler/Diagnostics/Diagnostics.h"

#include "llvm/ADT/StringSet.h"

#include <gtest/gtest.h>

namespace dpl::test {

inline llvm::StringSet<> &recordedCodes() {
  static llvm::StringSet<> codes;
  return codes;
}

inline void recordCodes(const DiagnosticEngine &diags) {
  for (const Diagnostic *d : diags.sorted()) {
    recordedCodes().insert(d->code);
    for (const Attachment &a : d->attachments)
      recordedCodes().insert(a.code);
  }
}

/// Add one to the program with testing::AddGlobalTestEnvironment. A run of
/// some of the tests only is not checked.
class Coverage : public testing::Environment {
public:
  explicit Coverage(diag::Layer layer) : layer(layer) {}

  void TearDown() override {
    if (testing::GTEST_FLAG(filter) != "*")
      return;
    for (const diag::Info &info : diag::registry())
      if (info.layer == layer && !recordedCodes().contains(info.code))
        ADD_FAILURE() << "no test produces `" << info.code.str() << "`";
  }

private:
  diag::Layer layer;
};

} // namespace dpl::test

#endif // DPL_TEST_DIAGNOSTICS_COVERAGE_H
