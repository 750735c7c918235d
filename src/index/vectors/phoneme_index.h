#ifndef ZHIWEN_INDEX_VECTORS_PHONEME_INDEX_H_
#define ZHIWEN_INDEX_VECTORS_PHONEME_INDEX_H_

// The contract of indexes that return the texts of a set which sound like a query, by values of the
// scheme phonemes in their quantized form (docs/formats/phonemes.md). This folder has the
// implementations, and phoneme_index_test.cc compares them with BruteForcePhonemes, which is the
// definition.
//
// In          rows: values of kPhonemeCount bytes each, one after another, of any content; weights
//             of models from 0 to 1
// Guarantees  exact: matches are exactly the rows that a model of zhiwen/phoneme_snapshot.h accepts
//             by the cosines of the bytes; the same on every machine
// Threads     const functions from many threads; changes must run alone

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "text/reading/syllable.h"
#include "zhiwen/phoneme_snapshot.h"

namespace zhiwen {

// Contiguous rows, in memory or in a part of a mapped file. The span must outlive its readers.
struct PhonemeRows {
  std::span<const uint8_t> bytes;
  uint64_t first = 0;  // number of the first row
  // One bit for each row, from the lowest; empty when none is removed.
  std::span<const uint64_t> removed = {};

  size_t size() const { return bytes.size() / kPhonemeCount; }
  std::span<const uint8_t, kPhonemeCount> operator[](size_t place) const {
    return bytes.subspan(place * kPhonemeCount).first<kPhonemeCount>();
  }
  bool is_removed(size_t place) const {
    return !removed.empty() && (removed[place / 64] >> place % 64 & 1) != 0;
  }
};

struct PhonemeMatch {
  uint32_t query = 0;     // index of the query in the batch
  uint64_t row = 0;       // number of the row
  double similarity = 0;  // the weighted sum of the cosines

  friend bool operator==(const PhonemeMatch&, const PhonemeMatch&) = default;
};

// The rule that makes a row a match.
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

// Matches by query, then by similarity in descending order, then by row.
using PhonemeMatches = std::vector<PhonemeMatch>;

class PhonemeIndex {
 public:
  virtual ~PhonemeIndex() = default;

  // Return the number of rows that are not removed, and the memory of the whole index.
  virtual uint64_t size() const = 0;
  virtual uint64_t bytes() const = 0;

  // Returns the matches of each of `queries`, which are fewer than 2³² and not removed.
  virtual PhonemeMatches Query(const PhonemeRows& queries, const PhonemeRule& rule) const = 0;

  // Adds rows. Returns the number of the first of them. Numbers ascend from 0, and are never
  // reused.
  virtual uint64_t Insert(std::span<const uint8_t> rows) = 0;
  // Removes rows. Returns how many of the numbers existed.
  virtual uint64_t Remove(std::span<const uint64_t> numbers) = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_VECTORS_PHONEME_INDEX_H_
