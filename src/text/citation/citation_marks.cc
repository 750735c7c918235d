#include "text/citation/citation_marks.h"

#include <algorithm>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

constexpr size_t kMostOfNumber = 30;      // code points of [3-5, 7]
constexpr size_t kMostWordsBetween = 12;  // between a quotation and the source of it
constexpr size_t kMostOfSentence = 60;    // that is looked at before a quotation
constexpr size_t kMostOfName = 30;        // behind a dash
constexpr size_t kMostOfBareName = 12;    // of a name without a title and a year

constexpr std::u32string_view kEndsOfSentence = U"。！？!?；;\n";
constexpr std::u32string_view kQuotes = U"「」『』“”〝〞\"«»﹁﹂﹃﹄";

bool IsDigit(char32_t point) { return point >= U'0' && point <= U'9'; }

bool IsLetter(char32_t point) {
  return (point >= U'a' && point <= U'z') || (point >= U'A' && point <= U'Z') ||
         (point >= 0xC0 && point < 0x250);
}

bool IsHan(char32_t point) {
  return (point >= 0x3400 && point <= 0x9FFF) || (point >= 0x20000 && point <= 0x323AF);
}

bool IsDash(char32_t point) { return IsOneOf(point, U"—―─–-"); }

// Returns whether four digits from `at` on are a year, and no part of a longer number.
bool IsYearAt(std::u32string_view text, size_t at) {
  if (at + 4 > text.size() || (at > 0 && IsDigit(text[at - 1]))) return false;
  if (at + 4 < text.size() && IsDigit(text[at + 4])) return false;
  uint32_t year = 0;
  for (const char32_t point : text.substr(at, 4)) {
    if (!IsDigit(point)) return false;
    year = year * 10 + (point - U'0');
  }
  return year >= 1500 && year < 2100;
}

size_t FindYear(std::u32string_view text) {
  for (size_t at = 0; at + 4 <= text.size(); ++at) {
    if (IsYearAt(text, at)) return at;
  }
  return std::u32string_view::npos;
}

std::u32string_view TrimBlanks(std::u32string_view text) {
  while (!text.empty() && IsLineBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsLineBlank(text.back())) text.remove_suffix(1);
  return text;
}

// Returns what is in brackets that open at `at`; empty where they do not close soon.
std::u32string_view InBrackets(std::u32string_view text, size_t at, size_t most) {
  constexpr std::u32string_view kOpening = U"(（[［【〔", kClosing = U")）]］】〕";
  const size_t kind = at < text.size() ? kOpening.find(text[at]) : std::u32string_view::npos;
  if (kind == std::u32string_view::npos) return {};
  const std::u32string_view rest = text.substr(at + 1, most);
  // ( may be closed by ）, and [ by ］.
  const size_t end = rest.find_first_of(kClosing.substr(kind / 2 * 2, 2));
  if (end == std::u32string_view::npos) return {};
  const std::u32string_view inside = rest.substr(0, end);
  return inside.find(U'\n') == std::u32string_view::npos ? inside : std::u32string_view();
}

// Returns whether words in brackets are a name and a year: 鲁迅，1921; Smith et al. 2001: 12; 1921.
bool IsNameAndYear(std::u32string_view words) {
  const size_t at = FindYear(words);
  if (at == std::u32string_view::npos) return false;
  const std::u32string_view behind = words.substr(at + 4);
  const bool is_date = behind.starts_with(U'年') && behind.size() > 1 && IsDigit(behind[1]);
  if (is_date || (!behind.empty() && IsHan(behind.front()) && behind.front() != U'年'))
    return false;
  if (behind.starts_with(U'年') && behind.size() > 1 && IsHan(behind[1])) return false;  // 年生
  const std::u32string_view name = words.substr(0, at);
  if (TrimBlanks(name).empty()) return behind.empty() || !behind.starts_with(U'年');
  return IsOneOf(name.back(), U"，,、：:；;.&") || IsLineBlank(name.back());
}

// Returns whether what follows a dash, up to the end of the line, is the name of somebody: 鲁迅,
// 鲁迅《故乡》, Lu Xun, 1921; not what somebody does: 他说, 他转身走了.
bool IsAttribution(std::u32string_view line) {
  line = TrimBlanks(line);
  if (line.empty() || line.size() > kMostOfName) return false;
  if (std::ranges::any_of(line, [](char32_t p) { return IsOneOf(p, U"。！？!?；;：“”「」"); })) {
    return false;
  }
  if (!IsHan(line.front()) && !IsLetter(line.front()) && line.front() != U'《') return false;
  if (HasYear(line) || line.find(U'《') != std::u32string_view::npos) return true;
  if (line.size() > kMostOfBareName && !IsLetter(line.front())) return false;
  return !HasAnyOf(line, {U"他", U"她", U"它", U"我", U"你", U"您", U"这", U"那", U"了", U"着",
                          U"说", U"道", U"问", U"答", U"喊", U"叫", U"，", U","});
}

}  // namespace

DecodedText DecodeText(std::string_view utf8) {
  DecodedText decoded;
  VisitCodePoints(utf8, [&](DecodedCodePoint point, size_t at) {
    decoded.points.push_back(point.code_point);
    decoded.begins.push_back(at);
  });
  decoded.begins.push_back(utf8.size());
  return decoded;
}

bool IsOneOf(char32_t point, std::u32string_view points) {
  return points.find(point) != std::u32string_view::npos;
}

bool HasAnyOf(std::u32string_view text, std::initializer_list<std::u32string_view> words) {
  return std::ranges::any_of(words, [&](std::u32string_view word) {
    return text.find(word) != std::u32string_view::npos;
  });
}

bool IsLineBlank(char32_t point) {
  return point == U' ' || point == U'\t' || point == U'\r' || point == 0xA0 || point == 0x3000 ||
         (point >= 0x2000 && point <= 0x200B);
}

bool HasYear(std::u32string_view text) { return FindYear(text) != std::u32string_view::npos; }

size_t EndOfNumber(std::u32string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() &&
         ((text[end] >= 0x2460 && text[end] <= 0x2473) ||
          (text[end] >= 0x2070 && text[end] <= 0x2079) || IsOneOf(text[end], U"¹²³"))) {
    ++end;
  }
  if (end > at) return end;
  if (at >= text.size() || !IsOneOf(text[at], U"[［【〔")) return at;
  const std::u32string_view inside = InBrackets(text, at, kMostOfMark);
  const auto is_of_number = [](char32_t point) {
    return IsDigit(point) || IsLineBlank(point) || IsOneOf(point, U",，、-–—~;；^");
  };
  const bool is_number = !inside.empty() && inside.size() <= kMostOfNumber &&
                         std::ranges::any_of(inside, IsDigit) &&
                         std::ranges::all_of(inside, is_of_number);
  return is_number || IsNameAndYear(inside) ? at + inside.size() + 2 : at;
}

size_t EndOfMark(std::u32string_view text, size_t at) {
  const size_t end = EndOfNumber(text, at);
  if (end > at) return end;
  if (at >= text.size() || !IsOneOf(text[at], U"(（")) return at;
  const std::u32string_view inside = InBrackets(text, at, kMostOfMark);
  if (inside.empty()) return at;
  const bool has_title = inside.find(U'《') != std::u32string_view::npos;
  const bool says_so = std::ranges::any_of(
      std::initializer_list<std::u32string_view>{U"引自", U"转引自", U"語出", U"语出", U"出自",
                                                 U"摘自", U"见", U"參見", U"参见", U"cf.", U"Cf.",
                                                 U"see ", U"See "},
      [&](std::u32string_view word) { return inside.starts_with(word); });
  return has_title || says_so || IsNameAndYear(inside) ? at + inside.size() + 2 : at;
}

bool IsCitedBehind(std::u32string_view text, size_t at) {
  size_t behind = at;
  while (behind < text.size() && behind < at + 3 &&
         (IsLineBlank(text[behind]) || IsOneOf(text[behind], U"。．.，,；;！？!?、"))) {
    ++behind;
  }
  if (EndOfMark(text, behind) > behind) return true;
  if (behind == at && behind < text.size() && text[behind] == U'《') return true;
  // 「国民性」的说法[3]
  for (size_t i = at; i < text.size() && i <= at + kMostWordsBetween; ++i) {
    if (EndOfNumber(text, i) > i) return true;
    if (IsOneOf(text[i], kEndsOfSentence) || IsOneOf(text[i], kQuotes)) break;
  }
  size_t lines = 0;
  text = text.substr(at, 2 * kMostOfMark);
  at = 0;
  while (at < kMostOfMark && at < text.size() &&
         (IsLineBlank(text[at]) || (text[at] == U'\n' && ++lines <= 2))) {
    ++at;
  }
  size_t name = at;
  while (name < text.size() && IsDash(text[name])) ++name;
  const bool has_dash = name > at && (name - at > 1 || text[at] == U'—' || text[at] == U'―');
  return has_dash && IsAttribution(text.substr(name, text.find(U'\n', name) - name));
}

bool IsCitedBefore(std::u32string_view text, size_t at) {
  const size_t first = at - std::min(at, kMostOfMark);
  while (at > first && IsLineBlank(text[at - 1])) --at;
  const bool is_introduced = at > 0 && IsOneOf(text[at - 1], U"：:，,");
  if (is_introduced) --at;
  size_t begin = at;
  while (begin > 0 && at - begin < kMostOfSentence && !IsOneOf(text[begin - 1], kEndsOfSentence) &&
         !IsOneOf(text[begin - 1], kQuotes)) {
    --begin;
  }
  const std::u32string_view sentence = text.substr(begin, at - begin);
  const size_t from = sentence.size() - std::min(sentence.size(), 2 * kMostWordsBetween);
  for (size_t i = from; is_introduced && i < sentence.size(); ++i) {
    if (EndOfNumber(sentence, i) > i) return true;
    if (!IsOneOf(sentence[i], U"(（")) continue;
    const std::u32string_view inside = InBrackets(sentence, i, kMostOfMark);
    if (inside.size() >= 4 && IsYearAt(inside, 0) && IsNameAndYear(inside)) return true;
  }
  const size_t title = sentence.rfind(U'》');
  if (title == std::u32string_view::npos || sentence.size() - title > kMostWordsBetween)
    return false;
  const std::u32string_view between = TrimBlanks(sentence.substr(title + 1));
  if (HasAnyOf(between, {U"，", U",", U"、", U"他", U"她", U"它", U"我", U"你", U"您"}))
    return false;
  return between.empty() || IsOneOf(between.back(), U"中里上载載") ||
         HasAnyOf(between, {U"曰", U"云", U"言", U"说", U"說", U"写", U"寫", U"指出", U"认为",
                            U"認為", U"记", U"記", U"规定", U"規定", U"提出", U"称", U"稱"});
}

}  // namespace zhiwen
