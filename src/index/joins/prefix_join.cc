#include "index/joins/prefix_join.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <iterator>
#include <utility>

#include "index/thresholds/resemblance_threshold.h"

namespace zhiwen {
namespace {

constexpr size_t kLeastBuckets = 64;
constexpr size_t kMostBuckets = size_t{1} << 26;
constexpr size_t kSetsPerChunk = 256;
constexpr size_t kPrefetchDistance = 8;
constexpr size_t kLargeSet = size_t{64} << 10;

// Mixes a shingle without loss. The high bits choose a bucket, and the low 32 bits distinguish the
// shingles of a bucket.
uint64_t Scatter(uint64_t shingle) {
  shingle = (shingle ^ (shingle >> 32)) * 0x9E3779B97F4A7C15;
  return shingle ^ (shingle >> 29);
}

uint32_t TagOf(uint64_t shingle) { return static_cast<uint32_t>(Scatter(shingle)); }

// Returns how many of its rarest shingles a set of `size` must show so that no match is missed: a
// match shares at least as many shingles as a subset that reaches the threshold has.
uint64_t PrefixLength(uint64_t size, double threshold) {
  if (size == 0) return 0;
  auto least = static_cast<uint64_t>(threshold * static_cast<double>(size));
  while (least > 0 && ReachesThreshold(least - 1, size, threshold)) --least;
  while (!ReachesThreshold(least, size, threshold)) ++least;
  return size - least + 1;
}

}  // namespace

size_t PrefixJoin::BucketOf(uint64_t shingle) const { return Scatter(shingle) >> shift_; }

Result<PrefixJoin> PrefixJoin::Create(double threshold,
                                      std::span<const std::span<const uint64_t>> sets,
                                      Executor& executor) {
  if (!(threshold > 0 && threshold <= 1)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot join: threshold {} is outside (0, 1]", threshold));
  }
  PrefixJoin join;
  join.threshold_ = threshold;
  size_t shingles = 0;
  for (const auto& set : sets) {
    join.sizes_.push_back(static_cast<uint32_t>(set.size()));
    shingles += set.size();
  }
  const size_t buckets = std::bit_ceil(std::clamp(shingles, kLeastBuckets, kMostBuckets));
  join.shift_ = 64 - std::countr_zero(buckets);
  join.used_.assign(buckets, 0);
  join.CountShingles(sets, executor);
  join.SelectPrefixes(sets, executor);
  ZHIWEN_RETURN_IF_ERROR(join.LayOutPostings());
  return join;
}

void PrefixJoin::CountShingles(std::span<const std::span<const uint64_t>> sets,
                               Executor& executor) {
  ParallelFor(executor, sets.size(), kSetsPerChunk, [&](size_t begin, size_t end) {
    for (size_t id = begin; id < end; ++id) {
      const auto set = sets[id];
      for (size_t i = 0; i < set.size(); ++i) {
        if (i + kPrefetchDistance < set.size()) {
          __builtin_prefetch(&used_[BucketOf(set[i + kPrefetchDistance])], 1);
        }
        std::atomic_ref(used_[BucketOf(set[i])]).fetch_add(1, std::memory_order_relaxed);
      }
    }
  });
}

void PrefixJoin::SelectPrefixes(std::span<const std::span<const uint64_t>> sets,
                                Executor& executor) {
  prefixes_.resize(sets.size());
  chunks_.resize((sets.size() + kSetsPerChunk - 1) / kSetsPerChunk);
  ParallelFor(executor, sets.size(), kSetsPerChunk, [&](size_t begin, size_t end) {
    std::vector<uint64_t>& chunk = chunks_[begin / kSetsPerChunk];
    std::vector<size_t> ends;
    for (size_t id = begin; id < end; ++id) {
      prefixes_[id].first_position = AppendPrefix(sets[id], chunk);
      ends.push_back(chunk.size());
    }
    chunk.shrink_to_fit();
    size_t start = 0;
    for (size_t id = begin; id < end; ++id) {
      prefixes_[id].shingles = std::span(chunk).subspan(start, ends[id - begin] - start);
      start = ends[id - begin];
    }
  });
}

// Appends the prefix of `set` without the shingles that no other set has, which come first in the
// order. Returns the number of these.
uint32_t PrefixJoin::AppendPrefix(std::span<const uint64_t> set,
                                  std::vector<uint64_t>& prefix) const {
  if (set.size() >= kLargeSet) return AppendLargePrefix(set, prefix);
  struct Ranked {
    uint32_t frequency;
    uint64_t shingle;
    auto operator<=>(const Ranked&) const = default;
  };
  std::vector<Ranked> shared;
  shared.reserve(set.size());
  for (size_t i = 0; i < set.size(); ++i) {
    if (i + kPrefetchDistance < set.size()) {
      __builtin_prefetch(&used_[BucketOf(set[i + kPrefetchDistance])]);
    }
    const uint32_t frequency = used_[BucketOf(set[i])];
    if (frequency > 1) shared.push_back({frequency, set[i]});
  }
  const uint64_t alone = set.size() - shared.size();
  const uint64_t length = PrefixLength(set.size(), threshold_);
  if (alone >= length) return static_cast<uint32_t>(alone);
  const auto end = shared.begin() + static_cast<std::ptrdiff_t>(length - alone);
  if (end != shared.end()) std::nth_element(shared.begin(), end, shared.end());
  std::sort(shared.begin(), end);
  for (auto it = shared.begin(); it != end; ++it) prefix.push_back(it->shingle);
  return static_cast<uint32_t>(alone);
}

// Does the same without copying the shared shingles. One pass counts how many there are of each
// frequency, which determines where in the prefix a second pass puts them.
uint32_t PrefixJoin::AppendLargePrefix(std::span<const uint64_t> set,
                                       std::vector<uint64_t>& prefix) const {
  constexpr size_t kFrequencies = 4096;  // those with a higher frequency are sorted at the end
  const auto frequency = [&](uint64_t shingle) { return used_[BucketOf(shingle)]; };
  const auto place_of = [&](uint64_t shingle) {
    return std::min<size_t>(frequency(shingle), kFrequencies);
  };
  std::vector<uint64_t> counts(kFrequencies + 1);
  for (const uint64_t shingle : set) ++counts[place_of(shingle)];
  const uint64_t alone = counts[1];
  const uint64_t length = PrefixLength(set.size(), threshold_);
  if (alone >= length) return static_cast<uint32_t>(alone);
  const size_t begin = prefix.size();
  const size_t end = begin + length - alone;
  std::vector<size_t> next(kFrequencies + 1, begin);
  for (size_t i = 3; i <= kFrequencies; ++i) next[i] = next[i - 1] + counts[i - 1];
  // The last frequency may fit only partly; those above the limit are all needed.
  const size_t sorted = std::min(next[kFrequencies], end);
  prefix.resize(end > sorted ? sorted + counts[kFrequencies] : end);
  for (const uint64_t shingle : set) {
    const size_t place = place_of(shingle);
    if (place > 1 && next[place] < prefix.size()) prefix[next[place]++] = shingle;
  }
  std::sort(prefix.begin() + static_cast<std::ptrdiff_t>(sorted), prefix.end(),
            [&](uint64_t a, uint64_t b) {
              return std::pair(frequency(a), a) < std::pair(frequency(b), b);
            });
  prefix.resize(end);
  return static_cast<uint32_t>(alone);
}

// Reserves the postings of every bucket in which two prefixes meet. used_ then holds their numbers.
Status PrefixJoin::LayOutPostings() {
  std::fill(used_.begin(), used_.end(), 0);
  for (const auto& chunk : chunks_) {
    for (const uint64_t shingle : chunk) ++used_[BucketOf(shingle)];
  }
  starts_.resize(used_.size() + 1);
  uint64_t total = 0;
  for (size_t bucket = 0; bucket < used_.size(); ++bucket) {
    starts_[bucket] = static_cast<uint32_t>(total);
    if (used_[bucket] > 1) total += used_[bucket];
    used_[bucket] = 0;
  }
  if (total > UINT32_MAX) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("cannot join {} sets exactly: {} prefix shingles; use bands or a "
                            "higher threshold",
                            sizes_.size(), total));
  }
  starts_.back() = static_cast<uint32_t>(total);
  postings_.resize(total);
  return {};
}

void PrefixJoin::Insert(uint32_t id) {
  const Prefix& prefix = prefixes_[id];
  uint32_t position = prefix.first_position;
  for (const uint64_t shingle : prefix.shingles) {
    const size_t bucket = BucketOf(shingle);
    if (starts_[bucket] < starts_[bucket + 1]) {
      postings_[starts_[bucket] + used_[bucket]++] = {id, position, TagOf(shingle)};
    }
    ++position;
  }
}

void PrefixJoin::AppendCandidates(uint32_t id, uint32_t first, Scratch& scratch,
                                  std::vector<uint32_t>& candidates) const {
  if (scratch.overlap_.size() < sizes_.size()) {
    scratch.overlap_.assign(sizes_.size(), 0);
    scratch.required_.resize(sizes_.size());
  }
  scratch.touched_.clear();
  scratch.last_size_ = 0;
  const Prefix& prefix = prefixes_[id];
  for (size_t i = 0; i < prefix.shingles.size(); ++i) {
    if (i + kPrefetchDistance < prefix.shingles.size()) {
      __builtin_prefetch(&used_[BucketOf(prefix.shingles[i + kPrefetchDistance])]);
      __builtin_prefetch(&starts_[BucketOf(prefix.shingles[i + kPrefetchDistance])]);
    }
    const size_t bucket = BucketOf(prefix.shingles[i]);
    const uint32_t tag = TagOf(prefix.shingles[i]);
    const auto position = static_cast<uint32_t>(prefix.first_position + i);
    const Posting* list = postings_.data() + starts_[bucket];
    for (uint32_t n = used_[bucket]; n > 0 && list[n - 1].id >= first; --n) {
      const Posting& posting = list[n - 1];
      if (posting.tag == tag && posting.id != id) MeetPosting(posting, id, position, scratch);
    }
  }
  const size_t begin = candidates.size();
  for (const uint32_t other : scratch.touched_) {
    if (scratch.overlap_[other] != kPruned) candidates.push_back(other);
    scratch.overlap_[other] = 0;
  }
  std::sort(candidates.begin() + static_cast<std::ptrdiff_t>(begin), candidates.end());
}

// Counts one more shared shingle. Prunes the pair when too few can still follow.
void PrefixJoin::MeetPosting(const Posting& posting, uint32_t id, uint32_t position,
                             Scratch& scratch) const {
  uint32_t& overlap = scratch.overlap_[posting.id];
  uint32_t& required = scratch.required_[posting.id];
  if (overlap == kPruned) return;
  if (overlap == 0) {
    scratch.touched_.push_back(posting.id);
    const uint32_t size = sizes_[posting.id];
    if (size != scratch.last_size_) {
      scratch.last_size_ = size;
      scratch.last_required_ = static_cast<uint32_t>(RequiredOverlap(sizes_[id], size, threshold_));
    }
    required = scratch.last_required_;
  }
  ++overlap;
  const uint32_t to_come =
      std::min(sizes_[id] - position, sizes_[posting.id] - posting.position) - 1;
  if (overlap + to_come < required) overlap = kPruned;
}

std::vector<std::pair<uint32_t, uint32_t>> BruteForceJoin(std::span<const ShingleSet> sets,
                                                          double threshold) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  std::vector<uint64_t> shared;
  for (uint32_t i = 0; i < sets.size(); ++i) {
    for (uint32_t j = i + 1; j < sets.size(); ++j) {
      shared.clear();
      std::set_intersection(sets[i].begin(), sets[i].end(), sets[j].begin(), sets[j].end(),
                            std::back_inserter(shared));
      const size_t united = sets[i].size() + sets[j].size() - shared.size();
      if (ReachesThreshold(shared.size(), united, threshold)) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

}  // namespace zhiwen
