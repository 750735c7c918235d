#ifndef ZHIWEN_DOCUMENT_HTML_HTML_SCANNER_H_
#define ZHIWEN_DOCUMENT_HTML_HTML_SCANNER_H_

// Cuts HTML into tags, comments and the contents of elements that hold no HTML.
//
// In          a page, whose bytes are read where a caller says
// Out         where each piece ends, and the attributes of tags that matter
// Guarantees  all calls together look at each byte a bounded number of times, provided that the
//             positions asked for ascend: what was not found once is not searched for again
// Threads     one at a time

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "document/html/html_tag.h"

namespace zhiwen {

// The attributes that matter, as written; the first of equal names counts. What <font> says shares
// places with what <meta> says: `name` is also its face, `content` its size, `property` its color.
// (Three more members, emptied for every tag, make the parser 4% slower.)
struct HtmlAttributes {
  std::string_view class_names, id, role, style, href, rel, name, property, itemprop, content, type,
      datetime, lang;
  bool hidden = false, aria_hidden = false;
};

enum class HtmlMarkup : uint8_t {
  kText,      // the '<' stands for itself
  kStartTag,  //
  kEndTag,
  kIgnored,  // comments, declarations
};

struct HtmlToken {
  HtmlMarkup markup = HtmlMarkup::kText;
  HtmlTag tag = HtmlTag::kOther;
  bool closes_itself = false;  // "/>"
  size_t end = 0;              // behind it
};

class HtmlScanner {
 public:
  // `html` must outlive the object.
  explicit HtmlScanner(std::string_view html) : html_(html) {}

  // Reads what begins with the '<' at `at`. attributes() are then those of the tag.
  HtmlToken Read(size_t at);
  const HtmlAttributes& attributes() const { return attributes_; }

  // Returns where the first end tag of `tag` begins, from `at` on, or npos.
  size_t FindEndTag(HtmlTag tag, size_t at);

  // Returns where the end tag begins that belongs to a start tag of `tag` that ends at `at`; where
  // end tags are missing, the last one that there is; or npos.
  size_t FindOwnEndTag(HtmlTag tag, size_t at);

  // Returns the next '<' from `at` on, or the end of the page.
  size_t FindMarkup(size_t at) const;

  uint64_t steps() const { return steps_; }

 private:
  enum class Missing : uint8_t { kComment, kDoubleQuote, kSingleQuote, kGreater, kCount };

  size_t Find(std::string_view what, size_t at, Missing missing);
  HtmlToken ReadDeclaration(size_t at);
  size_t ReadAttributes(size_t at, HtmlToken& token);
  size_t ReadValue(size_t at, std::string_view& value);
  void Note(std::string_view name, std::string_view value);
  bool IsTagAt(size_t at, std::string_view name) const;

  std::string_view html_;
  HtmlAttributes attributes_;
  bool has_attributes_ = false;  // since they were emptied
  std::array<bool, static_cast<size_t>(Missing::kCount)> is_missing_ = {};
  std::array<bool, kHtmlTagCount> has_no_end_tag_ = {};
  uint64_t steps_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_HTML_SCANNER_H_
