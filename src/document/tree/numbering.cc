#include "document/tree/numbering.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

constexpr size_t kLongestNumbering = 32;  // code points, white space in front included
constexpr size_t kMostDigits = 4;
constexpr size_t kMostNumerals = 8;  // of a Chinese number

constexpr std::array<std::string_view, kNumberForms> kFormNames = {
    "第N部", "第N卷",  "第N编", "第N篇", "第N集", "第N章",   "第N回", "第N节", "第N条",
    "一、",  "（一）", "1.",    "1.1",   "1.1.1", "1.1.1.1", "(1)",   "1)",    "①"};

constexpr std::array<std::pair<char32_t, NumberForm>, 14> kDivisions = {{
    {U'部', NumberForm::kPart},
    {U'卷', NumberForm::kVolume},
    {U'编', NumberForm::kBook},
    {U'編', NumberForm::kBook},
    {U'篇', NumberForm::kPiece},
    {U'集', NumberForm::kSeries},
    {U'章', NumberForm::kChapter},
    {U'回', NumberForm::kEpisode},
    {U'话', NumberForm::kEpisode},
    {U'話', NumberForm::kEpisode},
    {U'节', NumberForm::kSection},
    {U'節', NumberForm::kSection},
    {U'条', NumberForm::kArticle},
    {U'條', NumberForm::kArticle},
}};

// Chinese digits; equal ones stand together.
constexpr std::u32string_view kNumerals = U"〇零○一壹二贰貳两兩三叁參四肆五伍六陆陸七柒八捌九玖";
constexpr std::array<uint8_t, kNumerals.size()> kNumeralValues = {
    0, 0, 0, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 8, 8, 9, 9};
constexpr std::u32string_view kPowers = U"十拾百佰千仟";

bool IsBlank(char32_t c) {
  return c == ' ' || c == '\t' || c == 0xA0 || c == 0x3000 || (c >= 0x2000 && c <= 0x200A);
}

bool IsOneOf(char32_t c, std::u32string_view set) {
  return set.find(c) != std::u32string_view::npos;
}

std::optional<uint32_t> DigitOf(char32_t c) {
  if (c >= U'0' && c <= U'9') return c - U'0';
  if (c >= U'０' && c <= U'９') return c - U'０';
  return std::nullopt;
}

// 一百零三 is 103, 一〇三 is 103, 十二 is 12.
uint32_t ChineseNumber(std::u32string_view numerals) {
  uint32_t number = 0, digits = 0;
  bool has_digit = false;
  for (const char32_t c : numerals) {
    if (const size_t power = kPowers.find(c); power != std::u32string_view::npos) {
      const uint32_t unit = power < 2 ? 10 : power < 4 ? 100 : 1000;
      number += (has_digit ? digits : 1) * unit;
      digits = 0;
      has_digit = false;
    } else {
      digits = digits * 10 + kNumeralValues[kNumerals.find(c)];
      has_digit = true;
    }
  }
  return number + digits;
}

class NumberingReader {
 public:
  explicit NumberingReader(std::u32string_view line) : rest_(line) { SkipBlanks(); }

  std::optional<Numbering> Read() {
    if (rest_.empty()) return std::nullopt;
    const char32_t first = rest_.front();
    if (first >= U'①' && first <= U'⑳') return Of(NumberForm::kCircled, first - U'①' + 1);
    if (Take(U"第")) return ReadDivision();
    if (Take(U"卷")) return ReadVolume();
    if (Take(U"(（")) return ReadBracketed();
    if (const std::optional<uint32_t> number = TakeChinese()) return BehindChinese(*number);
    return ReadArabic();
  }

 private:
  char32_t next() const { return rest_.empty() ? 0 : rest_.front(); }
  bool is_apart() const { return rest_.empty() || IsBlank(next()); }

  void SkipBlanks() {
    while (!rest_.empty() && IsBlank(rest_.front())) rest_.remove_prefix(1);
  }

  bool Take(std::u32string_view set) {
    if (rest_.empty() || !IsOneOf(rest_.front(), set)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::optional<uint32_t> TakeChinese() {
    size_t length = 0;
    while (length < rest_.size() &&
           (IsOneOf(rest_[length], kNumerals) || IsOneOf(rest_[length], kPowers))) {
      ++length;
    }
    if (length == 0 || length > kMostNumerals) return std::nullopt;
    const uint32_t number = ChineseNumber(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return number;
  }

  std::optional<uint32_t> TakeArabic() {
    uint32_t number = 0;
    size_t length = 0;
    for (; length < rest_.size() && DigitOf(rest_[length]); ++length) {
      if (length == kMostDigits) return std::nullopt;
      number = number * 10 + *DigitOf(rest_[length]);
    }
    if (length == 0) return std::nullopt;
    rest_.remove_prefix(length);
    return number;
  }

  std::optional<uint32_t> TakeNumber() {
    const std::optional<uint32_t> number = TakeChinese();
    return number ? number : TakeArabic();
  }

  static Numbering Of(NumberForm form, uint32_t number) {
    return {.form = form, .numbers = {number}, .count = 1};
  }

  std::optional<Numbering> ReadDivision() {
    SkipBlanks();
    const std::optional<uint32_t> number = TakeNumber();
    if (!number) return std::nullopt;
    SkipBlanks();
    const auto division =
        std::ranges::find(kDivisions, next(), &std::pair<char32_t, NumberForm>::first);
    if (division == kDivisions.end()) return std::nullopt;
    rest_.remove_prefix(1);
    Numbering numbering = Of(division->second, *number);
    numbering.is_heading = is_apart() || IsOneOf(next(), U"：:、，,．.—-【《「“（(");
    return numbering;
  }

  std::optional<Numbering> ReadVolume() {
    Take(U"之");
    const std::optional<uint32_t> number = TakeNumber();
    if (!number || !is_apart()) return std::nullopt;
    Numbering numbering = Of(NumberForm::kVolume, *number);
    numbering.is_heading = true;
    return numbering;
  }

  std::optional<Numbering> ReadBracketed() {
    SkipBlanks();
    NumberForm form = NumberForm::kBracketedChinese;
    std::optional<uint32_t> number = TakeChinese();
    if (!number) {
      form = NumberForm::kBracketed;
      number = TakeArabic();
    }
    SkipBlanks();
    if (!number || !Take(U")）")) return std::nullopt;
    return Of(form, *number);
  }

  std::optional<Numbering> BehindChinese(uint32_t number) {
    if (Take(U")）")) return Of(NumberForm::kBracketedChinese, number);
    if (!is_apart() && !IsOneOf(next(), U"、．.：:")) return std::nullopt;
    return Of(NumberForm::kChinese, number);
  }

  std::optional<Numbering> ReadArabic() {
    Numbering numbering{.count = 0};
    while (true) {
      const std::optional<uint32_t> number = TakeArabic();
      if (!number || numbering.count == numbering.numbers.size()) return std::nullopt;
      numbering.numbers[numbering.count++] = *number;
      if (rest_.size() < 2 || !IsOneOf(rest_[0], U".．") || !DigitOf(rest_[1])) break;
      rest_.remove_prefix(1);
    }
    constexpr std::array kForms = {NumberForm::kArabic, NumberForm::kTwoNumbers,
                                   NumberForm::kThreeNumbers, NumberForm::kFourNumbers};
    numbering.form = kForms[numbering.count - size_t{1}];
    if (numbering.count > 1) return numbering;
    if (Take(U")）"))
      numbering.form = NumberForm::kHalfBracketed;
    else if (!is_apart() && !IsOneOf(next(), U".．、"))
      return std::nullopt;
    return numbering;
  }

  std::u32string_view rest_;
};

}  // namespace

std::string_view NumberFormName(NumberForm form) { return kFormNames[static_cast<size_t>(form)]; }

std::optional<Numbering> ReadNumbering(std::string_view line) {
  std::array<char32_t, kLongestNumbering> beginning = {};
  size_t length = 0;
  for (size_t at = 0; at < line.size() && length < beginning.size(); ++length) {
    const DecodedCodePoint decoded = DecodeAt(line, at);
    beginning[length] = decoded.code_point;
    at += decoded.length;
  }
  return NumberingReader({beginning.data(), length}).Read();
}

bool IsNextNumber(const Numbering& number, const Numbering& next) {
  size_t same = 0;
  while (same < number.count && number.numbers[same] == next.numbers[same]) ++same;
  if (same == number.count || next.numbers[same] != number.numbers[same] + 1) return false;
  for (size_t i = same + 1; i < next.count; ++i) {
    if (next.numbers[i] != 1) return false;
  }
  return true;
}

}  // namespace zhiwen
