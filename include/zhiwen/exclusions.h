#ifndef ZHIWEN_EXCLUSIONS_H_
#define ZHIWEN_EXCLUSIONS_H_

// Takes out of the passages of a copy what does not count, with the reason: quotations that name
// their source, lists of sources, declared form text.
//
// In          the text of the copy, the passages that it shares with an original, form texts
// Out         the passages that count, and the excluded ones
// Guarantees  a passage that goes beyond such a place is cut where the place begins and ends, but
//             only where each part is long enough to be a passage by itself. What is left beside an
//             excluded part and would be none is excluded with it, unless all that is left so would
//             be one together: then the places beside it count, too. A place within a passage that
//             would be none stays in the passage. Parts have the pieces and edits of the passage;
//             `matched` of a part counts symbols of a channel, its score is the share of the
//             passage's that its bytes have
// Cost        Find: linear in the text, and a comparison with each form text (zhiwen/passages.h);
//             Exclude: linear in the passages, and in the original where one is cut
// Threads     any number at once, after Find
// Fails       Find: kUnreadable for a text that is not valid UTF-8; kInterrupted, kTerminated

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/channel.h"
#include "zhiwen/environment.h"
#include "zhiwen/exclusion_reason.h"
#include "zhiwen/offsets.h"
#include "zhiwen/passages.h"
#include "zhiwen/result.h"

namespace zhiwen {

class CodePointTable;
struct CutPassage;

struct ExclusionOptions {
  ExclusionReasons reasons = {};
  // Texts that are form text; what the copy has of them is excluded where kBoilerplate is among the
  // reasons. They must outlive what gets the options.
  std::span<const std::string> boilerplate = {};
  Channel channel = FoldedChannel();  // whose symbols are counted
};

// Bytes of a copy that do not count.
struct ExcludedPlace {
  ByteSpan bytes;
  ExclusionReason reason = ExclusionReason::kQuotation;
};

class ExcludedPlaces {
 public:
  // `text` must outlive the object.
  static Result<ExcludedPlaces> Find(std::string_view text, const ExclusionOptions& options,
                                     const Cancellation& cancellation);
  ~ExcludedPlaces();
  ExcludedPlaces(ExcludedPlaces&&) noexcept;

  // Ascending, without overlaps.
  std::span<const ExcludedPlace> places() const { return places_; }

  // Moves what does not count from `passages`, of the text and `original`, to the end of
  // `excluded`. Passages have `least_score` at least.
  void Exclude(std::string_view original, double least_score, std::vector<CopiedPassage>& passages,
               std::vector<ExcludedPassage>& excluded) const;

 private:
  struct Counted;  // symbols and code points of the text

  ExcludedPlaces(std::vector<ExcludedPlace> places, std::unique_ptr<Counted> counted);
  CopiedPassage PartOf(const CopiedPassage& passage, CutPassage part,
                       const CodePointTable& original, double share) const;

  std::vector<ExcludedPlace> places_;
  std::unique_ptr<Counted> counted_;
};

// Takes places of `a` that are known out of a comparison of `a` and `b`, as below.
Status ExcludePlaces(const ExcludedPlaces& places, std::string_view a, std::string_view b,
                     const Channel& channel, PassageComparison& comparison);

// Takes them out of a comparison, whose symbols and edits are counted once more; what it had before
// is in `before`.
Status ExcludePlaces(std::string_view a, std::string_view b, const ExclusionOptions& options,
                     const Cancellation& cancellation, PassageComparison& comparison);

}  // namespace zhiwen

#endif  // ZHIWEN_EXCLUSIONS_H_
