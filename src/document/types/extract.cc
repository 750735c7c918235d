#include "zhiwen/extract.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/compress/compression_ending.h"
#include "base/utf8/ascii.h"
#include "base/utf8/text_encoding.h"
#include "base/utf8/transcoder.h"
#include "document/foreign/old_office.h"
#include "document/foreign/ole_directory.h"
#include "document/foreign/pdf.h"
#include "document/foreign/rtf.h"
#include "document/html/web_page.h"
#include "document/html_notice.h"
#include "document/office/office_type.h"
#include "document/office/xml_text.h"
#include "document/office/zip_archive.h"
#include "document/types/markdown.h"
#include "document/types/plain_text.h"
#include "zhiwen/picture.h"

namespace zhiwen {
namespace {

constexpr size_t kMostControls = 32;  // one in so many bytes makes a file a binary one

using TypeName = std::pair<std::string_view, DocumentType>;

constexpr std::array<TypeName, 16> kTypeNames = {{
    {"text", DocumentType::kText},
    {"html", DocumentType::kHtml},
    {"docx", DocumentType::kDocx},
    {"xlsx", DocumentType::kXlsx},
    {"pptx", DocumentType::kPptx},
    {"odt", DocumentType::kOdt},
    {"ods", DocumentType::kOds},
    {"odp", DocumentType::kOdp},
    {"epub", DocumentType::kEpub},
    {"xml", DocumentType::kXml},
    {"pdf", DocumentType::kPdf},
    {"rtf", DocumentType::kRtf},
    {"doc", DocumentType::kDoc},
    {"xls", DocumentType::kXls},
    {"ppt", DocumentType::kPpt},
    {"markdown", DocumentType::kMarkdown},
}};

constexpr std::array<TypeName, 34> kTypeEndings = {{
    {".html", DocumentType::kHtml},   {".htm", DocumentType::kHtml},
    {".xhtml", DocumentType::kHtml},  {".shtml", DocumentType::kHtml},
    {".docx", DocumentType::kDocx},   {".docm", DocumentType::kDocx},
    {".dotx", DocumentType::kDocx},   {".dotm", DocumentType::kDocx},
    {".xlsx", DocumentType::kXlsx},   {".xlsm", DocumentType::kXlsx},
    {".pptx", DocumentType::kPptx},   {".pptm", DocumentType::kPptx},
    {".odt", DocumentType::kOdt},     {".ott", DocumentType::kOdt},
    {".ods", DocumentType::kOds},     {".ots", DocumentType::kOds},
    {".odp", DocumentType::kOdp},     {".otp", DocumentType::kOdp},
    {".epub", DocumentType::kEpub},   {".xml", DocumentType::kXml},
    {".pdf", DocumentType::kPdf},     {".rtf", DocumentType::kRtf},
    {".doc", DocumentType::kDoc},     {".dot", DocumentType::kDoc},
    {".wps", DocumentType::kDoc},     {".xls", DocumentType::kXls},
    {".xlt", DocumentType::kXls},     {".et", DocumentType::kXls},
    {".ppt", DocumentType::kPpt},     {".pps", DocumentType::kPpt},
    {".dps", DocumentType::kPpt},     {".txt", DocumentType::kText},
    {".md", DocumentType::kMarkdown}, {".markdown", DocumentType::kMarkdown},
}};

// What files of other kinds begin with, and what a message calls them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOthers = {{
    {"7z\xBC\xAF", "a 7z archive; unpack it first"},
    {"\xFD\x37\x7A\x58", "xz data; decompress it first (unxz)"},
    {"BZh", "bzip2 data; decompress it first (bunzip2)"},
    {"\x7F"
     "ELF",
     "a program"},
    {"zhiwen\x1A\n", "a file that zhiwen made"},
}};

size_t CountControls(std::string_view head) {
  return static_cast<size_t>(std::ranges::count_if(head, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && (c < '\t' || c > '\r') && c != '\x1b';
  }));
}

// The first bytes of a text in UTF-16 as UTF-8, and other bytes as they are.
std::string ReadableHead(std::string_view head) {
  const bool may_be_utf16 = BeginsAsUtf16(head) || CountControls(head) > 0;
  const TextEncoding encoding =
      may_be_utf16 ? DetectTextEncoding(head, HeadEnd::kCut) : TextEncoding::kUtf8;
  if (!IsUtf16(encoding)) return std::string(head);
  std::string text;
  if (Result<TextDecoder> decoder = TextDecoder::Create(encoding)) decoder->Decode(head, text);
  return text;
}

bool IsBinary(std::string_view head) { return CountControls(head) * kMostControls > head.size(); }

// Why the first bytes of a file are no document; empty where they may be one.
std::string_view WhyNoDocument(std::string_view first, std::string_view readable) {
  if (BeginsAsPicture(first)) return "a picture";
  for (const auto& [magic, what] : kOthers) {
    if (first.starts_with(magic)) return what;
  }
  return IsBinary(readable) ? "a binary file of no known type" : std::string_view();
}

// Whether documents of a type begin with bytes that show it.
bool ShowsItself(std::optional<DocumentType> type) {
  return type && *type != DocumentType::kText && *type != DocumentType::kHtml &&
         *type != DocumentType::kXml && *type != DocumentType::kMarkdown;
}

// Markdown may begin with a tag, and is no page then.
bool IsMarkdown(std::string_view head, const DocumentHints& hints) {
  head = Trim(head, " \t\r\n");
  return hints.type == DocumentType::kMarkdown && !StartsInAnyCase(head, "<!doctype") &&
         !StartsInAnyCase(head, "<html");
}

// Pages may begin as XML does and be none.
Result<ExtractedDocument> ExtractXmlOrPage(std::string_view bytes, const DocumentHints& hints) {
  Result<ExtractedDocument> document = ExtractXml(bytes);
  if (document || !LooksLikeHtml(bytes)) return document;
  return ExtractWebPage(bytes, hints);
}

}  // namespace

std::string_view DocumentTypeName(DocumentType type) {
  return std::ranges::find(kTypeNames, type, &TypeName::second)->first;
}

std::string_view ExtractedKindName(ExtractedKind kind) {
  switch (kind) {
    case ExtractedKind::kArticle:
      return "article";
    case ExtractedKind::kForum:
      return "forum";
    case ExtractedKind::kList:
      return "list";
    case ExtractedKind::kEmpty:
      return "empty";
    case ExtractedKind::kObfuscated:
      return "obfuscated";
  }
  return "";
}

std::string_view BlockKindName(BlockKind kind) {
  switch (kind) {
    case BlockKind::kParagraph:
      return "paragraph";
    case BlockKind::kHeading:
      return "heading";
    case BlockKind::kListItem:
      return "list_item";
    case BlockKind::kTableRow:
      return "table_row";
    case BlockKind::kCode:
      return "code";
    case BlockKind::kQuote:
      return "quote";
  }
  return "";
}

std::optional<DocumentType> DocumentTypeOfPath(std::string_view path) {
  RemoveCompressionEnding(path);
  for (const auto& [ending, type] : kTypeEndings) {
    if (path.size() > ending.size() && EndsInAnyCase(path, ending)) return type;
  }
  return std::nullopt;
}

std::vector<std::string_view> DocumentEndings() {
  std::vector<std::string_view> endings;
  for (const auto& [ending, type] : kTypeEndings) {
    if (type != DocumentType::kText) endings.push_back(ending);
  }
  return endings;
}

std::optional<DocumentType> DetectDocumentType(std::string_view head) {
  const std::string readable = ReadableHead(head);
  if (BeginsAsHtml(readable)) return DocumentType::kHtml;
  if (BeginsAsXml(readable)) return DocumentType::kXml;
  if (BeginsAsPdf(head)) return DocumentType::kPdf;
  if (BeginsAsRtf(head)) return DocumentType::kRtf;
  if (BeginsAsOle(head)) return DocumentType::kDoc;
  return DetectOfficeType(head);
}

Result<ExtractedDocument> ExtractDocument(std::string_view bytes, const DocumentHints& hints) {
  if (bytes.size() > kMostDocumentBytes) {
    return Fail(ErrorCode::kExhausted, "a document of more than 1 GiB is not read");
  }
  const std::string_view first = bytes.substr(0, kTypeHeadBytes);
  if (BeginsAsZip(first)) return ExtractPackedDocument(bytes);
  std::optional<DocumentType> type = DetectDocumentType(first);
  if (type == DocumentType::kHtml && IsMarkdown(first, hints)) type = std::nullopt;
  if (!type) {
    const std::string head = ReadableHead(first);
    if (const std::string_view why = WhyNoDocument(first, head); !why.empty()) {
      return Fail(ErrorCode::kInvalidArgument, fmt::format("it is {}", why));
    }
    type = ShowsItself(hints.type) ? std::nullopt : hints.type;
    if (!type) type = LooksLikeHtml(head) ? DocumentType::kHtml : DocumentType::kText;
  }
  switch (*type) {
    case DocumentType::kPdf:
      return ExtractPdf(bytes);
    case DocumentType::kRtf:
      return ExtractRtf(bytes);
    case DocumentType::kDoc:
      return ExtractOldOffice(bytes);
    case DocumentType::kXml:
      return ExtractXmlOrPage(bytes, hints);
    case DocumentType::kHtml:
      return ExtractWebPage(bytes, hints);
    case DocumentType::kMarkdown:
      return ExtractMarkdown(bytes, hints);
    default:
      return ExtractPlainText(bytes, hints);
  }
}

}  // namespace zhiwen
