// Tests DSC and super shingles against a direct implementation.

#include <gtest/gtest.h>
#include <xxhash.h>

#include <random>
#include <set>
#include <vector>

#include "fingerprint/scheme_test_support.h"

namespace zhiwen {
namespace {

HashSet SetOf(const std::set<uint64_t>& hashes) { return {{hashes.begin(), hashes.end()}}; }

TEST(DscScheme, KeepsTheShinglesThatTheModulusDivides) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    std::u32string symbols;
    std::string text;
    for (size_t length = random() % 60; length > 0; --length) {
      symbols += static_cast<char32_t>('a' + random() % 3);
      text += static_cast<char>(symbols.back());
    }
    const size_t k = 1 + random() % 4;
    const size_t modulus = 1 + random() % 5;
    const size_t size = 1 + random() % 4;
    std::set<uint64_t> kept;
    for (size_t i = 0; i + k <= symbols.size(); ++i) {
      const uint64_t hash = XXH3_64bits(symbols.data() + i, 4 * k);
      if (hash % modulus == 0) kept.insert(hash);
    }
    const std::vector<uint64_t> sorted(kept.begin(), kept.end());
    std::set<uint64_t> super;
    for (size_t i = 0; i + size <= sorted.size(); ++i) {
      super.insert(XXH3_64bits(sorted.data() + i, 8 * size));
    }
    const std::string parameters =
        fmt::format("(channel=exact,feature=shingle({}),modulus={}", k, modulus);
    const Fingerprint dsc = ComputeFingerprint("dsc" + parameters + ")", text);
    const Fingerprint supers =
        ComputeFingerprint(fmt::format("supershingles{},size={})", parameters, size), text);
    EXPECT_EQ(dsc, kept.empty() ? Fingerprint() : Fingerprint(SetOf(kept)));
    EXPECT_EQ(supers, super.empty() ? Fingerprint() : Fingerprint(SetOf(super)));
  }
}

}  // namespace
}  // namespace zhiwen
