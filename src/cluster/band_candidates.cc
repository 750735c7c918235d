#include "cluster/band_candidates.h"

#include <algorithm>
#include <utility>

namespace zhiwen {
namespace {

// Buckets with fewer kept documents are cheaper to enumerate than to look up in the join.
constexpr uint64_t kSmallBucket = 16;

// Verifying a pair costs about as much as adding this many shingles to the join. kFewPairs pairs
// are verified within a few milliseconds.
constexpr uint64_t kShinglesPerPair = 8;
constexpr uint64_t kFewPairs = 32768;

}  // namespace

BandCandidates::BandCandidates(const SharedBuckets& buckets, const HotBucketOptions& hot,
                               Executor& executor)
    : buckets_(buckets),
      hot_(hot),
      executor_(executor),
      workers_(executor.concurrency()),
      small_bucket_(std::min(hot.max_bucket_kept, kSmallBucket)),
      may_join_(hot.shingles && hot.max_bucket_kept != UINT64_MAX) {
  const size_t count = buckets.bucket_sizes.size();
  first_member_.reserve(count);
  size_t total = 0;
  for (const uint32_t size : buckets.bucket_sizes) {
    first_member_.push_back(total);
    total += size;
  }
  members_.resize(total);
  kept_.assign(count, 0);
  first_in_block_.assign(count, 0);
  for (Worker& worker : workers_) worker.seen_by.assign(buckets.documents.size(), 0);
  FindJoinable();
}

void BandCandidates::FindJoinable() {
  joinable_.assign(buckets_.documents.size(), false);
  uint64_t shingles = 0;
  for (uint32_t document = 0; document < joinable_.size(); ++document) {
    const auto of_document = buckets_.BucketsOf(document);
    joinable_[document] = std::any_of(of_document.begin(), of_document.end(), [&](uint32_t bucket) {
      return buckets_.bucket_sizes[bucket] > small_bucket_;
    });
    if (may_join_ && joinable_[document])
      shingles += hot_.shingles(buckets_.documents[document]).size();
  }
  pairs_worth_a_join_ = kFewPairs + shingles / kShinglesPerPair;
}

uint64_t BandCandidates::hot_buckets() const {
  uint64_t count = 0;
  for (uint32_t bucket = 0; bucket < kept_.size(); ++bucket) count += IsHot(bucket) ? 1 : 0;
  return count;
}

void BandCandidates::AppendCandidates(size_t worker_number, uint32_t document, uint32_t first,
                                      std::vector<uint32_t>& candidates) {
  Worker& worker = workers_[worker_number];
  const size_t begin = candidates.size();
  const uint32_t mark = ++worker.mark;
  bool meets_hot = false;
  for (const uint32_t bucket : buckets_.BucketsOf(document)) {
    if (IsHot(bucket)) {
      meets_hot = true;
      continue;
    }
    const uint32_t* list = members_.data() + first_member_[bucket];
    for (uint32_t n = kept_[bucket]; n > 0 && list[n - 1] >= first; --n) {
      if (std::exchange(worker.seen_by[list[n - 1]], mark) != mark)
        candidates.push_back(list[n - 1]);
    }
  }
  if (joinable_[document]) worker.joinable_pairs += candidates.size() - begin;
  if (meets_hot) AppendFromJoin(worker, document, first, candidates);
  std::sort(candidates.begin() + static_cast<std::ptrdiff_t>(begin), candidates.end());
}

// Appends the documents found by the join that share a hot bucket with `document`. The candidates
// of a bucket are thereby the same, whether its pairs come from the join or from enumeration.
void BandCandidates::AppendFromJoin(Worker& worker, uint32_t document, uint32_t first,
                                    std::vector<uint32_t>& candidates) {
  const auto id_of = [&](uint32_t place) {
    const auto found = std::lower_bound(join_documents_.begin(), join_documents_.end(), place);
    return static_cast<uint32_t>(found - join_documents_.begin());
  };
  worker.joined.clear();
  join_->AppendCandidates(id_of(document), id_of(first), worker.scratch, worker.joined);
  for (const uint32_t id : worker.joined) {
    const uint32_t other = join_documents_[id];
    if (worker.seen_by[other] != worker.mark && ShareHotBucket(document, other)) {
      candidates.push_back(other);
    }
  }
}

bool BandCandidates::ShareHotBucket(uint32_t a, uint32_t b) const {
  const auto of_a = buckets_.BucketsOf(a), of_b = buckets_.BucketsOf(b);
  size_t i = 0, j = 0;
  while (i < of_a.size() && j < of_b.size()) {
    if (of_a[i] == of_b[j] && IsHot(of_a[i])) return true;
    const bool a_first = of_a[i] <= of_b[j];
    const bool b_first = of_b[j] <= of_a[i];
    i += a_first ? 1 : 0;
    j += b_first ? 1 : 0;
  }
  return false;
}

void BandCandidates::Insert(uint32_t document) {
  bool overflows = false;
  for (const uint32_t bucket : buckets_.BucketsOf(document)) {
    members_[first_member_[bucket] + kept_[bucket]++] = document;
    overflows |= kept_[bucket] > hot_.max_bucket_kept;
  }
  if (may_join_) {
    inserted_.push_back(document);
    if (overflows) MakeJoin();
  } else if (join_ && joinable_[document]) {
    const auto found = std::lower_bound(join_documents_.begin(), join_documents_.end(), document);
    join_->Insert(static_cast<uint32_t>(found - join_documents_.begin()));
  }
}

void BandCandidates::Adapt() {
  if (!may_join_) return;
  uint64_t pairs = 0;
  for (const Worker& worker : workers_) pairs += worker.joinable_pairs;
  if (pairs > pairs_worth_a_join_) MakeJoin();
}

void BandCandidates::MakeJoin() {
  may_join_ = false;
  const std::vector<uint32_t> inserted = std::exchange(inserted_, {});
  std::vector<std::span<const uint64_t>> sets;
  for (uint32_t place = 0; place < buckets_.documents.size(); ++place) {
    if (!joinable_[place]) continue;
    join_documents_.push_back(place);
    sets.push_back(hot_.shingles(buckets_.documents[place]));
  }
  auto join = PrefixJoin::Create(hot_.threshold, sets, executor_);
  if (!join) return;  // enumerating every bucket is slower and gives the same decisions
  join_ = *std::move(join);
  size_t id = 0;
  for (const uint32_t kept : inserted) {
    while (id < join_documents_.size() && join_documents_[id] < kept) ++id;
    if (id < join_documents_.size() && join_documents_[id] == kept) {
      join_->Insert(static_cast<uint32_t>(id));
    }
  }
}

// Finds the first undecided document of each bucket, which is the keeper of the bucket's other
// documents if they are near-copies.
void BandCandidates::PrepareBlock(std::span<const uint32_t> undecided) {
  if (undecided.empty()) return;
  block_begin_ = undecided.front();
  for (const uint32_t document : undecided) {
    for (const uint32_t bucket : buckets_.BucketsOf(document)) {
      uint32_t& first = first_in_block_[bucket];
      if (first < block_begin_ + 1) first = document + 1;
    }
  }
}

void BandCandidates::AppendLikely(size_t, uint32_t document, std::vector<uint32_t>& candidates) {
  const size_t begin = candidates.size();
  for (const uint32_t bucket : buckets_.BucketsOf(document)) {
    const uint32_t first = first_in_block_[bucket] - 1;
    if (first < document) candidates.push_back(first);
  }
  const auto start = candidates.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(start, candidates.end());
  candidates.erase(std::unique(start, candidates.end()), candidates.end());
}

}  // namespace zhiwen
