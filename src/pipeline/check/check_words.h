#ifndef ZHIWEN_PIPELINE_CHECK_CHECK_WORDS_H_
#define ZHIWEN_PIPELINE_CHECK_CHECK_WORDS_H_

// Words all documents of a check for a page or a table.
//
// Threads     free functions

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pipeline/run_report/page_words.h"
#include "zhiwen/check_files.h"

namespace zhiwen {

// "3 of 12 documents match the library."
Words SentenceOn(const CheckFilesSummary& summary);

// "2 near copies · 1 sharing passages · 9 not known".
Words VerdictsInWords(const CheckFilesSummary& summary);

// "The 50 documents that match most are shown; 3 more that match are not."
Words MoreSuspects(size_t shown, uint64_t matched);

// The library, its documents, the channels and the bounds.
std::vector<GlanceRow> SearchedRows(const CheckFilesOptions& options,
                                    const CheckFilesSummary& summary);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_CHECK_CHECK_WORDS_H_
