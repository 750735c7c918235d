#include "pipeline/dedup/decide/decide_similar.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "base/large_memory.h"
#include "cluster/band_candidates.h"
#include "cluster/contained.h"
#include "cluster/join_candidates.h"
#include "cluster/parallel_greedy.h"
#include "cluster/size_candidates.h"
#include "index/bands/shared_buckets.h"
#include "index/joins/prefix_join.h"
#include "match/similarity.h"
#include "pipeline/dedup/decide/contained_candidates.h"

namespace zhiwen {
namespace {

constexpr size_t kLeastBatchBuffer = size_t{4} << 10;
constexpr size_t kMostBatchBuffer = size_t{64} << 10;

struct SetView {
  DocumentIndex document;
  uint32_t rank;
  uint64_t group;
  int64_t date;
  uint64_t exact;
  std::span<const uint64_t> shingles;
};

// The documents of a batch, by rank, and what says with whom they are compared, in no order.
struct Batch {
  LargeVector<char> bytes;
  std::vector<SetView> documents;
  LargeVector<char> candidate_bytes;

  template <typename Row>
  std::span<const Row> candidates() const {
    return {reinterpret_cast<const Row*>(candidate_bytes.data()),
            candidate_bytes.size() / sizeof(Row)};
  }
};

class BatchDecider {
 public:
  BatchDecider(const RunContext& run, const BatchPlan& plan, const SetSpools& sets,
               std::string_view large_bytes, const PartitionedSpool* candidates,
               uint64_t max_bucket_kept, SimilarDecisions& decisions,
               const StageCheckpoint<DecideMark>& checkpoint)
      : rules_(run.rules),
        environment_(run.environment),
        plan_(plan),
        sets_(sets),
        large_bytes_(large_bytes),
        candidates_(candidates),
        max_bucket_kept_(max_bucket_kept),
        decisions_(decisions),
        checkpoint_(checkpoint),
        places_(candidates == nullptr ? 0 : decisions.keepers.size()) {}

  // Takes up what was decided before.
  Status Resume(const DecideMark& from) {
    decisions_.candidate_pairs = from.candidate_pairs;
    decisions_.comparisons = from.comparisons;
    decisions_.hot_buckets = from.hot_buckets;
    for (Spool::Reader reader(*decisions_.overlaps); !reader.AtEnd();) {
      OverlapRow row;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
      decisions_.keepers[row.document] = row.keeper;
    }
    return {};
  }

  // Decides the batches from `begin` on.
  Status DecideSeries(const BatchPlan::Series& series, uint64_t begin) {
    const uint32_t end = series.first + series.count;
    for (uint32_t batch = series.first; batch < end; ++batch) {
      if (batch < begin) continue;
      ZHIWEN_RETURN_IF_ERROR(DecideBatch(batch, end));
      if (checkpoint_.is_due(StagePoint::kInside)) ZHIWEN_RETURN_IF_ERROR(Save(batch + 1));
    }
    return {};
  }

  Status Save(uint64_t batches) {
    ZHIWEN_ASSIGN_OR_RETURN(const SpoolMark overlaps, decisions_.overlaps->Save());
    ZHIWEN_RETURN_IF_ERROR(
        checkpoint_.save({batches, decisions_.candidate_pairs, decisions_.comparisons,
                          decisions_.hot_buckets, overlaps}));
    decisions_.overlaps->Keep();
    return {};
  }

 private:
  // Decides a batch among itself, and what its kept documents remove of those up to `end`.
  Status DecideBatch(uint32_t batch, uint32_t end) {
    ZHIWEN_RETURN_IF_ERROR(Load(batch, first_));
    ZHIWEN_RETURN_IF_ERROR(DecideAmongItself());
    if (batch + 1 == end) return {};
    DropRemoved(first_);
    if (first_.documents.empty()) return {};  // nothing to compare the later ones with
    for (uint32_t later = batch + 1; later < end; ++later) {
      ZHIWEN_RETURN_IF_ERROR(Load(later, second_));
      ZHIWEN_RETURN_IF_ERROR(DecideAgainstFirst());
    }
    return {};
  }

  // Reads what is still there of a batch.
  Status Load(uint32_t batch, Batch& out) {
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    ZHIWEN_RETURN_IF_ERROR(sets_.sets->Read(batch, out.bytes));
    out.documents.clear();
    for (size_t at = 0; at < out.bytes.size();) {
      const auto& row = *reinterpret_cast<const SetRow*>(out.bytes.data() + at);
      at += sizeof(SetRow);
      const char* const behind = out.bytes.data() + at;
      const bool is_large = !plan_.large.empty() && plan_.IsLarge(row.document);
      at += is_large ? sizeof(LargeSet) : row.count * sizeof(uint64_t);
      if (IsRemoved(row.document)) continue;
      SetView view{
          row.document, row.rank,
          row.group,    row.date,
          row.exact,    {reinterpret_cast<const uint64_t*>(behind), is_large ? 0 : row.count}};
      if (is_large) {
        const auto& large = *reinterpret_cast<const LargeSet*>(behind);
        ZHIWEN_ASSIGN_OR_RETURN(
            view.shingles,
            FindLarge(large, row, batch < checked_ ? SeenBefore::kYes : SeenBefore::kNo));
      }
      out.documents.push_back(view);
    }
    checked_ = std::max(checked_, batch + 1);
    std::sort(out.documents.begin(), out.documents.end(),
              [](const SetView& a, const SetView& b) { return a.rank < b.rank; });
    return candidates_ == nullptr ? Status() : candidates_->Read(batch, out.candidate_bytes);
  }

  enum class SeenBefore : uint8_t { kNo, kYes };

  // The shingles of a large set, in the mapped file; the first time their checksum is compared.
  Result<std::span<const uint64_t>> FindLarge(const LargeSet& large, const SetRow& row,
                                              SeenBefore seen) const {
    const uint64_t size = row.count * sizeof(uint64_t);
    if (large.place > large_bytes_.size() || size > large_bytes_.size() - large.place ||
        large.place % sizeof(uint64_t) != 0) {
      return FailLarge(large);
    }
    const std::string_view bytes = large_bytes_.substr(large.place, size);
    if (seen == SeenBefore::kNo && HashBytes128(bytes).low != large.checksum) {
      return FailLarge(large);
    }
    return std::span(reinterpret_cast<const uint64_t*>(bytes.data()), row.count);
  }

  static tl::unexpected<Error> FailLarge(const LargeSet& large) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("the scratch file \"large_sets\" is damaged at byte {}; no other "
                            "program may write to its folder",
                            large.place));
  }

  bool IsRemoved(DocumentIndex d) const { return decisions_.keepers[d] != kNoDocument; }

  void DropRemoved(Batch& batch) const {
    std::erase_if(batch.documents, [&](const SetView& view) { return IsRemoved(view.document); });
  }

  Status DecideAmongItself() {
    views_.assign(first_.documents.begin(), first_.documents.end());
    return Decide(0);
  }

  // The kept documents of the first batch rank before all of the second.
  Status DecideAgainstFirst() {
    views_.assign(first_.documents.begin(), first_.documents.end());
    views_.insert(views_.end(), second_.documents.begin(), second_.documents.end());
    return Decide(first_.documents.size());
  }

  // Decides views_, of which the first `kept` are kept; with any such, the others are compared with
  // these only.
  Status Decide(size_t kept) {
    const auto documents = static_cast<uint32_t>(views_.size());
    const MatchCheck matches = [&](size_t, uint32_t document, uint32_t earlier) {
      return views_[document].group == views_[earlier].group &&
             rules_.AreNear(views_[document].date, views_[earlier].date) &&
             Matches(views_[document].shingles, views_[earlier].shingles);
    };
    const DecisionProgress progress = [&](uint64_t, uint64_t) {
      return !environment_.cancellation.requested();
    };
    GreedyDecision greedy;
    if (rules_.mode == DedupMode::kContained) {
      greedy = DecideContainedByLists(GatherLists(kept == 0 ? first_ : second_), documents, matches,
                                      environment_.executor, progress);
    } else if (candidates_ != nullptr) {
      GatherBuckets();
      const HotBucketOptions hot{
          .max_bucket_kept = max_bucket_kept_,
          .threshold = rules_.threshold,
          .shingles = [&](uint32_t document) { return views_[document].shingles; }};
      greedy = DecideByBands(buckets_, documents, static_cast<uint32_t>(kept), hot, matches,
                             environment_.executor, progress);
    } else if (kept == 1 || documents - kept <= 1) {
      // A document that does not fit in a batch with others is one of these.
      std::vector<uint64_t> sizes;
      sizes.reserve(views_.size());
      for (const SetView& view : views_) sizes.push_back(view.shingles.size());
      SizeCandidates candidates(std::move(sizes), rules_.threshold);
      greedy = DecideInBlocks(documents, static_cast<uint32_t>(kept), candidates, matches,
                              environment_.executor, progress);
    } else {
      ZHIWEN_ASSIGN_OR_RETURN(greedy, DecideByJoinOfSets(kept, matches, progress));
    }
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    return Record(greedy);
  }

  Result<GreedyDecision> DecideByJoinOfSets(size_t kept, const MatchCheck& matches,
                                            const DecisionProgress& progress) const {
    std::vector<std::span<const uint64_t>> sets;
    sets.reserve(views_.size());
    for (const SetView& view : views_) sets.push_back(view.shingles);
    ZHIWEN_ASSIGN_OR_RETURN(PrefixJoin join,
                            PrefixJoin::Create(rules_.threshold, sets, environment_.executor));
    return DecideByJoin(std::move(join), static_cast<uint32_t>(kept), matches,
                        environment_.executor, progress);
  }

  bool Matches(std::span<const uint64_t> document, std::span<const uint64_t> kept) const {
    return rules_.mode == DedupMode::kContained
               ? SetContains(document, kept, rules_.threshold)
               : SetsReachThreshold(document, kept, rules_.threshold);
  }

  void PlaceViews() {
    for (uint32_t place = 0; place < views_.size(); ++place) {
      places_[views_[place].document] = place;
    }
  }

  bool IsPlaced(DocumentIndex d) const {
    return places_[d] < views_.size() && views_[places_[d]].document == d;
  }

  // Lists for each document of `batch` the documents of views_ that may contain it.
  ContainerLists GatherLists(const Batch& batch) {
    PlaceViews();
    std::vector<CandidatePair> pairs;  // of places
    for (const CandidatePair& pair : batch.candidates<CandidatePair>()) {
      if (!IsPlaced(pair.contained) || !IsPlaced(pair.container)) continue;
      pairs.push_back({places_[pair.contained], places_[pair.container]});
    }
    std::ranges::sort(pairs, [](const CandidatePair& a, const CandidatePair& b) {
      return std::pair(a.contained, a.container) < std::pair(b.contained, b.container);
    });
    ContainerLists lists;
    std::vector<uint32_t> containers;
    for (size_t i = 0; i < pairs.size(); ++i) {
      containers.push_back(pairs[i].container);
      if (i + 1 < pairs.size() && pairs[i + 1].contained == pairs[i].contained) continue;
      lists.Append(pairs[i].contained, containers);
      containers.clear();
    }
    return lists;
  }

  // Buckets of two or more among views_.
  void GatherBuckets() {
    PlaceViews();
    placed_.clear();
    PlaceMembers(first_);
    if (views_.size() > first_.documents.size()) PlaceMembers(second_);
    buckets_ = SharedBucketsOf(placed_, static_cast<uint32_t>(views_.size()));
  }

  void PlaceMembers(const Batch& batch) {
    for (const BucketMember& member : batch.candidates<BucketMember>()) {
      if (IsRemoved(member.document)) continue;
      placed_.push_back({places_[member.document], uint64_t{member.band} << 32 | member.bucket});
    }
  }

  Status Record(const GreedyDecision& greedy) {
    decisions_.candidate_pairs += greedy.candidate_pairs;
    decisions_.comparisons += greedy.verified_pairs;
    decisions_.hot_buckets += greedy.hot_buckets;
    std::vector<OverlapRow> rows;
    for (uint32_t i = 0; i < greedy.keepers.size(); ++i) {
      if (greedy.keepers[i] == kKept) continue;
      rows.push_back({views_[i].document, views_[greedy.keepers[i]].document, i, greedy.keepers[i],
                      0});  // sizes hold places until they are known
    }
    ParallelFor(environment_.executor, rows.size(), 256, [&](size_t begin, size_t end) {
      for (size_t r = begin; r < end; ++r) {
        const SetView &document = views_[rows[r].size], &keeper = views_[rows[r].keeper_size];
        SetOverlap overlap = ComputeOverlap(document.shingles, keeper.shingles);
        const bool is_equal = overlap.a == overlap.shared && overlap.b == overlap.shared;
        if (rules_.within && is_equal && document.exact == keeper.exact) overlap = {};
        rows[r].size = overlap.a;
        rows[r].keeper_size = overlap.b;
        rows[r].shared = overlap.shared;
      }
    });
    for (const OverlapRow& row : rows) decisions_.keepers[row.document] = row.keeper;
    return decisions_.overlaps->Append(
        {reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(OverlapRow)});
  }

  const RemovalRules& rules_;
  const DedupEnvironment& environment_;
  const BatchPlan& plan_;
  const SetSpools& sets_;
  const std::string_view large_bytes_;  // of sets_.large
  uint32_t checked_ = 0;                // batches whose large sets are as they were written
  const PartitionedSpool* candidates_;  // by batch; none: exact candidates
  const uint64_t max_bucket_kept_;
  SimilarDecisions& decisions_;
  const StageCheckpoint<DecideMark>& checkpoint_;
  Batch first_, second_;
  std::vector<uint32_t> places_;  // by document of views_
  std::vector<SetView> views_;    // by rank
  std::vector<PlacedMember> placed_;
  SharedBuckets buckets_;
};

DocumentIndex OwnerOf(const BucketMember& member) { return member.document; }
DocumentIndex OwnerOf(const CandidatePair& pair) { return pair.contained; }

// Spreads candidates by the batch of the document that they are of.
template <typename Row>
Result<std::unique_ptr<PartitionedSpool>> SpreadByBatch(const Spool& candidates,
                                                        const BatchPlan& plan,
                                                        const RunContext& run) {
  const uint32_t batches = std::max(plan.batches(), 1U);
  const size_t buffer =
      std::clamp<uint64_t>(run.work_bytes / 4 / batches, kLeastBatchBuffer, kMostBatchBuffer);
  ZHIWEN_ASSIGN_OR_RETURN(
      auto spread, PartitionedSpool::Create(run.scratch, "batch_candidates", batches, buffer));
  for (Spool::Reader reader(candidates); !reader.AtEnd();) {
    Row row{};
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    ZHIWEN_RETURN_IF_ERROR(spread->AppendRow(plan.batch_of[OwnerOf(row)], row));
  }
  return spread;
}

}  // namespace

Result<SimilarDecisions> DecideSimilar(const RunContext& run, const BatchPlan& plan,
                                       const SetSpools& sets, const Spool* candidates,
                                       uint64_t max_bucket_kept,
                                       const StageCheckpoint<DecideMark>& checkpoint) {
  const DecideMark from = checkpoint.from.value_or(DecideMark());
  SimilarDecisions decisions;
  decisions.keepers.assign(plan.batch_of.size(), kNoDocument);
  ZHIWEN_ASSIGN_OR_RETURN(decisions.overlaps,
                          Spool::Reopen(run.scratch, "overlaps", from.overlaps));
  if (checkpoint.from) decisions.overlaps->Keep();
  std::unique_ptr<PartitionedSpool> by_batch;
  if (candidates != nullptr) {
    const auto spread = run.rules.mode == DedupMode::kContained ? &SpreadByBatch<CandidatePair>
                                                                : &SpreadByBatch<BucketMember>;
    ZHIWEN_ASSIGN_OR_RETURN(by_batch, spread(*candidates, plan, run));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::string_view large_bytes, sets.large->Map());
  BatchDecider decider(run, plan, sets, large_bytes, by_batch.get(), max_bucket_kept, decisions,
                       checkpoint);
  ZHIWEN_RETURN_IF_ERROR(decider.Resume(from));
  for (const BatchPlan::Series& series : plan.series) {
    ZHIWEN_RETURN_IF_ERROR(decider.DecideSeries(series, from.batches));
    run.environment.progress.Advance(Stage::kDecide, series.first + series.count, plan.batches());
  }
  if (from.batches < plan.batches() && checkpoint.is_due(StagePoint::kEnd)) {
    ZHIWEN_RETURN_IF_ERROR(decider.Save(plan.batches()));
  }
  return decisions;
}

}  // namespace zhiwen
