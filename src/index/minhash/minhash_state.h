#ifndef ZHIWEN_INDEX_MINHASH_MINHASH_STATE_H_
#define ZHIWEN_INDEX_MINHASH_MINHASH_STATE_H_

// The MinHash kind of index (durable/index_kind.h), and one state of such an index. A document is
// live once in all of its segments and its memory.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "index/durable/segmented_state.h"
#include "index/minhash/memory_sketches.h"
#include "index/minhash/minhash_index.h"
#include "index/minhash/minhash_settings.h"
#include "index/minhash/sketch_search.h"
#include "index/minhash/sketch_segment.h"

namespace zhiwen {

class MinHashState;

struct MinHashKind {
  static constexpr std::string_view kName = "minhash";
  static constexpr bool kCommitsDirectly = false;

  using Settings = MinHashPlan;
  using State = MinHashState;
  using Segment = SketchSegment;
  using Rows = SketchRows;
  using Memory = MemorySketches;
  using Check = MinHashIndexCheck;
  using Segments = std::vector<StateSegment<SketchSegment>>;

  class Changer {
   public:
    Changer(MemorySketches& memory, Segments& segments) : memory_(memory), segments_(segments) {}

    Status Apply(std::string_view record);
    static Status Finish() { return {}; }

   private:
    Status RemoveFromSegments(uint64_t document);

    MemorySketches& memory_;
    Segments& segments_;
  };
  static Status CheckRecord(std::string_view record);

  static Result<MinHashPlan> ReadSettings(std::string_view settings, const std::string& folder) {
    return ReadMinHashSettings(settings, folder);
  }
  static bool Fits(const SketchSegment& segment, const MinHashPlan& plan) {
    return segment.form() == SketchForm::Of(plan);
  }

  static Result<uint64_t> Write(const SketchRows& rows, const SectionSink& take) {
    return WriteSketchSegment(rows, take);
  }
  static Result<std::unique_ptr<SketchRows>> Merge(
      std::span<const StateSegment<SketchSegment>> segments, ProgressSink& progress,
      const Cancellation& cancellation);
  // Checks that a document is live once. Cost: 8 bytes of memory a document.
  static Status CheckState(const MinHashState& state, ProgressSink& progress,
                           const Cancellation& cancellation);
  static Result<std::optional<uint32_t>> FindRow(const SketchSegment& segment, uint32_t row,
                                                 const SketchSegment& merged);
  static double ShareOfFile(const SketchSegment& /*segment*/) { return 0; }
};

class MinHashState final : public MinHashIndex, public SegmentedState<MinHashKind> {
 public:
  explicit MinHashState(const MinHashPlan& plan) : SegmentedState<MinHashKind>(plan) {}

  const MinHashPlan& plan() const override { return settings(); }
  MinHashIndexStats stats() const override;
  Result<SimilarityAnswer> QueryEstimates(const SignatureRows& queries) const override;
  Result<SimilarityAnswer> QueryVerified(const SignatureRows& queries,
                                         const SimilarityOf& similarity_of) const override;
  Result<bool> Contains(uint64_t document) const override;
  Status VisitDocuments(const std::function<Status(uint64_t document)>& visit) const override;

 private:
  // Candidates in the order of queries; each document once for a query.
  struct Candidates {
    std::vector<SimilarityCandidate> found;
    std::vector<TruncatedQuery> truncated;
  };
  Result<Candidates> FindCandidates(const SignatureRows& queries, uint32_t least_equal) const;
  Status AppendCandidates(const SketchQueries& queries, uint32_t least_equal, uint32_t first_query,
                          Candidates& candidates) const;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_MINHASH_MINHASH_STATE_H_
