#include "document/office/xml_text.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "document/decoded_text.h"
#include "document/office/office_text.h"
#include "document/office/xml_reader.h"

namespace zhiwen {
namespace {

constexpr std::array<std::string_view, 3> kTitles = {"title", "head", "heading"};
constexpr std::array<std::string_view, 14> kSections = {
    "section", "sec",  "sect1", "sect2",   "sect3",    "sect4",   "sect5",
    "chapter", "part", "div",   "article", "appendix", "preface", "book"};

constexpr std::string_view kXmlSpace = " \t\r\n";

// What is behind the prefix that a name has.
std::string_view LocalName(std::string_view name) {
  return name.substr(std::min(name.find(':') + 1, name.size()));
}

bool IsNamedSo(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, LocalName(name)) != names.end();
}

class XmlTextVisitor final : public XmlVisitor {
 public:
  void Begin(const XmlElement& element) override {
    if (IsNamedSo(element.name, kSections)) ++sections_;
    open_.push_back({.begin = element.begin, .blocks = blocks_.size()});
  }

  void Text(std::string_view text) override {
    if (open_.empty()) return;
    if (text_depth_ == 0) {
      if (text.find_first_not_of(kXmlSpace) == std::string_view::npos) return;
      BeginText(text);
    }
    AppendCollapsed(text, block_.text);
  }

  void End(std::string_view name, uint64_t end) override {
    if (text_depth_ == open_.size()) {
      block_.end = end;
      if (IsNamedSo(name, kTitles)) {
        block_.kind = BlockKind::kHeading;
        block_.level = static_cast<uint8_t>(std::clamp<size_t>(sections_, 1, 9));
      }
      blocks_.push_back(std::exchange(block_, {}));
      text_depth_ = 0;
    }
    if (IsNamedSo(name, kSections)) --sections_;
    open_.pop_back();
    last_end_ = end;
  }

  bool is_full() const override { return blocks_.size() > kMostOfficeBlocks; }

  const std::vector<OfficeBlock>& blocks() const { return blocks_; }

 private:
  struct Open {
    uint64_t begin = 0;
    size_t blocks = 0;  // those before it
  };

  // The innermost open element has text of its own. An element that stands before this text on the
  // same line belongs to it: <p><b>Note.</b> The rest.</p>
  void BeginText(std::string_view text) {
    text_depth_ = open_.size();
    block_ = {.begin = open_.back().begin};
    const bool is_new_line = text.front() == '\n' || text.front() == '\r';
    const bool has_one = blocks_.size() == open_.back().blocks + 1;
    if (is_new_line || !has_one || blocks_.back().end != last_end_) return;
    block_.text = std::move(blocks_.back().text);
    blocks_.pop_back();
  }

  std::vector<Open> open_;
  size_t text_depth_ = 0;  // of the element whose text is being gathered; 0: none
  size_t sections_ = 0;
  uint64_t last_end_ = 0;
  OfficeBlock block_;
  std::vector<OfficeBlock> blocks_;
};

}  // namespace

bool BeginsAsXml(std::string_view head) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF", kDeclaration = "<?xml";
  if (head.starts_with(kMark)) head.remove_prefix(kMark.size());
  if (!head.starts_with(kDeclaration)) return false;
  head.remove_prefix(kDeclaration.size());
  return !head.empty() && kXmlSpace.find(head.front()) != std::string_view::npos;
}

Result<ExtractedDocument> ExtractXml(std::string_view bytes) {
  ZHIWEN_ASSIGN_OR_RETURN(const DecodedText decoded,
                          DecodedText::Decode(bytes, {.inner = InnerDeclaration::kXml}));
  ExtractedDocument document;
  document.type = DocumentType::kXml;
  DescribeEncoding(decoded, document);
  XmlTextVisitor visitor;
  ZHIWEN_RETURN_IF_ERROR(ReadXml(bytes, "the file", visitor));
  ZHIWEN_RETURN_IF_ERROR(SetBlocks(visitor.blocks(), document));
  return document;
}

}  // namespace zhiwen
