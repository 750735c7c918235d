#include "index/bands/band_scan.h"

#include <algorithm>
#include <bit>

#include "index/bands/band_plan.h"

namespace zhiwen {
namespace {

constexpr size_t kBitsPerKey = 4;
constexpr size_t kLeastBits = 1024;
// The memory for one key that may not be unique: the key, its slot (in a table up to four times as
// large), its place and its row.
constexpr uint64_t kBytesPerSuspect = 16 + 16 * 4 + 8 + 12;
constexpr uint64_t kLeastSuspects = 1024;
constexpr size_t kPrefetchAhead = 16;  // suspects
constexpr uint32_t kNoBucket = UINT32_MAX;

uint64_t Scatter(uint64_t key) { return key * 0x9E3779B97F4A7C15; }

}  // namespace

BandScan::BandScan(uint64_t memory_bytes)
    : most_suspects_(std::max(memory_bytes / kBytesPerSuspect, kLeastSuspects)) {}

Status BandScan::Run(uint32_t band, uint32_t documents, const KeySource& source,
                     const std::function<Status(std::span<const BucketMember>)>& found) {
  next_bucket_ = 0;
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t suspects, MarkSeen(documents, source));
  if (suspects == 0) return {};
  const uint64_t parts = 1 + suspects / most_suspects_;
  for (uint64_t part = 0; part < parts; ++part) {
    ZHIWEN_RETURN_IF_ERROR(CollectSuspects(source, part, parts));
    CountSuspects();
    GatherMembers(band);
    ZHIWEN_RETURN_IF_ERROR(found(members_));
  }
  return {};
}

// Sets the bits, and returns a bound on the number of keys that may not be unique.
Result<uint64_t> BandScan::MarkSeen(uint32_t documents, const KeySource& source) {
  const size_t bits = std::bit_ceil(std::max(documents * kBitsPerKey + 1, kLeastBits));
  seen_shift_ = 64 - std::countr_zero(bits);
  seen_.assign(bits / 64, SeenBits());
  uint64_t again = 0;
  ZHIWEN_RETURN_IF_ERROR(source([&](uint32_t, std::span<const uint64_t> keys) {
    for (const uint64_t key : keys) {
      const uint64_t place = Scatter(key) >> seen_shift_;
      SeenBits& word = seen_[place / 64];
      const uint64_t bit = uint64_t{1} << (place % 64);
      again += (word.once & bit) != 0 && key != kNoBandKey ? 1 : 0;
      word.twice |= word.once & bit;
      word.once |= bit;
    }
  }));
  return again * 2;  // each of these keys met at least one before it
}

bool BandScan::IsSeenTwice(uint64_t key) const {
  const uint64_t place = Scatter(key) >> seen_shift_;
  return (seen_[place / 64].twice >> (place % 64) & 1) != 0;
}

Status BandScan::CollectSuspects(const KeySource& source, uint64_t part, uint64_t parts) {
  suspects_.clear();
  return source([&](uint32_t first, std::span<const uint64_t> keys) {
    // A branch here would be unpredictable. Every key is therefore written, and the next one
    // overwrites it unless it is kept.
    const size_t begin = suspects_.size();
    size_t count = begin;
    suspects_.resize(begin + keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
      suspects_[count] = {keys[i], first + static_cast<uint32_t>(i)};
      const size_t is_key = keys[i] != kNoBandKey ? 1 : 0;
      count += IsSeenTwice(keys[i]) ? is_key : 0;
    }
    suspects_.resize(count);
    if (parts == 1) return;
    const auto is_of_other_part = [&](const Suspect& suspect) {
      return (Scatter(suspect.key) >> 8) % parts != part;
    };
    const auto from = suspects_.begin() + static_cast<ptrdiff_t>(begin);
    suspects_.erase(std::remove_if(from, suspects_.end(), is_of_other_part), suspects_.end());
  });
}

// Counts keys in a table with linear probing.
void BandScan::CountSuspects() {
  const size_t capacity = std::bit_ceil(suspects_.size() * 2 + 2);
  const int shift = 64 - std::countr_zero(capacity);
  slots_.assign(capacity, Slot{kNoBandKey, 0, kNoBucket});
  places_.clear();
  places_.reserve(suspects_.size());
  for (size_t i = 0; i < suspects_.size(); ++i) {
    const Suspect& suspect = suspects_[i];
    if (i + kPrefetchAhead < suspects_.size()) {
      __builtin_prefetch(&slots_[Scatter(suspects_[i + kPrefetchAhead].key) >> shift], 1);
    }
    size_t place = Scatter(suspect.key) >> shift;
    while (slots_[place].count != 0 && slots_[place].key != suspect.key) {
      place = (place + 1) & (capacity - 1);
    }
    slots_[place].key = suspect.key;
    ++slots_[place].count;
    places_.push_back(place);
  }
}

void BandScan::GatherMembers(uint32_t band) {
  members_.clear();
  for (size_t i = 0; i < suspects_.size(); ++i) {
    Slot& slot = slots_[places_[i]];
    if (slot.count < 2) continue;
    if (slot.bucket == kNoBucket) slot.bucket = next_bucket_++;
    members_.push_back({suspects_[i].document, band, slot.bucket});
  }
}

}  // namespace zhiwen
