#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "pipeline/calibrate/wilson_interval.h"
#include "zhiwen/calibration.h"
#include "zhiwen/figures.h"

namespace zhiwen {

ShareInterval WilsonInterval(double hits, double size) {
  if (size <= 0) return {};
  constexpr double kDeviations = 1.959964;  // of the normal distribution: 95 % lie within
  constexpr double kSquare = kDeviations * kDeviations;
  const double share = hits / size;
  const double middle = share + kSquare / (2 * size);
  const double reach =
      kDeviations * std::sqrt(share * (1 - share) / size + kSquare / (4 * size * size));
  const double scale = 1 + kSquare / size;
  // Rounding must not exclude the share itself.
  return {share, std::clamp((middle - reach) / scale, 0.0, share),
          std::clamp((middle + reach) / scale, share, 1.0)};
}

uint64_t CountWithin(const DistanceCounts& counts, uint32_t radius) {
  const size_t end = std::min<size_t>(counts.size(), size_t{radius} + 1);
  return std::accumulate(counts.begin(), counts.begin() + static_cast<ptrdiff_t>(end), uint64_t{0});
}

std::optional<uint32_t> DistanceQuantile(const DistanceCounts& counts, double share) {
  const uint64_t all = CountWithin(counts, UINT32_MAX - 1);
  if (all == 0) return std::nullopt;
  const auto wanted = std::clamp<uint64_t>(
      static_cast<uint64_t>(std::ceil(share * static_cast<double>(all) - 1e-9)), 1, all);
  uint64_t sum = 0;
  uint32_t distance = 0;
  while ((sum += counts[distance]) < wanted) ++distance;
  return distance;
}

ShareInterval ChangedCopies::Found(uint32_t radius) const {
  return WilsonInterval(static_cast<double>(CountWithin(by_distance, radius)),
                        static_cast<double>(copies));
}

uint64_t Calibration::CountRelated(uint32_t radius) const {
  uint64_t pairs = 0;
  for (const DistanceCounts& counts : all.related) pairs += CountWithin(counts, radius);
  return pairs;
}

const ChangedCopies& Calibration::CopiesAsked(const LengthCalibration& measured) const {
  const auto* const at = std::ranges::find(kChangedShares, changed);
  return measured.changed[static_cast<size_t>(at - kChangedShares.begin())];
}

uint64_t UnrelatedPairs::pairs() const { return CountWithin(by_distance, UINT32_MAX - 1); }

ShareInterval UnrelatedPairs::Joined(uint32_t radius) const {
  const double as_many = spread.empty() ? 1 : spread[std::min<size_t>(radius, spread.size() - 1)];
  return WilsonInterval(static_cast<double>(CountWithin(by_distance, radius)) / as_many,
                        static_cast<double>(pairs()) / as_many);
}

uint64_t DocumentsWithFewFalseJoins(const ShareInterval& joined) {
  constexpr double kFew = 0.01, kMost = 1e15;
  const double documents = std::min(kMost, kFew / std::max(joined.high, kFew / kMost));
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(documents)) - 1));
  return static_cast<uint64_t>(std::floor(documents / unit + 1e-9) * unit);
}

std::string_view NameOfVerdict(RadiusVerdict verdict) {
  static constexpr std::array<std::string_view, 4> kNames = {"fit", "unfit", "not sure", "too few"};
  return kNames[static_cast<size_t>(verdict)];
}

std::string NameOfLength(const LengthCalibration& measured) {
  if (measured.from == 0) {
    return measured.to == 0 ? "all" : fmt::format("< {}", FormatCount(measured.to));
  }
  if (measured.to == 0) return fmt::format("≥ {}", FormatCount(measured.from));
  return fmt::format("{}–{}", FormatCount(measured.from), FormatCount(measured.to - 1));
}

}  // namespace zhiwen
