#ifndef ZHIWEN_TEXT_CITATION_CITATION_MARKS_H_
#define ZHIWEN_TEXT_CITATION_CITATION_MARKS_H_

// Marks by which a text names its sources: [3], （鲁迅，1921）, (Smith 2001), ——鲁迅, ③.
//
// In          code points of a text, and a place in it
// Guarantees  looks at most kMostOfMark code points far
// Threads     free functions

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/offsets.h"

namespace zhiwen {

inline constexpr size_t kMostOfMark = 80;

// A text as code points, and where each begins in its bytes.
struct DecodedText {
  std::u32string points;
  std::vector<uint64_t> begins;  // one more than there are points: the end of the text

  ByteSpan BytesOf(size_t begin, size_t end) const { return {{begins[begin]}, {begins[end]}}; }
};

DecodedText DecodeText(std::string_view utf8);

bool IsOneOf(char32_t point, std::u32string_view points);
bool HasAnyOf(std::u32string_view text, std::initializer_list<std::u32string_view> words);

// Returns whether a blank of a line is there: a space of any width, a tab.
bool IsLineBlank(char32_t point);

// Returns whether the text names a year of 1500 to 2099, in digits, which are not part of a longer
// number.
bool HasYear(std::u32string_view text);

// Returns where a number of a source ends that begins at `at`: [3], [3-5, 7], ［3］, 【3】, [^3],
// [Smith 2001], ③, ³. Returns `at` where none does.
size_t EndOfNumber(std::u32string_view text, size_t at);

// Returns where a mark ends that begins at `at`: a number, or brackets with a name and a year, a
// title in 《》, or words such as 引自. Returns `at` where none does.
size_t EndOfMark(std::u32string_view text, size_t at);

// Returns whether a source is named behind a quotation that ends at `at`: by a mark, which a few
// words may precede where it is a number, by a title in 《》, or by ——鲁迅 at the end of a line.
bool IsCitedBehind(std::u32string_view text, size_t at);

// Returns whether a source is named before a quotation that begins at `at`, in the same sentence:
// 《论语》曰：, 鲁迅在《故乡》中写道：, 鲁迅（1921）指出，, 有学者[3]认为：.
bool IsCitedBefore(std::u32string_view text, size_t at);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_CITATION_CITATION_MARKS_H_
