#ifndef ZHIWEN_DOCUMENT_HTML_HTML_TAG_H_
#define ZHIWEN_DOCUMENT_HTML_HTML_TAG_H_

// The elements of HTML whose names matter for the text of a page.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace zhiwen {

enum class HtmlTag : uint8_t {
  kOther,  // every other name: its tags are passed over, and its text stays
  kA,
  kAddress,
  kArticle,
  kAside,
  kB,
  kBase,
  kBlockquote,
  kBody,
  kBr,
  kButton,
  kCaption,
  kCenter,
  kDd,
  kDetails,
  kDialog,
  kDir,
  kDiv,
  kDl,
  kDt,
  kEm,
  kFieldset,
  kFigcaption,
  kFigure,
  kFont,
  kFooter,
  kForm,
  kH1,
  kH2,
  kH3,
  kH4,
  kH5,
  kH6,
  kHeader,
  kHr,
  kHtml,
  kI,
  kIframe,
  kImg,
  kLabel,
  kLi,
  kLink,
  kMain,
  kMenu,
  kMeta,
  kNav,
  kNoembed,
  kNoframes,
  kNoscript,
  kOl,
  kP,
  kPre,
  kScript,
  kSection,
  kSelect,
  kSpan,
  kStrong,
  kStyle,
  kSummary,
  kSvg,
  kTable,
  kTbody,
  kTd,
  kTemplate,
  kTextarea,
  kTfoot,
  kTh,
  kThead,
  kTime,
  kTitle,
  kTr,
  kUl,
  kXmp,
};
inline constexpr size_t kHtmlTagCount = static_cast<size_t>(HtmlTag::kXmp) + 1;

// What the tags of an element do to the text around them.
enum class HtmlTagKind : uint8_t {
  kPassed,   // nothing
  kBlock,    // they end a block of text, and the element is a node of the page
  kInline,   // the element says something about the text inside: a link, bold, hidden
  kVoid,     // the element has no end tag and no text
  kRaw,      // what is inside is no HTML, up to the end tag
  kSkipped,  // what is inside is no text, up to the end tag that belongs to the start tag
};

HtmlTagKind KindOf(HtmlTag tag);

// Returns "h1"; "" for kOther.
std::string_view NameOf(HtmlTag tag);

// Returns the tag with this name, in any case.
HtmlTag ParseHtmlTag(std::string_view name);

struct HtmlTagName {
  HtmlTag tag = HtmlTag::kOther;
  size_t end = 0;
};

// Reads the name at `at`, up to white space, '/', '>' or the end of `html`.
HtmlTagName ReadHtmlTagName(std::string_view html, size_t at);

// Returns 1 to 6 for h1 to h6, 0 for others.
constexpr int HeadingLevel(HtmlTag tag) {
  const int level = static_cast<int>(tag) - static_cast<int>(HtmlTag::kH1) + 1;
  return level >= 1 && level <= 6 ? level : 0;
}

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_HTML_TAG_H_
