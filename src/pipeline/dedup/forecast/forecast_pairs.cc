#include "pipeline/dedup/forecast/forecast_pairs.h"

#include <algorithm>
#include <cmath>

#include "pipeline/dedup/forecast/forecast_figures.h"

namespace zhiwen {
namespace {

// With 95 % there are no more than so many where none was seen.
constexpr double kUnseen = 3;

class PairForecaster {
 public:
  PairForecaster(const SampleRun& sample, const PairOptions& options)
      : sample_(sample), options_(options) {}

  ExpectedPairs Run() {
    const SampleFindings& found = sample_.found;
    const double documents = options_.documents;
    for (const UnseenClusters unseen :
         {UnseenClusters::kUsual, UnseenClusters::kFew, UnseenClusters::kMany}) {
      const double equal = GrowClusters(found.equal, options_.share, unseen).beyond_first;
      const ClusterGrowth decided = GrowClusters(found.decided, options_.share, unseen);
      const double removed = decided.beyond_first;
      const double near = std::max(removed - equal, 0.0);
      const double compared = Compared(documents - equal, unseen);
      // How many of the kept ones are of families cannot be told from a sample that holds few of
      // each: those that share a bucket in it are too few, all kept ones too many.
      const ClusterGrowth touching = GrowClusters(found.touching_decided, options_.share, unseen);
      const double low = near + OtherPairs(found.touching_decided, touching, near);
      const double high = near + OtherPairs(found.decided, decided, near);
      const double pairs = (low + high) / 2;
      if (unseen == UnseenClusters::kUsual) {
        out_.removed = Exactly(removed);
        out_.candidate_pairs = Exactly(pairs);
        out_.compared = Exactly(compared);
        out_.representatives_removed = near;
      }
      Widen(removed, out_.removed);
      Widen(low, out_.candidate_pairs);
      Widen(high, out_.candidate_pairs);
      Widen(compared, out_.compared);
    }
    AddAlike();
    if (options_.is_whole) {
      out_.candidate_pairs = Exactly(static_cast<double>(sample_.report.candidate_pairs));
      out_.removed = Exactly(static_cast<double>(found.removed));
      out_.representatives_removed = static_cast<double>(found.representatives_removed);
    } else {
      AddChance();
    }
    return out_;
  }

 private:
  // Clusters of copies are more alike than those that explain the sample best, and less than all of
  // one size: halfway.
  void AddAlike() {
    const double removed =
        GrowClusters(sample_.found.decided, options_.share, UnseenClusters::kAlike).beyond_first;
    const double before = out_.removed.value;
    Widen(removed, out_.removed);
    out_.removed.value = (before + removed) / 2;
    if (before > 0) out_.representatives_removed *= out_.removed.value / before;
  }

  static void Widen(double value, ForecastRange& range) {
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }

  // Documents that share a bucket with another one, of `representatives`.
  double Compared(double representatives, UnseenClusters unseen) const {
    const SampleFindings& found = sample_.found;
    if (options_.mode == DedupMode::kExact) return 0;
    // Of equal texts a sample holds fewer than all: more of its documents represent themselves.
    const double fewer = ShareOf(representatives, Clusters(found.equal));
    const double comparable =
        static_cast<double>(found.comparable_documents) / options_.share * fewer;
    if (options_.mode == DedupMode::kContained) {
      return std::min(GrowClusters(found.decided, options_.share, unseen).together, comparable);
    }
    if (!found.has_buckets) return comparable;
    const double together = GrowClusters(found.touching, options_.share, unseen).together;
    return std::min(together * fewer, comparable);
  }

  static double Clusters(const ClusterSample& sample) {
    double clusters = 0;
    for (const double count : sample.by_groups) clusters += count;
    return clusters;
  }

  // How much smaller a part of all the one is than the other of the sample.
  double ShareOf(double of_all, double of_sample) const {
    return of_sample > 0 ? of_all * options_.share / of_sample : 1;
  }

  // Pairs that are looked at and do not match, or beside the one that decides. Of two kept ones, in
  // families of texts that are alike, but not enough: as many to each as there are others. A
  // removed one meets as many before its keeper as in the sample, for its keeper comes the earlier
  // the more there are of both.
  // `kept`: those that may be of such a family, and how they grow. `removals`: representatives.
  double OtherPairs(const ClusterSample& kept, const ClusterGrowth& growth, double removals) const {
    const SampleFindings& found = sample_.found;
    const auto removed = static_cast<double>(found.representatives_removed);
    double pairs = static_cast<double>(sample_.report.candidate_pairs) - removed;
    if (pairs <= 0) return 0;
    if (!found.has_buckets) {
      const double near = NearShare();
      return pairs * (near / options_.share + (1 - near) / (options_.share * options_.share));
    }
    const auto grown = [&](double all, double in_sample) {
      return in_sample > 0 ? std::max(all, 0.0) / in_sample : 1 / options_.share;
    };
    const double heads = grown(growth.together - growth.beyond_first, Clusters(kept) - kept.alone);
    const double lone = grown(kept.documents / options_.share - growth.together, kept.alone);
    const double far_growth[] = {lone * lone, lone * heads, heads * heads};
    double all = 0;
    for (size_t i = 0; i < found.kept_pairs.size(); ++i) {
      const auto near = static_cast<double>(found.kept_pairs[i].near);
      const auto far = static_cast<double>(found.kept_pairs[i].far);
      all += near / options_.share + far * far_growth[i];
      pairs -= near + far;
    }
    if (pairs > 0) all += removed > 0 ? pairs * removals / removed : pairs / options_.share;
    return all;
  }

  // Of the pairs, those of documents near each other.
  double NearShare() const {
    const SampleFindings& found = sample_.found;
    if (found.bucket_pairs > 0) {
      return static_cast<double>(found.near_bucket_pairs) / static_cast<double>(found.bucket_pairs);
    }
    const double beyond = found.decided.documents - Clusters(found.decided);
    return beyond > 0 ? found.decided.local / beyond : 0;
  }

  // What chance does to counts of the sample.
  void AddChance() {
    const SampleFindings& found = sample_.found;
    const double sizes = AlikeError(found.decided, options_.share);
    Spread(found.decided, sizes, out_.removed);
    if (options_.mode != DedupMode::kExact) {
      const ClusterSample& touching = found.has_buckets ? found.touching : found.decided;
      Spread(touching, 0, out_.candidate_pairs);
      Spread(touching, 0, out_.compared);
    }
    for (ForecastRange* range : {&out_.removed, &out_.compared}) {
      range->high = std::min(range->high, options_.documents);
    }
  }

  // Counts that are few are farther from the truth above than below.
  void Spread(const ClusterSample& clusters, double error, ForecastRange& range) const {
    if (clusters.meetings == 0) {
      range.high = std::max(range.high, kUnseen / (options_.share * options_.share));
      return;
    }
    const double known = std::sqrt(1 - std::min(options_.share, 1.0));
    const double met = clusters.meetings;
    const double below = known * kForecastDeviations / std::sqrt(met);
    const double above = known * (kForecastDeviations * std::sqrt(met + 1) + 2) / met;
    const auto spread = [&](double end, double part) {
      return std::hypot(end, part * range.value, kForecastDeviations * error * range.value);
    };
    range.high = range.value + spread(range.high - range.value, above);
    range.low = std::max(range.value - spread(range.value - range.low, below), 0.0);
  }

  const SampleRun& sample_;
  const PairOptions options_;
  ExpectedPairs out_;
};

}  // namespace

ExpectedPairs ExpectPairs(const SampleRun& sample, const PairOptions& options) {
  return PairForecaster(sample, options).Run();
}

double ComparedInSample(const SampleFindings& found, DedupMode mode) {
  if (mode == DedupMode::kContained) return found.decided.documents - found.decided.alone;
  return static_cast<double>(found.has_buckets ? found.touching_documents
                                               : found.comparable_documents);
}

}  // namespace zhiwen
