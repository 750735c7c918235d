#include "document/html_notice.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/utf8/ascii.h"
#include "base/utf8/text_encoding.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

constexpr size_t kHeadBytes = 4096;
constexpr size_t kLongestTag = 10;
constexpr int kLeastTags = 3;

constexpr std::array<std::string_view, 39> kTags = {
    "a",      "article", "b",      "blockquote", "body",   "br",     "center",  "div",
    "em",     "font",    "footer", "form",       "h1",     "h2",     "h3",      "h4",
    "head",   "header",  "html",   "i",          "iframe", "img",    "li",      "link",
    "meta",   "nav",     "ol",     "p",          "pre",    "script", "section", "span",
    "strong", "style",   "table",  "td",         "title",  "tr",     "ul"};

bool IsLetterOrDigit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// `text` behind white space, comments and instructions of XML.
std::string_view PassProlog(std::string_view text) {
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\f"), text.size()));
    const bool is_comment = text.starts_with("<!--");
    if (!is_comment && !text.starts_with("<?")) return text;
    const std::string_view end = is_comment ? "-->" : ">";
    const size_t at = text.find(end);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + end.size());
  }
}

// Returns whether `rest`, the text after "<" or "</", begins with the name of an HTML tag.
bool IsTag(std::string_view rest) {
  std::string name;
  while (name.size() < rest.size() && name.size() <= kLongestTag) {
    const char c = LowerAscii(rest[name.size()]);
    if (!IsLetterOrDigit(c)) break;
    name += c;
  }
  if (name.size() == rest.size() || std::ranges::find(kTags, name) == kTags.end()) return false;
  return std::string_view("> /\t\r\n").find(rest[name.size()]) != std::string_view::npos;
}

}  // namespace

bool BeginsAsHtml(std::string_view head) {
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  head = PassProlog(head);
  constexpr std::array<std::string_view, 6> kFirst = {"<!doctype html", "<html",  "<head",
                                                      "<body",          "<title", "<meta"};
  return std::ranges::any_of(kFirst,
                             [&](std::string_view tag) { return StartsInAnyCase(head, tag); });
}

bool LooksLikeHtml(std::string_view text) {
  text = text.substr(0, kHeadBytes);
  size_t at = text.find('<');
  if (at == std::string_view::npos) return false;
  if (BeginsAsHtml(text)) return true;
  int opening = 0, closing = 0;
  for (; at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string_view rest = text.substr(at + 1);
    const bool closes = rest.starts_with('/');
    if (!IsTag(closes ? rest.substr(1) : rest)) continue;
    ++(closes ? closing : opening);
    if ((opening > 0 && closing > 0) || opening + closing >= kLeastTags) return true;
  }
  return false;
}

std::string HtmlWarning(const HtmlCount& count, std::string_view noun) {
  return fmt::format(
      "{} of the first {} {} like HTML, and tags are taken for text: say that the text format is "
      "html, or extract the texts first",
      FormatCount(count.html), FormatPlural(count.looked_at, noun),
      count.looked_at == 1 ? "looks" : "look");
}

}  // namespace zhiwen
