#include "index/bands/shared_buckets.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>

#include "index/bands/band_scan.h"

namespace zhiwen {
namespace {

uint64_t ScatterKey(uint64_t key) { return key * 0x9E3779B97F4A7C15; }

// Counts the members of each bucket and numbers the buckets, in a table with open addressing.
class BucketTable {
 public:
  struct Slot {
    uint64_t bucket = 0;
    uint32_t members = 0;  // 0 when the slot is free
    uint32_t number = UINT32_MAX;
  };

  explicit BucketTable(std::span<const PlacedMember> members)
      : slots_(std::bit_ceil(members.size() * 2 + 2)),
        shift_(64 - std::countr_zero(slots_.size())) {
    for (const PlacedMember& member : members) ++SlotOf(member.bucket).members;
  }

  Slot& SlotOf(uint64_t bucket) {
    size_t place = ScatterKey(bucket + 1) >> shift_;
    while (slots_[place].members != 0 && slots_[place].bucket != bucket) {
      place = (place + 1) & (slots_.size() - 1);
    }
    slots_[place].bucket = bucket;
    return slots_[place];
  }

 private:
  std::vector<Slot> slots_;
  int shift_;
};

// Sorts members by document. The members of one document keep their order.
std::vector<PlacedMember> ByDocument(std::span<const PlacedMember> members, uint32_t documents) {
  std::vector<size_t> next(documents + size_t{1});
  for (const PlacedMember& member : members) ++next[member.document + size_t{1}];
  for (uint32_t d = 0; d < documents; ++d) next[d + size_t{1}] += next[d];
  std::vector<PlacedMember> sorted(members.size());
  for (const PlacedMember& member : members) sorted[next[member.document]++] = member;
  return sorted;
}

}  // namespace

SharedBuckets SharedBucketsOf(std::span<const PlacedMember> members, uint32_t documents) {
  BucketTable table(members);
  SharedBuckets shared;
  for (const PlacedMember& member : ByDocument(members, documents)) {
    BucketTable::Slot& slot = table.SlotOf(member.bucket);
    if (slot.members < 2) continue;
    if (slot.number == UINT32_MAX) {
      slot.number = static_cast<uint32_t>(shared.bucket_sizes.size());
      shared.bucket_sizes.push_back(slot.members);
    }
    if (shared.documents.empty() || shared.documents.back() != member.document) {
      shared.documents.push_back(member.document);
      shared.starts.push_back(shared.buckets.size());
    }
    shared.buckets.push_back(slot.number);
    shared.starts.back() = shared.buckets.size();
  }
  // Candidates need the buckets of each document in ascending order.
  for (size_t i = 0; i < shared.documents.size(); ++i) {
    std::sort(shared.buckets.begin() + static_cast<std::ptrdiff_t>(shared.starts[i]),
              shared.buckets.begin() + static_cast<std::ptrdiff_t>(shared.starts[i + 1]));
  }
  return shared;
}

SharedBuckets FindSharedBuckets(std::span<const std::span<const uint64_t>> columns,
                                Executor& executor) {
  std::vector<std::vector<BucketMember>> bands(columns.size());
  std::atomic<uint32_t> next_band = 0;
  executor.RunOnAll([&](size_t) {
    BandScan scan(std::numeric_limits<uint64_t>::max());
    for (uint32_t band = next_band++; band < columns.size(); band = next_band++) {
      const auto source = [&](const KeyVisitor& visit) -> Status {
        visit(0, columns[band]);
        return {};
      };
      // Neither the source nor the receiver of the scan can fail.
      (void)scan.Run(band, static_cast<uint32_t>(columns[band].size()), source,
                     [&](std::span<const BucketMember> members) -> Status {
                       bands[band].assign(members.begin(), members.end());
                       return {};
                     });
    }
  });
  std::vector<PlacedMember> members;
  for (const auto& band : bands) {
    for (const BucketMember& member : band) {
      members.push_back({member.document, uint64_t{member.band} << 32 | member.bucket});
    }
  }
  const size_t documents = columns.empty() ? 0 : columns.front().size();
  return SharedBucketsOf(members, static_cast<uint32_t>(documents));
}

}  // namespace zhiwen
