#ifndef ZHIWEN_PIPELINE_COMPARE_COMPARE_WORDS_H_
#define ZHIWEN_PIPELINE_COMPARE_COMPARE_WORDS_H_

// Words a comparison for a page or a table, as far as its passages.
//
// Threads     free functions

#include <vector>

#include "pipeline/run_report/page_words.h"
#include "zhiwen/compare_page.h"

namespace zhiwen {

// "48 % of a.txt is also in b.txt."
Words SentenceOn(const ComparedDocument& a, const ComparedDocument& b,
                 const PassageComparison& passages);

// The verdict, what is the same, how it was changed, and on which channels of `options` it was
// looked for.
std::vector<GlanceRow> ComparisonRows(const Comparison& comparison,
                                      const PassageComparison& passages,
                                      const ComparePageOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COMPARE_COMPARE_WORDS_H_
