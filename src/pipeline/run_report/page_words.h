#ifndef ZHIWEN_PIPELINE_RUN_REPORT_PAGE_WORDS_H_
#define ZHIWEN_PIPELINE_RUN_REPORT_PAGE_WORDS_H_

// The words and figures of the page, in both of its languages at once. The page holds every
// sentence twice and shows the one of the language that is set.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/figures.h"
#include "zhiwen/passages.h"

namespace zhiwen {

// HTML of one meaning in both languages.
struct Words {
  std::string en, zh;
};

// Both, as elements of which the page shows one.
std::string Both(const Words& words);
std::string Both(std::string_view en, std::string_view zh);

// The parts, with something between them.
Words JoinWords(const std::vector<Words>& parts, const Words& between = {" · ", " · "});

// A line of the figures that a page begins with.
struct GlanceRow {
  Words name, value;
};
std::string RenderGlance(const std::vector<GlanceRow>& rows);

// --- copied passages ---

// Says what a page of copied passages is, and is not.
Words TechnicalComparison();

// "homophone 5" for each kind of edit that there is.
std::vector<Words> EditsInWords(const EditCounts& counts);

// "1,001–1,034": characters of a text, from 1.
std::string PlaceInWords(const Span<CodePointOffset>& points);

// The kind of a passage, and its edits.
std::vector<Words> PassageInWords(const CopiedPassage& passage);

// "130 characters or words: quotations 34 · references 96".
Words ExcludedInWords(std::span<const CountedReason> reasons);

// The HTML that the excluded passages of a reason, and then </details>, follow.
std::string BeginExcluded(const CountedReason& excluded);

// A figure of zhiwen/figures.h as HTML, which no line end divides. Those without a space or a '<'
// are HTML as they are.
std::string PageFigure(std::string_view figure);
std::string PageShare(uint64_t part, uint64_t whole);
std::string PageEstimate(double value);
std::string PageBytes(uint64_t bytes);

Words PageSeconds(double seconds);     // 0.4 ms, 9.12 s, 3 min 05 s · 0.4 毫秒
Words PageDocuments(uint64_t count);   // 1 document, 2 documents · 2 篇
Words PageCharacters(uint64_t count);  // 12 characters · 12 个字符

// What a removal is called by reason, and what it means; a reason the page does not know is itself.
Words ReasonName(std::string_view reason);
Words ReasonMeaning(std::string_view reason);

// What a failed record is called by reason, what a stage of a run does.
Words FaultMeaning(std::string_view reason);
Words StageMeaning(std::string_view stage);

// Elements that hold words in both languages.
std::string Paragraph(std::string_view css_class, const Words& words);
std::string ListItem(const Words& words);
// The sentence that stands for a part of the page without data.
std::string Absent(std::string_view en, std::string_view zh);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_RUN_REPORT_PAGE_WORDS_H_
