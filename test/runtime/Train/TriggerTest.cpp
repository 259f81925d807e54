//===- TriggerTest.cpp - Triggers, observations, bits, options ------------===//

#include "runtime/Train/Trigger.h"
#include "runtime/Testing/StatusMatchers.h"
#include "runtime/Train/OptionValues.h"
#include "runtime/Train/ParseNumber.h"
#include "runtime/Train/TrainerState.h"

#include <nlohmann/json.hpp>

using namespace dpl::rt;
using namespace dpl::rt::testing;
using desc::Unit;

namespace {

/// Iterations at which the trigger fires, of the first `count`.
std::vector<int64_t> firings(const Trigger &trigger, int64_t perEpoch,
                             int64_t count) {
  std::vector<int64_t> fired;
  Progress before, now;
  before.batchesPerEpoch = now.batchesPerEpoch = perEpoch;
  for (now.iteration = 1; now.iteration <= count; ++now.iteration) {
    now.elapsed = static_cast<double>(now.iteration) * 0.4;
    if (trigger.fires(before, now))
      fired.push_back(now.iteration);
    before = now;
  }
  return fired;
}

TEST(TriggerTest, FiresAtMultiples) {
  using List = std::vector<int64_t>;
  EXPECT_EQ(firings({1, Unit::Epoch}, 5, 12), (List{5, 10}));
  EXPECT_EQ(firings({2, Unit::Epoch}, 3, 12), (List{6, 12}));
  EXPECT_EQ(firings({0.5, Unit::Epoch}, 5, 10), (List{3, 5, 8, 10}));
  EXPECT_EQ(firings({4, Unit::Iteration}, 5, 12), (List{4, 8, 12}));
  EXPECT_EQ(firings({1, Unit::Second}, 5, 10), (List{3, 5, 8, 10}));
}

TEST(TriggerTest, StopsAreReachedNotPassed) {
  Progress now;
  now.batchesPerEpoch = 7;
  now.iteration = 20;
  EXPECT_FALSE((Trigger{3, Unit::Epoch}.reached(now)));
  EXPECT_EQ((Trigger{3, Unit::Epoch}.iterationsLeft(now)), 1);
  now.iteration = 21;
  EXPECT_TRUE((Trigger{3, Unit::Epoch}.reached(now)));
}

TEST(ObservationTest, TotalsAreDividedOnce) {
  ReportSums sums(1);
  ReportValue first[] = {{30, 10}}, second[] = {{1, 1}};
  sums.add(first);
  sums.add(second);
  EXPECT_DOUBLE_EQ(ratio(sums.values()[0]), 31.0 / 11.0);
  EXPECT_EQ(ratio({0, 0}), 0);
}

TEST(BitsTest, SumsKeepTheirExactBits) {
  for (double value : {0.1, -0.0, 5e-324, 1e308}) {
    double back = 1;
    ASSERT_TRUE(parseBits(bitsText(value), back));
    EXPECT_EQ(bitsText(back), bitsText(value));
  }
  double ignored;
  EXPECT_FALSE(parseBits("12", ignored));
  EXPECT_FALSE(parseBits("000000000000000g", ignored));
}

TEST(OptionTest, DurationsKeepTheirUnit) {
  Description description;
  description.options.push_back({"length",
                                 desc::OptionType::Duration,
                                 {desc::Duration{10, Unit::Epoch}},
                                 ""});
  OptionValues values(description);
  for (const char *text : {"3", "3 epochs", "3epochs", "3e0 epochs", "3.0"}) {
    ASSERT_OK(values.set(0, text, "--length"));
    EXPECT_EQ(values.numbers()[0], 3) << text;
  }
  EXPECT_EQ(values.texts()["length"], "3 epochs");
  expectFailure(values.set(0, "3 iterations", "--length"), Exit::Usage,
                {"--length", "3 iterations", "epochs"});
}

TEST(NumberTest, TheWholeTextHasToBeTheNumber) {
  expectFailure(parseInteger("12x", "--n", 0).takeStatus(), Exit::Usage,
                {"--n", "12x"});
  expectFailure(parseInteger("-1", "--n", 0).takeStatus(), Exit::Usage,
                {"-1", "less than 0"});
  expectFailure(parseReal("nan", "--r").takeStatus(), Exit::Usage, {"nan"});
  expectFailure(parseReal("", "--r").takeStatus(), Exit::Usage, {"--r"});
  EXPECT_EQ(*parseReal("+1e-3", "--r"), 1e-3);
}

} // namespace
