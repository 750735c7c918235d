// Any bytes are an office file or are refused: as a whole, and as a part of a sound file of each
// kind, which the first byte chooses; the first bytes of RTF and OLE files are given. What is
// extracted is UTF-8 that leads back to the part.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8/utf8.h"
#include "document/foreign/ole_directory.h"
#include "document/foreign/ole_properties.h"
#include "document/foreign/rtf.h"
#include "document/office/office_type.h"
#include "document/office/xml_text.h"
#include "require.h"
#include "support/stored_zip.h"

namespace {

using namespace zhiwen;

void CheckDocument(const Result<ExtractedDocument>& document) {
  if (!document) return Require(!document.error().message.empty());
  Require(IsValidUtf8(document->text));
  Require(document->text.empty() == (document->kind == ExtractedKind::kEmpty));
  Require(std::ranges::all_of(document->blocks, [&](const ExtractedBlock& block) {
    return block.text.begin < block.text.end && block.text.end.value <= document->text.size() &&
           block.source.begin < block.source.end;
  }));
}

void CheckProperties(std::string_view stream) {
  const OleProperties says = ReadOleProperties(stream);
  for (const std::string& text : {says.title, says.author, says.date}) {
    Require(IsValidUtf8(text) && text.size() <= 3 * stream.size());
  }
}

void CheckOle(const std::string& bytes) {
  const std::vector<std::string> names = NamesInOleRoot(bytes);
  Require(names.size() <= bytes.size());
  constexpr size_t kStreams = 8;  // a directory may have very many
  for (size_t i = 0; i < std::min(names.size(), kStreams); ++i) {
    const std::string stream = StreamInOleRoot(bytes, names[i]);
    Require(stream.size() <= kMostOleStreamBytes);
    CheckProperties(stream);
  }
}

constexpr std::string_view kRelationships =
    "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">";
constexpr std::string_view kType =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";

std::string Relate(std::string_view id, std::string_view kind, std::string_view target) {
  return "<Relationship Id=\"" + std::string(id) + "\" Type=\"" + std::string(kType) +
         std::string(kind) + "\" Target=\"" + std::string(target) + "\"/>";
}

// A file of Office Open XML with this main part, which may refer to `bytes` as each kind of part.
std::string PackageWith(const std::string& main, const std::string& bytes) {
  const std::string folder = main.substr(0, main.find('/') + 1);
  const std::string name = main.substr(folder.size());
  std::string parts(kRelationships);
  int number = 0;
  for (const std::string_view kind : {"styles", "numbering", "footnotes", "header", "worksheet",
                                      "sharedStrings", "slide", "notesSlide"}) {
    parts += Relate("rId" + std::to_string(++number), kind, name);
  }
  return StoredZip(
      {{"[Content_Types].xml", "<Types/>"},
       {"_rels/.rels",
        std::string(kRelationships) + Relate("rId1", "officeDocument", main) + "</Relationships>"},
       {folder + "_rels/" + name + ".rels", parts + "</Relationships>"},
       {main, bytes}});
}

std::string OpenDocumentWith(std::string_view kind, const std::string& bytes) {
  const std::string mime = "application/vnd.oasis.opendocument." + std::string(kind);
  return StoredZip({{"mimetype", mime}, {"content.xml", bytes}});
}

std::string BookWith(const std::string& bytes) {
  return StoredZip(
      {{"mimetype", "application/epub+zip"},
       {"META-INF/container.xml",
        "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles>"
        "<rootfile full-path=\"b.opf\"/></rootfiles></container>"},
       {"b.opf", bytes}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 11) {
    case 0:
      CheckDocument(ExtractPackedDocument(bytes));
      break;
    case 1:
      CheckDocument(ExtractPackedDocument(PackageWith("word/document.xml", bytes)));
      break;
    case 2:
      CheckDocument(ExtractPackedDocument(PackageWith("xl/workbook.xml", bytes)));
      break;
    case 3:
      CheckDocument(ExtractPackedDocument(PackageWith("ppt/presentation.xml", bytes)));
      break;
    case 4:
      CheckDocument(ExtractPackedDocument(OpenDocumentWith("text", bytes)));
      break;
    case 5:
      CheckDocument(ExtractPackedDocument(BookWith(bytes)));
      break;
    case 6:
      CheckDocument(ExtractXml(bytes));
      break;
    case 7:
      CheckDocument(ExtractRtf("{\\rtf1" + bytes));
      break;
    case 8:
      CheckOle("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + bytes);
      CheckProperties(bytes);
      break;
    case 9:
      CheckDocument(ExtractPackedDocument(OpenDocumentWith("spreadsheet", bytes)));
      break;
    default:
      CheckDocument(ExtractPackedDocument(OpenDocumentWith("presentation", bytes)));
  }
  return 0;
}
