#ifndef ZHIWEN_INDEX_REFERENCES_REFERENCE_STRETCHES_H_
#define ZHIWEN_INDEX_REFERENCES_REFERENCE_STRETCHES_H_

// Finds the symbols of an input that it has in common with references that it matches, and joins
// them to passages (docs/dedup-rules.md, "Cutting").
//
// In          keys of the references, then those of the input in order: hashes of all runs of some
//             length, such as shingles
// Out         by reference the stretches of the input that its keys cover
// Guarantees  equal to the definition (reference_stretches_test.cc: brute force)
// Cost        16 bytes a key of the references; a search among them for every key of the input that
//             passes a bit filter
// Threads     one at a time

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/references/bit_filter.h"

namespace zhiwen {

// Some symbols of a text.
struct SymbolRange {
  uint64_t begin = 0, end = 0;

  uint64_t size() const { return end - begin; }
  friend bool operator==(const SymbolRange&, const SymbolRange&) = default;
};

class StretchFinder {
 public:
  // `length`: how many symbols a key is made of.
  explicit StretchFinder(uint64_t length) : length_(length) {}

  // Adds the keys of the next reference, in any order.
  void Add(std::span<const uint64_t> keys);
  void Finish();

  // Looks up keys of the input, the first of which begins at the symbol `begin`. Calls ascend.
  void Look(uint64_t begin, std::span<const uint64_t> keys);

  // Returns the stretches by reference. They ascend, and none touches the next one.
  const std::vector<std::vector<SymbolRange>>& stretches() const { return stretches_; }

 private:
  struct Entry {
    uint64_t key;
    uint32_t reference;

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  const uint64_t length_;
  std::vector<Entry> entries_;  // ascending
  BitFilter filter_;
  std::vector<std::vector<SymbolRange>> stretches_;
};

// Joins neighbours with at most so many symbols between them. `stretches` are ascending by their
// begin.
std::vector<SymbolRange> JoinStretches(std::span<const SymbolRange> stretches, uint64_t most_gap);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_REFERENCES_REFERENCE_STRETCHES_H_
