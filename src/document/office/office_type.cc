#include "document/office/office_type.h"

#include "document/office/docx.h"
#include "document/office/package_parts.h"
#include "document/office/zip_archive.h"

namespace zhiwen {
namespace {

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

Result<DocumentType> TypeOfArchive(std::string_view bytes) {
  ZHIWEN_ASSIGN_OR_RETURN(ZipArchive archive, ZipArchive::Open(bytes));
  if (archive.Has("[Content_Types].xml")) {
    ZHIWEN_ASSIGN_OR_RETURN(const Relationships of_file, ReadRelationships(archive, {}));
    const std::string main = TargetOfKind(of_file, "officeDocument", "word/document.xml");
    if (main.starts_with("word/") && archive.Has(main)) return DocumentType::kDocx;
  }
  return Fail(ErrorCode::kUnreadable, "it is a zip archive; unpack it first");
}

}  // namespace

std::optional<DocumentType> DetectOfficeType(std::string_view head) {
  if (!BeginsAsZip(head)) return std::nullopt;
  for (size_t at = 0; at != std::string_view::npos; at = head.find("PK\x03\x04", at + 1)) {
    const std::string_view name = NameOfMember(head.substr(at));
    if (name.starts_with("word/")) return DocumentType::kDocx;
  }
  return std::nullopt;
}

Result<ExtractedDocument> ExtractPackedDocument(std::string_view bytes) {
  ZHIWEN_RETURN_IF_ERROR(TypeOfArchive(bytes));
  return ExtractDocx(bytes);
}

}  // namespace zhiwen
