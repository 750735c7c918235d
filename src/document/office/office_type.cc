#include "document/office/office_type.h"

#include <algorithm>

#include "document/office/docx.h"
#include "document/office/epub.h"
#include "document/office/open_document.h"
#include "document/office/package_parts.h"
#include "document/office/pptx.h"
#include "document/office/xlsx.h"
#include "document/office/zip_archive.h"

namespace zhiwen {
namespace {

constexpr std::string_view kMimeMember = "mimetype";
constexpr std::string_view kContentTypes = "[Content_Types].xml";
constexpr std::string_view kOpenDocument = "application/vnd.oasis.opendocument.";
constexpr std::string_view kMemberBegin = "PK\x03\x04";
constexpr size_t kPackedSizeAt = 18, kNameSizeAt = 26, kExtraSizeAt = 28, kNameAt = 30;

size_t LittleEndian(std::string_view bytes, size_t count) {
  size_t value = 0;
  for (size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// Calls visit(name, what follows the name) for the members whose headers are in `head`, until it
// returns true. Members may be archives of their own, whose members are none of this one.
template <typename Visit>
void VisitMembers(std::string_view head, const Visit& visit) {
  while (head.starts_with(kMemberBegin) && head.size() >= kNameAt) {
    const size_t name_end = kNameAt + LittleEndian(head.substr(kNameSizeAt), 2);
    if (head.size() < name_end) return;
    if (visit(head.substr(kNameAt, name_end - kNameAt), head.substr(name_end))) return;
    const size_t content = name_end + LittleEndian(head.substr(kExtraSizeAt), 2);
    const size_t packed = LittleEndian(head.substr(kPackedSizeAt), 4);  // 0: told behind it
    const size_t next = packed > 0 ? content + packed : head.find(kMemberBegin, content);
    head.remove_prefix(std::min(next, head.size()));
  }
}

// What the member "mimetype" says, which OpenDocument and EPUB have.
std::optional<DocumentType> TypeOfMime(std::string_view mime) {
  if (mime.starts_with("application/epub+zip")) return DocumentType::kEpub;
  if (!mime.starts_with(kOpenDocument)) return std::nullopt;
  mime.remove_prefix(kOpenDocument.size());
  if (mime.starts_with("text-web")) return std::nullopt;
  if (mime.starts_with("text")) return DocumentType::kOdt;
  if (mime.starts_with("spreadsheet")) return DocumentType::kOds;
  if (mime.starts_with("presentation")) return DocumentType::kOdp;
  return std::nullopt;
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
  if (archive.Has(kContentTypes)) {
    ZHIWEN_ASSIGN_OR_RETURN(const Relationships of_file, ReadRelationships(archive, {}));
    const std::string main = TargetOfKind(of_file, "officeDocument", "word/document.xml");
    type = TypeOfPart(main);
    if (main.ends_with(".bin")) {
      return Fail(ErrorCode::kInvalidArgument, "it is a workbook in binary form; save it as XLSX");
    }
  } else if (archive.Has(kMimeMember)) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string mime, archive.Read(kMimeMember));
    type = TypeOfMime(mime);
    if (!type && mime.starts_with(kOpenDocument)) {
      return Fail(ErrorCode::kInvalidArgument,
                  "it is an OpenDocument file, but no text, spreadsheet or presentation");
    }
  }
  if (!type) return Fail(ErrorCode::kInvalidArgument, "it is a zip archive, and no document");
  return *type;
}

}  // namespace

std::optional<DocumentType> DetectOfficeType(std::string_view head) {
  std::optional<DocumentType> type;
  VisitMembers(head, [&](std::string_view name, std::string_view behind) {
    type = name == kMimeMember ? TypeOfMime(behind) : TypeOfPart(name);
    return type.has_value();
  });
  return type;
}

bool BeginsAsPackage(std::string_view head) {
  if (DetectOfficeType(head)) return true;
  bool is_package = false;
  VisitMembers(head, [&](std::string_view name, std::string_view) {
    is_package = name == kMimeMember || name == kContentTypes || name == "_rels/.rels";
    return is_package;
  });
  return is_package;
}

Result<ExtractedDocument> ExtractPackedDocument(std::string_view bytes) {
  ZHIWEN_ASSIGN_OR_RETURN(const DocumentType type, TypeOfArchive(bytes));
  switch (type) {
    case DocumentType::kXlsx:
      return ExtractXlsx(bytes);
    case DocumentType::kPptx:
      return ExtractPptx(bytes);
    case DocumentType::kOdt:
    case DocumentType::kOds:
    case DocumentType::kOdp:
      return ExtractOpenDocument(bytes, type);
    case DocumentType::kEpub:
      return ExtractEpub(bytes);
    default:
      return ExtractDocx(bytes);
  }
}

}  // namespace zhiwen
