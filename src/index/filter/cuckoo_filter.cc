#include "index/filter/cuckoo_filter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/prefetch.h"
#include "base/value_bytes.h"

namespace zhiwen {
namespace {

constexpr uint64_t kSlots = 4;  // slots of a bucket
constexpr uint64_t kLeastTagBits = 8, kMostTagBits = 27;
constexpr double kMostLoad = 0.95;
constexpr uint64_t kSpareBuckets = 8;  // small tables fill less evenly
constexpr uint64_t kMostBuckets = (uint64_t{1} << 32) - 1;
constexpr size_t kMostMoves = 500;
constexpr size_t kAhead = 8;  // keys whose memory is prefetched
constexpr uint64_t kNoSlot = ~uint64_t{0};

}  // namespace

// A key is compared with at most eight tags, which gives the number of bits.
CuckooShape CuckooShape::For(uint64_t keys, double false_positives) {
  const auto bits = static_cast<uint64_t>(std::ceil(std::log2(2 * kSlots / false_positives)));
  const double buckets = std::ceil(static_cast<double>(keys) / (kSlots * kMostLoad));
  return {static_cast<uint64_t>(buckets) + kSpareBuckets,
          std::clamp(bits, kLeastTagBits, kMostTagBits)};
}

bool CuckooShape::IsPossible() const {
  return buckets > 0 && buckets <= kMostBuckets && tag_bits >= kLeastTagBits &&
         tag_bits <= kMostTagBits;
}

CuckooFilter::CuckooFilter(const CuckooShape& shape)
    : shape_(shape),
      mask_((uint64_t{1} << shape.tag_bits) - 1),
      pair_mask_((uint64_t{1} << 2 * shape.tag_bits) - 1),
      pair_ones_(uint64_t{1} << shape.tag_bits | 1),
      pair_highs_(pair_ones_ << (shape.tag_bits - 1)) {
  table_.resize(shape.table_bytes());
  std::ranges::fill(table_, uint8_t{0});
}

CuckooFilter::CuckooFilter(const CuckooShape& shape, std::string_view table) : CuckooFilter(shape) {
  std::memcpy(table_.data(), table.data(), table_.size());
  for (uint64_t slot = 0; slot < shape_.slots(); ++slot) keys_ += TagAt(slot) == 0 ? 0 : 1;
}

std::string_view CuckooFilter::bytes() const { return BytesOfValues(table_); }

double CuckooFilter::false_positives() const {
  const double load = static_cast<double>(keys_) / static_cast<double>(shape_.slots());
  const double equal = std::pow(0.5, static_cast<double>(shape_.tag_bits));
  return 1 - std::pow(1 - equal, 2 * kSlots * load);
}

// Loads at most seven bits before the slot, then two tags.
uint64_t CuckooFilter::Load(uint64_t slot) const {
  const uint64_t bit = slot * shape_.tag_bits;
  uint64_t bytes;
  std::memcpy(&bytes, table_.data() + bit / 8, sizeof(bytes));
  return bytes >> bit % 8;
}

void CuckooFilter::SetTag(uint64_t slot, uint64_t tag) {
  const uint64_t bit = slot * shape_.tag_bits;
  uint64_t bytes;
  std::memcpy(&bytes, table_.data() + bit / 8, sizeof(bytes));
  bytes = (bytes & ~(mask_ << bit % 8)) | tag << bit % 8;
  std::memcpy(table_.data() + bit / 8, &bytes, sizeof(bytes));
}

uint64_t CuckooFilter::OtherBucket(uint64_t bucket, uint64_t tag) const {
  const uint64_t sum = Reduce(MixKey64(tag) >> 32, shape_.buckets);
  return sum >= bucket ? sum - bucket : sum + shape_.buckets - bucket;
}

CuckooFilter::Place CuckooFilter::PlaceOf(uint64_t key) const {
  const uint64_t hash = MixKey64(key);
  const uint64_t tag = std::max<uint64_t>(hash & mask_, 1);
  const uint64_t first = Reduce(hash >> 32, shape_.buckets);
  const uint64_t second = OtherBucket(first, tag);
  Prefetch(table_.data() + first * kSlots * shape_.tag_bits / 8);
  Prefetch(table_.data() + second * kSlots * shape_.tag_bits / 8);
  return {first, second, tag};
}

// Tests two tags at a time: the subtraction borrows into the highest bit of a tag that is equal.
bool CuckooFilter::HasTag(uint64_t bucket, uint64_t tag) const {
  const uint64_t wanted = tag * pair_ones_;
  const uint64_t low = (Load(bucket * kSlots) & pair_mask_) ^ wanted;
  const uint64_t high = (Load(bucket * kSlots + 2) & pair_mask_) ^ wanted;
  const uint64_t zeros = ((low - pair_ones_) & ~low) | ((high - pair_ones_) & ~high);
  return (zeros & pair_highs_) != 0;
}

uint64_t CuckooFilter::FindTag(uint64_t bucket, uint64_t tag) const {
  for (uint64_t slot = bucket * kSlots; slot < (bucket + 1) * kSlots; ++slot) {
    if (TagAt(slot) == tag) return slot;
  }
  return kNoSlot;
}

uint64_t CuckooFilter::FindSlot(const Place& place) const {
  const uint64_t slot = FindTag(place.first, place.tag);
  return slot != kNoSlot ? slot : FindTag(place.second, place.tag);
}

bool CuckooFilter::PutTag(uint64_t bucket, uint64_t tag) {
  const uint64_t slot = FindTag(bucket, 0);
  if (slot == kNoSlot) return false;
  SetTag(slot, tag);
  return true;
}

// Inserts a tag. When both buckets are full, a tag in one of them moves to its other bucket, and so
// on; the moved tag is chosen pseudo-randomly, always in the same way for the same key. When no
// place is found, all moves are undone.
bool CuckooFilter::Insert(const Place& place) {
  if (PutTag(place.first, place.tag) || PutTag(place.second, place.tag)) return true;
  uint64_t random = MixKey64(place.first << 32 | place.tag);
  uint64_t bucket = random >> 63 != 0 ? place.first : place.second;
  uint64_t tag = place.tag;
  std::array<Slot, kMostMoves> moved;
  for (Slot& step : moved) {
    random = random * 6364136223846793005 + 1442695040888963407;
    step = {bucket * kSlots + (random >> 62), 0};
    step.tag = TagAt(step.slot);
    SetTag(step.slot, tag);
    tag = step.tag;
    bucket = OtherBucket(bucket, tag);
    if (PutTag(bucket, tag)) return true;
  }
  for (size_t i = moved.size(); i > 0; --i) SetTag(moved[i - 1].slot, moved[i - 1].tag);
  return false;
}

Status CuckooFilter::Add(std::span<const uint64_t> keys) {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i + kAhead < keys.size()) (void)PlaceOf(keys[i + kAhead]);
    if (Insert(PlaceOf(keys[i]))) continue;
    // Moved tags stay where they are, since they are found there as well.
    for (const uint64_t key : keys.first(i)) SetTag(FindSlot(PlaceOf(key)), 0);
    return Fail(
        ErrorCode::kExhausted,
        fmt::format("cannot add {} keys to a cuckoo filter of {} keys with room for about {}: key "
                    "{} of them found no place, or is there 8 times; build a larger one",
                    keys.size(), keys_,
                    static_cast<uint64_t>(static_cast<double>(shape_.slots()) * kMostLoad), i + 1));
  }
  keys_ += keys.size();
  return {};
}

Status CuckooFilter::Remove(std::span<const uint64_t> keys) {
  std::vector<Slot> removed;
  removed.reserve(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i + kAhead < keys.size()) (void)PlaceOf(keys[i + kAhead]);
    const Place place = PlaceOf(keys[i]);
    const uint64_t slot = FindSlot(place);
    if (slot != kNoSlot) {
      SetTag(slot, 0);
      removed.push_back({slot, place.tag});
      continue;
    }
    for (const Slot& back : removed) SetTag(back.slot, back.tag);
    return Fail(ErrorCode::kNotFound,
                fmt::format("cannot remove {} keys: key {} of them is not in the filter, and "
                            "nothing was removed; remove only what was added",
                            keys.size(), i + 1));
  }
  keys_ -= keys.size();
  return {};
}

size_t CuckooFilter::Select(std::span<const uint64_t> keys, uint32_t* places) const {
  return SelectPrepared(
      keys, places, [this](uint64_t key) { return PlaceOf(key); },
      [this](const Place& place) {
        return HasTag(place.first, place.tag) || HasTag(place.second, place.tag);
      });
}

}  // namespace zhiwen
