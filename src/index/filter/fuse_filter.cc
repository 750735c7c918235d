#include "index/filter/fuse_filter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/prefetch.h"
#include "base/value_bytes.h"

namespace zhiwen {
namespace {

__extension__ using Product = unsigned __int128;

constexpr uint64_t kMostSegmentSlots = uint64_t{1} << 18;
constexpr uint64_t kMostSlots = (uint64_t{1} << 32) - 1;
constexpr int kMostSeeds = 100;

using Slots = std::array<uint32_t, 3>;

uint64_t HashOf(uint64_t key, uint64_t seed) { return MixKey64(key + seed); }

// Returns the three places of a key. Places of ascending hashes are nearly ascending, too.
Slots SlotsOf(uint64_t hash, const FuseShape& shape) {
  const uint64_t size = shape.segment_slots;
  const auto first = static_cast<uint64_t>(Product{hash} * (shape.segments * size) >> 64);
  return {static_cast<uint32_t>(first),
          static_cast<uint32_t>((first + size) ^ (hash >> 18 & (size - 1))),
          static_cast<uint32_t>((first + 2 * size) ^ (hash & (size - 1)))};
}

template <typename Word>
Word FingerprintOf(uint64_t hash) {
  return static_cast<Word>(hash ^ hash >> 32);
}

// Returns the hashes of the keys sorted by their highest bits, so that neighbouring hashes touch
// neighbouring slots.
std::vector<uint64_t> HashesInOrder(const std::vector<uint64_t>& keys, const FuseShape& shape) {
  const auto bits = std::min<uint64_t>(std::bit_width(shape.segments) + 1, 16);
  const uint64_t shift = 64 - bits;
  std::vector<uint64_t> begins((uint64_t{1} << bits) + 1);
  const auto part_of = [shift](uint64_t hash) { return hash >> shift; };
  for (const uint64_t key : keys) ++begins[part_of(HashOf(key, shape.seed)) + 1];
  for (size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  std::vector<uint64_t> hashes(keys.size());
  for (const uint64_t key : keys) {
    const uint64_t hash = HashOf(key, shape.seed);
    hashes[begins[part_of(hash)]++] = hash;
  }
  return hashes;
}

// The keys at each slot: four times their number, with the exclusive or of the index of this slot
// among each key's three places in the two lowest bits, and the exclusive or of their hashes.
struct SlotKeys {
  explicit SlotKeys(uint64_t slots) : numbers(slots), hashes(slots) {}

  bool IsOnlyOne(uint32_t slot) const { return numbers[slot] >> 2 == 1; }
  // Returns false when there are more keys than can be counted, as with many equal keys.
  bool Add(uint32_t slot, uint32_t place, uint64_t hash) {
    hashes[slot] ^= hash;
    numbers[slot] = static_cast<uint8_t>((numbers[slot] ^ place) + 4);
    return numbers[slot] >= 4;
  }
  void Remove(uint32_t slot, uint32_t place, uint64_t hash) {
    hashes[slot] ^= hash;
    numbers[slot] = static_cast<uint8_t>((numbers[slot] ^ place) - 4);
  }

  std::vector<uint8_t> numbers;
  std::vector<uint64_t> hashes;
};

// The keys in an order in which each has a place that no later key has, together with this place.
struct PeelOrder {
  std::vector<uint64_t> hashes;
  std::vector<uint8_t> places;
};

// Fills the order. Returns false when there is none.
bool Peel(const FuseShape& shape, std::vector<uint64_t> hashes, PeelOrder& order) {
  SlotKeys at(shape.slots());
  for (const uint64_t hash : hashes) {
    const Slots slots = SlotsOf(hash, shape);
    for (uint32_t place = 0; place < slots.size(); ++place) {
      if (!at.Add(slots[place], place, hash)) return false;
    }
  }
  const size_t keys = hashes.size();
  hashes.clear();
  order.hashes = std::move(hashes);  // reuses their memory
  order.places.clear();
  order.places.reserve(keys);
  std::vector<uint32_t> open;
  for (uint32_t next = 0; next < shape.slots(); ++next) {
    if (at.IsOnlyOne(next)) open.push_back(next);
    while (!open.empty()) {
      const uint32_t slot = open.back();
      open.pop_back();
      if (!at.IsOnlyOne(slot)) continue;
      const uint64_t hash = at.hashes[slot];
      order.hashes.push_back(hash);
      order.places.push_back(at.numbers[slot] & 3);
      const Slots slots = SlotsOf(hash, shape);
      for (uint32_t place = 0; place < slots.size(); ++place) {
        at.Remove(slots[place], place, hash);
        if (at.IsOnlyOne(slots[place])) open.push_back(slots[place]);
      }
    }
  }
  return order.hashes.size() == keys;
}

// Each key's own place is filled after all places that are combined with it.
template <typename Word>
void Assign(const FuseShape& shape, const PeelOrder& order, LargeVector<Word>& table) {
  table.resize(shape.slots());
  std::ranges::fill(table, Word{0});
  for (size_t i = order.hashes.size(); i > 0; --i) {
    const Slots slots = SlotsOf(order.hashes[i - 1], shape);
    auto word = FingerprintOf<Word>(order.hashes[i - 1]);
    for (const uint32_t slot : slots) word ^= table[slot];
    table[slots[order.places[i - 1]]] = word;
  }
}

// Removes equal keys. Returns whether there were any.
bool RemoveEqual(std::vector<uint64_t>& keys) {
  std::ranges::sort(keys);
  const size_t given = keys.size();
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys.size() < given;
}

}  // namespace

// The numbers 3.33, 2.25, 1.125 and 0.875 are those of the paper, §3, found by experiment.
FuseShape FuseShape::For(uint64_t keys) {
  if (keys < 2) return {.segment_slots = 4, .segments = 1};
  const double logarithm = std::log(static_cast<double>(keys));
  const auto bits = static_cast<uint64_t>(logarithm / std::log(3.33) + 2.25);
  const uint64_t size = std::min(uint64_t{1} << bits, kMostSegmentSlots);
  const double factor = std::max(1.125, 0.875 + 0.25 * std::log(1e6) / logarithm);
  const auto slots = static_cast<uint64_t>(std::ceil(static_cast<double>(keys) * factor));
  return {.segment_slots = size, .segments = std::max<uint64_t>((slots + size - 1) / size, 3) - 2};
}

bool FuseShape::IsPossible() const {
  return std::has_single_bit(segment_slots) && segment_slots <= kMostSegmentSlots && segments > 0 &&
         segments <= kMostSlots && slots() <= kMostSlots;
}

template <typename Word>
Result<std::unique_ptr<FilterTable>> FuseFilter<Word>::Build(std::vector<uint64_t> keys) {
  PeelOrder order;
  for (int tried = 0; tried < kMostSeeds; ++tried) {
    // Equal keys collide with every seed. Without them the first seed may succeed.
    if (tried == 1 && RemoveEqual(keys)) tried = 0;
    FuseShape shape = FuseShape::For(keys.size());
    shape.seed = MixKey64(static_cast<uint64_t>(tried) + 1);
    if (!Peel(shape, HashesInOrder(keys, shape), order)) continue;
    std::unique_ptr<FuseFilter> filter(new FuseFilter(shape, keys.size()));
    Assign(shape, order, filter->table_);
    return std::unique_ptr<FilterTable>(std::move(filter));
  }
  return Fail(ErrorCode::kInternal, "no fuse filter of these keys was found; build a bloom filter");
}

template <typename Word>
FuseFilter<Word>::FuseFilter(const FuseShape& shape, std::string_view table, uint64_t keys)
    : FuseFilter(shape, keys) {
  table_.resize(shape.slots());
  std::memcpy(table_.data(), table.data(), table.size());
}

template <typename Word>
std::string_view FuseFilter<Word>::bytes() const {
  return BytesOfValues(table_);
}

template <typename Word>
double FuseFilter<Word>::false_positives() const {
  return keys_ == 0 ? 0 : std::pow(0.5, 8 * sizeof(Word));
}

template <typename Word>
size_t FuseFilter<Word>::Select(std::span<const uint64_t> keys, uint32_t* places) const {
  struct Place {
    Slots slots;
    Word fingerprint;
  };
  if (keys_ == 0) return 0;  // zeros would be the fingerprint of some key
  const Word* const table = table_.data();
  return SelectPrepared(
      keys, places,
      [&](uint64_t key) {
        const uint64_t hash = HashOf(key, shape_.seed);
        const Slots slots = SlotsOf(hash, shape_);
        for (const uint32_t slot : slots) Prefetch(table + slot);
        return Place{slots, FingerprintOf<Word>(hash)};
      },
      [&](const Place& place) {
        return (table[place.slots[0]] ^ table[place.slots[1]] ^ table[place.slots[2]]) ==
               place.fingerprint;
      });
}

template class FuseFilter<uint8_t>;
template class FuseFilter<uint16_t>;

}  // namespace zhiwen
