#include "document/office/epub.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "document/html/web_page.h"
#include "document/office/office_text.h"
#include "document/office/package_parts.h"
#include "document/office/xml_reader.h"
#include "document/office/zip_archive.h"

namespace zhiwen {
namespace {

class ContainerVisitor final : public XmlVisitor {
 public:
  void Begin(const XmlElement& element) override {
    if (element.name == "ocf:rootfile" && path_.empty()) path_ = element.Value("full-path");
  }
  void Text(std::string_view) override {}
  void End(std::string_view, uint64_t) override {}

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// "%20" as a space; links in a package are addresses.
std::string DecodePercent(std::string_view address) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  };
  std::string path;
  for (size_t i = 0; i < address.size(); ++i) {
    const bool is_coded = address[i] == '%' && i + 2 < address.size() &&
                          digit(address[i + 1]) >= 0 && digit(address[i + 2]) >= 0;
    path += is_coded ? static_cast<char>(digit(address[i + 1]) << 4 | digit(address[i + 2]))
                     : address[i];
    if (is_coded) i += 2;
  }
  return path.substr(0, path.find('#'));
}

// The pages of a book in the order of reading.
class PackageVisitor final : public XmlVisitor {
 public:
  void Begin(const XmlElement& element) override {
    if (element.name == "opf:item") {
      const std::string_view type = element.Value("media-type");
      const bool is_contents = element.Value("properties").find("nav") != std::string_view::npos;
      const bool is_page =
          type == "application/xhtml+xml" || type == "text/html" || type == "text/x-oeb1-document";
      if (!is_page || is_contents) return;
      items_[std::string(element.Value("id"))] = DecodePercent(element.Value("href"));
    }
    if (element.name != "opf:itemref") return;
    const auto item = items_.find(std::string(element.Value("idref")));
    if (item != items_.end()) pages_.push_back(item->second);
  }
  void Text(std::string_view) override {}
  void End(std::string_view, uint64_t) override {}

  const std::vector<std::string>& pages() const { return pages_; }

 private:
  std::map<std::string, std::string> items_;
  std::vector<std::string> pages_;
};

// Elements whose text HTML reads up to their end tag, which empty ones of XHTML do not have.
constexpr std::array<std::string_view, 7> kRawElements = {"script",   "style",  "title", "textarea",
                                                          "noscript", "iframe", "xmp"};

// Whether `tag` begins with the name of one of these, behind its "<".
bool IsRawElement(std::string_view tag) {
  return std::ranges::any_of(kRawElements, [&](std::string_view name) {
    return tag.substr(1).starts_with(name) && tag.size() > name.size() + 1 &&
           std::string_view(" \t\r\n/").find(tag[name.size() + 1]) != std::string_view::npos;
  });
}

// Puts spaces where a page of XHTML has empty elements of that kind: <script src="a.js"/>.
void BlankEmptyElements(std::string& page) {
  for (size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    if (!IsRawElement(std::string_view(page).substr(at))) continue;
    const size_t end = page.find_first_of("<>", at + 1);
    if (end == std::string::npos) return;
    if (page[end] != '>' || page[end - 1] != '/') continue;
    std::fill(page.begin() + static_cast<std::ptrdiff_t>(at),
              page.begin() + static_cast<std::ptrdiff_t>(end) + 1, ' ');
  }
}

std::vector<OfficeBlock> BlocksOfPage(const ExtractedDocument& page) {
  std::vector<OfficeBlock> blocks;
  blocks.reserve(page.blocks.size());
  for (const ExtractedBlock& block : page.blocks) {
    blocks.push_back({.kind = block.kind,
                      .level = block.level,
                      .begin = block.source.begin.value,
                      .end = block.source.end.value,
                      .text = page.text.substr(block.text.begin.value, block.text.size())});
  }
  return blocks;
}

Result<std::string> FindPackage(ZipArchive& archive) {
  constexpr std::string_view kContainer = "META-INF/container.xml";
  ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(kContainer));
  ContainerVisitor container;
  ZHIWEN_RETURN_IF_ERROR(ReadXml(xml, kContainer, container));
  return container.path();
}

}  // namespace

Result<ExtractedDocument> ExtractEpub(std::string_view bytes) {
  ZHIWEN_ASSIGN_OR_RETURN(ZipArchive archive, ZipArchive::Open(bytes));
  // Fonts alone may be encrypted, by a key that stands in the file; pages are when there are
  // rights.
  if (archive.Has("META-INF/rights.xml")) {
    return Fail(ErrorCode::kUnreadable,
                "it is a book that is encrypted; get it without protection");
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::string path, FindPackage(archive));
  ExtractedDocument document;
  document.type = DocumentType::kEpub;
  ZHIWEN_RETURN_IF_ERROR(ReadProperties(archive, path, document));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(path));
  PackageVisitor package;
  ZHIWEN_RETURN_IF_ERROR(ReadXml(xml, path, package));
  const std::string folder =
      path.substr(0, path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  MemberBlocks members;
  for (const std::string& href : package.pages()) {
    const std::string member = ResolveTarget(folder, href);
    ZHIWEN_ASSIGN_OR_RETURN(std::string html, archive.Read(member));
    BlankEmptyElements(html);
    ZHIWEN_ASSIGN_OR_RETURN(const ExtractedDocument page, ExtractWholePage(html));
    if (document.encoding.empty()) document.encoding = page.encoding;
    document.encoding_errors += page.encoding_errors;
    members.Add(member, html.size(), BlocksOfPage(page));
  }
  ZHIWEN_RETURN_IF_ERROR(members.Finish(document));
  return document;
}

}  // namespace zhiwen
