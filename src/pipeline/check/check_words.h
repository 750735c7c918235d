#ifndef ZHIWEN_PIPELINE_CHECK_CHECK_WORDS_H_
#define ZHIWEN_PIPELINE_CHECK_CHECK_WORDS_H_

// Words all documents of a check for a page or a table.
//
// Threads     free functions

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "pipeline/run_report/page_words.h"
#include "zhiwen/check_files.h"

namespace zhiwen {

// "3 of 12 documents match the library."
Words SentenceOn(const CheckFilesSummary& summary);

// "2 near copies · 1 sharing passages · 9 not known".
Words VerdictsInWords(const CheckFilesSummary& summary);

// "2 pictures · extracted 96 %": what of the document was not compared; empty: all of it was.
Words NotSeenInWords(const CheckedText& checked);

// Of documents for which MayHideCopy is true.
inline constexpr std::string_view kLittleComparedEn =
    "Less than half of the page was taken for its text, and the rest was not compared: zhiwen "
    "extract shows what was taken. Read in the format text, all of a file is compared, with tags.";
inline constexpr std::string_view kLittleComparedZh =
    "页面只有不到一半被提取为正文，其余没有比对：zhiwen extract 显示提取的内容；以 text "
    "格式读取，则比对整个文件，连同标签。";

// "The 50 documents that match most are shown; 3 more that match are not."
Words MoreSuspects(size_t shown, uint64_t matched);

// The library, its documents, the channels and the bounds.
std::vector<GlanceRow> SearchedRows(const CheckFilesOptions& options,
                                    const CheckFilesSummary& summary);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_CHECK_CHECK_WORDS_H_
