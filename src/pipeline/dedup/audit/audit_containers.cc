#include "pipeline/dedup/audit/audit_containers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "index/thresholds/containment_threshold.h"
#include "pipeline/dedup/audit/audit_table.h"
#include "pipeline/dedup/input/block_stream.h"
#include "pipeline/dedup/input/block_walk.h"
#include "pipeline/dedup/input/large_blocks.h"
#include "pipeline/dedup/input/ordered_jobs.h"
#include "pipeline/dedup/input/text_features.h"
#include "pipeline/dedup/input/text_pass.h"
#include "pipeline/dedup/input/text_pieces.h"
#include "pipeline/dedup/sketch/audit_keys.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

constexpr uint32_t kUsualKeys = 128;
constexpr uint64_t kBytesPerSample = 512;
// Odd: the order of the products has nothing to do with that of the shingles, each number once.
constexpr uint64_t kMultiplier = 0xD1342543DE82EF95;

struct DrawnDocument {
  DocumentIndex document = 0;
  uint64_t group = 0;
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

struct ContainerJob {
  RecordBlock block;
  std::vector<uint32_t> indices;         // of kept records, in the block
  std::vector<DocumentIndex> documents;  // of them
  uint64_t blocks_done = 0;
  bool is_large = false;
  bool changed = false;
  Status status;
  std::vector<ContainerHit> hits;
};

// Looks kept documents up; one a worker.
class ContainerLooker {
 public:
  static Result<ContainerLooker> Create(const RunData& run, const AuditTable& table,
                                        std::span<const DrawnDocument> drawn) {
    ZHIWEN_ASSIGN_OR_RETURN(BlockParser parser, BlockParser::Create(run.reading.fields));
    return ContainerLooker(run, table, drawn, std::move(parser));
  }

  void Look(ContainerJob& job) {
    job.hits.clear();
    job.changed = false;
    job.status = {};
    auto next = job.documents.begin();
    parser_.ParseChosen(job.block, job.indices, [&](const BlockRecord&, ParsedRecord&& parsed) {
      const DocumentIndex d = *next++;
      const auto* document = std::get_if<Document>(&parsed);
      job.changed = job.changed || document == nullptr;
      if (document == nullptr || document->text.empty() || !job.status) return;
      job.status = LookUp(d, *document, job.hits);
    });
    if (!job.is_large) return;
    parser_.Shrink();
    pieces_.Shrink();
    features_.Shrink(run_->reading.large_text_bytes);
    ShrinkLarge(set_, run_->reading.large_text_bytes);
  }

 private:
  ContainerLooker(const RunData& run, const AuditTable& table, std::span<const DrawnDocument> drawn,
                  BlockParser parser)
      : run_(&run),
        table_(&table),
        drawn_(drawn),
        parser_(std::move(parser)),
        features_(run.options.channel),
        pieces_(run.options.channel, run.reading.range_shingles) {}

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

  // Of the text last counted, which has shingles.
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

  Status LookUp(DocumentIndex d, const Document& document, std::vector<ContainerHit>& hits) {
    const bool is_large = document.text.size() >= run_->reading.large_text_bytes;
    const bool has_shingles = Count(document.text, is_large);
    bool is_sized = false;
    uint64_t size = 0;
    for (const uint32_t place : counter_.touched()) {
      const DrawnDocument& drawn = drawn_[place];
      if (drawn.document == d || counter_.shared(place) < drawn.required) continue;
      if (run_->reading.group_by && HashGroup(document.policy.back()) != drawn.group) continue;
      if (!std::exchange(is_sized, true) && has_shingles) {
        ZHIWEN_ASSIGN_OR_RETURN(size, SizeOfSet(document.text, is_large));
      }
      if (size < drawn.size || (drawn.size < kLeastContainedSize && size != drawn.size)) continue;
      hits.push_back({place, counter_.shared(place), d});
    }
    return {};
  }

  const RunData* run_;
  const AuditTable* table_;
  std::span<const DrawnDocument> drawn_;
  BlockParser parser_;
  TextFeatures features_;
  TextPieces pieces_;
  AuditTable::Counter counter_;
  std::vector<uint64_t> set_;
};

// One part of the sample.
class ContainerSearch {
 public:
  ContainerSearch(const RunData& run, const ContainerKeyPlan& plan,
                  const DedupEnvironment& environment)
      : run_(run), plan_(plan), environment_(environment) {}

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
    TextFeatures features(run_.options.channel);
    std::vector<uint64_t> set;
    const auto add = [&](size_t place, const Document& document) {
      features.Read(document.text);
      set.clear();
      if (features.has_shingles()) features.TakeShingleSet(set);
      drawn_[place].document = sample[place];
      if (run_.reading.group_by) drawn_[place].group = HashGroup(document.policy.back());
      MakeKeys(document.text, set, plan_, run_.options.threshold, drawn_[place]);
      table_.Add(set);
    };
    ZHIWEN_RETURN_IF_ERROR(
        VisitDocuments(run_.inputs, run_.reading, run_.spools, sample, environment_, add));
    return table_.Finish();
  }

  Status LookThroughKept() {
    std::vector<ContainerLooker> lookers;
    for (size_t worker = 0; worker < environment_.executor.concurrency(); ++worker) {
      ZHIWEN_ASSIGN_OR_RETURN(ContainerLooker looker,
                              ContainerLooker::Create(run_, table_, drawn_));
      lookers.push_back(std::move(looker));
    }
    BlockStream stream(environment_.files, run_.inputs, run_.reading.blocks);
    BlockWalk walk(run_.spools);
    uint64_t blocks_done = 0;
    const uint64_t blocks = run_.spools.blocks->size() / sizeof(BlockRow);
    const JobSteps<ContainerJob> steps{
        .produce = [&](ContainerJob& job) -> Result<bool> {
          return NextBlock(walk, stream, blocks_done, job);
        },
        .process = [&](size_t worker, ContainerJob& job) -> Status {
          lookers[worker].Look(job);
          if (!job.changed) return job.status;
          return Fail(
              ErrorCode::kUnreadable,
              fmt::format("\"{}\" changed during the run; run again when nothing writes to it",
                          run_.inputs.names[job.block.file]));
        },
        .commit = [&](ContainerJob& job) -> Status {
          for (const ContainerHit& hit : job.hits) best_[hit.place].Offer(hit.shared, hit.document);
          ShrinkLarge(job.block.buffer, run_.reading.large_text_bytes);
          environment_.progress.Advance("audit", job.blocks_done, blocks, "parts");
          return {};
        },
        .is_alone = [](const ContainerJob& job) { return job.is_large; }};
    ZHIWEN_RETURN_IF_ERROR(
        OrderedJobs<ContainerJob>::Run(environment_.executor, run_.reading.in_flight, steps));
    return stream.Finish();
  }

  // The next block with a kept document.
  Result<bool> NextBlock(BlockWalk& walk, BlockStream& stream, uint64_t& blocks_done,
                         ContainerJob& job) {
    job.indices.clear();
    job.documents.clear();
    BlockRow row;
    while (job.documents.empty()) {
      ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
      ZHIWEN_ASSIGN_OR_RETURN(const bool more, walk.Next(row, failed_));
      if (!more) return false;
      job.blocks_done = ++blocks_done;
      ForEachDocument(row, failed_, [&](uint32_t index, DocumentIndex d) {
        if (run_.removals.IsRemoved(d)) return;
        job.indices.push_back(index);
        job.documents.push_back(d);
      });
    }
    ZHIWEN_RETURN_IF_ERROR(stream.Read(row, job.block));
    job.is_large = job.block.held_bytes() >= run_.reading.large_text_bytes;
    return true;
  }

  const RunData& run_;
  const ContainerKeyPlan plan_;
  const DedupEnvironment& environment_;
  AuditTable table_;
  std::vector<DrawnDocument> drawn_;
  std::vector<BestCandidates> best_;
  std::vector<uint32_t> failed_;
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
                                                     std::span<const DocumentIndex> sample,
                                                     uint64_t memory_bytes,
                                                     const DedupEnvironment& environment) {
  const ContainerKeyPlan plan = PlanContainerKeys(run.options.threshold);
  const uint64_t bytes = kBytesPerSample + plan.keys * AuditTable::kBytesPerKey;
  const size_t part = std::max<uint64_t>(memory_bytes / bytes, 1);
  std::vector<SampleCandidates> all;
  for (size_t begin = 0; begin < sample.size(); begin += part) {
    ContainerSearch search(run, plan, environment);
    ZHIWEN_ASSIGN_OR_RETURN(
        std::vector<SampleCandidates> found,
        search.Run(sample.subspan(begin, std::min(part, sample.size() - begin))));
    std::ranges::move(found, std::back_inserter(all));
  }
  return all;
}

}  // namespace zhiwen
