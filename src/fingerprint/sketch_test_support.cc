#include "fingerprint/sketch_test_support.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

#include "support/published_vectors.h"

namespace zhiwen {
namespace {

constexpr size_t kRows = 5;

bool IsCandidate(const std::vector<uint8_t>& equal) {
  for (size_t band = 0; band + kRows <= equal.size(); band += kRows) {
    size_t rows = 0;
    for (size_t row = 0; row < kRows; ++row) rows += equal[band + row];
    if (rows == kRows) return true;
  }
  return false;
}

// Returns the phi coefficient of the two positions that are most alike or most unlike over all
// trials.
double GreatestCorrelation(const std::vector<std::vector<uint8_t>>& equal, size_t values) {
  const double trials = static_cast<double>(equal.size());
  std::vector<uint32_t> together(values * values);
  for (const std::vector<uint8_t>& row : equal) {
    for (size_t i = 0; i < values; ++i) {
      if (row[i] == 0) continue;
      for (size_t j = 0; j < values; ++j) together[i * values + j] += row[j];
    }
  }
  double greatest = 0;
  for (size_t i = 0; i < values; ++i) {
    for (size_t j = 0; j < i; ++j) {
      const double p = together[i * values + i] / trials;
      const double q = together[j * values + j] / trials;
      const double covariance = together[i * values + j] / trials - p * q;
      greatest = std::max(greatest, std::abs(covariance) / std::sqrt(p * (1 - p) * q * (1 - q)));
    }
  }
  return greatest;
}

}  // namespace

SketchStatistics Measure(const Sketcher& sketch, size_t values, const PairShape& shape,
                         size_t trials) {
  std::mt19937_64 random(shape.in_either * 1000 + shape.in_both);
  SketchStatistics result;
  result.trials = trials;
  std::vector<std::vector<uint8_t>> equal(trials, std::vector<uint8_t>(values));
  std::vector<uint64_t> a, b;
  std::vector<uint32_t> a_values(values), b_values(values);
  for (std::vector<uint8_t>& row : equal) {
    a.clear(), b.clear();
    for (size_t i = 0; i < shape.in_either; ++i) {
      const uint64_t shingle = random();
      if (i < shape.in_both || i % 2 == 0) a.push_back(shingle);
      if (i < shape.in_both || i % 2 == 1) b.push_back(shingle);
    }
    sketch(a, a_values);
    sketch(b, b_values);
    size_t count = 0;
    for (size_t i = 0; i < values; ++i) count += row[i] = a_values[i] == b_values[i];
    const double share = static_cast<double>(count) / static_cast<double>(values);
    result.mean += share / static_cast<double>(trials);
    result.mean_square +=
        (share - shape.resemblance()) * (share - shape.resemblance()) / static_cast<double>(trials);
    result.candidates += IsCandidate(row);
  }
  result.correlation = GreatestCorrelation(equal, values);
  return result;
}

std::vector<SketchVector> PublishedSketches(const std::string& method) {
  std::vector<SketchVector> result;
  for (const auto& [input, output] : PublishedVectors("minhash.md")) {
    std::istringstream words(input), numbers(output);
    std::string name, colon;
    SketchVector vector;
    words >> name >> vector.seed >> colon >> std::hex;
    for (uint64_t shingle = 0; words >> shingle;) vector.shingles.push_back(shingle);
    numbers >> std::hex;
    for (uint32_t value = 0; numbers >> value;) vector.values.push_back(value);
    if (name == method) result.push_back(vector);
  }
  return result;
}

}  // namespace zhiwen
