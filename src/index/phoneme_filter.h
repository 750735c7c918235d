#ifndef ZHIWEN_INDEX_PHONEME_FILTER_H_
#define ZHIWEN_INDEX_PHONEME_FILTER_H_

// Which texts of a library may sound like a query, in front of the exact check
// (fingerprint/phoneme_model.h): every vector is compared, 64 bytes each.
//
// Guarantees  no text is excluded that the exact model accepts (phoneme_filter_test.cc)
// Cost        64 bytes and a few more of memory a text; about ten nanoseconds a comparison
//             (docs/phonemes.md)
// Threads     const after the last Add: share freely

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fingerprint/phoneme_model.h"
#include "fingerprint/phoneme_vector.h"

namespace zhiwen {

class PhonemeFilter {
 public:
  enum class Model : uint8_t { kThresholds, kSimilarity };  // model 1, model 2

  size_t size() const { return vectors_.size() / kPhonemeVector; }

  // Texts are numbered from 0 in the order in which they are added.
  void Add(const PhonemeVector& vector);

  // Replaces `candidates` by the numbers of those that the model may accept, ascending. A query
  // without phonemes has none.
  void Query(const PhonemeVector& query, const PhonemeModel& model, Model which,
             std::vector<uint32_t>& candidates) const;

 private:
  std::vector<uint8_t> vectors_;
  std::vector<std::array<float, 3>> inverse_lengths_;
  std::array<float, 3> angles_ = {};  // the largest of all
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_PHONEME_FILTER_H_
