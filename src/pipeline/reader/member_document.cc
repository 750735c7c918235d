#include "pipeline/reader/member_document.h"

#include <utility>

#include <fmt/format.h>

#include "base/compress/byte_source.h"
#include "document/archive/archive_source.h"
#include "document/archive/tar_entry.h"
#include "document/array_scanner.h"
#include "document/warc/warc_record.h"
#include "zhiwen/documents.h"

namespace zhiwen {
namespace {

// Why a member is not read as a document; empty where it may be one.
std::string_view WhyNotRead(const TarEntry& entry) {
  const std::string_view head = entry.content.substr(0, kTypeHeadBytes);
  if (BeginsAsArchive(head)) return "it is an archive in an archive; unpack it first";
  if (DetectCompression(head) != Compression::kNone) return "it is compressed; unpack it first";
  constexpr std::string_view kRecords =
      "it holds records, and a member is read as one document; unpack it, and give it by itself";
  const std::optional<DocumentFormat> named = FormatOfPath(entry.name);
  if (named && !IsWholeFile(*named) && *named != DocumentFormat::kArchive) return kRecords;
  const bool is_records =
      BeginsAsWarc(head) || head.starts_with("PAR1") || BeginsAsArrayOfObjects(head);
  return is_records ? kRecords : std::string_view();
}

// The part of a member that a document names stands behind the name of the member.
std::string JoinParts(const std::string& member, const std::string& parts) {
  std::string out;
  for (size_t at = 0; at <= parts.size();) {
    const size_t end = std::min(parts.find('\n', at), parts.size());
    if (at > 0) out += '\n';
    out += member;
    if (end > at) out += "/" + parts.substr(at, end - at);
    at = end + 1;
  }
  return out;
}

}  // namespace

Result<CaptureDocument> ExtractMember(std::string_view bytes, const DocumentHints& hints) {
  TarEntry entry = ParseTarEntry(bytes);
  const auto fail = [&](ErrorCode code, std::string_view why) {
    return Fail(code, fmt::format("\"{}\": {}", entry.name, why));
  };
  if (entry.fault) return fail(entry.fault->code, entry.fault->message);
  if (const std::string_view why = WhyNotRead(entry); !why.empty()) {
    return fail(ErrorCode::kUnreadable, why);
  }
  CaptureDocument out;
  DocumentHints of_member = hints;
  of_member.type = DocumentTypeOfPath(entry.name);
  Result<ExtractedDocument> document = ExtractDocument(entry.content, of_member);
  if (document) {
    out.document = *std::move(document);
    out.document.member = JoinParts(entry.name, out.document.member);
  } else if (document.error().code == ErrorCode::kInvalidArgument) {
    out.no_document = std::move(document).error().message;
  } else {
    return fail(document.error().code, document.error().message);
  }
  out.member = std::move(entry.name);
  return out;
}

std::string IdOfMember(std::string_view archive, std::string_view member) {
  return fmt::format("{}/{}", archive, member);
}

}  // namespace zhiwen
