//===- CoverageTest.cpp - every syntax message is produced ----------------===//

#include "test/Diagnostics/Coverage.h"

static testing::Environment *const coverage = testing::AddGlobalTestEnvironment(
    new dpl::test::Coverage(dpl::diag::Layer::Syntax));
