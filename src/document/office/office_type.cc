#include "document/office/office_type.h"

#include "document/office/docx.h"
#include "document/office/epub.h"
#include "document/office/odt.h"
#include "document/office/package_parts.h"
#include "document/office/pptx.h"
#include "document/office/xlsx.h"
#include "document/office/zip_archive.h"

namespace zhiwen {
namespace {

constexpr std::string_view kMimeMember = "mimetype";
constexpr std::string_view kMemberBegin = "PK\x03\x04";
constexpr size_t kNameSizeAt = 26, kNameAt = 30;

// The name in the header of a member that `at` begins; empty where it is cut off.
std::string_view NameOfMember(std::string_view at) {
  if (at.size() < kNameAt) return {};
  const auto byte = [&](size_t i) {
    return static_cast<size_t>(static_cast<unsigned char>(at[i]));
  };
  const size_t size = byte(kNameSizeAt) | byte(kNameSizeAt + 1) << 8;
  return at.size() < kNameAt + size ? std::string_view() : at.substr(kNameAt, size);
}

// What the member "mimetype" says, which OpenDocument and EPUB have.
std::optional<DocumentType> TypeOfMime(std::string_view mime) {
  constexpr std::string_view kText = "application/vnd.oasis.opendocument.text";
  if (mime.starts_with("application/epub+zip")) return DocumentType::kEpub;
  if (!mime.starts_with(kText)) return std::nullopt;
  const std::string_view rest = mime.substr(kText.size());
  const bool is_web = rest.starts_with("-web");
  return is_web ? std::nullopt : std::optional(DocumentType::kOdt);
}

// The type of which `part` is the main part in Office Open XML.
std::optional<DocumentType> TypeOfPart(std::string_view part) {
  if (part.starts_with("word/")) return DocumentType::kDocx;
  if (part.starts_with("xl/")) return DocumentType::kXlsx;
  if (part.starts_with("ppt/")) return DocumentType::kPptx;
  return std::nullopt;
}

Result<DocumentType> TypeOfArchive(std::string_view bytes) {
  ZHIWEN_ASSIGN_OR_RETURN(ZipArchive archive, ZipArchive::Open(bytes));
  std::optional<DocumentType> type;
  if (archive.Has("[Content_Types].xml")) {
    ZHIWEN_ASSIGN_OR_RETURN(const Relationships of_file, ReadRelationships(archive, {}));
    const std::string main = TargetOfKind(of_file, "officeDocument", "word/document.xml");
    type = TypeOfPart(main);
    if (main.ends_with(".bin")) {
      return Fail(ErrorCode::kInvalidArgument, "it is a workbook in binary form; save it as XLSX");
    }
  } else if (archive.Has(kMimeMember)) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string mime, archive.Read(kMimeMember));
    type = TypeOfMime(mime);
    if (!type && mime.starts_with("application/vnd.oasis.opendocument.")) {
      return Fail(ErrorCode::kInvalidArgument,
                  "it is an OpenDocument file, but no text; save it as XLSX or PPTX");
    }
  }
  if (!type) return Fail(ErrorCode::kInvalidArgument, "it is a zip archive; unpack it first");
  return *type;
}

}  // namespace

std::optional<DocumentType> DetectOfficeType(std::string_view head) {
  if (!BeginsAsZip(head)) return std::nullopt;
  for (size_t at = 0; at != std::string_view::npos; at = head.find(kMemberBegin, at + 1)) {
    const std::string_view name = NameOfMember(head.substr(at));
    std::optional<DocumentType> type = TypeOfPart(name);
    if (name == kMimeMember) type = TypeOfMime(head.substr(at + kNameAt + name.size()));
    if (type) return type;
  }
  return std::nullopt;
}

Result<ExtractedDocument> ExtractPackedDocument(std::string_view bytes) {
  ZHIWEN_ASSIGN_OR_RETURN(const DocumentType type, TypeOfArchive(bytes));
  switch (type) {
    case DocumentType::kXlsx:
      return ExtractXlsx(bytes);
    case DocumentType::kPptx:
      return ExtractPptx(bytes);
    case DocumentType::kOdt:
      return ExtractOdt(bytes);
    case DocumentType::kEpub:
      return ExtractEpub(bytes);
    default:
      return ExtractDocx(bytes);
  }
}

}  // namespace zhiwen
