#ifndef ZHIWEN_INDEX_REFERENCES_REFERENCE_STRETCHES_H_
#define ZHIWEN_INDEX_REFERENCES_REFERENCE_STRETCHES_H_

// Finds the symbols of an input that it has in common with references that it matches, and joins
// them to passages (docs/dedup-rules.md, "Cutting").
//
// In          keys of the input in order, some at a time, and those of the references: hashes of
//             all runs of some length, such as shingles
// Out         by reference the stretches of the input that its keys cover
// Guarantees  equal to the definition (reference_stretches_test.cc: brute force)
// Cost        the keys of all references are looked up among kMostKeys of the input after the
//             other: a bit filter for each, and a search for those that pass. 16 bytes for each of
//             these keys, however many the references have
// Threads     one at a time

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace zhiwen {

// Some symbols of a text.
struct SymbolRange {
  uint64_t begin = 0, end = 0;

  uint64_t size() const { return end - begin; }
  friend bool operator==(const SymbolRange&, const SymbolRange&) = default;
};

class StretchFinder {
 public:
  // Returns the keys of a reference, in any order.
  using KeysOf = std::function<std::span<const uint64_t>(size_t reference)>;

  static constexpr size_t kMostKeys = size_t{1} << 16;

  // `length`: how many symbols a key is made of.
  StretchFinder(uint64_t length, size_t references, KeysOf keys_of, size_t most_keys = kMostKeys)
      : length_(length),
        keys_of_(std::move(keys_of)),
        most_keys_(most_keys),
        stretches_(references) {}

  // Adds keys of the input, the first of which begins at the symbol `begin`. Calls ascend.
  void Add(uint64_t begin, std::span<const uint64_t> keys);
  void Finish();

  // Returns the stretches by reference. They ascend, and none touches the next one.
  const std::vector<std::vector<SymbolRange>>& stretches() const { return stretches_; }

 private:
  struct Entry {
    uint64_t key;
    uint64_t begin;

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  void LookUp();

  const uint64_t length_;
  const KeysOf keys_of_;
  const size_t most_keys_;
  std::vector<Entry> entries_;  // of the input
  std::vector<uint64_t> begins_;
  std::vector<std::vector<SymbolRange>> stretches_;
};

// Joins neighbours with at most so many symbols between them. `stretches` are ascending by their
// begin.
std::vector<SymbolRange> JoinStretches(std::span<const SymbolRange> stretches, uint64_t most_gap);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_REFERENCES_REFERENCE_STRETCHES_H_
