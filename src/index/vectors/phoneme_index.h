#ifndef ZHIWEN_INDEX_VECTORS_PHONEME_INDEX_H_
#define ZHIWEN_INDEX_VECTORS_PHONEME_INDEX_H_

// Which texts of a set sound like a query, by values of the scheme phonemes in their quantised form
// (docs/formats/phonemes.md): one contract, and the implementations of this folder.
// phoneme_index_test.cc holds them against BruteForcePhonemes, which is the definition.
//
// In          rows: values of kPhonemeCount bytes each, one after another, of any content; weights
//             of models from 0 to 1
// Guarantees  exact: a match is what a model of zhiwen/phoneme_snapshot.h says of the cosines of
//             the bytes, and no other row is one; the same on every machine
// Threads     const functions from many threads; whoever changes is alone

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "text/reading/syllable.h"
#include "zhiwen/phoneme_snapshot.h"

namespace zhiwen {

// Rows that lie side by side: in memory, or in a part of a file that is mapped. The span outlives
// what reads it.
struct PhonemeRows {
  std::span<const uint8_t> bytes;
  uint64_t first = 0;                      // the number of the first row
  std::span<const uint64_t> removed = {};  // a bit for each row from the lowest; none: all stay

  size_t size() const { return bytes.size() / kPhonemeCount; }
  std::span<const uint8_t, kPhonemeCount> operator[](size_t place) const {
    return bytes.subspan(place * kPhonemeCount).first<kPhonemeCount>();
  }
  bool is_removed(size_t place) const {
    return !removed.empty() && (removed[place / 64] >> place % 64 & 1) != 0;
  }
};

struct PhonemeMatch {
  uint32_t query = 0;     // its place in the batch
  uint64_t row = 0;       // its number
  double similarity = 0;  // the weighted sum of the cosines

  friend bool operator==(const PhonemeMatch&, const PhonemeMatch&) = default;
};

// What makes a row a match.
struct PhonemeRule {
  enum class Kind : uint8_t {
    kThresholds,  // model 1: each cosine is above its threshold
    kSimilarity,  // model 2: the weighted sum is above `model.similarity`
    kNearest,     // it is among the `count` with the largest weighted sums
  };
  Kind kind = Kind::kSimilarity;
  PhonemeModel model = {};
  size_t count = 10;
};

// By query, then by similarity, the largest first, then by row.
using PhonemeMatches = std::vector<PhonemeMatch>;

class PhonemeIndex {
 public:
  virtual ~PhonemeIndex() = default;

  // Rows that are not removed, and all memory of the index.
  virtual uint64_t size() const = 0;
  virtual uint64_t bytes() const = 0;

  // The matches of each of `queries`, fewer than 2³², of which none is removed.
  virtual PhonemeMatches Query(const PhonemeRows& queries, const PhonemeRule& rule) const = 0;

  // Adds rows; returns the number of the first of them. Numbers ascend from 0, and none is given
  // twice.
  virtual uint64_t Insert(std::span<const uint8_t> rows) = 0;
  // Returns how many of the numbers were those of rows.
  virtual uint64_t Remove(std::span<const uint64_t> numbers) = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_VECTORS_PHONEME_INDEX_H_
