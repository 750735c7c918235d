#ifndef ZHIWEN_PIPELINE_COMPARE_COMPARE_WORDS_H_
#define ZHIWEN_PIPELINE_COMPARE_COMPARE_WORDS_H_

// Words a comparison for a page or a table, as far as its passages.
//
// Threads     free functions

#include <span>
#include <vector>

#include "base/files/output_file.h"
#include "pipeline/run_report/page_words.h"
#include "zhiwen/compare_page.h"

namespace zhiwen {

// "48 % of a.txt is also in b.txt."
Words SentenceOn(const ComparedDocument& a, const ComparedDocument& b,
                 const PassageComparison& passages);

// "12 % of a.txt stands in it before."
Words SentenceOnRepeats(const ComparedDocument& text, const PassageComparison& repeats);

// The kind of file that WriteComparePage writes.
OutputFileKind ComparePageFile();

// "pinyin (no language data), shape (no language data)".
Words NotSearchedInWords(std::span<const UnsearchedChannel> channels);

// The verdict, what is the same, how it was changed, and on which channels of `options` it was
// looked for.
std::vector<GlanceRow> ComparisonRows(const Comparison& comparison,
                                      const PassageComparison& passages,
                                      const ComparePageOptions& options);

// The same of a text that repeats itself.
std::vector<GlanceRow> RepeatsRows(const PassageComparison& repeats,
                                   const ComparePageOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COMPARE_COMPARE_WORDS_H_
