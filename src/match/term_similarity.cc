#include "match/term_similarity.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace zhiwen {
namespace {

// The weights of one term in both lists.
struct Weights {
  double x = 0, y = 0;
};

// Aligns the weights of all terms of either list in the order of the terms, so that sums are the
// same on every machine.
std::vector<Weights> Align(TermSpan a, TermSpan b) {
  std::map<std::string_view, Weights> of_terms;
  for (const auto& [term, weight] : a) of_terms[term].x = static_cast<double>(weight);
  for (const auto& [term, weight] : b) of_terms[term].y = static_cast<double>(weight);
  std::vector<Weights> aligned;
  aligned.reserve(of_terms.size());
  for (const auto& [term, weights] : of_terms) aligned.push_back(weights);
  return aligned;
}

template <typename Value>
double Sum(const std::vector<Weights>& aligned, const Value& value) {
  double sum = 0;
  for (const Weights& weights : aligned) sum += value(weights.x, weights.y);
  return sum;
}

double SumOfX(const std::vector<Weights>& aligned) {
  return Sum(aligned, [](double x, double) { return x; });
}
double SumOfY(const std::vector<Weights>& aligned) {
  return Sum(aligned, [](double, double y) { return y; });
}

double Quotient(double part, double whole) { return whole == 0 ? 0 : part / whole; }

// Returns the cosine of two vectors, given their product and squares. The cosine of a vector and
// itself is exactly 1, because the root of a square is exact; it never exceeds 1.
double CosineOf(double product, double square_x, double square_y) {
  return std::clamp(Quotient(product, std::sqrt(square_x * square_y)), -1.0, 1.0);
}

// Divides each weight by the sum of its list. Returns nothing when a list has no weight.
std::vector<Weights> SharesOf(std::vector<Weights> aligned) {
  const double of_x = SumOfX(aligned);
  const double of_y = SumOfY(aligned);
  if (of_x == 0 || of_y == 0) return {};
  for (Weights& weights : aligned) weights = {weights.x / of_x, weights.y / of_y};
  return aligned;
}

}  // namespace

double TermCosine(TermSpan a, TermSpan b) {
  const std::vector<Weights> aligned = Align(a, b);
  const double product = Sum(aligned, [](double x, double y) { return x * y; });
  const double of_x = Sum(aligned, [](double x, double) { return x * x; });
  const double of_y = Sum(aligned, [](double, double y) { return y * y; });
  return CosineOf(product, of_x, of_y);
}

double TermDotProduct(TermSpan a, TermSpan b) {
  return Sum(SharesOf(Align(a, b)), [](double x, double y) { return x * y; });
}

double TermCorrelation(TermSpan a, TermSpan b) {
  const std::vector<Weights> aligned = Align(a, b);
  const auto count = static_cast<double>(aligned.size());
  const double mean_x = Quotient(SumOfX(aligned), count);
  const double mean_y = Quotient(SumOfY(aligned), count);
  const double product =
      Sum(aligned, [&](double x, double y) { return (x - mean_x) * (y - mean_y); });
  const double of_x = Sum(aligned, [&](double x, double) { return (x - mean_x) * (x - mean_x); });
  const double of_y = Sum(aligned, [&](double, double y) { return (y - mean_y) * (y - mean_y); });
  return CosineOf(product, of_x, of_y);
}

double TermGeometricMinimum(TermSpan a, TermSpan b) {
  const std::vector<Weights> shares = SharesOf(Align(a, b));
  return Quotient(Sum(shares, [](double x, double y) { return std::min(x, y); }),
                  Sum(shares, [](double x, double y) { return std::sqrt(x * y); }));
}

double TermArithmeticMinimum(TermSpan a, TermSpan b) {
  const std::vector<Weights> shares = SharesOf(Align(a, b));
  return Quotient(Sum(shares, [](double x, double y) { return std::min(x, y); }),
                  Sum(shares, [](double x, double y) { return (x + y) / 2; }));
}

double TermExponential(TermSpan a, TermSpan b) {
  const std::vector<Weights> shares = SharesOf(Align(a, b));
  const double sum = Sum(shares, [](double x, double y) {
    const double distance = Quotient(x - y, (x + y) / 2);
    return std::exp(-0.75 * distance * distance);
  });
  return Quotient(sum, static_cast<double>(shares.size()));
}

double TermScam(TermSpan a, TermSpan b) {
  constexpr double kTolerance = 2.5;
  const std::vector<Weights> aligned = Align(a, b);
  const double close = Sum(aligned, [](double x, double y) {
    return x > 0 && y > 0 && x / y + y / x < kTolerance ? x * y : 0;
  });
  const double of_x = Sum(aligned, [](double x, double) { return x * x; });
  const double of_y = Sum(aligned, [](double, double y) { return y * y; });
  return std::min(1.0, std::max(Quotient(close, of_x), Quotient(close, of_y)));
}

}  // namespace zhiwen
