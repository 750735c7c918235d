#ifndef ZHIWEN_PIPELINE_LIBRARY_MATCH_EXCLUSIONS_H_
#define ZHIWEN_PIPELINE_LIBRARY_MATCH_EXCLUSIONS_H_

// What does not count of the matches of a checked text (Exclusions of zhiwen/check.h), but for set
// phrases.
//
// Cost        that of zhiwen/exclusions.h; places of the text are found for the first match
// Threads     one at a time

#include <optional>
#include <string_view>

#include "zhiwen/check.h"
#include "zhiwen/environment.h"
#include "zhiwen/exclusions.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns whether two labels of authors, which may name several each, have one in common.
bool ShareAuthor(std::string_view a, std::string_view b);

// Returns why a document as a whole does not count.
std::optional<ExclusionReason> ReasonOfDocument(const StoredDocument& document,
                                                const Exclusions& exclusions);

// Says of a match why nothing of it counts, where that is so; then none of its passages does.
void ExcludeWhole(std::optional<ExclusionReason> of_document, CheckMatch& match);

class MatchExclusions {
 public:
  // All must outlive the object.
  MatchExclusions(std::string_view text, const Exclusions& exclusions,
                  const Cancellation& cancellation)
      : text_(text), exclusions_(exclusions), cancellation_(cancellation) {}

  // Takes out of the passages of a match those that stand in places that do not count.
  Status ExcludePlacesOf(std::string_view original, double least_score, CheckMatch& match);

  // Says last of all what does not count as a whole.
  void Finish(CheckMatch& match) const {
    ExcludeWhole(ReasonOfDocument(match.document, exclusions_), match);
  }

 private:
  const std::string_view text_;
  const Exclusions& exclusions_;
  const Cancellation& cancellation_;
  std::optional<ExcludedPlaces> places_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_MATCH_EXCLUSIONS_H_
