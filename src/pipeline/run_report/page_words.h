#ifndef ZHIWEN_PIPELINE_RUN_REPORT_PAGE_WORDS_H_
#define ZHIWEN_PIPELINE_RUN_REPORT_PAGE_WORDS_H_

// The words and figures of the page, in both of its languages at once. The page holds every
// sentence twice and shows the one of the language that is set.

#include <cstdint>
#include <string>
#include <string_view>

namespace zhiwen {

// HTML of one meaning in both languages.
struct Words {
  std::string en, zh;
};

// Both, as elements of which the page shows one.
std::string Both(const Words& words);
std::string Both(std::string_view en, std::string_view zh);

// Figures that are the same in both languages.
std::string PageCount(uint64_t count);                 // 22,409
std::string PageShare(uint64_t part, uint64_t whole);  // 2.04 %; < 0.01 %; "–" when whole is 0
std::string PageEstimate(double value);                // < 0.001, 0.021, 7.5, 812
std::string PageBytes(uint64_t bytes);                 // 812 B, 1.5 kB (powers of ten)
std::string PageSimilarity(double similarity);         // 0.9312, rounded down; 1 only when it is 1

Words PageSeconds(double seconds);    // 0.4 ms, 9.12 s, 3 min 05 s · 0.4 毫秒
Words PageDocuments(uint64_t count);  // 1 document, 2 documents · 2 篇
std::string PagePlural(uint64_t count, std::string_view noun);  // of English: 1 record, 2 records
Words PageCharacters(uint64_t count);                           // 12 characters · 12 个字符

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
