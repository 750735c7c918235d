#include "pipeline/dedup/decide/set_pass.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/value_bytes.h"
#include "pipeline/dedup/input/document_pass.h"
#include "pipeline/dedup/input/large_blocks.h"
#include "pipeline/dedup/input/text_features.h"
#include "pipeline/dedup/input/text_pieces.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

constexpr size_t kLeastSetBuffer = size_t{4} << 10;
constexpr size_t kMostSetBuffer = size_t{256} << 10;

// What the chosen documents of one block become.
struct BlockSets {
  struct Set {
    uint32_t batch;
    size_t begin, size;  // in set_bytes: SetRow, and shingles or a LargeSet
  };
  std::vector<Set> sets;
  std::string set_bytes;
  std::vector<ExactRow> exact;

  void Clear() {
    sets.clear();
    set_bytes.clear();
    exact.clear();
  }
};

// Makes the sets of documents; one a worker.
class SetMaker {
 public:
  // `large` takes sets of plan.large, whose documents come in order. All outlive the maker.
  SetMaker(const RunContext& run, const BatchPlan& plan, MappedSpool& large)
      : reading_(&run.reading),
        plan_(&plan),
        large_(&large),
        features_(run.rules.channel),
        pieces_(run.rules.channel, run.reading.range_shingles) {}

  Status AddSet(const Document& document, SetRow row, BlockSets& made) {
    row.group = GroupOf(*reading_, document);
    if (reading_->date) {
      row.date = DateOf(*reading_, document);
      row.exact = HashExactChannel(document.text).low;
    }
    const uint32_t batch = plan_->batch_of[row.document];
    if (!plan_->large.empty() && plan_->IsLarge(row.document)) {
      return AddLargeSet(document.text, row, batch, made);
    }
    features_.Read(document.text);
    features_.TakeShingleSet(set_);
    row.count = set_.size();
    const size_t begin = made.set_bytes.size();
    made.set_bytes += BytesOfValue(row);
    made.set_bytes.append(reinterpret_cast<const char*>(set_.data()),
                          set_.size() * sizeof(uint64_t));
    made.sets.push_back({batch, begin, made.set_bytes.size() - begin});
    return {};
  }

  // Gives back the memory that a large text took.
  void Shrink() {
    pieces_.Shrink();
    features_.Shrink(reading_->large_text_bytes);
    ShrinkLarge(set_, reading_->large_text_bytes);
  }

 private:
  Status AddLargeSet(std::string_view text, SetRow row, uint32_t batch, BlockSets& made) {
    LargeSet large{.place = large_->size()};
    StreamHash128 checksum;
    ZHIWEN_RETURN_IF_ERROR(pieces_.VisitSet(text, [&](std::span<const uint64_t> range) {
      const std::string_view bytes(reinterpret_cast<const char*>(range.data()), range.size_bytes());
      row.count += range.size();
      checksum.Add(bytes);
      return large_->Append(bytes);
    }));
    large.checksum = checksum.Finish().low;
    const size_t begin = made.set_bytes.size();
    made.set_bytes += BytesOfValue(row);
    made.set_bytes += BytesOfValue(large);
    made.sets.push_back({batch, begin, sizeof(row) + sizeof(large)});
    return {};
  }

  const ReadingOptions* reading_;
  const BatchPlan* plan_;
  MappedSpool* large_;
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
                                                              kLeastSetBuffer, from.exact));
  if (named) out.exact->Keep();
  return out;
}

}  // namespace

void SetSpools::Keep() {
  sets->Keep();
  large->Keep();
  exact->Keep();
}

Result<SetSpools> RunSetPass(const RunContext& run, const Collapsed& collapsed,
                             const std::vector<uint32_t>& ranks, const BatchPlan& plan,
                             uint32_t exact_partitions,
                             const StageCheckpoint<SetMark>& checkpoint) {
  const SetMark from = checkpoint.from.value_or(SetMark());
  const uint32_t batches = std::max(plan.batches(), 1U);
  const size_t buffer =
      std::clamp<uint64_t>(run.work_bytes / 2 / batches, kLeastSetBuffer, kMostSetBuffer);
  ZHIWEN_ASSIGN_OR_RETURN(SetSpools out, OpenSetSpools(checkpoint.from, batches, buffer,
                                                       exact_partitions, run.scratch));
  std::vector<SetMaker> makers(run.environment.executor.concurrency(),
                               SetMaker(run, plan, *out.large));
  const std::vector<bool> wants_exact = FindWantedExact(collapsed);
  const auto save = [&](uint64_t place) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(const SpoolMark sets, out.sets->Save());
    ZHIWEN_ASSIGN_OR_RETURN(const SpoolMark exact, out.exact->Save());
    ZHIWEN_RETURN_IF_ERROR(checkpoint.save({place, sets, out.large->Save(), exact}));
    out.Keep();
    return {};
  };
  DocumentPassSteps<BlockSets> steps{
      .stage = Stage::kShingleSets,
      .skip_blocks = from.blocks,
      .is_chosen = [&](DocumentIndex d) { return plan.batch_of[d] != kNoBatch || wants_exact[d]; },
      .make = [&](size_t worker, DocumentIndex d, const Document& document,
                  BlockSets& made) -> Status {
        if (plan.batch_of[d] != kNoBatch) {
          ZHIWEN_RETURN_IF_ERROR(
              makers[worker].AddSet(document, {.document = d, .rank = ranks[d]}, made));
        }
        if (wants_exact[d]) {
          made.exact.push_back({collapsed.representatives[d], d, HashExactChannel(document.text)});
        }
        return {};
      },
      .shrink = [&](size_t worker) { makers[worker].Shrink(); },
      .commit = [&](uint64_t blocks_done, BlockSets& made) -> Status {
        const std::string_view bytes = made.set_bytes;
        for (const auto& [batch, begin, size] : made.sets) {
          ZHIWEN_RETURN_IF_ERROR(out.sets->Append(batch, bytes.substr(begin, size)));
        }
        for (const ExactRow& exact : made.exact) {
          const uint32_t partition =
              RangePartition(exact.representative, ranks.size(), exact_partitions);
          ZHIWEN_RETURN_IF_ERROR(out.exact->Append(partition, BytesOfValue(exact)));
        }
        ShrinkLarge(made.set_bytes, run.reading.large_text_bytes);
        return checkpoint.is_due(StagePoint::kInside) ? save(blocks_done) : Status();
      }};
  if (!plan.large.empty()) steps.is_large = [&](DocumentIndex d) { return plan.IsLarge(d); };
  ZHIWEN_RETURN_IF_ERROR(RunDocumentPass(run, steps));
  const uint64_t blocks = run.spools.blocks->size() / sizeof(BlockRow);
  if (from.blocks < blocks && checkpoint.is_due(StagePoint::kEnd)) {
    ZHIWEN_RETURN_IF_ERROR(save(blocks));
  }
  return out;
}

}  // namespace zhiwen
