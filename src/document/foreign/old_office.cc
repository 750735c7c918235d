#include "document/foreign/old_office.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/process/child_process.h"
#include "base/utf8/ascii.h"
#include "document/foreign/foreign_program.h"
#include "document/foreign/ole_directory.h"
#include "document/foreign/ole_properties.h"
#include "document/office/office_text.h"

namespace zhiwen {
namespace {

constexpr char kCellEnd = '|';  // as antiword draws tables

Result<ForeignText> ReadWord(std::string_view bytes) {
  Result<ForeignText> text =
      ReadTwiceByProgram({.name = "antiword",
                          .package = "antiword",
                          .files = "DOC files",
                          .arguments = {"-m", "UTF-8.txt", "-w", "0", kChildInput}},
                         bytes);
  if (text || text.error().code == ErrorCode::kExhausted) return text;
  Result<ForeignText> other = ReadTwiceByProgram({.name = "catdoc",
                                                  .package = "catdoc",
                                                  .files = "DOC files",
                                                  .arguments = {"-w", "-d", "utf-8", kChildInput}},
                                                 bytes);
  return other ? std::move(other) : std::move(text);
}

Result<ForeignText> ReadSheets(std::string_view bytes) {
  return ReadTwiceByProgram({.name = "xls2csv",
                             .package = "catdoc",
                             .files = "XLS files",
                             .arguments = {"-d", "utf-8", "-q", "0", "-c", "\t", kChildInput}},
                            bytes);
}

Result<ForeignText> ReadSlides(std::string_view bytes) {
  return ReadTwiceByProgram({.name = "catppt",
                             .package = "catdoc",
                             .files = "PPT files",
                             .arguments = {"-d", "utf-8", kChildInput}},
                            bytes);
}

// "|a  |b  |" as "a", a tab, "b".
std::string CellsOf(std::string_view drawn) {
  std::string cells;
  drawn.remove_prefix(1);
  while (!drawn.empty()) {
    const size_t end = std::min(drawn.find(kCellEnd), drawn.size());
    cells.append(Trim(drawn.substr(0, end), " \t")).append("\t");
    drawn.remove_prefix(std::min(end + 1, drawn.size()));
  }
  return cells;
}

// Takes out what antiword writes for a picture.
void RemovePictures(std::string& line) {
  constexpr std::string_view kPicture = "[pic]";
  for (size_t at = 0; (at = line.find(kPicture, at)) != std::string::npos;) {
    line.erase(at, kPicture.size());
  }
}

std::vector<OfficeBlock> BlocksOfLines(std::string_view text, DocumentType type) {
  std::vector<OfficeBlock> blocks;
  while (!text.empty() && blocks.size() <= kMostOfficeBlocks) {  // SetBlocks refuses more
    const size_t end = std::min(text.find_first_of("\n\f"), text.size());
    OfficeBlock block{.text = std::string(Trim(text.substr(0, end), " \t"))};
    text.remove_prefix(std::min(end + 1, text.size()));
    if (type == DocumentType::kDoc) RemovePictures(block.text);
    const bool is_drawn = type == DocumentType::kDoc && block.text.size() > 1 &&
                          block.text.front() == kCellEnd && block.text.back() == kCellEnd;
    if (is_drawn) block.text = CellsOf(block.text);
    if (is_drawn || type == DocumentType::kXls) block.kind = BlockKind::kTableRow;
    if (!block.text.empty()) blocks.push_back(std::move(block));
  }
  return blocks;
}

Result<DocumentType> TypeOfOle(std::string_view bytes) {
  const std::vector<std::string> names = NamesInOleRoot(bytes);
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(names, [&](const std::string& there) {
      return std::ranges::equal(there, name, {}, [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      });
    });
  };
  if (has("ENCRYPTEDPACKAGE")) {
    return Fail(ErrorCode::kUnreadable,
                "the file is encrypted; save it without a password and try again");
  }
  if (HasCircleOfSectors(bytes)) {
    return Fail(ErrorCode::kUnreadable,
                "the OLE file is damaged: a chain of its sectors leads back to itself");
  }
  if (has("WORDDOCUMENT")) return DocumentType::kDoc;
  if (has("WORKBOOK") || has("BOOK")) return DocumentType::kXls;
  if (has("POWERPOINT DOCUMENT")) return DocumentType::kPpt;
  if (names.empty()) return Fail(ErrorCode::kUnreadable, "the OLE file is damaged");
  return Fail(ErrorCode::kInvalidArgument,
              "it is an OLE file, but no document of Word, Excel or PowerPoint");
}

}  // namespace

Result<ExtractedDocument> ExtractOldOffice(std::string_view bytes) {
  ExtractedDocument document;
  ZHIWEN_ASSIGN_OR_RETURN(document.type, TypeOfOle(bytes));
  const auto read = document.type == DocumentType::kDoc   ? ReadWord
                    : document.type == DocumentType::kXls ? ReadSheets
                                                          : ReadSlides;
  ZHIWEN_ASSIGN_OR_RETURN(const ForeignText made, read(bytes));
  OleProperties says = ReadOleProperties(StreamInOleRoot(bytes, "?SummaryInformation"));
  document.title = std::move(says.title);
  document.author = std::move(says.author);
  document.date = std::move(says.date);
  std::vector<OfficeBlock> blocks = BlocksOfLines(made.text, document.type);
  for (OfficeBlock& block : blocks) block.end = bytes.size();
  ZHIWEN_RETURN_IF_ERROR(SetBlocks(blocks, document));
  return document;
}

}  // namespace zhiwen
