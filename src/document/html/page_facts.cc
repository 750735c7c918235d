#include "document/html/page_facts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/json/json_reader.h"
#include "base/utf8/utf8.h"
#include "document/html/html_text.h"

namespace zhiwen {
namespace {

constexpr size_t kBlocksBefore = 12, kBlocksBehind = 3;  // of the beginning of the body
constexpr size_t kMostLinkedData = size_t{1} << 20;
constexpr size_t kMostAuthorBytes = 60;
constexpr size_t kLeastHeadline = 6;   // bytes
constexpr size_t kLeastTitleLine = 8;  // characters

// Headline, author and date of linked data in one object.
struct LinkedData {
  std::string headline, author, date;
};

LinkedData ReadLinkedData(std::string_view json) {
  LinkedData data;
  if (json.empty() || json.size() > kMostLinkedData) return data;
  std::string padded(json);
  padded.resize(json.size() + JsonReader::kPadding);
  JsonReader reader;
  if (reader.Parse(std::string_view(padded).substr(0, json.size()))) return data;
  const auto find = [&](const std::vector<std::string>& path) -> std::string {
    const std::optional<JsonField> field = reader.Find(path);
    if (!field || field->type != JsonType::kString) return "";
    return DecodeHtmlText(field->string);
  };
  data.headline = find({"headline"});
  data.author = find({"author", "name"});
  if (data.author.empty()) data.author = find({"author"});
  data.date = find({"datePublished"});
  return data;
}

// Returns the length of a separator of titles at the front of `text`, 0 where there is none. Dashes
// without blanks are inside of a title: 共绘新图景——代表委员议国是, 中国—中亚峰会.
size_t SeparatorLength(std::string_view text) {
  for (const std::string_view separator : {"_", "|", "｜", " - ", " — ", " – ", " :: ", "»", "«"}) {
    if (text.starts_with(separator)) return separator.size();
  }
  if (text.starts_with("--")) return std::min(text.find_first_not_of('-'), text.size());
  const bool is_beside_wide =
      text.size() > 1 && text[0] == '-' && static_cast<uint8_t>(text[1]) > 0x7F;
  return is_beside_wide ? 1 : 0;
}

std::string LongestPart(std::string_view title) {
  std::string_view longest;
  size_t begin = 0;
  for (size_t at = 0; at <= title.size(); ++at) {
    const bool is_end = at == title.size();
    const size_t separator = is_end ? 0 : SeparatorLength(title.substr(at));
    if (!is_end && separator == 0) continue;
    std::string_view part = title.substr(begin, at - begin);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (CountCodePoints(part) > CountCodePoints(longest)) longest = part;
    if (is_end) break;
    begin = at + separator;
    at = begin - 1;
  }
  return std::string(longest);
}

std::string FirstHeading(const HtmlPage& page) {
  for (const HtmlBlock& block : page.blocks) {
    if (page.nodes[block.node].tag == HtmlTag::kH1) return std::string(page.TextOf(block));
  }
  return {};
}

// The first line of the body, where it may be the title.
std::string FirstLine(const HtmlPage& page, std::span<const uint32_t> body) {
  if (body.empty()) return {};
  std::string line(page.TextOf(page.blocks[body.front()]));
  return CountCodePoints(line) >= kLeastTitleLine ? line : "";
}

std::string ChooseTitle(const HtmlPage& page, std::span<const uint32_t> body,
                        const LinkedData& data) {
  if (!data.headline.empty()) return data.headline;
  const std::string title = DecodeHtmlText(page.facts.title);
  const std::string og = DecodeHtmlText(page.facts.og_title), heading = FirstHeading(page);
  if (title.empty()) return og.empty() ? heading : og;
  for (const std::string& named : {og, heading, FirstLine(page, body)}) {
    if (named.size() >= kLeastHeadline && title.find(named) != std::string::npos) return named;
  }
  return LongestPart(title);
}

// Reads one or two digits and then one of `marks`, or anything but a digit where there are none.
std::optional<int> TakeNumber(std::string_view& text,
                              std::initializer_list<std::string_view> marks) {
  size_t digits = 0;
  int number = 0;
  while (digits < 2 && digits < text.size() && IsAsciiDigit(text[digits])) {
    number = number * 10 + (text[digits++] - '0');
  }
  if (digits == 0) return std::nullopt;
  text.remove_prefix(digits);
  for (const std::string_view mark : marks) {
    if (!text.starts_with(mark)) continue;
    text.remove_prefix(mark.size());
    return number;
  }
  const bool is_whole = marks.size() == 0 && (text.empty() || !IsAsciiDigit(text.front()));
  return is_whole ? std::optional(number) : std::nullopt;
}

// Returns the name behind 作者： in a text.
std::string FindAuthor(std::string_view text) {
  for (const std::string_view mark : {"作者：", "作者:", "記者：", "记者：", "记者:"}) {
    const size_t at = text.find(mark);
    if (at == std::string_view::npos) continue;
    std::string_view name = text.substr(at + mark.size(), kMostAuthorBytes);
    while (name.starts_with(' ')) name.remove_prefix(1);
    size_t end = name.size();
    for (const std::string_view stop : {" ", "|", "，", "。", "）", ")", "来源", "责任", "编辑"}) {
      end = std::min(end, name.find(stop));
    }
    if (end > 0 && end < kMostAuthorBytes) return std::string(name.substr(0, end));
  }
  return {};
}

// Returns what `find` finds nearest to the beginning of the body.
template <typename Find>
std::string FindNearBody(const HtmlPage& page, std::span<const uint32_t> body, const Find& find) {
  const size_t first = body.empty() ? 0 : body.front();
  for (size_t distance = 0; distance <= kBlocksBefore; ++distance) {
    for (const bool behind : {false, true}) {
      if (behind ? distance == 0 || distance > kBlocksBehind : distance > first) continue;
      const size_t block = behind ? first + distance : first - distance;
      if (block >= page.blocks.size()) continue;
      std::string found = find(page.TextOf(page.blocks[block]));
      if (!found.empty()) return found;
    }
  }
  return {};
}

// "zh" where a third of the text and more is Han, without kana and hangul.
std::string LanguageOf(const HtmlPage& page, std::span<const uint32_t> body) {
  uint64_t han = 0, others = 0, kana = 0;
  for (const uint32_t block : body) {
    VisitCodePoints(page.TextOf(page.blocks[block]), [&](const DecodedCodePoint& decoded, size_t) {
      const uint32_t c = decoded.code_point;
      kana += (c >= 0x3041 && c < 0x3100) || (c >= 0xAC00 && c < 0xD7B0) ? 1 : 0;
      ++(c >= 0x3400 && c < 0xA000 ? han : others);
    });
  }
  return han * 2 > others && kana * 20 < han ? "zh" : "";
}

}  // namespace

std::string FindDate(std::string_view text) {
  for (size_t at = 0; at + 8 <= text.size(); ++at) {
    const bool begins =
        (text[at] == '1' || text[at] == '2') && (at == 0 || !IsAsciiDigit(text[at - 1]));
    if (!begins || !std::ranges::all_of(text.substr(at, 4), IsAsciiDigit)) continue;
    std::string_view rest = text.substr(at + 4);
    const std::string_view year = text.substr(at, 4);
    for (const auto& [mark, next] : {std::pair<std::string_view, std::string_view>{"-", "-"},
                                     {"/", "/"},
                                     {".", "."},
                                     {"年", "月"}}) {
      if (!rest.starts_with(mark)) continue;
      rest.remove_prefix(mark.size());
      const std::optional<int> month = TakeNumber(rest, {next});
      const std::optional<int> day = month ? TakeNumber(rest, {}) : std::nullopt;
      const bool is_date = day && year >= "1900" && year < "2100" && *month >= 1 && *month <= 12 &&
                           *day >= 1 && *day <= 31;
      if (is_date) return fmt::format("{}-{:02}-{:02}", year, *month, *day);
      break;
    }
  }
  return {};
}

PageFacts ReadPageFacts(const HtmlPage& page, std::span<const uint32_t> body) {
  const LinkedData data = ReadLinkedData(page.facts.linked_data);
  PageFacts facts;
  facts.title = ChooseTitle(page, body, data);
  facts.author = data.author.empty() ? DecodeHtmlText(page.facts.author) : data.author;
  if (facts.author.empty()) facts.author = FindNearBody(page, body, FindAuthor);
  for (const std::string& date :
       {data.date, DecodeHtmlText(page.facts.published), DecodeHtmlText(page.facts.time)}) {
    if (facts.date.empty()) facts.date = date;
  }
  if (facts.date.empty()) facts.date = FindNearBody(page, body, FindDate);
  facts.site = DecodeHtmlText(page.facts.og_site);
  facts.url = DecodeHtmlText(page.facts.canonical);
  if (facts.url.empty()) facts.url = DecodeHtmlText(page.facts.og_url);
  facts.next = DecodeHtmlText(page.facts.next);
  facts.language = DecodeHtmlText(page.facts.language);
  if (facts.language.empty()) facts.language = LanguageOf(page, body);
  return facts;
}

}  // namespace zhiwen
