#ifndef ZHIWEN_PIPELINE_RUN_REPORT_SHOWN_TEXT_H_
#define ZHIWEN_PIPELINE_RUN_REPORT_SHOWN_TEXT_H_

// Parts of a text as HTML: what the other text lacks, or writes in another way, is marked.
//
// Cost        at most kMaxShownBytes of a text, whatever its parts hold
// Threads     free functions

#include <cstddef>
#include <string>

#include "pipeline/run_report/page_words.h"
#include "zhiwen/dedup_findings.h"

namespace zhiwen {

inline constexpr size_t kMaxShownBytes = size_t{16} << 10;

// The mark in place of a passage that is left out.
std::string RenderOmitted(const Words& words);

// The parts, without an element around them.
std::string RenderShownParts(const ShownText& text);

// A whole shown text, in a <div> of its language.
std::string RenderShownText(const ShownText& text);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_RUN_REPORT_SHOWN_TEXT_H_
