#include "fingerprint/simhash.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace zhiwen {
namespace {

// Sums +1 and −1, as the papers do.
uint64_t SlowSimhash(const std::vector<uint64_t>& hashes) {
  uint64_t simhash = 0;
  for (int bit = 0; bit < 64; ++bit) {
    long sum = 0;
    for (const uint64_t hash : hashes) sum += (hash >> bit & 1) != 0 ? 1 : -1;
    if (sum > 0) simhash |= uint64_t{1} << bit;
  }
  return simhash;
}

TEST(Simhash, IsTheSignOfTheSums) {
  std::mt19937_64 random(1);
  for (const size_t count : {1, 2, 3, 10, 255, 256, 257, 1000}) {
    std::vector<uint64_t> hashes(count);
    for (uint64_t& hash : hashes) hash = random() & random();
    EXPECT_EQ(ComputeSimhash64(hashes), SlowSimhash(hashes)) << count;
  }
}

TEST(Simhash, TakesATieForZero) {
  EXPECT_EQ(ComputeSimhash64(std::vector<uint64_t>{0b0011, 0b0101}), 0b0001u);
  EXPECT_EQ(ComputeSimhash64(std::vector<uint64_t>{~uint64_t{0}, 0}), 0u);
}

// A feature that occurs 100,000 times overflows no counter and outvotes all others.
TEST(Simhash, CountsEveryOccurrence) {
  std::vector<uint64_t> hashes(100000, 0x0123456789ABCDEF);
  hashes.resize(150000, ~uint64_t{0x0123456789ABCDEF});
  EXPECT_EQ(ComputeSimhash64(hashes), 0x0123456789ABCDEF);
}

// FNV-1a takes the place of the 传统的32位hash函数 of step 4, which the source does not name.
uint64_t StandIn(std::string_view feature) {
  uint32_t hash = 2166136261u;
  for (const char c : feature) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
  return hash;
}

// Runs the six steps of simhash与重复信息识别(一) on its three sentences. The codes come from
// steps() in eval/reproduce_simhash.py, which sums bit by bit with the same hash.
TEST(Simhash, FollowsTheSixStepsOfTheWorkedExample) {
  const auto code_of = [](std::string_view text) {
    std::set<std::string> features;
    for (size_t i = 0; i + 2 <= text.size(); ++i) features.emplace(text.substr(i, 2));
    std::vector<uint64_t> hashes;
    for (const std::string& feature : features) hashes.push_back(StandIn(feature));
    return std::pair(features, ComputeSimhash64(hashes));
  };
  const auto [features, code] = code_of("the cat sat on the mat");
  EXPECT_EQ(features, (std::set<std::string>{"th", "he", "e ", " c", "ca", "at", "t ", " s", "sa",
                                             " o", "on", "n ", " t", " m", "ma"}));
  EXPECT_EQ(code, 0x74452450u);
  EXPECT_EQ(code_of("the cat sat on a mat").second, 0x70050450u);
  EXPECT_EQ(code_of("we all scream for ice cream").second, 0x7C046500u);
}

TEST(SimhashVotes, AreTheSignOfTheWeightedSumsInEveryBit) {
  std::mt19937_64 random(3);
  for (const size_t count : {1, 2, 7, 255, 256, 257, 1500}) {
    SimhashVotes votes;
    std::array<int64_t, 128> sums = {};
    for (size_t i = 0; i < count; ++i) {
      const Hash128 hash = {random(), random()};
      // Weights above 1 are fewer, so that both kinds decide.
      const bool is_once = random() % 4 != 0;
      const uint64_t weight = is_once ? 1 : random() % 8;
      is_once ? votes.AddOnce(hash) : votes.Add(hash, weight);
      for (size_t bit = 0; bit < sums.size(); ++bit) {
        const uint64_t half = bit < 64 ? hash.low : hash.high;
        sums[bit] += (half >> bit % 64 & 1) != 0 ? static_cast<int64_t>(weight)
                                                 : -static_cast<int64_t>(weight);
      }
    }
    const Hash128 simhash = votes.Finish();
    for (size_t bit = 0; bit < sums.size(); ++bit) {
      const uint64_t half = bit < 64 ? simhash.low : simhash.high;
      EXPECT_EQ(half >> bit % 64 & 1, sums[bit] > 0 ? 1u : 0u) << count << " " << bit;
    }
  }
}

TEST(SimhashVotes, WithoutWeightAreZero) {
  SimhashVotes votes;
  EXPECT_EQ(votes.Finish(), Hash128());
  votes.Add({~uint64_t{0}, ~uint64_t{0}}, 0);
  EXPECT_EQ(votes.Finish(), Hash128());
}

// Two bits differ with probability angle / π (Charikar 2002, §3). The test takes 400 pairs of
// vectors of 1000 features, of which a share is equal, with 64 bits each and five standard
// deviations.
TEST(Simhash, DiffersInAShareOfBitsThatIsTheAngle) {
  std::mt19937_64 random(2);
  for (const size_t same : {500, 900, 990}) {
    int differing = 0;
    for (int pair = 0; pair < 400; ++pair) {
      std::vector<uint64_t> a(1001), b(1001);
      for (uint64_t& hash : a) hash = random();
      for (size_t i = 0; i < b.size(); ++i) b[i] = i < same ? a[i] : random();
      differing += std::popcount(ComputeSimhash64(a) ^ ComputeSimhash64(b));
    }
    const double expected = std::acos(static_cast<double>(same) / 1001) / std::acos(-1);
    const double trials = 400 * 64;
    EXPECT_NEAR(differing / trials, expected,
                5 * std::sqrt(expected * (1 - expected) / trials) + 0.002)
        << same;
  }
}

}  // namespace
}  // namespace zhiwen
