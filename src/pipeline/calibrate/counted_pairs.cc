#include "pipeline/calibrate/counted_pairs.h"

#include <algorithm>
#include <bit>
#include <mutex>

#include "match/similarity.h"

namespace zhiwen {
namespace {

constexpr size_t kRowsAtOnce = 16;
constexpr size_t kLengths = kCalibrationLengths.size();

size_t RelatedBin(double resemblance) {
  size_t bin = kRelatedFrom.size() - 1;
  while (resemblance < kRelatedFrom[bin]) --bin;
  return bin;
}

using RelatedCounts = std::array<std::array<DistanceCounts, kRelatedFrom.size()>, kLengths>;

class PairCounter {
 public:
  PairCounter(std::span<const CodedText> texts, const PairCounting& options, const PrefixJoin& join)
      : texts_(texts),
        options_(options),
        join_(join),
        distances_(options.bits + 1),
        rows_(texts.size() * kLengths * distances_) {
    for (auto& length : related_) length.fill(DistanceCounts(distances_));
  }

  // Counts the pairs of one text with all others.
  void CountText(uint32_t text, PrefixJoin::Scratch& scratch) {
    for (uint32_t other = 0; other < texts_.size(); ++other) {
      if (other != text) ++Row(text, LengthOf(text, other))[DistanceOf(text, other)];
    }
    std::vector<uint32_t> candidates;
    join_.AppendCandidates(text, 0, scratch, candidates);
    for (const uint32_t other : candidates) CountIfRelated(text, other);
  }

  std::vector<CountedPairs> Finish() const {
    std::vector<CountedPairs> all(kLengths + 1);
    for (size_t length = 0; length <= kLengths; ++length) {
      all[length].unrelated = Unrelated(length);
      if (length == kLengths) continue;
      all[length].related = related_[length];
    }
    for (size_t bin = 0; bin < kRelatedFrom.size(); ++bin) {
      DistanceCounts& sum = all[kLengths].related[bin];
      sum.assign(distances_, 0);
      for (const auto& length : related_) {
        for (size_t at = 0; at < distances_; ++at) sum[at] += length[bin][at];
      }
    }
    return all;
  }

 private:
  uint32_t LengthOf(uint32_t a, uint32_t b) const {
    return std::min(texts_[a].length, texts_[b].length);
  }
  uint32_t DistanceOf(uint32_t a, uint32_t b) const {
    return static_cast<uint32_t>(std::popcount(texts_[a].code ^ texts_[b].code));
  }
  // Unrelated texts by distance, of the pairs of `text` with this length.
  std::span<uint32_t> Row(size_t text, size_t length) {
    return std::span(rows_).subspan((text * kLengths + length) * distances_, distances_);
  }

  void CountIfRelated(uint32_t text, uint32_t other) {
    const ShingleSet& a = texts_[text].shingles;
    const ShingleSet& b = texts_[other].shingles;
    if (!SetsReachThreshold(a, b, options_.unrelated)) return;
    const uint32_t length = LengthOf(text, other), distance = DistanceOf(text, other);
    --Row(text, length)[distance];
    if (other < text) return;  // the pair is counted from its first text
    const size_t bin = RelatedBin(ComputeOverlap(a, b).Resemblance());
    const std::scoped_lock lock(mutex_);
    ++related_[length][bin][distance];
  }

  // Of a text, how many it is within each radius of; of one length, or of all when it is the end.
  void CumulatedRow(size_t text, size_t length, std::vector<double>& within) const {
    std::ranges::fill(within, 0);
    const size_t first = length == kLengths ? 0 : length;
    const size_t last = length == kLengths ? kLengths : length + 1;
    for (size_t i = first; i < last; ++i) {
      const uint32_t* const row = &rows_[(text * kLengths + i) * distances_];
      double sum = 0;
      for (size_t at = 0; at < distances_; ++at) within[at] += sum += row[at];
    }
  }

  UnrelatedPairs Unrelated(size_t length) const {
    std::vector<double> within(distances_), sums(distances_);
    for (size_t text = 0; text < texts_.size(); ++text) {
      CumulatedRow(text, length, within);
      for (size_t at = 0; at < distances_; ++at) sums[at] += within[at];
    }
    UnrelatedPairs pairs;
    pairs.by_distance.resize(distances_);
    for (size_t at = 0; at < distances_; ++at) {  // each pair is in the rows of both texts
      pairs.by_distance[at] = static_cast<uint64_t>(sums[at] - (at == 0 ? 0 : sums[at - 1])) / 2;
    }
    pairs.spread = Spread(length, sums);
    return pairs;
  }

  // The variance of the number of pairs within a radius, above that of independent ones. Pairs are
  // dependent where they share a text (W. Hoeffding, 1948): the variance of a sum over pairs is
  // that of the sums over each text's pairs, less the pairs themselves, which these have twice.
  std::vector<double> Spread(size_t length, const std::vector<double>& sums) const {
    std::vector<double> within(distances_), squares(distances_), spread(distances_, 1);
    const double all = sums.back();
    for (size_t text = 0; text < texts_.size(); ++text) {
      CumulatedRow(text, length, within);
      for (size_t at = 0; at < distances_ && all > 0; ++at) {
        const double expected = within.back() * sums[at] / all;
        squares[at] += (within[at] - expected) * (within[at] - expected);
      }
    }
    for (size_t at = 0; at < distances_; ++at) {
      const double pairs = sums[at] / 2;
      if (pairs > 0) spread[at] = std::max(1.0, squares[at] / pairs - 1);
    }
    return spread;
  }

  const std::span<const CodedText> texts_;
  const PairCounting& options_;
  const PrefixJoin& join_;
  const size_t distances_;
  std::vector<uint32_t> rows_;  // by text, length and distance
  std::mutex mutex_;            // guards the following member
  RelatedCounts related_;
};

Result<PrefixJoin> JoinOf(std::span<const CodedText> texts, double threshold, Executor& executor) {
  std::vector<std::span<const uint64_t>> sets;
  sets.reserve(texts.size());
  for (const CodedText& text : texts) sets.emplace_back(text.shingles);
  ZHIWEN_ASSIGN_OR_RETURN(PrefixJoin join, PrefixJoin::Create(threshold, sets, executor));
  for (uint32_t id = 0; id < texts.size(); ++id) join.Insert(id);
  return join;
}

}  // namespace

Result<std::vector<CountedPairs>> CountPairs(std::span<const CodedText> texts,
                                             const PairCounting& options, Executor& executor,
                                             const Cancellation& cancellation,
                                             const std::function<void()>& advance) {
  ZHIWEN_ASSIGN_OR_RETURN(const PrefixJoin join, JoinOf(texts, options.unrelated, executor));
  PairCounter counter(texts, options, join);
  ParallelFor(executor, texts.size(), kRowsAtOnce, [&](size_t begin, size_t end) {
    PrefixJoin::Scratch scratch;
    for (size_t i = begin; i < end && !cancellation.requested(); ++i) {
      counter.CountText(static_cast<uint32_t>(i), scratch);
      advance();
    }
  });
  ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
  return counter.Finish();
}

}  // namespace zhiwen
