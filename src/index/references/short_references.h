#ifndef ZHIWEN_INDEX_REFERENCES_SHORT_REFERENCES_H_
#define ZHIWEN_INDEX_REFERENCES_SHORT_REFERENCES_H_

// Finds references that are too short for a shingle: an input matches where it has their symbols in
// a row.
//
// In          references of 1 to kShingleLength − 1 symbols, numbers ascending
// Out         where they occur in an input
// Cost        for each length that exists some nanoseconds a symbol of the input; 24 bytes a
//             reference and a filter
// Threads     const after Finish: share freely

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "feature/shingles.h"
#include "index/references/bit_filter.h"

namespace zhiwen {

class ShortReferences {
 public:
  static constexpr size_t kLongest = kShingleLength - 1;

  // Returns the bytes of so many references.
  static uint64_t BytesFor(uint64_t references);

  void Add(uint32_t reference, std::span<const uint32_t> symbols);
  void Finish();

  bool empty() const { return entries_.empty(); }

  uint64_t bytes() const { return entries_.capacity() * sizeof(Entry) + filter_.bytes(); }

  // Calls found(reference, begin, length) for every occurrence in `symbols`: the shorter ones
  // first, then by place, then by reference.
  void Find(
      std::span<const uint32_t> symbols,
      const std::function<void(uint32_t reference, uint64_t begin, uint64_t length)>& found) const;

 private:
  // Padded with zeros; the length tells a symbol 0 from the padding.
  struct Key {
    uint32_t length = 0;
    std::array<uint32_t, kLongest> symbols = {};

    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Entry {
    Key key;
    uint32_t reference = 0;

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  static uint64_t HashOf(std::span<const uint32_t> symbols);

  std::vector<Entry> entries_;  // ascending
  std::array<uint64_t, kLongest + 1> of_length_ = {};
  BitFilter filter_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_REFERENCES_SHORT_REFERENCES_H_
