#ifndef ZHIWEN_INDEX_REFERENCES_REFERENCE_INDEX_H_
#define ZHIWEN_INDEX_REFERENCES_REFERENCE_INDEX_H_

// Compares a stream of inputs with references: a test set, or another corpus. Nearly all inputs
// match nothing, so a query first looks every shingle up in a small bit filter, which few pass.
// Those are counted exactly: nothing is sampled, no pair is missed, none is wrong. With A the
// shingles of the input and R those of a reference, the input matches
//   kNear         when |A ∩ R| / |A ∪ R| ≥ threshold
//   kContainedIn  when |A ∩ R| / |A| ≥ threshold
//   kContains     when |A ∩ R| / |R| ≥ threshold; a reference of fewer than kShingleLength symbols,
//                 at least one, when its symbols occur in the input in a row
//   kOverlap      when both have a run of `run` equal symbols
//
// kNear and kContains index the rarest shingles of a reference: as many as it need not share, and
// four more, of which a matching input has at least four (S. Chaudhuri, V. Ganti, R. Kaushik, "A
// Primitive Operator for Similarity Joins", 2006). References with four of them are compared in
// full. kContainedIn indexes all shingles. A matching input has all of its own but a share, and
// shingles are counted for the references that hold its rarest ones. kOverlap indexes a window of
// half a run at every (run − window + 1)th symbol, so that every run holds a whole window. Windows
// that agree are extended symbol by symbol; where texts repeat themselves too often for that, all
// runs of both are compared by their hashes.
//
// In          references by rank, as symbols; inputs as symbols and shingles in order, with repeats
// Out         the references that an input matches, ascending: the first is the keeper
// Guarantees  equal to the definition above (reference_index_test.cc: brute force)
// Cost        an input that matches nothing: 1 to 2 ns a shingle while the filter fits the cache.
//             An input with some shingles of a reference: a sort of its shingles, and a comparison
//             with each reference that is left. Measured on news against 30,000 sentences of papers
//             and manuals, which have many phrases in common, on a busy 2 GHz core: kNear,
//             kContains 2.9 ns a shingle, kContainedIn 3.4, kOverlap 1.8. Memory: Bytes() says it
//             beforehand. Per distinct shingle of the references, at threshold 0.8: kNear,
//             kContains about 13 bytes, and 1 to 2 in work; kContainedIn 16, and 8 in work;
//             kOverlap with runs of 50 about 5 a symbol. Short references in kContains: some ns a
//             symbol for each of their lengths. A reference that is added in pieces takes nothing
//             beside it, however large
// Threads     queries may run at once, each with its own Scratch: one bit a reference, and while a
//             query lasts 24 bytes a shingle of its input and some megabytes at most where texts
//             repeat themselves too often. A large query: nothing for its input, 4 bytes and a bit
//             an entry of the index at most
// Fails       Create: kInvalidArgument; Finish: 2³² entries or references → kExhausted; a large
//             query: as its input does
// Not for     telling equal texts without a shingle: kNear and kContainedIn match none of them

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "feature/shingle_ranges.h"
#include "index/references/bit_filter.h"
#include "index/references/hash_postings.h"
#include "index/references/short_references.h"
#include "zhiwen/reference_rule.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct ReferenceIndexOptions {
  ReferenceRule rule = ReferenceRule::kContains;
  double threshold = 0.8;  // in (0, 1]; not of kOverlap
  uint32_t run = 50;       // of kOverlap: at least kShingleLength
};

struct ReferenceCounts {
  uint64_t references = 0;
  uint64_t symbols = 0;  // of all together
};

// One input; the views need not outlive a query.
struct ReferenceInput {
  std::span<const uint32_t> symbols;
  std::span<const uint64_t> shingles;  // as ComputeShingles gives them
};

// One input of many megabytes, which is not in memory: it lies in a file and is read in pieces.
class LargeReferenceInput {
 public:
  virtual ~LargeReferenceInput() = default;

  struct Piece {
    std::span<const uint32_t>
        symbols;  // the last kShingleLength − 1 of the piece before come first
    std::span<const uint64_t> shingles;  // of `symbols`
  };
  // Visits the pieces in order.
  virtual void Walk(const std::function<void(const Piece& piece)>& visit) = 0;

  // Return all of the input, mapped, for as long as it lives. They are called only when needed.
  virtual Result<std::span<const uint32_t>> Symbols() = 0;
  virtual Result<std::span<const uint64_t>> ShingleSet() = 0;  // ascending, distinct
};

struct ReferenceHit {
  uint32_t reference = 0;  // its number, in the order of Add
  // Counts of distinct shingles; kOverlap leaves them 0 (CompareShingles computes them).
  uint64_t shared = 0, input_size = 0, reference_size = 0;
  // For kOverlap and for short references: the first run of symbols found that both have, as long
  // as it goes.
  uint64_t run_length = 0, input_begin = 0, reference_begin = 0;

  friend bool operator==(const ReferenceHit&, const ReferenceHit&) = default;
};

class ReferenceIndex {
 public:
  // The working memory of one querying thread.
  class Scratch {
   private:
    friend class ReferenceIndex;
    struct Found {
      uint64_t shingle;
      std::span<const uint32_t> references;
    };
    std::vector<uint32_t> places_;  // that pass the filter
    std::vector<Found> found_;
    std::vector<uint32_t> met_;  // references, then candidates
    std::vector<uint64_t> set_, sorting_;
    std::vector<uint64_t> shared_;  // by candidate
    std::vector<bool> hit_;         // by reference: it is decided, whatever else is met of it
    std::vector<bool> entries_;     // of postings: a large input has the key that begins there
    std::vector<ReferenceHit> hits_;
    uint64_t steps_left_ = 0;
  };

  class Builder;

  uint32_t size() const { return static_cast<uint32_t>(sizes_.size()); }

  // The number of references that no input can match: they have no shingle, or are shorter than a
  // run.
  uint64_t unmatchable() const { return unmatchable_; }

  // The references of these that had shingles and lost too many (Builder::LeaveOut), ascending.
  std::span<const uint32_t> emptied() const { return emptied_; }

  // Returns an upper bound of the memory in use while an index of `counts` is made, and after. It
  // is near the truth for texts that hardly repeat themselves.
  static uint64_t Bytes(const ReferenceIndexOptions& options, const ReferenceCounts& counts);

  // The memory that the index holds.
  uint64_t bytes() const;

  // Makes `hits` the first `max_hits` references by rank that match `input`; when they are as many,
  // more may match. With 1, the hit is the keeper.
  void Query(const ReferenceInput& input, size_t max_hits, Scratch& scratch,
             std::vector<ReferenceHit>& hits) const;

  // Does the same for a large input and the references that `may_match` it: `matched` becomes all
  // of these that match it, ascending, and `keeper` the hit of the first, without its places.
  using MayMatch = std::function<bool(uint32_t reference)>;
  Status QueryLarge(LargeReferenceInput& input, const MayMatch& may_match, Scratch& scratch,
                    std::vector<uint32_t>& matched, ReferenceHit& keeper) const;

  // What a reference that inputs match has in common with them: its shingles that count, ascending
  // (kNear, kContains; none of a short reference); its symbols (kOverlap); the short references.
  std::span<const uint64_t> ShinglesOf(uint32_t reference) const { return SetOf(reference); }
  std::span<const uint32_t> SymbolsOf(uint32_t reference) const {
    return std::span(symbols_).subspan(set_starts_[reference], sizes_[reference]);
  }
  const ShortReferences& short_references() const { return short_references_; }

  // Calls visit(place, begin, end) for stretches of the symbols of an input that
  // `references[place]` has, too, `run` symbols or more (kOverlap). Together the stretches of a
  // reference are all that it shares in such runs; they come in no order, overlap, and may repeat.
  // `references` are ascending.
  using VisitRun = std::function<void(size_t place, uint64_t begin, uint64_t end)>;
  void VisitSharedRuns(std::span<const uint32_t> symbols, std::span<const uint32_t> references,
                       Scratch& scratch, const VisitRun& visit) const;

  // Counts the distinct shingles of a hit of kOverlap, whose index keeps the texts. `input_set` is
  // ascending and distinct.
  void CompareShingles(std::span<const uint64_t> input_set, ReferenceHit& hit) const;

 private:
  explicit ReferenceIndex(const ReferenceIndexOptions& options) : options_(options) {}

  std::span<const uint64_t> SetOf(uint32_t reference) const {
    return std::span(sets_).subspan(set_starts_[reference], sizes_[reference]);
  }

  // Calls found(place, references) for those of `shingles` that have any, by place.
  template <typename Found>
  void VisitFound(std::span<const uint64_t> shingles, std::vector<uint32_t>& places,
                  const Found& found) const {
    for (size_t begin = 0; begin < shingles.size(); begin += kPiece) {
      const auto piece = shingles.subspan(begin, std::min(kPiece, shingles.size() - begin));
      const size_t count = filter_.Select(piece, places.data());
      const auto selected = std::span(places).first(count);
      for (const uint32_t place : selected) postings_.PrefetchBucket(piece[place]);
      for (const uint32_t place : selected) postings_.PrefetchEntries(piece[place]);
      for (const uint32_t place : selected) {
        const auto references = postings_.Find(piece[place]);
        if (!references.empty()) found(begin + place, references);
      }
    }
  }
  // Calls visit(references) for every key that MarkFound met, ascending.
  template <typename Visit>
  void VisitMarked(const Scratch& scratch, const Visit& visit) const {
    for (size_t place = 0; place < scratch.entries_.size(); ++place) {
      if (scratch.entries_[place]) visit(postings_.ValuesAt(place));
    }
  }

  void Prepare(Scratch& scratch) const;
  static void MakeInputSet(const ReferenceInput& input, Scratch& scratch);
  void LookUp(std::span<const uint64_t> shingles, Scratch& scratch) const;
  void QueryRare(const ReferenceInput& input, size_t max_hits, Scratch& scratch,
                 std::vector<ReferenceHit>& hits) const;
  void GatherMet(Scratch& scratch) const;
  void SelectMet(Scratch& scratch) const;
  bool Matches(const ReferenceHit& hit) const;
  void QueryShort(const ReferenceInput& input, size_t max_hits, Scratch& scratch,
                  std::vector<ReferenceHit>& hits) const;
  void QueryContainedIn(const ReferenceInput& input, size_t max_hits, Scratch& scratch,
                        std::vector<ReferenceHit>& hits) const;
  bool LacksTooMany(std::span<const uint64_t> shingles, Scratch& scratch) const;
  void CountMet(Scratch& scratch) const;
  static void CountReferences(std::span<const uint32_t> references, Scratch& scratch);
  void QueryRuns(const ReferenceInput& input, size_t max_hits, Scratch& scratch,
                 std::vector<ReferenceHit>& hits) const;
  void ExtendWindows(const ReferenceInput& input, uint64_t begin, uint64_t key, Scratch& scratch,
                     std::vector<ReferenceHit>& hits) const;
  // Calls visit(begin, key) for the windows of `symbols` that may be in the index.
  void VisitWindows(std::span<const uint32_t> symbols, Scratch& scratch,
                    const std::function<void(uint64_t begin, uint64_t key)>& visit) const;
  uint32_t ReferenceAt(uint32_t place) const {
    const auto after = std::upper_bound(set_starts_.begin(), set_starts_.end(), place);
    return static_cast<uint32_t>(after - set_starts_.begin() - 1);
  }
  void VisitWholeRuns(std::span<const uint32_t> symbols, uint32_t reference, size_t place,
                      const VisitRun& visit) const;
  static uint64_t StepsFor(const ReferenceInput& input);
  ReferenceHit Extend(const ReferenceInput& input, uint64_t begin, uint32_t reference,
                      uint64_t reference_begin) const;
  void SearchWholeRuns(const ReferenceInput& input, uint32_t reference,
                       std::vector<ReferenceHit>& hits) const;

  struct Marked {
    uint64_t shingles = 0;  // of the input, with repeats
    uint64_t found = 0;     // distinct, of any reference
  };
  Marked MarkFound(LargeReferenceInput& input, Scratch& scratch) const;
  Status QueryLargeRare(LargeReferenceInput& input, const MayMatch& may_match, Scratch& scratch,
                        std::vector<uint32_t>& matched, ReferenceHit& keeper) const;
  Status QueryLargeShort(LargeReferenceInput& input, const MayMatch& may_match, Scratch& scratch,
                         std::vector<uint32_t>& matched, ReferenceHit& keeper) const;
  Status QueryLargeContainedIn(LargeReferenceInput& input, const MayMatch& may_match,
                               Scratch& scratch, std::vector<uint32_t>& matched,
                               ReferenceHit& keeper) const;
  bool LacksTooMany(LargeReferenceInput& input, const Marked& marked, Scratch& scratch) const;
  void MeetRarest(uint64_t count, uint64_t least_size, Scratch& scratch) const;
  Status QueryLargeRuns(LargeReferenceInput& input, const MayMatch& may_match, Scratch& scratch,
                        std::vector<uint32_t>& matched, ReferenceHit& keeper) const;

  // The filter's survivors of so many shingles fit the first cache.
  static constexpr size_t kPiece = 2048;

  ReferenceIndexOptions options_;
  uint64_t unmatchable_ = 0;
  std::vector<uint32_t> emptied_;
  std::vector<uint32_t> sizes_;       // by reference: distinct shingles, or symbols (kOverlap)
  std::vector<uint64_t> set_starts_;  // by reference, into sets_ or symbols_
  std::vector<uint64_t> sets_;        // kNear, kContains: by reference, ascending
  std::vector<uint32_t> symbols_;     // kOverlap
  BitFilter filter_;                  // of the shingles below, or that windows begin with
  HashPostings postings_;  // shingle → references; kOverlap: window → place in symbols_
  ShortReferences short_references_;  // kContains
};

// Makes an index: references are added by rank.
class ReferenceIndex::Builder {
 public:
  // Reserves room for `counts`; references beyond them take more memory than Bytes says.
  static Result<Builder> Create(const ReferenceIndexOptions& options,
                                const ReferenceCounts& counts);

  // Leaves these shingles (ascending; they outlive the builder) out of the references that are
  // added afterwards. One that loses some of its shingles, and has fewer than `least` left, matches
  // nothing. Not for kOverlap.
  void LeaveOut(std::span<const uint64_t> shingles, uint64_t least) {
    left_out_ = shingles;
    least_left_ = least;
  }

  // Adds the next reference. Fails: kExhausted.
  Status Add(std::span<const uint32_t> symbols);

  // Add the next reference in pieces: its symbols in order, some at a time, then its end.
  Status AddPiece(std::span<const uint32_t> symbols);
  Status EndPieces();

  Result<ReferenceIndex> Finish() &&;

 private:
  explicit Builder(const ReferenceIndexOptions& options) : index_(options) {}

  Status BeginReference();
  void TakeLeftOut(std::vector<uint64_t>& shingles);
  Status EndReference(uint64_t symbols);
  Status IndexRare();
  Status IndexAll();
  Status IndexWindows();
  void CountFrequencies();
  template <typename Visit>
  void VisitRare(uint32_t reference, const Visit& visit) const;

  ReferenceIndex index_;
  std::vector<uint8_t> frequencies_;  // by the top bits of a shingle, up to 255
  int frequency_shift_ = 63;
  std::span<const uint64_t> left_out_;
  uint64_t least_left_ = 0;
  bool loses_ = false;  // the reference that is being added lost some shingles
  std::vector<uint64_t> shingles_, sorting_;  // of one reference, or of a piece
  // A reference in pieces: how many symbols came, and the last ones with the piece behind them.
  bool in_pieces_ = false;
  uint64_t symbols_in_pieces_ = 0;
  std::vector<uint32_t> piece_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_REFERENCES_REFERENCE_INDEX_H_
