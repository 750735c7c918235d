#include "cluster/parallel_greedy.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <optional>
#include <utility>

#include "cluster/band_candidates.h"
#include "cluster/join_candidates.h"

namespace zhiwen {
namespace {

constexpr uint32_t kFirstBlock = 256;
constexpr uint32_t kLargestBlock = 16384;
constexpr size_t kPiece = 1024;
constexpr size_t kCheckedAhead = 4;
constexpr size_t kLeastStretchChecks = 256;

// The checks made ahead of time for one document: none matched, except possibly the last.
struct CheckedAhead {
  std::array<uint32_t, kCheckedAhead> documents;
  uint32_t count = 0;
  bool last_matches = false;

  std::optional<bool> Find(uint32_t document) const {
    for (uint32_t i = 0; i < count; ++i) {
      if (documents[i] == document) return last_matches && i + 1 == count;
    }
    return std::nullopt;
  }
};

class BlockDecider {
 public:
  BlockDecider(uint32_t documents, KeptCandidates& candidates, const MatchCheck& matches,
               Executor& executor, const DecisionProgress& progress)
      : documents_(documents),
        candidates_(candidates),
        matches_(matches),
        executor_(executor),
        progress_(progress),
        workers_(executor.concurrency()) {
    decision_.keepers.assign(documents, kKept);
  }

  GreedyDecision Run(uint32_t kept) {
    for (uint32_t document = 0; document < kept; ++document) candidates_.Insert(document);
    uint32_t size = kFirstBlock;
    for (uint32_t begin = kept; begin < documents_ && GoesOn(begin);) {
      const uint32_t end = begin + std::min(size, documents_ - begin);
      if (kept == 0) {
        DecideBlock(begin, end);
      } else {
        TakeUp(begin, end);
        ComparePending(0, 0);
      }
      size = std::min(size * 2, kLargestBlock);
      begin = end;
    }
    if (!decision_.stopped) GoesOn(documents_);
    for (const Worker& worker : workers_) {
      decision_.candidate_pairs += worker.candidate_pairs;
      decision_.verified_pairs += worker.verified_pairs;
    }
    return std::move(decision_);
  }

 private:
  struct alignas(64) Worker {
    std::vector<uint32_t> candidates;
    uint64_t candidate_pairs = 0;
    uint64_t verified_pairs = 0;
  };

  // Reports the number of decided documents. Returns false once the decision must stop.
  bool GoesOn(uint32_t decided) {
    if (progress_ && !decision_.stopped) decision_.stopped = !progress_(decided, documents_);
    return !decision_.stopped;
  }

  void TakeUp(uint32_t begin, uint32_t end) {
    pending_.resize(end - begin);
    std::iota(pending_.begin(), pending_.end(), begin);
    ahead_.assign(pending_.size(), CheckedAhead());
  }

  void DecideBlock(uint32_t begin, uint32_t end) {
    TakeUp(begin, end);
    if (begin > 0) {
      if (!ComparePending(0, 0)) return;
      std::erase_if(pending_, [&](uint32_t document) { return IsRemoved(document); });
    }
    CheckAhead();
    // Each pending document has been compared with all kept documents below this one.
    uint32_t first = begin;
    for (size_t place = DecideStretch(0, first); place < pending_.size();) {
      if (!ComparePending(place, first)) return;
      first = pending_[place];
      place = DecideStretch(place, first);
    }
  }

  bool IsRemoved(uint32_t document) const { return decision_.keepers[document] != kKept; }

  // Compares pending documents from `place` on with the kept ones ≥ `first`, in parallel. A match
  // found here is final, because all kept documents before it have been compared. Returns false
  // once the decision must stop.
  bool ComparePending(size_t place, uint32_t first) {
    const uint32_t decided = pending_[place];
    for (; place < pending_.size(); place += kPiece) {
      if (!GoesOn(decided)) return false;
      candidates_.Adapt();
      const size_t count = std::min(pending_.size() - place, kPiece);
      ForEach(count, [&](size_t worker, size_t i) {
        if (!IsRemoved(pending_[place + i])) Compare(worker, place + i, first);
      });
    }
    return true;
  }

  // Decides pending documents from `place` on in order, until many checks had to be made
  // sequentially. Returns the place of the next document.
  size_t DecideStretch(size_t place, uint32_t first) {
    const size_t limit = std::max((pending_.size() - place) / 4, kLeastStretchChecks);
    const uint64_t checks_before = workers_[0].verified_pairs;
    for (; place < pending_.size(); ++place) {
      if (IsRemoved(pending_[place])) continue;
      if (workers_[0].verified_pairs - checks_before > limit) break;
      Compare(0, place, first);
      if (!IsRemoved(pending_[place])) candidates_.Insert(pending_[place]);
    }
    return place;
  }

  // Looks for the keeper of one pending document among the kept ones ≥ `first`.
  void Compare(size_t worker, size_t place, uint32_t first) {
    const uint32_t document = pending_[place];
    std::vector<uint32_t>& found = workers_[worker].candidates;
    found.clear();
    candidates_.AppendCandidates(worker, document, first, found);
    for (const uint32_t kept : found) {
      ++workers_[worker].candidate_pairs;
      const auto known = ahead_[place].Find(kept);
      if (!(known ? *known : Verify(worker, document, kept))) continue;
      decision_.keepers[document] = kept;
      return;
    }
  }

  // Compares each pending document with its likely keepers in the block.
  void CheckAhead() {
    candidates_.PrepareBlock(pending_);
    ahead_.assign(pending_.size(), CheckedAhead());
    ForEach(pending_.size(), [&](size_t worker, size_t place) {
      std::vector<uint32_t>& likely = workers_[worker].candidates;
      likely.clear();
      candidates_.AppendLikely(worker, pending_[place], likely);
      CheckedAhead& ahead = ahead_[place];
      for (const uint32_t other : likely) {
        if (ahead.count == kCheckedAhead || ahead.last_matches) break;
        ahead.documents[ahead.count++] = other;
        ahead.last_matches = Verify(worker, pending_[place], other);
      }
    });
  }

  bool Verify(size_t worker, uint32_t document, uint32_t kept) {
    ++workers_[worker].verified_pairs;
    return matches_(worker, document, kept);
  }

  // Calls body(worker, i) for each i in [0, count), in parallel.
  template <typename Body>
  void ForEach(size_t count, const Body& body) {
    if (count == 0) return;
    const size_t grain = std::clamp<size_t>(count / (workers_.size() * 8), 1, 64);
    std::atomic<size_t> next = 0;
    executor_.RunOnAll([&](size_t worker) {
      for (size_t i = next.fetch_add(grain); i < count; i = next.fetch_add(grain)) {
        for (size_t j = i; j < std::min(count, i + grain); ++j) body(worker, j);
      }
    });
  }

  const uint32_t documents_;
  KeptCandidates& candidates_;
  const MatchCheck& matches_;
  Executor& executor_;
  const DecisionProgress& progress_;
  std::vector<Worker> workers_;
  GreedyDecision decision_;
  // Documents of the block that no earlier block matched, ascending.
  std::vector<uint32_t> pending_;
  std::vector<CheckedAhead> ahead_;  // by place in pending_
};

}  // namespace

GreedyDecision DecideInBlocks(uint32_t documents, uint32_t kept, KeptCandidates& candidates,
                              const MatchCheck& matches, Executor& executor,
                              const DecisionProgress& progress) {
  return BlockDecider(documents, candidates, matches, executor, progress).Run(kept);
}

GreedyDecision DecideByBands(const SharedBuckets& buckets, uint32_t documents, uint32_t kept,
                             const HotBucketOptions& hot, const MatchCheck& matches,
                             Executor& executor, const DecisionProgress& progress) {
  // The documents that share a bucket are numbered by their index in `members`.
  const std::vector<uint32_t>& members = buckets.documents;
  BandCandidates candidates(buckets, hot, executor);
  const auto kept_members = std::lower_bound(members.begin(), members.end(), kept);
  if (kept > 0 && kept_members == members.begin()) {  // no document is left to be matched
    return {.keepers = std::vector<uint32_t>(documents, kKept)};
  }
  GreedyDecision decision = DecideInBlocks(
      static_cast<uint32_t>(members.size()), static_cast<uint32_t>(kept_members - members.begin()),
      candidates,
      [&](size_t worker, uint32_t place, uint32_t earlier) {
        return matches(worker, members[place], members[earlier]);
      },
      executor, progress);
  std::vector<uint32_t> keepers(documents, kKept);
  for (size_t place = 0; place < members.size(); ++place) {
    const uint32_t keeper = decision.keepers[place];
    if (keeper != kKept) keepers[members[place]] = members[keeper];
  }
  decision.keepers = std::move(keepers);
  decision.hot_buckets = candidates.hot_buckets();
  return decision;
}

GreedyDecision DecideByJoin(PrefixJoin join, uint32_t kept, const MatchCheck& matches,
                            Executor& executor, const DecisionProgress& progress) {
  const uint32_t documents = join.size();
  JoinCandidates candidates(std::move(join), executor.concurrency());
  return DecideInBlocks(documents, kept, candidates, matches, executor, progress);
}

}  // namespace zhiwen
