#include "match/digit_similarity.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "fingerprint/dna_code.h"

namespace zhiwen {
namespace {

// Digits and zeros: of a size that a vector register takes.
using PaddedDigits = std::array<uint8_t, 32>;

using NumberedDigits = std::pair<PaddedDigits, size_t>;

std::vector<PaddedDigits> DigitsOfCodes(const CodeSequence& codes) {
  std::vector<PaddedDigits> all(codes.size());
  for (size_t i = 0; i < codes.size(); ++i) {
    const DnaDigits digits = DigitsOfDna(codes[i], DnaRadix(codes.width));
    std::copy(digits.begin(), digits.end(), all[i].begin());
  }
  return all;
}

uint32_t DistanceOf(const PaddedDigits& a, const PaddedDigits& b) {
  int sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return static_cast<uint32_t>(sum);
}

std::vector<ClosestCode> FindClosest(std::span<const PaddedDigits> stored,
                                     std::span<const PaddedDigits> query) {
  std::vector<NumberedDigits> in_order;
  in_order.reserve(query.size());
  for (size_t i = 0; i < query.size(); ++i) in_order.emplace_back(query[i], i);
  std::ranges::sort(in_order);
  std::vector<ClosestCode> closest;
  closest.reserve(stored.size());
  for (const PaddedDigits& digits : stored) {
    const auto equal = std::ranges::lower_bound(in_order, digits, {}, &NumberedDigits::first);
    if (equal != in_order.end() && equal->first == digits) {
      closest.push_back({equal->second, 0});
      continue;
    }
    ClosestCode best = {0, UINT32_MAX};
    for (size_t i = 0; i < query.size() && best.distance > 1; ++i) {  // none is equal
      const uint32_t distance = DistanceOf(digits, query[i]);
      if (distance < best.distance) best = {i, distance};
    }
    closest.push_back(best);
  }
  return closest;
}

uint64_t SumOfDistances(const std::vector<ClosestCode>& closest) {
  uint64_t sum = 0;
  for (const ClosestCode& code : closest) sum += code.distance;
  return sum;
}

}  // namespace

std::vector<ClosestCode> FindClosestCodes(const CodeSequence& stored, const CodeSequence& query) {
  return FindClosest(DigitsOfCodes(stored), DigitsOfCodes(query));
}

double DigitSimilarity(const CodeSequence& a, const CodeSequence& b) {
  if (a.size() == 0 || b.size() == 0) return 0;
  const std::vector<PaddedDigits> of_a = DigitsOfCodes(a);
  const std::vector<PaddedDigits> of_b = DigitsOfCodes(b);
  const uint64_t distance =
      SumOfDistances(FindClosest(of_a, of_b)) + SumOfDistances(FindClosest(of_b, of_a));
  const uint64_t largest =
      (of_a.size() + of_b.size()) * kDnaLetters.size() * (DnaRadix(a.width) - 1);
  return 1 - static_cast<double>(distance) / static_cast<double>(largest);
}

}  // namespace zhiwen
