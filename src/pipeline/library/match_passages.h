#ifndef ZHIWEN_PIPELINE_LIBRARY_MATCH_PASSAGES_H_
#define ZHIWEN_PIPELINE_LIBRARY_MATCH_PASSAGES_H_

// The passages that a checked text has from the documents that it matches.
//
// Cost        that of zhiwen/passages.h for each document; what is computed of the text is kept
// Threads     one at a time
// Fails       kInterrupted, kTerminated

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "zhiwen/check.h"
#include "zhiwen/passages.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns the score that passages of a text of so many units have at least: kPassageScore, those of
// a short text half of its length.
double LeastPassageScore(uint64_t units);

// Says of the passages of a text how many such are expected, where the size of what was searched is
// known.
void SetExpected(CheckedText& checked);

// Returns the reasons that do not depend on other documents of the library.
ExclusionReasons EveryReasonButSetPhrases();

class MatchPassages {
 public:
  // `units` are the symbols of the text on the folded channel, which is the first one. Both must
  // outlive the object. Passages have the score LeastPassageScore.
  static Result<MatchPassages> Create(std::string_view text, std::span<const ByteSpan> units,
                                      std::vector<Channel> channels);

  // Finds the passages that come from `original`, in parts of the text, which ascend, and beside
  // them, and how many units each has. A text that is the same is one as a whole, if it has a unit.
  Status Find(std::string_view original, std::span<const ByteSpan> parts,
              const Cancellation& cancellation, CheckMatch& match);

  // Marks the units that the passages of a match have, and counts what was done to the text.
  void Mark(CheckMatch& match, std::vector<bool>& is_matched) const;

  // Marks the units that passages have which are excluded for one of these reasons; usually for any
  // but that they are set phrases.
  void MarkExcluded(const CheckMatch& match, std::vector<bool>& is_matched,
                    ExclusionReasons reasons = EveryReasonButSetPhrases()) const;

 private:
  MatchPassages(std::span<const ByteSpan> units, PassageSearch search);
  std::vector<SymbolSpan> UnitsOf(const CopiedPassage& passage) const;
  void MarkUnits(const CopiedPassage& passage, std::vector<bool>& is_matched) const;

  std::span<const ByteSpan> units_;
  PassageSearch search_;
};

// Counts the symbols of a text that any of its matches has, each once.
class UnionOfMatches {
 public:
  explicit UnionOfMatches(size_t units);

  // Marks a match, as MatchPassages::Mark does.
  void Add(const MatchPassages& passages, CheckMatch& match);

  // Says in `checked` how many symbols count, and how many more there are for each reason.
  void Count(CheckedText& checked) const;

 private:
  std::vector<bool> is_matched_;
  std::array<std::vector<bool>, kExclusionReasons> is_excluded_;  // by reason
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_MATCH_PASSAGES_H_
