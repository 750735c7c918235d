#ifndef ZHIWEN_INDEX_VECTORS_PHONEME_FILTER_H_
#define ZHIWEN_INDEX_VECTORS_PHONEME_FILTER_H_

// Finds the texts of a library that may sound like a query, by their phoneme counts, before the
// exact check (fingerprint/phoneme_model.h). It scans counts as bytes (phoneme_scan.h).
//
// Guarantees  no text is excluded that the exact model accepts (phoneme_index_test.cc)
// Cost        63 bytes of memory a text; about ten nanoseconds a comparison (docs/phonemes.md)
// Threads     const after the last Add: share freely

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fingerprint/phoneme_vector.h"
#include "index/vectors/phoneme_index.h"

namespace zhiwen {

class PhonemeFilter {
 public:
  size_t size() const { return vectors_.size() / kPhonemeCount; }

  // Texts are numbered from 0 in the order in which they are added.
  void Add(const PhonemeVector& vector);

  // Replaces `candidates` by the numbers of the texts that the model may accept, by kThresholds or
  // kSimilarity, ascending. A query without phonemes has none.
  void Query(const PhonemeVector& query, const PhonemeModel& model, PhonemeRule::Kind which,
             std::vector<uint32_t>& candidates) const;

 private:
  std::vector<uint8_t> vectors_;
  PhonemeTriple angles_ = {};  // the largest of all texts
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_VECTORS_PHONEME_FILTER_H_
