#ifndef ZHIWEN_PIPELINE_DEDUP_SKETCH_REFERENCES_H_
#define ZHIWEN_PIPELINE_DEDUP_SKETCH_REFERENCES_H_

// The references of a run (--against). They are read before the inputs and held in memory as an
// index (index/references/reference_index.h) during the first pass; afterwards only their labels
// are kept, and their texts are read again when they are needed.
//
// Guarantees  a reference that cannot be used (broken record, no text) ends the run: what is not
//             there cannot be found
// Cost        ReferenceIndex::Bytes, and 24 bytes a text that is too short for a shingle; scratch
//             for all symbols while the index is made. A large text, of an input or a reference, is
//             never held beside its record
// Threads     one at a time; ReferenceMatcher: one object a worker
// Fails       kNotFound · kUnreadable · kInvalidArgument: as inputs do · kExhausted: the index does
//             not fit in its part of the memory, naming the need. MatchLarge: as LargeText does

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "index/references/reference_index.h"
#include "pipeline/dedup/input/large_text.h"
#include "pipeline/dedup/input/run_context.h"
#include "pipeline/dedup/rows/labels.h"
#include "pipeline/dedup/rows/removal_row.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

class References {
 public:
  // Reads the references of a run: `inputs`, as OpenReferences lists them. `memory_bytes` is for
  // the index.
  static Result<References> Read(const RunContext& run, DedupInputs inputs, uint64_t memory_bytes);

  const DedupInputs& inputs() const { return inputs_; }
  const Labels& labels() const { return *labels_; }
  uint32_t size() const { return size_; }
  uint64_t unmatchable() const { return unmatchable_; }
  int64_t date(uint32_t reference) const { return dates_.empty() ? kNoDate : dates_[reference]; }

  // The memory of the index.
  uint64_t index_bytes() const {
    return (index_ ? index_->bytes() : 0) + equal_texts_.capacity() * sizeof(EqualText) +
           dates_.capacity() * sizeof(int64_t);
  }

  // Gives the memory of the index back: no more matching.
  void DropIndex() {
    index_.reset();
    equal_texts_ = {};
  }

  // Calls `visit` with the number and the text of every reference, reading all again.
  Status VisitAll(
      const DedupEnvironment& environment,
      const std::function<void(uint32_t reference, std::string_view text)>& visit) const;

  // Calls `visit` with the place in `chosen` (ascending) and the text of each, reading all again.
  Status VisitTexts(std::span<const uint32_t> chosen, const DedupEnvironment& environment,
                    const std::function<void(size_t chosen, std::string_view text)>& visit) const;

 private:
  friend class ReferenceMatcher;

  struct EqualText {
    Hash128 hash;  // of the exact channel
    uint32_t reference;
    friend auto operator<=>(const EqualText&, const EqualText&) = default;
  };
  struct Source {
    uint32_t file;
    uint64_t record;
  };
  using Visit = std::function<Status(const Source& source, const Document& document)>;

  References() = default;
  Status ReadAll(const DedupEnvironment& environment, const Visit& visit) const;
  Result<ReferenceCounts> SpoolSymbols(const RunContext& run, Spool& symbols);
  Status MakeIndex(const ReferenceIndexOptions& options, const ReferenceCounts& counts,
                   const Spool& symbols);

  DedupInputs inputs_;
  BlockOptions blocks_;
  uint64_t large_text_bytes_ = 0;
  std::unique_ptr<Spool> label_rows_;
  std::unique_ptr<Labels> labels_;
  uint32_t size_ = 0;
  uint64_t unmatchable_ = 0;
  std::optional<ReferenceIndex> index_;
  std::vector<int64_t> dates_;          // by reference; empty where dates do not count
  std::vector<EqualText> equal_texts_;  // without a shingle, kNear and kContainedIn; by hash
};

// Matches inputs with references.
class ReferenceMatcher {
 public:
  // Both outlive it.
  ReferenceMatcher(const References& references, const RemovalRules& rules)
      : references_(&references), rules_(&rules), options_(rules.against) {}

  // A text that is not empty: its symbols and shingles on the channel of the run.
  struct Input {
    std::string_view text;
    std::span<const uint32_t> symbols;
    std::span<const uint64_t> shingles;
    int64_t date = kNoDate;
  };

  // Finds all references that `input` matches; false when there is none. `row` gets the first by
  // rank as its keeper.
  bool Match(const Input& input, RemovalRow& row);

  // The same of a large text, which has so many shingles on the channel of the run, with repeats.
  Result<bool> MatchLarge(LargeText& text, uint64_t shingles, int64_t date, RemovalRow& row);

  // The references that the last input matched, ascending.
  std::span<const uint32_t> matched() const { return matched_; }

  // Gives memory back.
  void Shrink();

 private:
  bool IsNear(int64_t date, uint32_t reference) const {
    return rules_->AreNear(date, references_->date(reference));
  }
  bool MatchEqualText(std::string_view text, int64_t date, RemovalRow& row);
  static void SetKeeper(const ReferenceHit& keeper, RemovalRow& row);

  const References* references_;
  const RemovalRules* rules_;
  ReferenceIndexOptions options_;
  ReferenceIndex::Scratch scratch_;
  std::vector<ReferenceHit> hits_;
  std::vector<uint32_t> matched_;
  std::vector<uint64_t> set_, sorting_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SKETCH_REFERENCES_H_
