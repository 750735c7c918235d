#ifndef ZHIWEN_PIPELINE_DEDUP_INPUT_DOCUMENT_PASS_H_
#define ZHIWEN_PIPELINE_DEDUP_INPUT_DOCUMENT_PASS_H_

// Reads chosen documents of the inputs again, after the first pass. Blocks without a chosen
// document are passed over.
//
// Guarantees  a document is what the first pass read, or the pass fails
// Cost        one sequential read of the blocks that hold a chosen document
// Threads     RunDocumentPass works on blocks with all workers; VisitDocuments uses none but the
//             caller
// Fails       kUnreadable: a read failed, or an input changed during the run; and on cancellation

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/dedup/input/block_stream.h"
#include "pipeline/dedup/input/block_walk.h"
#include "pipeline/dedup/input/large_blocks.h"
#include "pipeline/dedup/input/ordered_jobs.h"
#include "pipeline/dedup/input/run_context.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A block with the chosen documents in it.
struct ChosenBlock {
  RecordBlock block;
  std::vector<uint32_t> indices;         // of the chosen records, in the block
  std::vector<DocumentIndex> documents;  // the chosen documents, in the order of `indices`
  uint64_t blocks_done = 0;              // blocks of the run up to this one
};

// The blocks that hold chosen documents, in order.
class ChosenBlocks {
 public:
  // `run` outlives it.
  explicit ChosenBlocks(const RunContext& run)
      : run_(run),
        stream_(run.environment.files, run.inputs, run.reading.blocks),
        walk_(run.spools) {}

  // Passes over this many blocks. Before the first Next.
  Status Skip(uint64_t blocks);

  // Reads the next block with a document that `is_chosen`, none of them before `first`; false at
  // the end.
  template <typename IsChosen>
  Result<bool> Next(const IsChosen& is_chosen, ChosenBlock& out, DocumentIndex first = 0) {
    out.indices.clear();
    out.documents.clear();
    while (out.documents.empty()) {
      ZHIWEN_RETURN_IF_ERROR(run_.environment.cancellation.Check());
      ZHIWEN_ASSIGN_OR_RETURN(const bool more, walk_.Next(row_, failed_));
      if (!more) return false;
      out.blocks_done = ++blocks_done_;
      if (row_.first_document + row_.documents <= first) continue;
      ForEachDocument(row_, failed_, [&](uint32_t index, DocumentIndex d) {
        if (!is_chosen(d)) return;
        out.indices.push_back(index);
        out.documents.push_back(d);
      });
    }
    ZHIWEN_RETURN_IF_ERROR(stream_.Read(row_, out.block));
    return true;
  }

  // After the last block: makes sure that its file did not change meanwhile.
  Status Finish() { return stream_.Finish(); }

 private:
  const RunContext& run_;
  BlockStream stream_;
  BlockWalk walk_;
  BlockRow row_;
  std::vector<uint32_t> failed_;
  uint64_t blocks_done_ = 0;
};

// Calls visit(document's index, document) for the chosen documents of `chosen`, in order, until one
// fails.
Status ParseChosen(const RunContext& run, const ChosenBlock& chosen, BlockParser& parser,
                   const std::function<Status(DocumentIndex d, const Document& document)>& visit);

// The steps of a pass over chosen documents. A `Made` collects what one block becomes; its Clear()
// is called before it is used again.
template <typename Made>
struct DocumentPassSteps {
  Stage stage = Stage::kShingleSets;  // for progress
  uint64_t skip_blocks = 0;           // blocks that an earlier process has been through
  std::function<bool(DocumentIndex d)> is_chosen;
  // Documents whose block is worked on alone, as blocks of large texts are; none: nullptr.
  std::function<bool(DocumentIndex d)> is_large = nullptr;
  std::function<Status(size_t worker, DocumentIndex d, const Document& document, Made& made)> make;
  // Gives back the memory that a large block took.
  std::function<void(size_t worker)> shrink;
  // Takes what one block became, in the order of input.
  std::function<Status(uint64_t blocks_done, Made& made)> commit;
};

template <typename Made>
Status RunDocumentPass(const RunContext& run, const DocumentPassSteps<Made>& steps) {
  struct Job {
    ChosenBlock chosen;
    bool is_large = false;
    Made made;
  };
  std::vector<BlockParser> parsers;
  for (size_t worker = 0; worker < run.environment.executor.concurrency(); ++worker) {
    ZHIWEN_ASSIGN_OR_RETURN(BlockParser parser, BlockParser::Create(run.reading.fields));
    parsers.push_back(std::move(parser));
  }
  const uint64_t large_bytes = run.reading.large_text_bytes;
  const uint64_t blocks = run.spools.blocks->size() / sizeof(BlockRow);
  ChosenBlocks chosen_blocks(run);
  ZHIWEN_RETURN_IF_ERROR(chosen_blocks.Skip(steps.skip_blocks));
  const JobSteps<Job> jobs{
      .produce = [&](Job& job) -> Result<bool> {
        ZHIWEN_ASSIGN_OR_RETURN(const bool more, chosen_blocks.Next(steps.is_chosen, job.chosen));
        job.is_large =
            more && (job.chosen.block.held_bytes() >= large_bytes ||
                     (steps.is_large != nullptr &&
                      std::ranges::any_of(job.chosen.documents, std::ref(steps.is_large))));
        return more;
      },
      .process = [&](size_t worker, Job& job) -> Status {
        job.made.Clear();
        Status status = ParseChosen(run, job.chosen, parsers[worker],
                                    [&](DocumentIndex d, const Document& document) {
                                      return steps.make(worker, d, document, job.made);
                                    });
        if (job.is_large) {
          parsers[worker].Shrink();
          steps.shrink(worker);
        }
        return status;
      },
      .commit = [&](Job& job) -> Status {
        ShrinkLarge(job.chosen.block.buffer, large_bytes);
        run.environment.progress.Advance(steps.stage, job.chosen.blocks_done, blocks);
        return steps.commit(job.chosen.blocks_done, job.made);
      },
      .is_alone = [](const Job& job) { return job.is_large; }};
  ZHIWEN_RETURN_IF_ERROR(
      OrderedJobs<Job>::Run(run.environment.executor, run.reading.in_flight, jobs));
  return chosen_blocks.Finish();
}

// Visits every document of `chosen` (ascending), in that order, with its place in `chosen`.
using DocumentVisitor = std::function<void(size_t chosen, const Document& document)>;
Status VisitDocuments(const RunContext& run, std::span<const DocumentIndex> chosen,
                      const DocumentVisitor& visitor);

// Documents that somebody wants to see.
struct DocumentWish {
  std::vector<DocumentIndex> documents;  // ascending
  DocumentVisitor visitor;               // is given its place in `documents`
};

// Visits the documents of all wishes in one pass over the inputs.
Status VisitWishes(const RunContext& run, std::span<const DocumentWish> wishes);

// Visits the texts of documents alone.
using TextVisitor = std::function<void(size_t chosen, std::string_view text)>;
Status VisitTexts(const RunContext& run, std::span<const DocumentIndex> chosen,
                  const TextVisitor& visitor);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_INPUT_DOCUMENT_PASS_H_
