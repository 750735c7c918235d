#include <cmath>

#include "zhiwen/passages.h"

namespace zhiwen {
namespace {

// For each pair of symbols of both texts so many passages of this score or more are to be expected,
// and fewer by this exponent for each point of score more. Between news and papers
// `./zw eval copy --part expected` counts as many of score 8, on every channel, and fewer up to a
// score of 25. What it finds of higher scores are quotations of one source.
constexpr double kScore = 8, kRate = 7e-10, kDecay = 0.3;

}  // namespace

double ExpectedPassages(double score, uint64_t a_symbols, uint64_t b_symbols) {
  return static_cast<double>(a_symbols) * static_cast<double>(b_symbols) * kRate *
         std::exp(kDecay * (kScore - score));
}

void SetExpected(uint64_t a_symbols, uint64_t b_symbols, std::span<CopiedPassage> passages,
                 std::span<ExcludedPassage> excluded) {
  for (CopiedPassage& one : passages) {
    one.expected = ExpectedPassages(one.score, a_symbols, b_symbols);
  }
  for (ExcludedPassage& one : excluded) {
    one.passage.expected = ExpectedPassages(one.passage.score, a_symbols, b_symbols);
  }
}

}  // namespace zhiwen
