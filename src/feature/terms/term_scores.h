#ifndef ZHIWEN_FEATURE_TERMS_TERM_SCORES_H_
#define ZHIWEN_FEATURE_TERMS_TERM_SCORES_H_

// Scores the terms of a text before they are ranked (RankKeywords, zhiwen/terms.h).

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "zhiwen/terms.h"

namespace zhiwen {

struct TermScore {
  uint64_t score = 0;  // Keyword::score
  size_t term = 0;     // index into the terms
};

// Scores the terms that may be keywords, in the order of the terms.
std::vector<TermScore> ScoreTerms(std::span<const Term> terms, const TermSnapshot* snapshot,
                                  const KeywordOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_FEATURE_TERMS_TERM_SCORES_H_
