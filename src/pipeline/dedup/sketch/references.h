#ifndef ZHIWEN_PIPELINE_DEDUP_SKETCH_REFERENCES_H_
#define ZHIWEN_PIPELINE_DEDUP_SKETCH_REFERENCES_H_

// The references of a run (--against). They are read before the inputs and held in memory as an
// index (index/references/reference_index.h) during the first pass; afterwards only their labels
// are kept, and their texts are read again when they are needed.
//
// Where common shingles do not count (RemovalRules::HasCommonShingles), the references wait for all
// inputs: during the first pass they only tell which of their shingles an input has, and the index
// is made afterwards (late_matches.h).
//
// Guarantees  a reference that cannot be used (broken record, no text) ends the run: what is not
//             there cannot be found. Where none has a text field, that is said of the field. There
//             is a warning where a fifth of the first ones of each file look like HTML
// Cost        ReferenceIndex::Bytes, and 24 bytes a text that is too short for a shingle, or, of
//             references that wait, ReferenceShingles::BytesFor. Scratch for all symbols until the
//             index is made. A large text, of an input or a reference, is never held beside its
//             record
// Threads     one at a time; ReferenceMatcher: one object a worker
// Fails       kNotFound · kUnreadable · kInvalidArgument: as inputs do · kExhausted: the index does
//             not fit in its part of the memory, naming the need. MatchLarge: as LargeText does

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "document/html_notice.h"
#include "feature/shingles.h"
#include "index/references/reference_index.h"
#include "index/references/reference_shingles.h"
#include "index/references/short_references.h"
#include "pipeline/dedup/input/large_text.h"
#include "pipeline/dedup/input/run_context.h"
#include "pipeline/dedup/input/text_features.h"
#include "pipeline/dedup/input/text_pieces.h"
#include "pipeline/dedup/rows/labels.h"
#include "pipeline/dedup/rows/removal_row.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Why nothing can match a reference.
enum class Unmatchable : uint8_t {
  kNo,         // something can
  kEmpty,      // it has no text
  kTooShort,   // it has fewer units than the rule asks for
  kTooCommon,  // it lost common shingles, and too few others are left
};

class References {
 public:
  // Reads the references of a run: `inputs`, as OpenReferences lists them. `memory_bytes` is for
  // the index. `needed_bytes`, if given, is set to what they need of that, however much it is.
  static Result<References> Read(const RunContext& run, DedupInputs inputs, uint64_t memory_bytes,
                                 uint64_t* needed_bytes);

  const DedupInputs& inputs() const { return inputs_; }
  const Labels& labels() const { return *labels_; }
  uint32_t size() const { return static_cast<uint32_t>(counts_.references); }
  Unmatchable unmatchable(uint32_t reference) const { return unmatchable_[reference]; }
  // How many have an id, and, when there are several text fields, how many have each of them.
  uint64_t ids() const { return ids_; }
  uint64_t with_text_field(size_t field) const {
    return field < found_texts_.size() ? found_texts_[field] : 0;
  }
  int64_t date(uint32_t reference) const { return dates_.empty() ? kNoDate : dates_[reference]; }

  // A shingle that does not count, with the first reference that has it.
  struct LeftOut {
    uint64_t shingle = 0;
    uint32_t inputs = 0;  // that have it
    uint32_t reference = 0;
    uint64_t begin = 0;  // its first symbol in the reference
    std::array<uint32_t, kShingleLength> symbols = {};
  };

  // Whether LeaveOutCommon has to be called before inputs are matched.
  bool waits() const { return shingles_.has_value(); }

  // Makes the index without the shingles that too many of all `documents` inputs have. `inputs`: by
  // number of a shingle, how many inputs have it.
  Status LeaveOutCommon(const RemovalRules& rules, std::vector<uint32_t> inputs,
                        uint64_t documents);

  // How many shingles all references have together, while they wait.
  size_t shingles() const { return shingles_->size(); }

  // By shingle.
  const std::vector<LeftOut>& common() const { return common_; }
  // By the symbols of a shingle, not by its hash.
  bool IsCommon(std::span<const uint32_t> symbols) const;

  // Once there is an index, until DropIndex.
  const ReferenceIndex& index() const { return *index_; }
  const ShortReferences& short_references() const {
    return waits() ? short_references_ : index_->short_references();
  }

  // The memory of the index, at its most.
  uint64_t index_bytes() const { return index_bytes_; }

  // Gives the memory of the index back: no more matching.
  void DropIndex() {
    index_.reset();
    equal_texts_ = {};
    shingles_.reset();
    short_references_ = {};
    symbols_.reset();
    std::vector<uint64_t>().swap(common_starts_);
    std::vector<uint32_t>().swap(common_places_);
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
  // Documents whose text cannot be extracted: they are passed over.
  struct Unreadable {
    uint64_t count = 0;
    std::string first;  // for people
  };
  Result<Unreadable> ReadAll(const DedupEnvironment& environment, const Visit& visit) const;
  Status SpoolSymbols(const RunContext& run, uint64_t memory_bytes);
  Result<uint64_t> SpoolText(const RemovalRules& rules, const Document& document,
                             TextFeatures& features, TextPieces& pieces);
  uint64_t NeededBytes(const RemovalRules& rules) const;

  // Some symbols of a reference that counts.
  struct Piece {
    uint32_t reference = 0;
    std::span<const uint32_t> symbols;
    std::span<const uint32_t> with_before;  // the same after the last ones of the piece before
    uint64_t begin = 0;                     // of with_before, in the reference
    bool is_first = false, is_last = false;
  };
  Status VisitSymbols(const std::function<Status(const Piece& piece)>& visit) const;
  Status MakeIndex(const RemovalRules& rules, std::span<const uint64_t> left_out);
  Status MakeShingles();
  Status FindCommonSymbols();
  std::span<const uint32_t> CommonOf(uint32_t reference) const;

  DedupInputs inputs_;
  BlockOptions blocks_;
  uint64_t large_text_bytes_ = 0;
  std::unique_ptr<Spool> label_rows_;
  std::unique_ptr<Labels> labels_;
  ReferenceCounts counts_;
  // Of each reference, behind their number; until MakeIndex, and while they fit.
  std::unique_ptr<Spool> symbols_;
  uint64_t ids_ = 0;
  std::vector<uint64_t> found_texts_;
  HtmlCount html_;                        // of the first references of each file
  std::vector<Unmatchable> unmatchable_;  // by reference
  uint64_t index_bytes_ = 0;
  std::optional<ReferenceIndex> index_;
  std::vector<int64_t> dates_;          // by reference; empty where dates do not count
  std::vector<EqualText> equal_texts_;  // without a shingle, kNear and kContainedIn; by hash
  // Of references that wait:
  std::optional<ReferenceShingles> shingles_;
  ShortReferences short_references_;
  std::vector<LeftOut> common_;
  std::vector<uint32_t> common_by_symbols_;  // places in common_
  // By reference: places in common_ of the shingles that it has, ascending. They take the room that
  // the index saves.
  std::vector<uint64_t> common_starts_;
  std::vector<uint32_t> common_places_;
};

// What an input has of references that wait, ascending.
struct FoundShingles {
  std::vector<uint32_t> shingles;          // numbers of ReferenceShingles
  std::vector<uint32_t> short_references;  // that occur in it and are near in time
  uint32_t run = 0;                        // symbols of the first of these

  bool empty() const { return shingles.empty() && short_references.empty(); }
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

  // Instead, where the references wait: finds what `input` has of them.
  void Find(const Input& input, FoundShingles& found);
  void FindLarge(LargeText& text, int64_t date, FoundShingles& found);

  // As Match, of what was found of an input; row.size, its number of shingles, is left 0.
  Result<bool> MatchFound(const FoundShingles& found, int64_t date, RemovalRow& row);

  // The references that the last input matched, ascending.
  std::span<const uint32_t> matched() const { return matched_; }

  // Gives memory back.
  void Shrink();

 private:
  bool IsNear(int64_t date, uint32_t reference) const {
    return rules_->AreNear(date, references_->date(reference));
  }
  void LeaveOutFar(int64_t date);  // of hits_
  bool MatchEqualText(std::string_view text, int64_t date, RemovalRow& row);
  void AddShort(std::span<const uint32_t> symbols, int64_t date, FoundShingles& found) const;
  static void SetKeeper(const ReferenceHit& keeper, RemovalRow& row);

  const References* references_;
  const RemovalRules* rules_;
  ReferenceIndexOptions options_;
  ReferenceIndex::Scratch scratch_;
  ReferenceShingles::Scratch find_scratch_;
  std::vector<ReferenceHit> hits_;
  std::vector<uint32_t> matched_;
  std::vector<uint64_t> set_, sorting_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SKETCH_REFERENCES_H_
