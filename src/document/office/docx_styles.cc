#include "document/office/docx_styles.h"

#include <algorithm>
#include <array>

#include "base/utf8/ascii.h"
#include "document/office/xml_reader.h"
#include "document/office/xml_values.h"

namespace zhiwen {
namespace {

constexpr int kMostBases = 32;
constexpr int64_t kBodyOutline = 9;

// The level that the name of a style stands for: "heading 2", "标题 2"; "Title" is 1.
std::optional<uint8_t> HeadingLevelOfName(std::string_view name) {
  const std::string lower = LowerAsciiOf(name);
  if (lower == "title" || lower == "标题") return uint8_t{1};
  for (const std::string_view word : {"heading", "标题", "標題"}) {
    if (!lower.starts_with(word)) continue;
    std::string_view rest = std::string_view(lower).substr(word.size());
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    if (rest.size() == 1 && rest[0] >= '1' && rest[0] <= '9') {
      return static_cast<uint8_t>(rest[0] - '0');
    }
  }
  return std::nullopt;
}

}  // namespace

class StylesVisitor final : public XmlVisitor {
 public:
  explicit StylesVisitor(DocxStyles& styles) : styles_(styles) {}

  void Begin(const XmlElement& element) override {
    const std::string_view value = element.Value("w:val");
    if (element.name == "w:style") return BeginStyle(element);
    if (style_ == nullptr) return;
    if (element.name == "w:name") style_->name = value;
    if (element.name == "w:basedOn") style_->base = value;
    if (element.name == "w:outlineLvl") style_->outline = ParseXmlNumber(value);
    if (element.name == "w:numId") style_->place.list = ParseXmlNumber(value);
    if (element.name == "w:ilvl") style_->place.level = ParseXmlNumber(value);
  }

  void Text(std::string_view) override {}

  void End(std::string_view name, uint64_t) override {
    if (name == "w:style") style_ = nullptr;
  }

 private:
  void BeginStyle(const XmlElement& element) {
    const std::string id(element.Value("w:styleId"));
    style_ = &styles_.styles_[id];
    const bool is_default = element.Find("w:default") && IsOn(element.Find("w:default"));
    if (is_default && element.Value("w:type") == "paragraph") styles_.default_ = id;
  }

  DocxStyles& styles_;
  DocxStyles::Style* style_ = nullptr;
};

Status DocxStyles::Read(std::string_view xml) {
  StylesVisitor visitor(*this);
  return ReadXml(xml, "word/styles.xml", visitor);
}

DocxStyle DocxStyles::Find(std::string_view id) const {
  DocxStyle found;
  std::optional<int64_t> outline;
  std::optional<uint8_t> named;
  std::string_view at = id.empty() ? std::string_view(default_) : id;
  for (int bases = 0; bases < kMostBases; ++bases) {
    const auto style = styles_.find(at);
    if (style == styles_.end()) break;
    const Style& own = style->second;
    if (!outline) outline = own.outline;
    if (!named) named = HeadingLevelOfName(own.name);
    if (!found.place.list) found.place.list = own.place.list;
    if (!found.place.level) found.place.level = own.place.level;
    if (own.base.empty()) break;
    at = own.base;
  }
  if (outline && *outline >= 0 && *outline <= kBodyOutline) {
    found.heading = *outline == kBodyOutline ? 0 : static_cast<uint8_t>(*outline + 1);
  } else {
    found.heading = named;
  }
  return found;
}

void DocxStyles::VisitLists(const std::function<void(const std::string&, int64_t)>& visit) const {
  for (const auto& [id, style] : styles_) {
    if (style.place.list) visit(id, *style.place.list);
  }
}

}  // namespace zhiwen
