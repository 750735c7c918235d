#ifndef ZHIWEN_INDEX_MINHASH_SKETCH_ROWS_H_
#define ZHIWEN_INDEX_MINHASH_SKETCH_ROWS_H_

// The rows that a segment is written from in several visits. An index stores a sketch of each
// signature: a 32-bit key for each of its bands, and the bits of its values. Rows are in the order
// of the documents' numbers, each document once.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "index/minhash/minhash_plan.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The sizes of a sketch and of its parts.
struct SketchForm {
  uint32_t bands = 0, band_rows = 0;
  uint32_t values = 0, value_bits = 0;  // see BbitSignatures

  static SketchForm Of(const MinHashPlan& plan) {
    const BbitSignatures::Options& bits = plan.options().estimates;
    return {plan.bands().bands, plan.bands().rows, bits.values, bits.bits};
  }
  size_t words() const { return size_t{values} * value_bits / 64; }
  // Returns the bytes of a sketch in a log: its keys, then the words of its bits.
  size_t bytes() const { return bands * sizeof(uint32_t) + words() * sizeof(uint64_t); }

  friend bool operator==(const SketchForm&, const SketchForm&) = default;
};

// The key of a band without a minimum, which is in no bucket.
inline constexpr uint32_t kNoSketchKey = 0;

struct Sketch {
  explicit Sketch(const SketchForm& form) : keys(form.bands), bits(form.words()) {}

  std::vector<uint32_t> keys;
  std::vector<uint64_t> bits;

  // Computes the sketch of a signature.
  void Compute(const MinHashPlan& plan, std::span<const uint32_t> signature) {
    band_keys_.resize(keys.size());
    ComputeBandKeys(plan.bands(), signature, band_keys_);
    for (size_t band = 0; band < keys.size(); ++band) {
      const auto key = static_cast<uint32_t>(band_keys_[band]);
      keys[band] = band_keys_[band] == kNoBandKey ? kNoSketchKey : std::max(key, kNoSketchKey + 1);
    }
    plan.bbit().Encode(signature, bits);
  }

 private:
  std::vector<uint64_t> band_keys_;
};

class SketchRows {
 public:
  using VisitDocument = std::function<Status(uint64_t document)>;
  using VisitBits = std::function<Status(std::span<const uint64_t> bits)>;
  // An entry is a key and a row: EntryOf(key, row).
  using VisitEntry = std::function<Status(uint64_t entry)>;

  virtual ~SketchRows() = default;

  virtual const SketchForm& form() const = 0;
  virtual uint64_t rows() const = 0;  // fewer than 2³²
  // Returns the number of entries of a band, at most one for each row.
  virtual uint64_t entries(uint32_t band) const = 0;

  // Visit by row. Fail as `visit` does, and when a file is damaged.
  virtual Status VisitDocuments(const VisitDocument& visit) const = 0;
  virtual Status VisitAllBits(const VisitBits& visit) const = 0;
  // Visits the entries of a band, ascending.
  virtual Status VisitBand(uint32_t band, const VisitEntry& visit) const = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_MINHASH_SKETCH_ROWS_H_
