#ifndef ZHIWEN_DOCUMENT_TREE_NUMBERING_H_
#define ZHIWEN_DOCUMENT_TREE_NUMBERING_H_

// Reads the number that a heading begins with: 第三章, 一、, （一）, 1.1.
//
// In          a line in UTF-8. Numbers are Arabic (at most four digits) or Chinese ones, in wide or
//             narrow, simplified or traditional characters
// Out         Numbering, or nothing
// Cost        constant: the first characters of the line are looked at
// Threads     free functions

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace zhiwen {

// From the highest heading to the lowest.
enum class NumberForm : uint8_t {
  kPart,     // 第N部
  kVolume,   // 第N卷, 卷N
  kBook,     // 第N编
  kPiece,    // 第N篇
  kSeries,   // 第N集
  kChapter,  // 第N章
  kEpisode,  // 第N回, 第N话
  kSection,  // 第N节
  kArticle,  // 第N条
  kChinese,  // 一、
  kBracketedChinese,
  kArabic,  // 1. or 1、, or 1 and a space
  kTwoNumbers,
  kThreeNumbers,
  kFourNumbers,
  kBracketed,      // (1)
  kHalfBracketed,  // 1)
  kCircled,        // ①
};
inline constexpr size_t kNumberForms = static_cast<size_t>(NumberForm::kCircled) + 1;

// "第N章", "一、", "1.1".
std::string_view NumberFormName(NumberForm form);

struct Numbering {
  NumberForm form = NumberForm::kArabic;
  std::array<uint32_t, 4> numbers = {};
  uint8_t count = 1;        // of the numbers
  bool is_heading = false;  // 第N章 and the like with a space or a mark behind, or nothing
};

std::optional<Numbering> ReadNumbering(std::string_view line);

// Whether `next` is the number behind `number`, both of one form: 3 behind 2, 1.3 or 2.1
// behind 1.2.
bool IsNextNumber(const Numbering& number, const Numbering& next);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_TREE_NUMBERING_H_
