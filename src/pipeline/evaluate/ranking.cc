#include "pipeline/evaluate/ranking.h"

#include <algorithm>
#include <functional>

namespace zhiwen {
namespace {

std::optional<double> Share(uint64_t part, uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

CurvePoint ToCurve(const RankPoint& point, uint64_t copies) {
  return {.recall = *Share(point.copies, copies),
          .precision = *Share(point.copies, point.copies + point.others)};
}

}  // namespace

std::optional<double> PairDecisions::Precision() const { return Share(found, found + mistaken); }
std::optional<double> PairDecisions::Recall() const { return Share(found, found + missed); }
std::optional<double> PairDecisions::FalsePositives() const {
  return Share(mistaken, mistaken + refused);
}
std::optional<double> PairDecisions::F1() const {
  if (found + missed == 0) return std::nullopt;
  return Share(2 * found, 2 * found + missed + mistaken);
}

Ranking::Ranking(std::vector<float> copies, std::vector<float> others)
    : copies_(copies.size()), others_(others.size()) {
  std::ranges::sort(copies, std::greater<>());
  std::ranges::sort(others, std::greater<>());
  RankPoint point;
  while (point.copies < copies_ || point.others < others_) {
    const bool is_copy = point.others == others_ ||
                         (point.copies < copies_ && copies[point.copies] >= others[point.others]);
    point.similarity = is_copy ? copies[point.copies] : others[point.others];
    while (point.copies < copies_ && copies[point.copies] == point.similarity) ++point.copies;
    while (point.others < others_ && others[point.others] == point.similarity) ++point.others;
    points_.push_back(point);
  }
}

PairDecisions Ranking::At(double threshold) const {
  const auto least = static_cast<float>(threshold);
  const auto behind = std::ranges::partition_point(
      points_, [&](const RankPoint& point) { return point.similarity >= least; });
  const RankPoint taken = behind == points_.begin() ? RankPoint() : *(behind - 1);
  return {.found = taken.copies,
          .missed = copies_ - taken.copies,
          .mistaken = taken.others,
          .refused = others_ - taken.others};
}

std::optional<double> Ranking::BestThreshold() const {
  const RankPoint* best = nullptr;
  for (const RankPoint& point : points_) {
    if (point.similarity <= 0 || copies_ == 0) break;
    // F1 is 2·copies / (copies + others + all copies): compared without a division.
    const auto size = [&](const RankPoint& p) { return p.copies + p.others + copies_; };
    if (best == nullptr || point.copies * size(*best) > best->copies * size(point)) best = &point;
  }
  if (best == nullptr || best->copies == 0) return std::nullopt;
  return best->similarity;
}

std::optional<double> Ranking::Area() const {
  if (copies_ == 0 || others_ == 0) return std::nullopt;
  double area = 0;
  uint64_t before = 0;
  for (const RankPoint& point : points_) {
    area += static_cast<double>(point.copies - before) * ToCurve(point, copies_).precision;
    before = point.copies;
  }
  return area / static_cast<double>(copies_);
}

std::vector<CurvePoint> Ranking::Curve(size_t count) const {
  std::vector<CurvePoint> curve;
  if (copies_ == 0) return curve;
  uint64_t next = 0;  // how many copies the next point has at least, times `count`
  for (const RankPoint& point : points_) {
    if (point.copies * count < next && &point != &points_.back()) continue;
    curve.push_back(ToCurve(point, copies_));
    next = (point.copies * count / copies_ + 1) * copies_;
  }
  return curve;
}

}  // namespace zhiwen
