// The plans of the literature for codes within 3 bits (index/hamming/literature_plans.h), beside
// the index of this library: what `./zw bench hamming` shows of them. Prints one JSON object. Times
// are processor time of one thread.
//
//   hamming_plans naive CODES            every variant tried, every variant stored, and the others
//   hamming_plans tables CODES BLOCKS    the tables of BLOCKS blocks, or 16 for those of two
//   levels:
//                                        candidates of one table, and its time
//   hamming_plans model CODES BYTES      what each plan needs for CODES, on machines of BYTES

#include <time.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "index/hamming/brute_force_hamming.h"
#include "index/hamming/half_key_index.h"
#include "index/hamming/literature_plans.h"

namespace zhiwen {
namespace {

constexpr uint32_t kRadius = 3;

double Seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::vector<uint64_t> MakeCodes(uint64_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> codes(count);
  for (uint64_t& code : codes) code = random();
  return codes;
}

// Each near a code.
std::vector<uint64_t> MakeQueries(std::span<const uint64_t> codes, size_t count) {
  std::mt19937_64 random(2);
  std::vector<uint64_t> queries(count);
  for (uint64_t& query : queries) {
    query = codes[random() % codes.size()];
    for (uint64_t flips = random() % 4; flips > 0; --flips) query ^= uint64_t{1} << random() % 64;
  }
  return queries;
}

using Figures = std::vector<std::pair<std::string, double>>;

std::string RowOf(std::string_view name, const Figures& figures) {
  std::string row = fmt::format("{{\"name\": \"{}\"", name);
  for (const auto& [key, value] : figures) row += fmt::format(", \"{}\": {:.6g}", key, value);
  return row + "}";
}

// Microseconds a query, matches of all queries and bytes a code.
Figures Measure(const HammingIndex& index, std::span<const uint64_t> queries) {
  HammingAnswer answer;
  const double start = Seconds();
  if (!index.Query(queries, kRadius, answer)) std::abort();
  const double seconds = Seconds() - start;
  return {
      {"us", seconds / static_cast<double>(queries.size()) * 1e6},
      {"matches", static_cast<double>(answer.matches.size())},
      {"bytes_per_code", static_cast<double>(index.bytes()) / static_cast<double>(index.size())}};
}

std::string Naive(uint64_t count) {
  const std::vector<uint64_t> codes = MakeCodes(count, 1);
  const std::vector<uint64_t> queries = MakeQueries(codes, 200);
  std::vector<std::string> rows;
  const auto add = [&](std::string_view name, const HammingIndex& index) {
    rows.push_back(RowOf(name, Measure(index, queries)));
  };
  add("every variant tried", ProbeVariants(codes));
  const auto stored = StoreVariants::Create(codes, kRadius, uint64_t{8} << 30);
  if (stored) add("every variant stored", *stored);
  for (const uint32_t blocks : {4U, 5U, 6U}) {
    const BlockPlan plan = *BlockPlan::Choose(blocks, kRadius);
    add(fmt::format("{} sorted tables", plan.tables.size()), BlockTables(codes, plan));
  }
  add("16 sorted tables, two levels", BlockTables(codes, BlockPlan::TwoLevels()));
  HalfKeyIndex index;
  index.Insert(codes);
  add("zhiwen", index);
  BruteForceHamming all;
  all.Insert(codes);
  add("every code compared", all);
  return fmt::format("{{\"rows\": [{}]}}", fmt::join(rows, ", "));
}

// One table of a plan stands for all, which differ in the bits that come first.
std::string Tables(uint64_t count, uint64_t blocks) {
  BlockPlan plan = blocks == 16 ? BlockPlan::TwoLevels()
                                : *BlockPlan::Choose(static_cast<uint32_t>(blocks), kRadius);
  const auto tables = static_cast<double>(plan.tables.size());
  plan.tables.resize(1);
  const std::vector<uint64_t> codes = MakeCodes(count, 1);
  const std::vector<uint64_t> queries = MakeCodes(200'000, 3);
  const BlockTables index(codes, plan);
  const auto asked = static_cast<double>(queries.size());
  Figures figures = {
      {"codes", static_cast<double>(count)},
      {"tables", tables},
      {"candidates", static_cast<double>(index.CountCandidates(queries)) / asked},
      {"expected", plan.ExpectedCandidates(static_cast<double>(count))},
      {"us_of_table", Measure(index, queries).front().second},
  };
  return RowOf(fmt::format("{} tables", tables), figures);
}

std::string Model(double codes, double memory) {
  std::vector<std::string> rows;
  const auto add = [&](std::string_view name, const PlanCost& cost) {
    rows.push_back(RowOf(name, {{"bytes", cost.bytes},
                                {"machines", cost.machines},
                                {"look_ups", cost.look_ups},
                                {"candidates", cost.candidates}}));
  };
  add("every variant tried", CostOfProbing(kRadius, codes, memory));
  add("every variant stored", CostOfStoring(kRadius, codes, memory));
  for (const uint32_t blocks : {4U, 5U, 6U}) {
    const BlockPlan plan = *BlockPlan::Choose(blocks, kRadius);
    add(fmt::format("{} sorted tables", plan.tables.size()), CostOf(plan, codes, memory));
  }
  add("16 sorted tables, two levels", CostOf(BlockPlan::TwoLevels(), codes, memory));
  add("zhiwen", CostOfHalfKeys(kRadius, codes, memory));
  return fmt::format("{{\"rows\": [{}]}}", fmt::join(rows, ", "));
}

int Run(const std::vector<std::string_view>& words) {
  std::vector<uint64_t> numbers;
  for (size_t i = 1; i < words.size(); ++i) {
    uint64_t number = 0;
    const char* end = words[i].data() + words[i].size();
    if (std::from_chars(words[i].data(), end, number).ptr == end && number > 0) {
      numbers.push_back(number);
    }
  }
  std::string figures;
  if (words.size() == 2 && words[0] == "naive" && numbers.size() == 1) {
    figures = Naive(numbers[0]);
  } else if (words.size() == 3 && words[0] == "tables" && numbers.size() == 2 && numbers[1] > 3 &&
             numbers[1] <= 16) {
    figures = Tables(numbers[0], numbers[1]);
  } else if (words.size() == 3 && words[0] == "model" && numbers.size() == 2) {
    figures = Model(static_cast<double>(numbers[0]), static_cast<double>(numbers[1]));
  } else {
    std::fputs("hamming_plans naive CODES | tables CODES BLOCKS | model CODES BYTES\n", stderr);
    return 2;
  }
  std::puts(figures.c_str());
  return 0;
}

}  // namespace
}  // namespace zhiwen

int main(int count, char** words) { return zhiwen::Run({words + 1, words + count}); }
