// Compares the scan with buckets counted in a map, with memory for all suspects at once and for a
// part of them.

#include "index/bands/band_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "index/bands/band_plan.h"

namespace zhiwen {
namespace {

std::vector<uint64_t> MakeKeys(std::mt19937_64& random, size_t documents, uint64_t different) {
  std::vector<uint64_t> keys(documents);
  for (uint64_t& key : keys) {
    key = random() % 10 == 0 ? kNoBandKey : (1 + random() % different) * 0x9FB21C651E98DF25;
  }
  return keys;
}

// Returns the documents of each bucket of two or more.
std::vector<std::vector<uint32_t>> BucketsByMap(const std::vector<uint64_t>& keys) {
  std::map<uint64_t, std::vector<uint32_t>> by_key;
  for (uint32_t d = 0; d < keys.size(); ++d) {
    if (keys[d] != kNoBandKey) by_key[keys[d]].push_back(d);
  }
  std::vector<std::vector<uint32_t>> buckets;
  for (const auto& [key, documents] : by_key) {
    if (documents.size() > 1) buckets.push_back(documents);
  }
  std::ranges::sort(buckets);
  return buckets;
}

std::vector<std::vector<uint32_t>> BucketsByScan(BandScan& scan,
                                                 const std::vector<uint64_t>& keys) {
  constexpr size_t kPiece = 300;
  const KeySource source = [&](const KeyVisitor& visit) -> Status {
    for (size_t begin = 0; begin < keys.size(); begin += kPiece) {
      visit(static_cast<uint32_t>(begin),
            std::span(keys).subspan(begin, std::min(kPiece, keys.size() - begin)));
    }
    return {};
  };
  std::map<uint32_t, std::vector<uint32_t>> buckets;
  const Status status = scan.Run(3, static_cast<uint32_t>(keys.size()), source,
                                 [&](std::span<const BucketMember> members) -> Status {
                                   for (const BucketMember& member : members) {
                                     EXPECT_EQ(member.band, 3u);
                                     buckets[member.bucket].push_back(member.document);
                                   }
                                   return {};
                                 });
  EXPECT_TRUE(status);
  std::vector<std::vector<uint32_t>> sorted;
  for (auto& [bucket, documents] : buckets) {
    EXPECT_TRUE(std::ranges::is_sorted(documents));
    sorted.push_back(documents);
  }
  std::ranges::sort(sorted);
  return sorted;
}

TEST(BandScan, FindsTheBucketsThatAMapFinds) {
  std::mt19937_64 random(1);
  for (const uint64_t memory : {uint64_t{0}, uint64_t{200'000}, uint64_t{1} << 30}) {
    BandScan scan(memory);
    for (const size_t documents : {0, 1, 2, 50, 5000, 20000}) {
      for (const uint64_t different : {1, 40, 3000, 1000000}) {
        const std::vector<uint64_t> keys = MakeKeys(random, documents, different);
        ASSERT_EQ(BucketsByScan(scan, keys), BucketsByMap(keys))
            << documents << " documents, " << different << " keys, memory " << memory;
      }
    }
  }
}

}  // namespace
}  // namespace zhiwen
