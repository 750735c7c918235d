#include "document/html/html_scanner.h"

#include <cstring>
#include <utility>

#include "base/utf8/ascii.h"

namespace zhiwen {
namespace {

constexpr size_t kNowhere = std::string_view::npos;

bool IsAsciiLetter(char c) { return LowerAscii(c) >= 'a' && LowerAscii(c) <= 'z'; }

bool IsHtmlSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }

// Bytes that end the name of an attribute, and a value without quotes.
enum EndOf : uint8_t { kEndOfAttributeName = 1, kEndOfValue = 2 };

constexpr std::array<uint8_t, 256> kEnds = [] {
  std::array<uint8_t, 256> ends = {};
  for (const char c : {' ', '\n', '\t', '\r', '\f', '>'}) {
    ends[static_cast<uint8_t>(c)] = kEndOfAttributeName | kEndOfValue;
  }
  ends['/'] = kEndOfAttributeName;
  ends['='] = kEndOfAttributeName;
  return ends;
}();

// Returns the first of such bytes from `at` on, or the end.
size_t FindEnd(std::string_view html, size_t at, EndOf what) {
  while (at < html.size() && (kEnds[static_cast<uint8_t>(html[at])] & what) == 0) ++at;
  return at;
}

bool EqualsInLowerCase(std::string_view text, std::string_view lower_case) {
  if (text.size() != lower_case.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (LowerAscii(text[i]) != lower_case[i]) return false;
  }
  return true;
}

struct WantedAttribute {
  std::string_view name;
  std::string_view HtmlAttributes::*value;
};

// By the length of the name.
constexpr std::array<WantedAttribute, 16> kWanted = {{{"id", &HtmlAttributes::id},
                                                      {"rel", &HtmlAttributes::rel},
                                                      {"href", &HtmlAttributes::href},
                                                      {"name", &HtmlAttributes::name},
                                                      {"type", &HtmlAttributes::type},
                                                      {"role", &HtmlAttributes::role},
                                                      {"lang", &HtmlAttributes::lang},
                                                      {"face", &HtmlAttributes::name},
                                                      {"size", &HtmlAttributes::content},
                                                      {"class", &HtmlAttributes::class_names},
                                                      {"style", &HtmlAttributes::style},
                                                      {"color", &HtmlAttributes::property},
                                                      {"content", &HtmlAttributes::content},
                                                      {"property", &HtmlAttributes::property},
                                                      {"itemprop", &HtmlAttributes::itemprop},
                                                      {"datetime", &HtmlAttributes::datetime}}};
constexpr size_t kLongestAttribute = 11;  // aria-hidden

// Where the names of each length begin in kWanted; those of the next length begin behind them.
constexpr auto kFirstOfLength = [] {
  std::array<uint8_t, kLongestAttribute + 2> first = {};
  for (size_t length = 0; length < first.size(); ++length) {
    uint8_t at = 0;
    while (at < kWanted.size() && kWanted[at].name.size() < length) ++at;
    first[length] = at;
  }
  return first;
}();

}  // namespace

size_t HtmlScanner::FindMarkup(size_t at) const {
  if (at >= html_.size()) return html_.size();
  const void* const found = std::memchr(html_.data() + at, '<', html_.size() - at);
  return found == nullptr ? html_.size()
                          : static_cast<size_t>(static_cast<const char*>(found) - html_.data());
}

size_t HtmlScanner::Find(std::string_view what, size_t at, Missing missing) {
  bool& is_missing = is_missing_[static_cast<size_t>(missing)];
  if (is_missing) return kNowhere;
  const size_t found = what.size() == 1 ? html_.find(what.front(), at) : html_.find(what, at);
  is_missing = found == kNowhere;
  steps_ += (is_missing ? html_.size() : found) - (at < html_.size() ? at : html_.size());
  return found;
}

HtmlToken HtmlScanner::Read(size_t at) {
  HtmlToken token{.end = at + 1};
  const auto byte = [this](size_t i) { return i < html_.size() ? html_[i] : '\0'; };
  const bool is_end = byte(at + 1) == '/';
  size_t name = at + 1 + (is_end ? 1 : 0);
  if (!IsAsciiLetter(byte(name))) {
    const bool is_declaration = is_end || byte(name) == '!' || byte(name) == '?';
    return is_declaration ? ReadDeclaration(at) : token;
  }
  const HtmlTagName read = ReadHtmlTagName(html_, name);
  name = read.end;
  token.tag = read.tag;
  token.markup = is_end ? HtmlMarkup::kEndTag : HtmlMarkup::kStartTag;
  if (!is_end && std::exchange(has_attributes_, false)) attributes_ = {};
  token.end = byte(name) == '>' ? name + 1 : ReadAttributes(name, token);
  steps_ += token.end - at;
  return token;
}

HtmlToken HtmlScanner::ReadDeclaration(size_t at) {
  HtmlToken token{.markup = HtmlMarkup::kIgnored, .end = html_.size()};
  if (html_.substr(at).starts_with("<!--")) {
    const std::string_view inside = html_.substr(at + 4);
    if (inside.starts_with('>') || inside.starts_with("->")) {
      token.end = at + 4 + (inside.front() == '>' ? 1 : 2);
      return token;
    }
    const size_t end = Find("-->", at + 4, Missing::kComment);
    if (end != kNowhere) {
      token.end = end + 3;
      return token;
    }
  }
  const size_t greater = Find(">", at + 1, Missing::kGreater);
  if (greater != kNowhere) token.end = greater + 1;
  return token;
}

// Returns the end of the tag.
size_t HtmlScanner::ReadAttributes(size_t at, HtmlToken& token) {
  const std::string_view html = html_;
  while (at < html.size()) {
    const char c = html[at];
    if (c == '>') return at + 1;
    token.closes_itself = c == '/';
    if (c == '/' || IsHtmlSpace(c)) {
      ++at;
      if (c == '/' || at >= html.size() || html[at] != '>') continue;
      return at + 1;
    }
    const size_t begin = at;
    at = FindEnd(html, at + 1, kEndOfAttributeName);
    const std::string_view name = html.substr(begin, at - begin);
    std::string_view value;
    size_t equals = at;
    while (equals < html.size() && IsHtmlSpace(html[equals])) ++equals;
    if (equals < html.size() && html[equals] == '=') at = ReadValue(equals + 1, value);
    if (token.markup == HtmlMarkup::kStartTag) Note(name, value);
  }
  return html.size();
}

// Reads the value behind an equals sign. Returns where it ends.
size_t HtmlScanner::ReadValue(size_t at, std::string_view& value) {
  while (at < html_.size() && IsHtmlSpace(html_[at])) ++at;
  if (at == html_.size()) return at;
  const char quote = html_[at];
  if (quote == '"' || quote == '\'') {
    const Missing kind = quote == '"' ? Missing::kDoubleQuote : Missing::kSingleQuote;
    const size_t end = Find(html_.substr(at, 1), at + 1, kind);
    if (end != kNowhere) {
      value = html_.substr(at + 1, end - at - 1);
      return end + 1;
    }
  }
  const size_t begin = at;
  at = FindEnd(html_, at, kEndOfValue);
  value = html_.substr(begin, at - begin);
  return at;
}

void HtmlScanner::Note(std::string_view name, std::string_view value) {
  if (name.size() > kLongestAttribute) return;
  has_attributes_ = true;
  const size_t last = kFirstOfLength[name.size() + 1];
  for (size_t i = kFirstOfLength[name.size()]; i < last; ++i) {
    if (!EqualsInLowerCase(name, kWanted[i].name)) continue;
    std::string_view& noted = attributes_.*kWanted[i].value;
    if (noted.data() == nullptr) noted = value;
    return;
  }
  if (EqualsInLowerCase(name, "hidden")) attributes_.hidden = true;
  if (EqualsInLowerCase(name, "aria-hidden")) attributes_.aria_hidden = value == "true";
}

// Whether a tag with this name stands at `at`, which is behind '<' or '</'.
bool HtmlScanner::IsTagAt(size_t at, std::string_view name) const {
  if (at + name.size() >= html_.size()) return false;
  const char behind = html_[at + name.size()];
  return (IsHtmlSpace(behind) || behind == '>' || behind == '/') &&
         EqualsInLowerCase(html_.substr(at, name.size()), name);
}

size_t HtmlScanner::FindEndTag(HtmlTag tag, size_t at) {
  bool& has_none = has_no_end_tag_[static_cast<size_t>(tag)];
  if (has_none) return kNowhere;
  const std::string_view name = NameOf(tag);
  const size_t begin = at;
  for (; at < html_.size(); ++at) {
    at = FindMarkup(at);
    if (at + 1 < html_.size() && html_[at + 1] == '/' && IsTagAt(at + 2, name)) break;
  }
  has_none = at >= html_.size();
  steps_ += at - begin;
  return has_none ? kNowhere : at;
}

size_t HtmlScanner::FindOwnEndTag(HtmlTag tag, size_t at) {
  bool& has_none = has_no_end_tag_[static_cast<size_t>(tag)];
  if (has_none) return kNowhere;
  const std::string_view name = NameOf(tag);
  const size_t begin = at;
  size_t last = kNowhere, open = 1;
  for (; at < html_.size(); ++at) {
    at = FindMarkup(at);
    if (at + 1 >= html_.size()) continue;
    if (html_[at + 1] != '/') {
      open += IsTagAt(at + 1, name) ? 1 : 0;
    } else if (IsTagAt(at + 2, name)) {
      last = at;
      if (--open == 0) break;
    }
  }
  has_none = open > 0;  // none behind the last one
  steps_ += at - begin;
  return last;
}

}  // namespace zhiwen
