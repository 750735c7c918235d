#ifndef ZHIWEN_FINGERPRINT_SKETCH_TEST_SUPPORT_H_
#define ZHIWEN_FINGERPRINT_SKETCH_TEST_SUPPORT_H_

// Helpers shared by the tests of both sketches: pairs of sets with an exact resemblance, and
// statistics of their sketches over many such pairs.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace zhiwen {

using Sketcher = std::function<void(std::span<const uint64_t>, std::span<uint32_t>)>;

struct PairShape {
  size_t in_both = 0;    // shingles in the intersection
  size_t in_either = 0;  // shingles in the union
  double resemblance() const {
    return static_cast<double>(in_both) / static_cast<double>(in_either);
  }
};

struct SketchStatistics {
  size_t trials = 0;
  double mean = 0;         // mean share of equal values
  double mean_square = 0;  // mean square of its distance from the resemblance
  size_t candidates = 0;   // pairs with a band of five equal values
  // The greatest correlation between two positions being equal.
  double correlation = 0;
};

// Draws `trials` random pairs of `shape` and sketches both sets into `values` values.
SketchStatistics Measure(const Sketcher& sketch, size_t values, const PairShape& shape,
                         size_t trials);

// A published vector of `method` (docs/formats/minhash.md): seed, shingles and values.
struct SketchVector {
  uint64_t seed = 0;
  std::vector<uint64_t> shingles;
  std::vector<uint32_t> values;
};
std::vector<SketchVector> PublishedSketches(const std::string& method);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_SKETCH_TEST_SUPPORT_H_
