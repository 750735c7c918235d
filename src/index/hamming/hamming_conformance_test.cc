// Every index of Hamming distances returns what brute force returns, and brute force returns what
// the definition says.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "index/codes/code_segment.h"
#include "index/codes/sorted_rows.h"
#include "index/hamming/brute_force_hamming.h"
#include "index/hamming/half_key_index.h"
#include "index/hamming/hamming_join.h"
#include "index/hamming/literature_plans.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

using Codes = std::vector<uint64_t>;

struct Implementation {
  std::string name;
  uint32_t max_radius;
  uint32_t code_bits;
  std::function<std::unique_ptr<HammingIndex>(const Codes&)> make;
};

template <typename Index>
std::unique_ptr<HammingIndex> MakeMutable(Index index, const Codes& codes) {
  auto made = std::make_unique<Index>(std::move(index));
  made->Insert(codes);
  return made;
}

// The tables of a segment of codes, in a file.
class InSegment final : public HammingIndex {
 public:
  InSegment(const Codes& codes, uint32_t code_bits) {
    const SortedRows rows(LargeVector<uint64_t>(codes.begin(), codes.end()), code_bits);
    std::string bytes;
    EXPECT_TRUE(WriteCodeSegment(rows, [&](std::string_view piece) {
      bytes += piece;
      return Status();
    }));
    InMemoryFileSystem files;  // the mapping remains valid without it
    files.Put("codes.zw", bytes);
    auto segment = CodeSegment::Open(files, "codes.zw");
    EXPECT_TRUE(segment) << segment.error().message;
    segment_ = std::move(*segment);
  }
  uint64_t size() const override { return segment_->codes(); }
  uint64_t bytes() const override { return segment_->bytes(); }
  Status Query(std::span<const uint64_t> queries, uint32_t radius,
               HammingAnswer& answer) const override {
    return segment_->hamming().Query(queries, radius, answer);
  }

 private:
  std::unique_ptr<CodeSegment> segment_;
};

std::unique_ptr<HammingIndex> MakeTables(const Result<BlockPlan>& plan, const Codes& codes) {
  return std::make_unique<BlockTables>(codes, plan.value());
}

const std::vector<Implementation>& Implementations() {
  static const std::vector<Implementation> implementations = {
      {"BruteForce", 64, 64,
       [](const Codes& codes) { return MakeMutable(BruteForceHamming(), codes); }},
      {"HalfKey", 64, 64, [](const Codes& codes) { return MakeMutable(HalfKeyIndex(), codes); }},
      {"HalfKeyWithThirds", 64, 64,
       [](const Codes& codes) { return MakeMutable(HalfKeyIndex({.third_bits = 12}), codes); }},
      {"HalfKeyOf32Bits", 32, 32,
       [](const Codes& codes) { return MakeMutable(HalfKeyIndex({.code_bits = 32}), codes); }},
      {"Packed", 64, 64, [](const Codes& codes) { return std::make_unique<InSegment>(codes, 64); }},
      {"PackedOf32Bits", 32, 32,
       [](const Codes& codes) { return std::make_unique<InSegment>(codes, 32); }},
      {"ProbeVariants", 2, 64,
       [](const Codes& codes) { return std::make_unique<ProbeVariants>(codes); }},
      {"StoreVariants", 1, 64,
       [](const Codes& codes) {
         return std::make_unique<StoreVariants>(
             *StoreVariants::Create(codes, 1, uint64_t{1} << 30));
       }},
      {"FourTables", 3, 64,
       [](const Codes& codes) { return MakeTables(BlockPlan::Choose(4, 3), codes); }},
      {"TenTables", 3, 64,
       [](const Codes& codes) { return MakeTables(BlockPlan::Choose(5, 3), codes); }},
      {"SixteenTables", 3, 64,
       [](const Codes& codes) { return MakeTables(BlockPlan::TwoLevels(), codes); }},
      {"TwentyTables", 3, 64,
       [](const Codes& codes) { return MakeTables(BlockPlan::Choose(6, 3), codes); }},
  };
  return implementations;
}

class EveryHammingIndex : public testing::TestWithParam<size_t> {
 protected:
  const Implementation& implementation() const { return Implementations()[GetParam()]; }
};

INSTANTIATE_TEST_SUITE_P(All, EveryHammingIndex,
                         testing::Range(size_t{0}, Implementations().size()),
                         [](const testing::TestParamInfo<size_t>& index) {
                           return Implementations()[index.param].name;
                         });

// Draws codes near one another: few centres, each with some bits changed, some of them shared by
// many.
Codes NearCodes(std::mt19937_64& random, size_t count, uint32_t bits) {
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  Codes centres(1 + count / 8), codes(count);
  for (uint64_t& centre : centres) centre = random();
  for (uint64_t& code : codes) {
    code = centres[random() % centres.size()];
    for (uint64_t flips = random() % 12; flips > 0; --flips) code ^= uint64_t{1} << random() % bits;
    if (random() % 4 == 0) code = (code & ~uint64_t{0xFFFF}) | 0x1234;  // one value of a part
    code &= mask;
  }
  return codes;
}

std::vector<HammingMatch> Definition(const Codes& codes, const Codes& queries, uint32_t radius) {
  std::vector<HammingMatch> matches;
  const std::set<uint64_t> distinct(codes.begin(), codes.end());
  for (uint32_t q = 0; q < queries.size(); ++q) {
    for (uint32_t distance = 0; distance <= radius; ++distance) {
      for (const uint64_t code : distinct) {
        if (static_cast<uint32_t>(std::popcount(code ^ queries[q])) != distance) continue;
        matches.push_back({q, distance, code});
      }
    }
  }
  return matches;
}

TEST_P(EveryHammingIndex, FindsWhatTheDefinitionSays) {
  std::mt19937_64 random(7);
  for (const size_t count : {0, 1, 2, 50, 400}) {
    Codes codes = NearCodes(random, count, implementation().code_bits);
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    Codes queries = NearCodes(random, 5, implementation().code_bits);
    queries.insert(queries.end(), codes.begin(),
                   codes.begin() + static_cast<ptrdiff_t>(std::min<size_t>(codes.size(), 10)));
    const auto index = implementation().make(codes);
    EXPECT_EQ(index->size(), codes.size());
    for (const uint32_t radius : {0U, 1U, 2U, 3U, 4U, 8U, 13U, 31U, 64U}) {
      if (radius > implementation().max_radius) continue;
      HammingAnswer answer;
      EXPECT_TRUE(index->Query(queries, radius, answer));
      EXPECT_EQ(answer.matches, Definition(codes, queries, radius)) << count << " " << radius;
      EXPECT_TRUE(answer.truncated.empty());
    }
  }
}

// The codes are so many that no index compares all of them.
TEST_P(EveryHammingIndex, EqualsBruteForceWithManyCodes) {
  constexpr size_t kMost = 30000;
  std::mt19937_64 random(8);
  Codes codes = NearCodes(random, implementation().name == "StoreVariants" ? 300 : kMost,
                          implementation().code_bits);
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  const auto index = implementation().make(codes);
  BruteForceHamming brute_force;
  brute_force.Insert(codes);
  Codes queries = NearCodes(random, 20, implementation().code_bits);
  for (int i = 0; i < 30; ++i) queries.push_back(codes[random() % codes.size()] ^ 1);
  for (uint32_t radius = 0; radius <= std::min(implementation().max_radius, 5U); ++radius) {
    HammingAnswer answer, expected;
    EXPECT_TRUE(index->Query(queries, radius, answer));
    EXPECT_TRUE(brute_force.Query(queries, radius, expected));
    EXPECT_EQ(answer.matches, expected.matches) << radius;
    // A single query is compared with all codes less readily than many are.
    for (uint32_t q = 40; q < queries.size(); ++q) {
      HammingAnswer alone;
      EXPECT_TRUE(index->Query({&queries[q], 1}, radius, alone));
      for (HammingMatch& match : alone.matches) match.query = q;
      const auto its = std::ranges::equal_range(expected.matches, q, {}, &HammingMatch::query);
      EXPECT_TRUE(std::ranges::equal(alone.matches, its)) << radius;
    }
  }
}

// Inserts, removes and finds codes in random order, and compares with a set.
void ExpectLikeASet(MutableHammingIndex& index, uint32_t bits) {
  std::mt19937_64 random(9);
  const Codes pool = NearCodes(random, 3000, bits);
  std::set<uint64_t> expected;
  for (int round = 0; round < 25; ++round) {
    Codes some;
    for (uint64_t i = random() % 200; i > 0; --i) some.push_back(pool[random() % pool.size()]);
    const size_t before = expected.size();
    if (random() % 3 > 0) {
      expected.insert(some.begin(), some.end());
      EXPECT_EQ(index.Insert(some), expected.size() - before);
    } else {
      for (const uint64_t code : some) expected.erase(code);
      EXPECT_EQ(index.Remove(some), before - expected.size());
    }
    ASSERT_EQ(index.size(), expected.size());
    HammingAnswer answer;
    EXPECT_TRUE(index.Query(some, 2, answer));
    const Codes all(expected.begin(), expected.end());
    ASSERT_EQ(answer.matches, Definition(all, some, 2)) << round;
  }
}

TEST(MutableHammingIndexes, AreLikeASetWhateverIsInsertedAndRemoved) {
  BruteForceHamming brute_force;
  ExpectLikeASet(brute_force, 64);
  HalfKeyIndex half_key;
  ExpectLikeASet(half_key, 64);
  HalfKeyIndex with_thirds({.third_bits = 6});
  ExpectLikeASet(with_thirds, 64);
  HalfKeyIndex of_32_bits({.code_bits = 32});
  ExpectLikeASet(of_32_bits, 32);
}

TEST(HalfKeyIndexes, HoldTheSameHoweverManyAreInsertedAtOnce) {
  std::mt19937_64 random(19);
  Codes codes = NearCodes(random, 12000, 64);
  for (uint64_t i = 0; i < 6000; ++i) codes.push_back(i * 0x9E3779B97F4A7C15 << 32 | 42);
  codes.insert(codes.end(), codes.begin(), codes.begin() + 3000);
  std::shuffle(codes.begin(), codes.end(), random);
  HalfKeyIndex one_by_one, many({.third_bits = 9});
  for (const uint64_t code : codes) one_by_one.Insert({&code, 1});
  uint64_t added = 0;
  size_t begin = 0;
  // The last batch is less than half of the codes present.
  for (const size_t count : {10, 5000, 100, 8000, 4096}) {
    added += many.Insert({codes.data() + begin, count});
    begin += count;
  }
  added += many.Insert(std::span(codes).subspan(begin));
  EXPECT_EQ(added, one_by_one.size());
  const auto all = [](const HalfKeyIndex& index) {
    Codes found;
    index.VisitAll([&](uint64_t code) { found.push_back(code); });
    std::sort(found.begin(), found.end());
    return found;
  };
  EXPECT_EQ(all(many), all(one_by_one));
  HammingAnswer answer, expected;
  for (const uint32_t radius : {1U, 9U}) {
    EXPECT_TRUE(many.Query({codes.data(), 200}, radius, answer));
    EXPECT_TRUE(one_by_one.Query({codes.data(), 200}, radius, expected));
    EXPECT_EQ(answer.matches, expected.matches);
  }
  EXPECT_EQ(many.Remove(codes), added);
  EXPECT_EQ(many.size(), 0);
}

TEST(HalfKeyIndexes, SayWhenAHalfIsSharedByMoreCodesThanTheyLookAt) {
  const BitOrder order(64);  // halves are the same bits, whichever order the index has
  for (const size_t others : {size_t{5000}, HalfKeyIndex::kOrderedAt}) {
    HalfKeyIndex index({.scan_limit = 100});
    Codes codes;
    for (uint32_t i = 0; i < 5000; ++i) {
      codes.push_back(order.CodeOf(uint64_t{i * 0x9E3779B9} << 32 | 42));
    }
    std::mt19937_64 random(3);
    for (size_t i = 0; i < others; ++i) codes.push_back(random() | 1);
    EXPECT_EQ(index.Insert(codes), codes.size());
    HammingAnswer answer;
    const Codes queries = {random(), codes[17], random(), codes[4000]};
    EXPECT_TRUE(index.Query(queries, 3, answer));
    EXPECT_EQ(answer.truncated, (std::vector<uint32_t>{1, 3}));
    // Both codes are found by their other half.
    EXPECT_TRUE(std::any_of(answer.matches.begin(), answer.matches.end(),
                            [&](const HammingMatch& match) { return match.code == codes[17]; }));
  }
}

// All codes are compared only where that takes no longer.
TEST(HalfKeyIndexes, CompareAllCodesRatherThanTruncate) {
  HalfKeyIndex index({.scan_limit = 1000});
  BruteForceHamming brute_force;
  std::mt19937_64 random(7);
  Codes codes;
  const BitOrder order(64);
  for (uint32_t i = 0; i < 5000; ++i) {
    codes.push_back(order.CodeOf(uint64_t{i * 0x9E3779B9} << 32 | 42));
    codes.push_back(random());
  }
  index.Insert(codes);
  brute_force.Insert(codes);
  const Codes queries = {random(), codes[16], codes[17], codes[18] ^ 5, codes[21] ^ 3};
  HammingAnswer answer, expected;
  for (const std::span<const uint64_t> some : {std::span(queries).first(2), std::span(queries)}) {
    ASSERT_TRUE(index.Query(some, 3, answer));  // the answer is appended to
    ASSERT_TRUE(brute_force.Query(some, 3, expected));
  }
  EXPECT_TRUE(answer.truncated.empty());
  EXPECT_EQ(answer.matches, expected.matches);
}

TEST(PackedHamming, ComparesAllCodesRatherThanTruncate) {
  Codes codes(kHalfScanLimit + 5000);
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = i * 0x9E3779B1 & 0xFFFFFFFF;
  const InSegment index(codes, 64);
  const Codes queries = {codes[9] ^ 1, codes[99] ^ 6, codes[999] ^ uint64_t{3} << 40};
  HammingAnswer answer, expected;
  ASSERT_TRUE(index.Query(queries, 3, answer));
  CodeScan scan(queries, 3, expected);
  for (const uint64_t code : codes) scan.Add(code);
  scan.Finish();
  SortMatches(expected, 0);
  EXPECT_TRUE(answer.truncated.empty());
  EXPECT_EQ(answer.matches, expected.matches);
}

TEST(HalfKeyIndex, OrdersBitsByCodesThatDiffer) {
  Codes codes(2 * HalfKeyIndex::kOrderedAt);
  std::mt19937_64 random(8);
  for (uint64_t& code : codes) code = random() >> 8;
  HalfKeyIndex with_copies, without;
  EXPECT_EQ(with_copies.Insert(Codes(2 * HalfKeyIndex::kOrderedAt, codes[0])), 1);
  EXPECT_EQ(without.Insert({codes.data(), 1}), 1);
  with_copies.Insert(codes);
  without.Insert(codes);
  EXPECT_EQ(with_copies.bytes(), without.bytes());
}

TEST(HalfKeyPlan, PutsCodesTogetherAsItSplitThem) {
  std::mt19937_64 random(4);
  for (const uint32_t bits : {32U, 64U}) {
    const HalfKeyPlan plan = {.code_bits = bits};
    for (int i = 0; i < 1000; ++i) {
      const uint64_t code = random() >> (64 - bits);
      const CodeHalves halves = plan.HalvesOf(code);
      EXPECT_EQ(plan.CodeOf(halves), code);
      EXPECT_EQ((uint64_t{halves.of[0]} | halves.of[1]) >> plan.half_bits(), 0);
    }
  }
}

// Draws codes in which some bits are equal, inserts them singly and in batches, before and after
// the order of their bits is chosen.
TEST(HalfKeyIndex, EqualsBruteForceInEveryOrderOfBits) {
  std::mt19937_64 random(6);
  for (const uint64_t mask :
       {~uint64_t{0}, uint64_t{0xFFFFFFFFFFFFFF}, uint64_t{0xF0F0F0F0F0F0F0F}}) {
    HalfKeyIndex index({.third_bits = mask == ~uint64_t{0} ? 14U : 0U});
    std::set<uint64_t> expected;
    Codes near = {0};
    const auto some_code = [&] {
      const uint64_t code = random() % 4 == 0 ? near[random() % near.size()] : random();
      return (code ^ uint64_t{1} << random() % 64 ^ uint64_t{1} << random() % 64) & mask;
    };
    while (index.size() < 2 * HalfKeyIndex::kOrderedAt) {
      const bool is_one = index.size() % 5 != 0 && index.size() < HalfKeyIndex::kOrderedAt + 100;
      Codes codes(is_one ? 1 : 3000);
      std::ranges::generate(codes, some_code);
      const size_t before = expected.size();
      expected.insert(codes.begin(), codes.end());
      EXPECT_EQ(index.Insert(codes), expected.size() - before);
      near.insert(near.end(), codes.begin(), codes.end());
      const Codes removed = {near[random() % near.size()]};
      EXPECT_EQ(index.Remove(removed), expected.erase(removed[0]));
    }
    std::set<uint64_t> all;
    index.VisitAll([&](uint64_t code) { EXPECT_TRUE(all.insert(code).second); });
    EXPECT_EQ(all, expected);
    BruteForceHamming brute_force;
    brute_force.Insert(Codes(expected.begin(), expected.end()));
    Codes queries(200);
    std::ranges::generate(queries, some_code);
    for (const uint32_t radius : {0U, 1U, 2U, 3U, 4U, 5U, 8U}) {
      HammingAnswer answer, wanted;
      ASSERT_TRUE(index.Query(queries, radius, answer));
      ASSERT_TRUE(brute_force.Query(queries, radius, wanted));
      EXPECT_EQ(answer.matches, wanted.matches) << radius;
      EXPECT_TRUE(answer.truncated.empty());
    }
  }
}

TEST(FindNearest, GivesTheNearestCodesUpToTheRadius) {
  std::mt19937_64 random(5);
  const Codes codes = NearCodes(random, 5000, 64);
  HalfKeyIndex index;
  index.Insert(codes);
  for (int i = 0; i < 10; ++i) {
    const uint64_t query = codes[random() % codes.size()] ^ 6;
    auto expected = Definition(codes, {query}, 9);
    if (expected.size() > 7) expected.resize(7);
    const NearestCodes found = *FindNearest(index, query, 7, 9);
    EXPECT_EQ(found.matches, expected);
    EXPECT_TRUE(found.is_exact);
  }
}

TEST(JoinWithin, FindsEveryPairOnce) {
  std::mt19937_64 random(11);
  for (const size_t count : {0, 1, 2, 40, 1500}) {
    Codes codes = NearCodes(random, count, 64);
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    for (const uint32_t radius : {0U, 1U, 2U, 3U, 5U, 8U, 64U}) {
      if (radius == 64 && count > 100) continue;
      std::vector<CodePair> expected, pairs;
      for (size_t i = 0; i < codes.size(); ++i) {
        for (size_t j = i + 1; j < codes.size(); ++j) {
          const auto distance = static_cast<uint32_t>(std::popcount(codes[i] ^ codes[j]));
          if (distance <= radius) expected.push_back({codes[i], codes[j]});
        }
      }
      Codes shuffled = codes;
      std::shuffle(shuffled.begin(), shuffled.end(), random);
      const auto keep = [&](std::span<const CodePair> found) {
        pairs.insert(pairs.end(), found.begin(), found.end());
      };
      EXPECT_TRUE(JoinWithin(shuffled, radius, keep, NoProgress(), Cancellation()));
      std::sort(pairs.begin(), pairs.end());
      EXPECT_EQ(pairs, expected) << count << " " << radius;
    }
  }
}

TEST(JoinWithin, TellsHowFarItIs) {
  class Shares : public ProgressSink {
   public:
    void Advance(Stage stage, uint64_t done, uint64_t total) override {
      EXPECT_EQ(stage, Stage::kJoinCodes);
      EXPECT_GE(done, last_);
      EXPECT_LE(done, total);
      last_ = done;
      ++count_;
    }
    uint64_t last_ = 0, count_ = 0;
  };
  std::mt19937_64 random(12);
  Codes codes = NearCodes(random, 20'000, 64);
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  for (const uint32_t radius : {1U, 2U, 3U, 8U}) {
    Shares shares;
    EXPECT_TRUE(JoinWithin(
        codes, radius, [](std::span<const CodePair>) {}, shares, Cancellation()));
    EXPECT_GE(static_cast<double>(shares.last_), 0.99 * static_cast<double>(codes.size()))
        << radius;
    EXPECT_GE(shares.count_, 100) << radius;
  }
}

TEST(BlockPlans, AreThoseOfTheLiterature) {
  const auto widths = [](const BlockPlan& plan) {
    std::set<int> all;
    for (const BlockPlan::Table& table : plan.tables) all.insert(std::popcount(table.mask));
    return all;
  };
  const BlockPlan four = *BlockPlan::Choose(4, 3);
  EXPECT_EQ(four.tables.size(), 4);
  EXPECT_EQ(widths(four), std::set<int>{16});
  EXPECT_EQ(BlockPlan::Choose(5, 3)->tables.size(), 10);
  EXPECT_EQ(widths(*BlockPlan::Choose(5, 3)), (std::set<int>{25, 26}));
  EXPECT_EQ(BlockPlan::Choose(6, 3)->tables.size(), 20);
  EXPECT_EQ(widths(*BlockPlan::Choose(6, 3)), (std::set<int>{31, 32, 33}));
  EXPECT_EQ(BlockPlan::TwoLevels().tables.size(), 16);
  EXPECT_EQ(widths(BlockPlan::TwoLevels()), std::set<int>{28});
  EXPECT_EQ(VariantCount(3), 43745);
  // For 2³⁴ codes there are 2¹⁸ candidates in a table of 16 bits, and 2⁶ in one of 28.
  EXPECT_EQ(four.ExpectedCandidates(0x1p34), 4 * 0x1p18);
  EXPECT_EQ(BlockPlan::TwoLevels().ExpectedCandidates(0x1p34), 16 * 0x1p6);
  EXPECT_EQ(BlockPlan::Choose(3, 3).error().code, ErrorCode::kInvalidArgument);
}

TEST(BlockPlans, GiveAsManyCandidatesAsTheyExpect) {
  std::mt19937_64 random(13);
  Codes codes(1 << 16), queries(800);
  for (uint64_t& code : codes) code = random();
  for (uint64_t& query : queries) query = random();
  const BlockPlan plan = *BlockPlan::Choose(4, 3);
  const auto found = static_cast<double>(BlockTables(codes, plan).CountCandidates(queries));
  const double expected = plan.ExpectedCandidates(0x1p16) * 800;  // 3200, Poisson distributed
  EXPECT_NEAR(found, expected, 5 * std::sqrt(expected));
}

TEST(StoreVariants, RefusesWhatDoesNotFit) {
  const Codes codes(1000);
  EXPECT_EQ(StoreVariants::Create(codes, 3, 1 << 20).error().code, ErrorCode::kExhausted);
}

}  // namespace
}  // namespace zhiwen
