#ifndef ZHIWEN_INDEX_VECTORS_PHONEME_FILTER_H_
#define ZHIWEN_INDEX_VECTORS_PHONEME_FILTER_H_

// Which texts of a library may sound like a query by what they count, in front of the exact check
// (fingerprint/phoneme_model.h): the scan of phoneme_scan.h over counts as bytes.
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

  // Replaces `candidates` by the numbers of those that the model may accept, kThresholds or
  // kSimilarity, ascending. A query without phonemes has none.
  void Query(const PhonemeVector& query, const PhonemeModel& model, PhonemeRule::Kind which,
             std::vector<uint32_t>& candidates) const;

 private:
  std::vector<uint8_t> vectors_;
  PhonemeTriple angles_ = {};  // the largest of all
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_VECTORS_PHONEME_FILTER_H_
