#include "document/office/docx.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "document/office/docx_body.h"
#include "document/office/package_parts.h"
#include "document/office/zip_archive.h"

namespace zhiwen {
namespace {

using PartTexts = std::map<std::string, std::string, std::less<>>;

// Reads the texts of notes, which `reference` elements show.
Status ReadNotes(ZipArchive& archive, const Relationships& relationships, std::string_view kind,
                 std::string_view reference, DocxParts& parts) {
  const std::string path = TargetOfKind(relationships, kind, {});
  if (path.empty() || !archive.Has(path)) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(path));
  DocxBodyVisitor visitor(parts);
  ZHIWEN_RETURN_IF_ERROR(ReadXml(xml, path, visitor));
  for (auto& [id, text] : visitor.notes()) {
    parts.texts[fmt::format("{} {}", reference, id)] = std::move(text);
  }
  return {};
}

// Reads the texts of headers and footers. One that says the same as another is left out.
Status ReadHeaders(ZipArchive& archive, const Relationships& relationships, DocxParts& parts) {
  std::set<std::string> known;
  for (const auto& [id, relationship] : relationships) {
    if (relationship.kind != "header" && relationship.kind != "footer") continue;
    if (!archive.Has(relationship.target)) continue;
    ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(relationship.target));
    DocxBodyVisitor visitor(parts);
    ZHIWEN_RETURN_IF_ERROR(ReadXml(xml, relationship.target, visitor));
    std::string text;
    for (const OfficeBlock& block : visitor.TakeBlocks()) {
      if (!block.text.empty()) text.append(text.empty() ? "" : "\n").append(block.text);
    }
    if (!known.insert(text).second) continue;
    parts.texts[fmt::format("w:{}Reference {}", relationship.kind, id)] = std::move(text);
  }
  return {};
}

Result<DocxParts> ReadParts(ZipArchive& archive, const Relationships& relationships) {
  DocxParts parts;
  const std::string styles = TargetOfKind(relationships, "styles", {});
  if (!styles.empty() && archive.Has(styles)) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(styles));
    ZHIWEN_RETURN_IF_ERROR(parts.styles.Read(xml));
  }
  const std::string numbering = TargetOfKind(relationships, "numbering", {});
  if (!numbering.empty() && archive.Has(numbering)) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(numbering));
    ZHIWEN_RETURN_IF_ERROR(parts.numbering.Read(xml));
  }
  parts.styles.VisitLists(
      [&](const std::string& style, int64_t list) { parts.numbering.LinkStyle(style, list); });
  ZHIWEN_RETURN_IF_ERROR(
      ReadNotes(archive, relationships, "footnotes", "w:footnoteReference", parts));
  ZHIWEN_RETURN_IF_ERROR(
      ReadNotes(archive, relationships, "endnotes", "w:endnoteReference", parts));
  ZHIWEN_RETURN_IF_ERROR(ReadHeaders(archive, relationships, parts));
  return parts;
}

void AddDocxNotes(const DocxBodyVisitor& visitor, ExtractedDocument& document) {
  if (visitor.has_comments()) document.notes.emplace_back("comments are left out");
  if (visitor.has_hidden()) document.notes.emplace_back("hidden text is left out");
  if (visitor.has_embedded()) {
    document.notes.emplace_back("files that are embedded as parts of the text are left out");
  }
}

}  // namespace

Result<ExtractedDocument> ExtractDocx(std::string_view bytes) {
  ZHIWEN_ASSIGN_OR_RETURN(ZipArchive archive, ZipArchive::Open(bytes));
  ZHIWEN_ASSIGN_OR_RETURN(const Relationships of_file, ReadRelationships(archive, {}));
  ExtractedDocument document;
  document.type = DocumentType::kDocx;
  document.encoding = "utf-8";
  document.member = TargetOfKind(of_file, "officeDocument", "word/document.xml");
  ZHIWEN_RETURN_IF_ERROR(ReadCoreProperties(archive, of_file, document));
  ZHIWEN_ASSIGN_OR_RETURN(const Relationships relationships,
                          ReadRelationships(archive, document.member));
  ZHIWEN_ASSIGN_OR_RETURN(DocxParts parts, ReadParts(archive, relationships));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(document.member));
  DocxBodyVisitor visitor(parts);
  ZHIWEN_RETURN_IF_ERROR(ReadXml(xml, document.member, visitor));
  ZHIWEN_RETURN_IF_ERROR(SetBlocks(visitor.TakeBlocks(), document));
  AddDocxNotes(visitor, document);
  return document;
}

}  // namespace zhiwen
