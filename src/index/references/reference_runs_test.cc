// Compares ranges of runs with all runs at once.

#include "index/references/reference_runs.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace zhiwen {
namespace {

TEST(ReferenceRuns, EveryKeyIsInOneRangeWithItsFirstRun) {
  std::mt19937_64 random(1);
  std::vector<uint32_t> symbols(3000);
  for (uint32_t& symbol : symbols) symbol = static_cast<uint32_t>(random() % 3);
  for (const size_t length : {5, 6, 23, 2500, 3000, 3001}) {
    const ReferenceWindows windows = {.length = length, .stride = 1};
    std::map<uint64_t, uint64_t> first;
    for (uint64_t begin = 0; begin + length <= symbols.size(); ++begin) {
      first.try_emplace(windows.KeyOf(&symbols[begin]), begin);
    }
    for (const size_t room : {20, 300, 3000, 100'000}) {
      std::map<uint64_t, uint64_t> found;
      ReferenceRuns runs(windows, symbols, room);
      size_t ranges = 0;
      for (; runs.Next(); ++ranges) {
        for (const auto& [key, begin] : first) {
          const auto* run = runs.Find(key);
          if (run == nullptr) continue;
          EXPECT_TRUE(found.try_emplace(key, run->begin).second);
        }
      }
      EXPECT_EQ(found, first) << length << ' ' << room;
      EXPECT_LE(ranges, 1 + 4 * first.size() / room);
    }
  }
}

}  // namespace
}  // namespace zhiwen
