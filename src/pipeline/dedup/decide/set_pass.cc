#include "pipeline/dedup/decide/set_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/value_bytes.h"
#include "pipeline/dedup/input/block_stream.h"
#include "pipeline/dedup/input/block_walk.h"
#include "pipeline/dedup/input/large_blocks.h"
#include "pipeline/dedup/input/ordered_jobs.h"
#include "pipeline/dedup/input/text_features.h"
#include "pipeline/dedup/input/text_pieces.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

constexpr size_t kLeastBuffer = size_t{4} << 10;
constexpr size_t kMostBuffer = size_t{256} << 10;

struct SetJob {
  RecordBlock block;
  std::vector<uint32_t> indices;         // of chosen records, in the block
  std::vector<DocumentIndex> documents;  // of them
  uint64_t blocks_done = 0;
  bool changed = false;
  bool is_large = false;  // the block, or the set of one of `documents`
  Status status;
  struct Set {
    uint32_t batch;
    size_t begin, size;  // in set_bytes: SetRow, and shingles or a LargeSet
  };
  std::vector<Set> sets;
  std::string set_bytes;
  std::vector<ExactRow> exact;
};

class SetMaker {
 public:
  // `large` takes sets of plan.large; both outlive the makers.
  static Result<std::vector<SetMaker>> CreateMany(size_t workers, const SketchPassOptions& options,
                                                  const BatchPlan& plan, MappedSpool& large) {
    std::vector<SetMaker> makers;
    for (size_t worker = 0; worker < workers; ++worker) {
      ZHIWEN_ASSIGN_OR_RETURN(BlockParser parser, BlockParser::Create(options.fields));
      makers.push_back(SetMaker(options, plan, large, std::move(parser)));
    }
    return makers;
  }

  // `wants_exact` by document. Jobs with a large set are made alone, in order.
  void Make(const std::vector<uint32_t>& ranks, const std::vector<DocumentIndex>& representatives,
            const std::vector<bool>& wants_exact, SetJob& job) {
    job.sets.clear();
    job.set_bytes.clear();
    job.exact.clear();
    auto next = job.documents.begin();
    parser_.ParseChosen(job.block, job.indices, [&](const BlockRecord&, ParsedRecord&& parsed) {
      const DocumentIndex d = *next++;
      if (std::holds_alternative<RecordFault>(parsed)) {  // Parquet has no checksum of its own
        job.changed = true;
        return;
      }
      const auto& document = std::get<Document>(parsed);
      if (plan_->batch_of[d] != kNoBatch) {
        AddSet(document, {.document = d, .rank = ranks[d]}, plan_->batch_of[d], job);
      }
      if (wants_exact[d]) {
        job.exact.push_back({representatives[d], d, HashExactChannel(document.text)});
      }
    });
    if (!job.is_large) return;
    parser_.Shrink();
    pieces_.Shrink();
    features_.Shrink(options_->large_text_bytes);
    ShrinkLarge(set_, options_->large_text_bytes);
  }

 private:
  SetMaker(const SketchPassOptions& options, const BatchPlan& plan, MappedSpool& large,
           BlockParser parser)
      : options_(&options),
        plan_(&plan),
        large_(&large),
        parser_(std::move(parser)),
        features_(options.channel),
        pieces_(options.channel, options.range_shingles) {}

  void AddSet(const Document& document, SetRow row, uint32_t batch, SetJob& job) {
    if (options_->group_by) {
      const auto& value = document.policy.back();
      row.group = HashGroup(value);
    }
    if (!plan_->large.empty() && plan_->IsLarge(row.document)) {
      return AddLargeSet(document.text, row, batch, job);
    }
    features_.Read(document.text);
    features_.TakeShingleSet(set_);
    row.count = set_.size();
    const size_t begin = job.set_bytes.size();
    job.set_bytes += BytesOfValue(row);
    job.set_bytes.append(reinterpret_cast<const char*>(set_.data()),
                         set_.size() * sizeof(uint64_t));
    job.sets.push_back({batch, begin, job.set_bytes.size() - begin});
  }

  void AddLargeSet(std::string_view text, SetRow row, uint32_t batch, SetJob& job) {
    if (!job.status) return;
    LargeSet large{.place = large_->size()};
    StreamHash128 checksum;
    job.status = pieces_.VisitSet(text, [&](std::span<const uint64_t> range) {
      const std::string_view bytes(reinterpret_cast<const char*>(range.data()), range.size_bytes());
      row.count += range.size();
      checksum.Add(bytes);
      return large_->Append(bytes);
    });
    large.checksum = checksum.Finish().low;
    const size_t begin = job.set_bytes.size();
    job.set_bytes += BytesOfValue(row);
    job.set_bytes += BytesOfValue(large);
    job.sets.push_back({batch, begin, sizeof(row) + sizeof(large)});
  }

  const SketchPassOptions* options_;
  const BatchPlan* plan_;
  MappedSpool* large_;
  BlockParser parser_;
  TextFeatures features_;
  TextPieces pieces_;
  std::vector<uint64_t> set_;
};

// Copies that differ from their representative in bytes, and these representatives.
std::vector<bool> FindWantedExact(const Collapsed& collapsed) {
  std::vector<bool> wanted(collapsed.differs);
  for (size_t d = 0; d < wanted.size(); ++d) {
    if (collapsed.differs[d]) wanted[collapsed.representatives[d]] = true;
  }
  return wanted;
}

// Opens what a checkpoint names, if there is one. What is opened stays there, also when another
// part cannot be opened.
Result<SetSpools> OpenSetSpools(const std::optional<SetMark>& named, uint32_t batches,
                                size_t batch_buffer, uint32_t exact_partitions, Scratch& scratch) {
  const SetMark from = named.value_or(SetMark());
  SetSpools out;
  ZHIWEN_ASSIGN_OR_RETURN(
      out.sets, PartitionedSpool::Reopen(scratch, "sets", batches, batch_buffer, from.sets));
  if (named) out.sets->Keep();
  ZHIWEN_ASSIGN_OR_RETURN(out.large, MappedSpool::Reopen(scratch, "large_sets", from.large));
  if (named) out.large->Keep();
  ZHIWEN_ASSIGN_OR_RETURN(out.exact, PartitionedSpool::Reopen(scratch, "exact", exact_partitions,
                                                              kLeastBuffer, from.exact));
  if (named) out.exact->Keep();
  return out;
}

}  // namespace

void SetSpools::Keep() {
  sets->Keep();
  large->Keep();
  exact->Keep();
}

Result<SetSpools> RunSetPass(const DedupInputs& inputs, const SketchPassOptions& options,
                             const RunSpools& spools, const Collapsed& collapsed,
                             const std::vector<uint32_t>& ranks, const BatchPlan& plan,
                             uint32_t exact_partitions, Scratch& scratch, uint64_t memory_bytes,
                             const StageCheckpoint<SetMark>& checkpoint,
                             const DedupEnvironment& environment) {
  const SetMark from = checkpoint.from.value_or(SetMark());
  const uint32_t batches = std::max(plan.batches(), 1U);
  const size_t buffer = std::clamp<uint64_t>(memory_bytes / 2 / batches, kLeastBuffer, kMostBuffer);
  ZHIWEN_ASSIGN_OR_RETURN(
      SetSpools out, OpenSetSpools(checkpoint.from, batches, buffer, exact_partitions, scratch));
  ZHIWEN_ASSIGN_OR_RETURN(
      std::vector<SetMaker> makers,
      SetMaker::CreateMany(environment.executor.concurrency(), options, plan, *out.large));
  const std::vector<bool> wants_exact = FindWantedExact(collapsed);
  BlockStream stream(environment.files, inputs, options.blocks);
  BlockWalk walk(spools);
  BlockRow row;
  std::vector<uint32_t> failed;
  uint64_t blocks_done = 0;
  for (; blocks_done < from.blocks; ++blocks_done) {
    ZHIWEN_RETURN_IF_ERROR(walk.Next(row, failed));
  }
  const auto save = [&](uint64_t place) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(const SpoolMark sets, out.sets->Save());
    ZHIWEN_ASSIGN_OR_RETURN(const SpoolMark exact, out.exact->Save());
    ZHIWEN_RETURN_IF_ERROR(checkpoint.save({place, sets, out.large->Save(), exact}));
    out.Keep();
    return {};
  };
  const uint64_t blocks = spools.blocks->size() / sizeof(BlockRow);
  const JobSteps<SetJob> steps{
      .produce = [&](SetJob& job) -> Result<bool> {
        job.indices.clear();
        job.documents.clear();
        job.is_large = false;
        job.status = {};
        while (job.documents.empty()) {
          ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
          ZHIWEN_ASSIGN_OR_RETURN(const bool more, walk.Next(row, failed));
          if (!more) return false;
          job.blocks_done = ++blocks_done;
          ForEachDocument(row, failed, [&](uint32_t index, DocumentIndex d) {
            if (plan.batch_of[d] == kNoBatch && !wants_exact[d]) return;
            job.indices.push_back(index);
            job.documents.push_back(d);
            job.is_large = job.is_large || (!plan.large.empty() && plan.IsLarge(d));
          });
        }
        ZHIWEN_RETURN_IF_ERROR(stream.Read(row, job.block));
        if (job.block.held_bytes() >= options.large_text_bytes) job.is_large = true;
        return true;
      },
      .process = [&](size_t worker, SetJob& job) -> Status {
        makers[worker].Make(ranks, collapsed.representatives, wants_exact, job);
        if (!job.changed) return job.status;
        return Fail(
            ErrorCode::kUnreadable,
            fmt::format("\"{}\" changed during the run; run again when nothing writes to it",
                        inputs.names[job.block.file]));
      },
      .commit = [&](SetJob& job) -> Status {
        const std::string_view bytes = job.set_bytes;
        for (const auto& [batch, begin, size] : job.sets) {
          ZHIWEN_RETURN_IF_ERROR(out.sets->Append(batch, bytes.substr(begin, size)));
        }
        for (const ExactRow& exact : job.exact) {
          const uint32_t partition =
              RangePartition(exact.representative, ranks.size(), exact_partitions);
          ZHIWEN_RETURN_IF_ERROR(out.exact->Append(partition, BytesOfValue(exact)));
        }
        ShrinkLarge(job.block.buffer, options.large_text_bytes);
        ShrinkLarge(job.set_bytes, options.large_text_bytes);
        environment.progress.Advance("shingle sets", job.blocks_done, blocks, "parts");
        return checkpoint.is_due(StagePoint::kInside) ? save(job.blocks_done) : Status();
      },
      .is_alone = [](const SetJob& job) { return job.is_large; }};
  ZHIWEN_RETURN_IF_ERROR(OrderedJobs<SetJob>::Run(environment.executor, options.in_flight, steps));
  ZHIWEN_RETURN_IF_ERROR(stream.Finish());
  if (from.blocks < blocks && checkpoint.is_due(StagePoint::kEnd)) {
    ZHIWEN_RETURN_IF_ERROR(save(blocks));
  }
  return out;
}

}  // namespace zhiwen
