#include "pipeline/dedup/forecast/forecast_growth.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pipeline/dedup/forecast/forecast_figures.h"

namespace zhiwen {
namespace {

// Clusters with so many groups in the sample have 1/p times as many in all; the others need the
// likelihood.
constexpr size_t kManyGroups = 40;
constexpr int kRounds = 3000;
// With 95 % there are no more than so many where none was seen.
constexpr double kUnseen = 3;
constexpr double kGridStep = 1.12;

// Sizes of clusters that may be behind up to kManyGroups groups.
std::vector<double> SizeGrid(double share, double groups) {
  std::vector<double> sizes;
  const double most = std::min(2 * kManyGroups / share, std::max(groups, 2.0));
  for (double size = 1; size <= most; size = std::max(size + 1, std::floor(size * kGridStep))) {
    sizes.push_back(size);
  }
  return sizes;
}

double UsualShare(UnseenClusters unseen) {
  switch (unseen) {
    case UnseenClusters::kFew:
      return 0.03;
    case UnseenClusters::kUsual:
    case UnseenClusters::kAlike:
      break;
    case UnseenClusters::kMany:
      return 0.6;
  }
  return 0.12;
}

// P(X = count), X being Binomial(size, share).
double BinomialAt(double size, double count, double share) {
  if (count > size) return 0;
  if (share >= 1) return count == size ? 1 : 0;
  const double log = std::lgamma(size + 1) - std::lgamma(count + 1) -
                     std::lgamma(size - count + 1) + count * std::log(share) +
                     (size - count) * std::log1p(-share);
  return std::exp(log);
}

// How many clusters of each size make `seen` (by groups in the sample) likeliest.
// The rounds begin with clusters of two or more in proportion `usual`: where the sample does not
// say otherwise, they stay.
std::vector<double> MostLikelyCounts(std::span<const double> seen, std::span<const double> sizes,
                                     double share, double usual) {
  const size_t places = seen.size();
  std::vector<double> chance(sizes.size() * places);
  std::vector<double> any(sizes.size());
  std::vector<double> counts(sizes.size());
  for (size_t s = 0; s < sizes.size(); ++s) {
    for (size_t j = 1; j < places; ++j) {
      chance[s * places + j] = BinomialAt(sizes[s], static_cast<double>(j), share);
    }
    any[s] = -std::expm1(sizes[s] * std::log1p(-std::min(share, 1 - 1e-12)));
    counts[s] = s == 0 ? 1 : usual / (sizes[s] * sizes[s]);
  }
  std::vector<double> expected(places), next(sizes.size());
  for (int round = 0; round < kRounds; ++round) {
    std::ranges::fill(expected, 0);
    for (size_t s = 0; s < sizes.size(); ++s) {
      for (size_t j = 1; j < places; ++j) expected[j] += counts[s] * chance[s * places + j];
    }
    for (size_t s = 0; s < sizes.size(); ++s) {
      double sum = 0;
      for (size_t j = 1; j < places; ++j) {
        if (seen[j] > 0) sum += seen[j] * chance[s * places + j] / expected[j];
      }
      next[s] = counts[s] * sum / any[s];
    }
    counts.swap(next);
  }
  return counts;
}

// How often two, and three, groups of one cluster are in the sample.
struct Meetings {
  double pairs = 0, triples = 0;
};

Meetings CountMeetings(const ClusterSample& sample) {
  Meetings meetings;
  for (size_t j = 2; j < sample.by_groups.size(); ++j) {
    const auto groups = static_cast<double>(j);
    meetings.pairs += sample.by_groups[j] * groups * (groups - 1) / 2;
    meetings.triples += sample.by_groups[j] * groups * (groups - 1) * (groups - 2) / 6;
  }
  return meetings;
}

// How many of so many clusters of one group have two documents or more: as in the sample.
double LocalClusters(const ClusterSample& sample, double clusters) {
  const double of_one_group = sample.by_groups[1];
  return of_one_group > 0 ? std::max(clusters, 0.0) * sample.local_clusters / of_one_group : 0;
}

// Of clusters of one size, by how often two and three of them met.
GrownClusters GrowAlike(const ClusterSample& sample, double share) {
  const auto [pairs, triples] = CountMeetings(sample);
  const double groups = (sample.documents - sample.local) / share;
  if (pairs == 0) return {sample.local / share, LocalClusters(sample, groups)};
  const double all_pairs = pairs / (share * share);
  const double size = 2 + 3 * triples / (share * pairs);
  const double apart = std::min(2 * all_pairs / size, groups * (size - 1) / size);
  const double clusters = apart / (size - 1);
  return {sample.local / share + apart,
          clusters + LocalClusters(sample, groups - apart - clusters)};
}

// The standard deviation, as a share, of what GrowAlike gives because of how few met twice and
// thrice: of 2 · pairs / size, where size is 2 + 3 · triples / (share · pairs). With the first of
// each cluster it is of 2 · pairs / (size - 1).
double AlikeError(const ClusterSample& sample, double share, ClusterRemoval removal) {
  const auto [pairs, triples] = CountMeetings(sample);
  if (pairs == 0) return 0;
  const double slope = 3 / (share * pairs);
  const double size = (removal == ClusterRemoval::kAll ? 1 : 2) + slope * triples;
  return slope * std::sqrt(triples + 1) / size * std::sqrt(1 - std::min(share, 1.0));
}

}  // namespace

ClusterSample CountClusters(std::span<const uint32_t> cluster_of,
                            std::span<const uint32_t> unit_of) {
  std::vector<uint32_t> order(cluster_of.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
    return cluster_of[a] != cluster_of[b] ? cluster_of[a] < cluster_of[b] : unit_of[a] < unit_of[b];
  });
  ClusterSample sample;
  sample.documents = static_cast<double>(order.size());
  sample.by_groups.assign(2, 0);
  std::vector<uint64_t> meetings;  // two units, the smaller first
  for (size_t begin = 0; begin < order.size();) {
    const uint32_t cluster = cluster_of[order[begin]];
    const double local_before = sample.local;
    size_t groups = 0;
    uint64_t unit_before = 0;
    while (begin < order.size() && cluster_of[order[begin]] == cluster) {
      size_t end = begin + 1;
      while (end < order.size() && cluster_of[order[end]] == cluster &&
             unit_of[order[end]] - unit_of[order[end - 1]] <= 1) {
        ++end;
      }
      sample.local += static_cast<double>(end - begin - 1);
      const uint64_t unit = unit_of[order[begin]];
      if (groups > 0) meetings.push_back(unit_before << 32 | unit);
      if (end - begin > 1) meetings.push_back(unit << 32 | unit);
      unit_before = unit;
      ++groups;
      begin = end;
    }
    if (groups == 1 && sample.local > local_before) ++sample.local_clusters;
    if (groups >= sample.by_groups.size()) sample.by_groups.resize(groups + 1);
    ++sample.by_groups[groups];
  }
  std::ranges::sort(meetings);
  sample.meetings = static_cast<double>(meetings.size() -
                                        static_cast<size_t>(std::ranges::unique(meetings).size()));
  return sample;
}

GrownClusters GrowClusters(const ClusterSample& sample, double share, UnseenClusters unseen) {
  const double groups = sample.documents - sample.local;
  if (groups <= 0) return {};
  if (share >= 1) {
    const double all = std::accumulate(sample.by_groups.begin(), sample.by_groups.end(), 0.0);
    return {sample.documents - all, all - sample.by_groups[1] + sample.local_clusters};
  }
  if (unseen == UnseenClusters::kAlike) return GrowAlike(sample, share);
  double clusters = 0;           // of all
  double left = groups / share;  // groups of all, in none of `clusters`
  for (size_t j = kManyGroups; j < sample.by_groups.size(); ++j) {
    clusters += sample.by_groups[j];
    left -= sample.by_groups[j] * static_cast<double>(j) / share;
  }
  const auto few =
      std::span(sample.by_groups).first(std::min(sample.by_groups.size(), kManyGroups));
  if (left > 0) {
    const std::vector<double> sizes = SizeGrid(share, left);
    const std::vector<double> counts = MostLikelyCounts(few, sizes, share, UsualShare(unseen));
    for (size_t s = 1; s < sizes.size(); ++s) {
      clusters += counts[s];
      left -= counts[s] * sizes[s];
    }
  }
  const double of_one_group = std::max(left, 0.0);
  return {std::max(sample.local / share + groups / share - clusters - of_one_group, 0.0),
          clusters + LocalClusters(sample, of_one_group)};
}

// Clusters of copies are more alike than those that explain the sample best, and less than all of
// one size: the estimate is halfway.
ForecastRange EstimateRemoved(const ClusterSample& sample, double share, double documents,
                              ClusterRemoval removal) {
  const bool removes_first = removal == ClusterRemoval::kAll;
  const auto grow = [&](UnseenClusters unseen) {
    const GrownClusters grown = GrowClusters(sample, share, unseen);
    return grown.copies + (removes_first ? grown.clusters : 0);
  };
  const double usual = grow(UnseenClusters::kUsual);
  if (share >= 1) return Exactly(usual);
  const double alike = grow(UnseenClusters::kAlike);
  const double few = grow(UnseenClusters::kFew);
  const double many = grow(UnseenClusters::kMany);
  ForecastRange range{.value = (usual + alike) / 2,
                      .low = std::min({usual, alike, few, many}),
                      .high = std::max({usual, alike, few, many})};
  if (sample.meetings == 0) {
    range.high = std::max(range.high, (removes_first ? 2 : 1) * kUnseen / (share * share));
  } else {
    // Counts that are few are farther from the truth above than below.
    const double known = std::sqrt(1 - share);
    const double met = sample.meetings;
    const double below = known * kForecastDeviations / std::sqrt(met);
    const double above = known * (kForecastDeviations * std::sqrt(met + 1) + 2) / met;
    const double sizes = kForecastDeviations * AlikeError(sample, share, removal) * range.value;
    range.high = range.value + std::hypot(range.high - range.value, above * range.value, sizes);
    range.low = range.value - std::hypot(range.value - range.low, below * range.value, sizes);
  }
  return {range.value, std::max(range.low, 0.0), std::min(range.high, documents)};
}

double GrowthExponent(const TwoCounts& documents, const TwoCounts& counted) {
  constexpr double kLeast = 1, kMost = 2;
  if (documents.part <= 0 || documents.whole <= documents.part || counted.part <= 0) return kMost;
  return std::clamp(
      std::log(counted.whole / counted.part) / std::log(documents.whole / documents.part), kLeast,
      kMost);
}

}  // namespace zhiwen
