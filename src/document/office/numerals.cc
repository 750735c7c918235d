#include "document/office/numerals.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

using Signs = std::span<const std::string_view>;

constexpr std::array<std::string_view, 10> kHanDigits = {"〇", "一", "二", "三", "四",
                                                         "五", "六", "七", "八", "九"};
constexpr std::array<std::string_view, 10> kLegalDigits = {"零", "壹", "贰", "叁", "肆",
                                                           "伍", "陆", "柒", "捌", "玖"};
constexpr std::array<std::string_view, 10> kTraditionalLegalDigits = {"零", "壹", "貳", "參", "肆",
                                                                      "伍", "陸", "柒", "捌", "玖"};
constexpr std::array<std::string_view, 4> kHanUnits = {"", "十", "百", "千"};
constexpr std::array<std::string_view, 4> kLegalUnits = {"", "拾", "佰", "仟"};
constexpr std::array<std::string_view, 10> kStems = {"甲", "乙", "丙", "丁", "戊",
                                                     "己", "庚", "辛", "壬", "癸"};
constexpr std::array<std::string_view, 12> kBranches = {"子", "丑", "寅", "卯", "辰", "巳",
                                                        "午", "未", "申", "酉", "戌", "亥"};

// How a system of counting writes numbers below 10,000.
struct Counting {
  Signs digits, units;
  std::string_view zero = {};      // between digits with a gap: 一百零五; empty: 百五
  bool has_one_of_ten = false;     // 一十 for 10, not 十
  bool has_one_of_hundred = true;  // 一百, not 百
};

std::string Decimal(int64_t number) { return std::to_string(number); }

// "" for numbers that Latin numerals do not have.
std::string Roman(int64_t number) {
  constexpr std::array<std::pair<int, std::string_view>, 13> kParts = {{{1000, "M"},
                                                                        {900, "CM"},
                                                                        {500, "D"},
                                                                        {400, "CD"},
                                                                        {100, "C"},
                                                                        {90, "XC"},
                                                                        {50, "L"},
                                                                        {40, "XL"},
                                                                        {10, "X"},
                                                                        {9, "IX"},
                                                                        {5, "V"},
                                                                        {4, "IV"},
                                                                        {1, "I"}}};
  std::string roman;
  if (number < 1 || number >= 4000) return roman;
  for (const auto& [value, sign] : kParts) {
    for (; number >= value; number -= value) roman += sign;
  }
  return roman;
}

// A … Z, AA … ZZ, AAA …
std::string Letters(int64_t number) {
  constexpr int64_t kLetters = 26, kMostRepeats = 30;
  const int64_t repeats = (number - 1) / kLetters + 1;
  if (number < 1 || repeats > kMostRepeats) return {};
  return std::string(static_cast<size_t>(repeats),
                     static_cast<char>('A' + (number - 1) % kLetters));
}

std::string LowerLetters(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return static_cast<char>(c | 0x20); });
  return text;
}

// The digits of a number, each as its sign.
std::string EachDigit(int64_t number, Signs digits) {
  std::string text;
  for (const char digit : Decimal(number)) {
    if (digit < '0') return {};
    text += digits[static_cast<size_t>(digit - '0')];
  }
  return text;
}

std::string CountBelowTenThousand(int64_t number, const Counting& counting) {
  std::string text;
  bool gap = false;
  int64_t unit = 1000;
  for (size_t place = 4; place-- > 0; unit /= 10) {
    const int64_t digit = number / unit % 10;
    if (digit == 0) {
      gap = gap || !text.empty();
      continue;
    }
    if (gap) text += counting.zero;
    gap = false;
    const bool drops_one = digit == 1 && ((place == 1 && number < 20 && !counting.has_one_of_ten) ||
                                          (place >= 1 && !counting.has_one_of_hundred));
    if (!drops_one) text += counting.digits[static_cast<size_t>(digit)];
    text += counting.units[place];
  }
  return text;
}

std::string Count(int64_t number, const Counting& counting) {
  return number < 1 || number >= 10000 ? std::string() : CountBelowTenThousand(number, counting);
}

// 一 to 九十九, and digits from 100 on: 一〇〇.
std::string CountChinese(int64_t number) {
  if (number >= 100) return EachDigit(number, kHanDigits);
  return Count(number, {.digits = kHanDigits, .units = kHanUnits});
}

std::string OneOf(int64_t number, Signs signs) {
  if (number < 1 || number > static_cast<int64_t>(signs.size())) return {};
  return std::string(signs[static_cast<size_t>(number - 1)]);
}

// 甲子 to 癸亥.
std::string SexagenaryYear(int64_t number) {
  if (number < 1 || number > 60) return {};
  const auto at = static_cast<size_t>(number - 1);
  return std::string(kStems[at % kStems.size()]).append(kBranches[at % kBranches.size()]);
}

// One of a row of `count` characters from `first` on.
std::string InRow(int64_t number, uint32_t first, int64_t count) {
  std::string text;
  if (number >= 1 && number <= count) AppendUtf8(first + static_cast<uint32_t>(number - 1), text);
  return text;
}

std::string FullWidth(int64_t number) {
  std::string text;
  for (const char digit : Decimal(number)) {
    AppendUtf8(digit < '0' ? 0xFF0D : 0xFF10 + static_cast<uint32_t>(digit - '0'), text);
  }
  return text;
}

std::string Ordinal(int64_t number) {
  const int64_t tens = number % 100;
  const bool is_teen = tens >= 11 && tens <= 13;
  const int64_t last = number % 10;
  const std::string_view ending = is_teen     ? "th"
                                  : last == 1 ? "st"
                                  : last == 2 ? "nd"
                                  : last == 3 ? "rd"
                                              : "th";
  return Decimal(number).append(ending);
}

// Empty where the format is another, or has no form for the number.
std::string EastAsian(int64_t number, std::string_view format) {
  if (format == "chineseCounting" || format == "taiwaneseCounting") return CountChinese(number);
  if (format == "chineseCountingThousand" || format == "taiwaneseCountingThousand") {
    return Count(number, {.digits = kHanDigits, .units = kHanUnits, .zero = "零"});
  }
  if (format == "japaneseCounting") {
    return Count(number, {.digits = kHanDigits, .units = kHanUnits, .has_one_of_hundred = false});
  }
  if (format == "chineseLegalSimplified" || format == "japaneseLegal") {
    return Count(
        number,
        {.digits = kLegalDigits, .units = kLegalUnits, .zero = "零", .has_one_of_ten = true});
  }
  if (format == "ideographLegalTraditional") {
    return Count(number, {.digits = kTraditionalLegalDigits,
                          .units = kLegalUnits,
                          .zero = "零",
                          .has_one_of_ten = true});
  }
  if (format == "ideographDigital" || format == "taiwaneseDigital" ||
      format == "japaneseDigitalTenThousand") {
    return EachDigit(number, kHanDigits);
  }
  if (format == "ideographTraditional") return OneOf(number, kStems);
  if (format == "ideographZodiac") return OneOf(number, kBranches);
  if (format == "ideographZodiacTraditional") return SexagenaryYear(number);
  if (format == "ideographEnclosedCircle") return InRow(number, 0x3220, 10);
  if (format == "decimalEnclosedCircle" || format == "decimalEnclosedCircleChinese") {
    return InRow(number, 0x2460, 20);
  }
  if (format == "decimalEnclosedParen") return InRow(number, 0x2474, 20);
  if (format == "decimalEnclosedFullstop") return InRow(number, 0x2488, 20);
  if (format.starts_with("decimalFullWidth")) return FullWidth(number);
  return {};
}

std::string Latin(int64_t number, std::string_view format) {
  if (format == "upperRoman") return Roman(number);
  if (format == "lowerRoman") return LowerLetters(Roman(number));
  if (format == "upperLetter") return Letters(number);
  if (format == "lowerLetter") return LowerLetters(Letters(number));
  if (format == "ordinal") return Ordinal(number);
  if (format == "decimalZero" && number >= 0 && number < 10) return "0" + Decimal(number);
  return {};
}

}  // namespace

std::string FormatNumeral(int64_t number, std::string_view format) {
  if (format == "bullet" || format == "none") return {};
  std::string text = Latin(number, format);
  if (text.empty()) text = EastAsian(number, format);
  return text.empty() ? Decimal(number) : text;
}

}  // namespace zhiwen
