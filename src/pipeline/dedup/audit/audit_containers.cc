#include "pipeline/dedup/audit/audit_containers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "index/thresholds/containment_threshold.h"
#include "pipeline/dedup/audit/audit_table.h"
#include "pipeline/dedup/input/document_pass.h"
#include "pipeline/dedup/input/large_blocks.h"
#include "pipeline/dedup/input/text_features.h"
#include "pipeline/dedup/input/text_pieces.h"
#include "pipeline/dedup/sketch/audit_keys.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

constexpr uint32_t kUsualKeys = 128;
// Odd: the order of the products has nothing to do with that of the shingles, each number once.
constexpr uint64_t kMultiplier = 0xD1342543DE82EF95;

struct DrawnDocument {
  DocumentIndex document = 0;
  uint64_t group = 0;
  int64_t date = kNoDate;
  uint64_t size = 0;      // distinct shingles; 0: equal texts alone match
  uint32_t required = 1;  // of its keys
};

// The keys of a text: of its set (ascending, distinct), or of the whole text where that is empty.
void MakeKeys(std::string_view text, std::vector<uint64_t>& set, const ContainerKeyPlan& plan,
              double threshold, DrawnDocument& drawn) {
  drawn.size = set.size();
  if (set.empty()) {
    set.push_back(HashExactChannel(text).low);
    return;
  }
  if (set.size() > plan.keys) {
    std::ranges::nth_element(set, set.begin() + plan.keys, {},
                             [](uint64_t shingle) { return shingle * kMultiplier; });
    set.resize(plan.keys);
    drawn.required = plan.required;
  } else {
    const bool is_contained = set.size() >= kLeastContainedSize;
    drawn.required =
        static_cast<uint32_t>(is_contained ? RequiredShared(set.size(), threshold) : set.size());
  }
}

struct ContainerHit {
  uint32_t place;
  uint32_t shared;
  DocumentIndex document;
};

// The hits of one block.
struct ContainerHits {
  std::vector<ContainerHit> hits;

  void Clear() { hits.clear(); }
};

// Looks kept documents up; one a worker.
class ContainerLooker {
 public:
  // All outlive it.
  ContainerLooker(const RunData& run, const AuditTable& table, std::span<const DrawnDocument> drawn)
      : run_(&run),
        table_(&table),
        drawn_(drawn),
        features_(run.rules.channel),
        pieces_(run.rules.channel, run.reading.range_shingles) {}

  Status LookUp(DocumentIndex d, const Document& document, std::vector<ContainerHit>& hits) {
    if (document.text.empty()) return {};
    const bool is_large = document.text.size() >= run_->reading.large_text_bytes;
    const bool has_shingles = Count(document.text, is_large);
    bool is_sized = false;
    uint64_t size = 0;
    for (const uint32_t place : counter_.touched()) {
      const DrawnDocument& drawn = drawn_[place];
      if (drawn.document == d || counter_.shared(place) < drawn.required) continue;
      if (GroupOf(run_->reading, document) != drawn.group) continue;
      if (!run_->rules.AreNear(DateOf(run_->reading, document), drawn.date)) continue;
      if (!std::exchange(is_sized, true) && has_shingles) {
        ZHIWEN_ASSIGN_OR_RETURN(size, SizeOfSet(document.text, is_large));
      }
      if (size < drawn.size || (drawn.size < kLeastContainedSize && size != drawn.size)) continue;
      hits.push_back({place, counter_.shared(place), d});
    }
    return {};
  }

  // Gives back the memory that a large text took.
  void Shrink() {
    pieces_.Shrink();
    features_.Shrink(run_->reading.large_text_bytes);
    ShrinkLarge(set_, run_->reading.large_text_bytes);
  }

 private:
  // Counts what `text` has in common with the drawn ones; false when it has no shingle.
  bool Count(std::string_view text, bool is_large) {
    if (is_large) {
      bool has_shingles = false;
      table_->Begin(counter_);
      pieces_.Walk(text, [&](const TextPieces::Piece& piece) {
        has_shingles = has_shingles || !piece.shingles.empty();
        table_->Add(piece.shingles, counter_);
      });
      table_->Finish(counter_);
      if (has_shingles) return true;
    } else {
      features_.Read(text);
      if (features_.has_shingles()) {
        table_->Count(features_.Shingles(), counter_);
        return true;
      }
    }
    const uint64_t key = HashExactChannel(text).low;
    table_->Count({&key, 1}, counter_);
    return false;
  }

  // Counts the distinct shingles of the text last counted.
  Result<uint64_t> SizeOfSet(std::string_view text, bool is_large) {
    if (!is_large) {
      features_.TakeShingleSet(set_);
      return set_.size();
    }
    uint64_t size = 0;
    ZHIWEN_RETURN_IF_ERROR(pieces_.VisitSet(text, [&](std::span<const uint64_t> range) -> Status {
      size += range.size();
      return {};
    }));
    return size;
  }

  const RunData* run_;
  const AuditTable* table_;
  std::span<const DrawnDocument> drawn_;
  TextFeatures features_;
  TextPieces pieces_;
  AuditTable::Counter counter_;
  std::vector<uint64_t> set_;
};

// One part of the sample.
class ContainerSearch {
 public:
  ContainerSearch(const RunData& run, const ContainerKeyPlan& plan) : run_(run), plan_(plan) {}

  Result<std::vector<SampleCandidates>> Run(std::span<const DocumentIndex> sample) {
    ZHIWEN_RETURN_IF_ERROR(MakeTable(sample));
    best_.resize(sample.size());
    ZHIWEN_RETURN_IF_ERROR(LookThroughKept());
    std::vector<SampleCandidates> found;
    found.reserve(best_.size());
    for (BestCandidates& best : best_) found.push_back(best.Take());
    return found;
  }

 private:
  Status MakeTable(std::span<const DocumentIndex> sample) {
    drawn_.resize(sample.size());
    TextFeatures features(run_.rules.channel);
    std::vector<uint64_t> set;
    const auto add = [&](size_t place, const Document& document) {
      features.Read(document.text);
      set.clear();
      if (features.has_shingles()) features.TakeShingleSet(set);
      drawn_[place].document = sample[place];
      drawn_[place].group = GroupOf(run_.reading, document);
      drawn_[place].date = DateOf(run_.reading, document);
      MakeKeys(document.text, set, plan_, run_.rules.threshold, drawn_[place]);
      table_.Add(set);
    };
    ZHIWEN_RETURN_IF_ERROR(VisitDocuments(run_, sample, add));
    return table_.Finish();
  }

  Status LookThroughKept() {
    std::vector<ContainerLooker> lookers(run_.environment.executor.concurrency(),
                                         ContainerLooker(run_, table_, drawn_));
    return RunDocumentPass<ContainerHits>(
        run_,
        {.stage = Stage::kAuditParts,
         .is_chosen = [&](DocumentIndex d) { return run_.removals.IsKeptWhole(d); },
         .make =
             [&](size_t worker, DocumentIndex d, const Document& document, ContainerHits& made) {
               return lookers[worker].LookUp(d, document, made.hits);
             },
         .shrink = [&](size_t worker) { lookers[worker].Shrink(); },
         .commit = [&](uint64_t, ContainerHits& made) -> Status {
           for (const ContainerHit& hit : made.hits) {
             best_[hit.place].Offer(hit.shared, hit.document);
           }
           return {};
         }});
  }

  const RunData& run_;
  const ContainerKeyPlan plan_;
  AuditTable table_;
  std::vector<DrawnDocument> drawn_;
  std::vector<BestCandidates> best_;
};

}  // namespace

ContainerKeyPlan PlanContainerKeys(double threshold) {
  ContainerKeyPlan plan{kUsualKeys, 1};
  if (threshold < 1) {
    const double needed = std::ceil(std::log(kAuditMiss) / std::log1p(-threshold));
    const double all = kMostAuditedCodePoints;  // no set has more to speak of
    plan.keys = std::max(plan.keys, static_cast<uint32_t>(std::min(needed, all)));
  }
  while (plan.required < plan.keys &&
         BinomialBelow(plan.keys, threshold, plan.required + 1) <= kAuditMiss) {
    ++plan.required;
  }
  return plan;
}

Result<std::vector<SampleCandidates>> FindContainers(const RunData& run,
                                                     std::span<const DocumentIndex> sample) {
  const ContainerKeyPlan plan = PlanContainerKeys(run.rules.threshold);
  const uint64_t bytes = kBytesPerSample + plan.keys * AuditTable::kBytesPerKey;
  const size_t part = std::max<uint64_t>(run.work_bytes / bytes, 1);
  std::vector<SampleCandidates> all;
  for (size_t begin = 0; begin < sample.size(); begin += part) {
    ContainerSearch search(run, plan);
    ZHIWEN_ASSIGN_OR_RETURN(
        std::vector<SampleCandidates> found,
        search.Run(sample.subspan(begin, std::min(part, sample.size() - begin))));
    std::ranges::move(found, std::back_inserter(all));
  }
  return all;
}

}  // namespace zhiwen
