#ifndef ZHIWEN_INDEX_VECTORS_PHONEME_SEARCH_H_
#define ZHIWEN_INDEX_VECTORS_PHONEME_SEARCH_H_

// Scans quantized rows (phoneme_scan.h), and compares the remaining ones exactly. It finds the
// matches of queries among the rows of a set, in memory or in the parts of a file.
//
// Guarantees  those of phoneme_index.h, whatever the order of the pieces

#include <cstdint>
#include <span>
#include <vector>

#include "feature/phoneme_counts.h"
#include "index/vectors/phoneme_index.h"
#include "index/vectors/phoneme_scan.h"

namespace zhiwen {

// Finds the matches of `queries` in one piece of a set after another.
class PhonemeSearch {
 public:
  PhonemeSearch(const PhonemeRows& queries, const PhonemeRule& rule);

  void Scan(const PhonemeRows& rows);

  // Returns the matches of all scanned rows.
  PhonemeMatches Finish();

 private:
  void Look(size_t query, const PhonemeRows& rows, size_t place);

  std::vector<PhonemeCounts> queries_;
  PhonemeRule rule_;
  std::vector<PhonemeBound> bounds_;
  std::vector<PhonemeMatches> matches_;  // of each query; for kNearest a heap, the worst first
};

// Scans all rows in memory for each query.
//
// Cost        63 bytes and a bit a row, removed rows included; for each query ten nanoseconds a
//             row, four where several are asked at once, and 0.2 µs where a row is compared exactly
//             (docs/phonemes.md)
class ScannedPhonemes final : public PhonemeIndex {
 public:
  uint64_t size() const override { return size_; }
  uint64_t bytes() const override {
    return rows_.capacity() + removed_.capacity() * sizeof(uint64_t);
  }
  PhonemeMatches Query(const PhonemeRows& queries, const PhonemeRule& rule) const override;
  uint64_t Insert(std::span<const uint8_t> rows) override;
  uint64_t Remove(std::span<const uint64_t> numbers) override;

 private:
  PhonemeRows rows() const { return {.bytes = rows_, .removed = removed_}; }

  std::vector<uint8_t> rows_;
  std::vector<uint64_t> removed_;  // a bit for each row
  uint64_t size_ = 0;
};

// The definition: compares each row with each query in 64 bits.
class BruteForcePhonemes final : public PhonemeIndex {
 public:
  uint64_t size() const override;
  uint64_t bytes() const override { return rows_.capacity(); }
  PhonemeMatches Query(const PhonemeRows& queries, const PhonemeRule& rule) const override;
  uint64_t Insert(std::span<const uint8_t> rows) override;
  uint64_t Remove(std::span<const uint64_t> numbers) override;

 private:
  std::vector<uint8_t> rows_;
  std::vector<bool> is_removed_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_VECTORS_PHONEME_SEARCH_H_
