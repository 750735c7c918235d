#include "index/shared_buckets.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "index/band_plan.h"

namespace zhiwen {
namespace {

constexpr size_t kBitsPerKey = 8;
constexpr size_t kLeastBits = 1024;

uint64_t Scatter(uint64_t key) { return key * 0x9E3779B97F4A7C15; }

// Which hash values were seen once, and which twice or more: 64 of each in one struct, so that a
// key touches one cache line.
struct SeenBits {
  uint64_t once = 0, twice = 0;
};

struct Member {
  uint32_t document;
  uint32_t bucket;  // within the band
};

struct BandBuckets {
  std::vector<Member> members;  // ascending by document
  std::vector<uint32_t> sizes;  // by bucket
};

// Finds the buckets of one band. One object per worker: its tables are used again.
class BandScan {
 public:
  BandBuckets Run(std::span<const uint64_t> keys) {
    MarkSeen(keys);
    CollectSuspects(keys);
    CountSuspects(keys);
    return NumberBuckets();
  }

 private:
  struct Slot {
    uint64_t key;
    uint32_t count;
    uint32_t bucket;
  };
  static constexpr uint32_t kNoBucket = UINT32_MAX;

  void MarkSeen(std::span<const uint64_t> keys) {
    const size_t bits = std::bit_ceil(std::max(keys.size() * kBitsPerKey, kLeastBits));
    seen_shift_ = 64 - std::countr_zero(bits);
    seen_.assign(bits / 64, SeenBits());
    for (const uint64_t key : keys) {
      const uint64_t place = Scatter(key) >> seen_shift_;
      SeenBits& word = seen_[place / 64];
      const uint64_t bit = uint64_t{1} << (place % 64);
      word.twice |= word.once & bit;
      word.once |= bit;
    }
  }

  // Documents whose key may not be alone.
  void CollectSuspects(std::span<const uint64_t> keys) {
    suspects_.resize(keys.size() + 1);
    size_t count = 0;
    for (size_t document = 0; document < keys.size(); ++document) {
      const uint64_t place = Scatter(keys[document]) >> seen_shift_;
      const uint64_t seen_twice = seen_[place / 64].twice >> (place % 64) & 1;
      suspects_[count] = static_cast<uint32_t>(document);
      count += seen_twice & static_cast<uint64_t>(keys[document] != kNoBandKey);
    }
    suspects_.resize(count);
  }

  // Linear probing by exact key; places_ remembers the slot of each suspect.
  void CountSuspects(std::span<const uint64_t> keys) {
    const size_t capacity = std::bit_ceil(suspects_.size() * 2 + 2);
    const int shift = 64 - std::countr_zero(capacity);
    slots_.assign(capacity, Slot{kNoBandKey, 0, kNoBucket});
    places_.clear();
    for (const uint32_t document : suspects_) {
      const uint64_t key = keys[document];
      size_t place = Scatter(key) >> shift;
      while (slots_[place].count != 0 && slots_[place].key != key) {
        place = (place + 1) & (capacity - 1);
      }
      slots_[place].key = key;
      ++slots_[place].count;
      places_.push_back(place);
    }
  }

  BandBuckets NumberBuckets() {
    BandBuckets result;
    for (size_t i = 0; i < suspects_.size(); ++i) {
      Slot& slot = slots_[places_[i]];
      if (slot.count < 2) continue;
      if (slot.bucket == kNoBucket) {
        slot.bucket = static_cast<uint32_t>(result.sizes.size());
        result.sizes.push_back(slot.count);
      }
      result.members.push_back({suspects_[i], slot.bucket});
    }
    return result;
  }

  int seen_shift_ = 0;
  std::vector<SeenBits> seen_;
  std::vector<uint32_t> suspects_;
  std::vector<Slot> slots_;
  std::vector<size_t> places_;
};

// Turns lists by band into lists by document.
SharedBuckets Gather(std::span<const BandBuckets> bands, size_t documents) {
  SharedBuckets shared;
  std::vector<uint32_t> place_of(documents, 0);  // first the number of buckets, then the place
  for (const BandBuckets& band : bands) {
    for (const Member& member : band.members) ++place_of[member.document];
  }
  std::vector<size_t> next;
  size_t total = 0;
  for (size_t document = 0; document < documents; ++document) {
    if (place_of[document] == 0) continue;
    next.push_back(total);
    total += place_of[document];
    place_of[document] = static_cast<uint32_t>(shared.documents.size());
    shared.documents.push_back(static_cast<uint32_t>(document));
    shared.starts.push_back(total);
  }
  shared.buckets.resize(total);
  for (const BandBuckets& band : bands) {
    const auto first_bucket = static_cast<uint32_t>(shared.bucket_sizes.size());
    for (const Member& member : band.members) {
      shared.buckets[next[place_of[member.document]]++] = first_bucket + member.bucket;
    }
    shared.bucket_sizes.insert(shared.bucket_sizes.end(), band.sizes.begin(), band.sizes.end());
  }
  return shared;
}

}  // namespace

SharedBuckets FindSharedBuckets(std::span<const std::span<const uint64_t>> columns,
                                Executor& executor) {
  if (columns.empty()) return {};
  std::vector<BandBuckets> bands(columns.size());
  std::atomic<size_t> next_band = 0;
  executor.RunOnAll([&](size_t) {
    BandScan scan;
    for (size_t band = next_band++; band < columns.size(); band = next_band++) {
      bands[band] = scan.Run(columns[band]);
    }
  });
  return Gather(bands, columns.front().size());
}

}  // namespace zhiwen
