#include "zhiwen/environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/memory.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

TEST(SystemClock, MovesForwardAndCountsProcessorTime) {
  const auto wall = SystemClock().Monotonic();
  const auto processor = SystemClock().ProcessorTime();
  while (SystemClock().ProcessorTime() - processor < std::chrono::milliseconds(5)) {
  }
  EXPECT_GE(SystemClock().Monotonic() - wall, std::chrono::milliseconds(1));
  EXPECT_GT(SystemClock().Now(), std::chrono::sys_days(std::chrono::year(2024) / 1 / 1));
}

TEST(Cancellation, CarriesTheCodeThatWasRequested) {
  Cancellation cancellation;
  EXPECT_FALSE(cancellation.requested());
  EXPECT_TRUE(cancellation.Check().has_value());
  for (const ErrorCode code : {ErrorCode::kInterrupted, ErrorCode::kTerminated}) {
    cancellation.Request(code);
    EXPECT_TRUE(cancellation.requested());
    EXPECT_EQ(cancellation.Check().error().code, code);
  }
}

TEST(PeakMemory, CountsWhatIsTouchedAndNeverFalls) {
  constexpr size_t kSize = 64 << 20;
  const uint64_t before = PeakMemoryBytes();
  const auto block = std::make_unique<char[]>(kSize);
  std::memset(block.get(), 1, kSize);
  const char* volatile keep = block.get();
  EXPECT_EQ(keep[kSize - 1], 1);
  EXPECT_GE(PeakMemoryBytes(), std::max<uint64_t>(before, kSize));
}

TEST(Version, IsThreeNumbers) {
  int parts[3], end = 0;
  const std::string version(Version());
  EXPECT_EQ(std::sscanf(version.c_str(), "%d.%d.%d%n", &parts[0], &parts[1], &parts[2], &end), 3);
  EXPECT_EQ(static_cast<size_t>(end), version.size());
}

TEST(StageTable, EveryStageHasOneRowWithANameAndAUnitOfItsOwn) {
  std::set<std::pair<std::string_view, std::string_view>> shown;
  for (const StageTraits& row : AllStageTraits()) {
    EXPECT_EQ(&TraitsOf(row.stage), &row);
    EXPECT_FALSE(row.name.empty());
    EXPECT_TRUE(shown.emplace(row.name, row.unit).second) << row.name;
  }
}

}  // namespace
}  // namespace zhiwen
