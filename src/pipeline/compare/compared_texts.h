#ifndef ZHIWEN_PIPELINE_COMPARE_COMPARED_TEXTS_H_
#define ZHIWEN_PIPELINE_COMPARE_COMPARED_TEXTS_H_

// The texts of compare --all in memory, and the pairs of them that share passages.
//
// Cost        as zhiwen/compare_all.h
// Threads     one at a time; the executor works
// Fails       Add: kExhausted for too many texts or bytes; kInterrupted, kTerminated

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/compare/nominated_pairs.h"
#include "zhiwen/compare_all.h"
#include "zhiwen/exclusions.h"
#include "zhiwen/passages.h"

namespace zhiwen {

// A pair that was compared, and its line of pairs.jsonl where it shares passages.
struct PairWithLine {
  ComparedPair pair = {};
  std::string line = {};
};

class ComparedTexts {
 public:
  // Both must outlive the object.
  ComparedTexts(const CompareAllOptions& options, const BatchEnvironment& environment)
      : options_(options), environment_(environment) {}

  // Takes documents whose values are their date and their author.
  Status Add(std::span<const SourceDocument> batch);

  // Compares the pairs, and says in `summary` what it is of texts and pairs. Returns the lines of
  // summary.pairs.
  Result<std::vector<std::string>> Compare(CompareAllSummary& summary);

  const std::string& text(size_t number) const { return held_[number].text; }
  Result<PassageComparison> FindPassagesOf(const ComparedPair& pair);

 private:
  struct Held {
    std::string text;
    std::string author = {};                     // as its record says
    std::unique_ptr<PassageSearch> search = {};  // of the text
    std::optional<ExcludedPlaces> places = {};   // of the text, where any are looked for
    bool is_short = false;                       // too short for a passage
  };

  Result<std::vector<NominatedPair>> Nominate(CompareAllSummary& summary) const;
  Status CompareRow(std::span<PairWithLine> row, const CompareAllSummary& summary);

  const CompareAllOptions& options_;
  const BatchEnvironment& environment_;
  std::deque<Held> held_;  // texts stay where they are
  std::vector<ComparedText> texts_;
  uint64_t bytes_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COMPARE_COMPARED_TEXTS_H_
