#include "document/foreign/recognized_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/process/child_process.h"
#include "document/foreign/foreign_program.h"
#include "document/foreign/printed_lines.h"
#include "document/office/office_text.h"

namespace zhiwen {
namespace {

// Recognizing takes longer, and more memory, than reading a file.
constexpr ChildLimits kOcrLimits = {.processor_time = std::chrono::seconds(120),
                                    .time = std::chrono::minutes(5),
                                    .memory_bytes = size_t{4} << 30,
                                    .output_bytes = size_t{16} << 20};
constexpr std::string_view kDotsAnInch = "200";

Result<std::string> Recognize(const OcrCommand& ocr, std::string_view picture) {
  const ForeignProgram program = {.name = ocr.program,
                                  .package = {},
                                  .files = "pictures of text",
                                  .arguments = {ocr.arguments.begin(), ocr.arguments.end()},
                                  .limits = kOcrLimits,
                                  .is_chatty = true};
  ZHIWEN_ASSIGN_OR_RETURN(ForeignText made, ReadByProgram(program, picture));
  return std::move(made.text);
}

// Makes `text` that of the document: pages end with \f, paragraphs at lines without a character.
Status SetRecognized(const OcrCommand& ocr, std::string_view text, uint64_t file_bytes,
                     ExtractedDocument& document) {
  std::vector<OfficeBlock> paragraphs = ParagraphsOfPrintedLines(text);
  for (OfficeBlock& paragraph : paragraphs) paragraph.end = file_bytes;
  document.notes.push_back(fmt::format(
      "the text was recognized in pictures by {}, and may have wrong characters", ocr.program));
  return SetBlocks(paragraphs, document);
}

Result<uint64_t> CountPages(std::string_view pdf) {
  constexpr std::string_view kPages = "Pages:";
  const ForeignProgram program = {.name = "pdfinfo",
                                  .package = "poppler-utils",
                                  .files = "PDF files",
                                  .arguments = {kChildInput}};
  ZHIWEN_ASSIGN_OR_RETURN(const ForeignText said, ReadByProgram(program, pdf));
  std::string_view rest = said.text;
  rest.remove_prefix(std::min(rest.find(kPages), rest.size()));
  rest.remove_prefix(std::min(rest.find_first_of("0123456789"), rest.size()));
  uint64_t pages = 0;
  std::from_chars(rest.data(), rest.data() + rest.size(), pages);
  return pages;
}

Result<std::string> DrawPage(std::string_view pdf, uint64_t page) {
  const std::string number = fmt::format("{}", page);
  const ForeignProgram program = {
      .name = "pdftoppm",
      .package = "poppler-utils",
      .files = "PDF files",
      .arguments = {"-png", "-r", kDotsAnInch, "-f", number, "-l", number, kChildInput}};
  ZHIWEN_ASSIGN_OR_RETURN(ChildOutput child, RunForeignProgram(program, pdf));
  return std::move(child.output);
}

}  // namespace

Result<OcrCommand> ParseOcrCommand(std::string_view text) {
  std::vector<std::string> words;
  bool is_inside = false;  // of a word
  char quote = '\0';
  for (const char c : text) {
    if (quote == '\0' && (c == ' ' || c == '\t' || c == '\n')) {
      is_inside = false;
      continue;
    }
    if (!is_inside) words.emplace_back();
    is_inside = true;
    if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else {
      words.back() += c;
    }
  }
  if (quote != '\0') {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the command \"{}\" has a quote that is not closed", text));
  }
  if (words.empty() || words.front().empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "the command that recognizes text is empty; name a program, such as \"tesseract - "
                "- -l chi_sim\"");
  }
  OcrCommand command{.program = std::move(words.front()), .arguments = {}};
  words.erase(words.begin());
  command.arguments = std::move(words);
  return command;
}

bool BeginsAsPicture(std::string_view head) {
  constexpr std::array<std::string_view, 7> kMagic = {"\x89PNG",
                                                      "\xFF\xD8\xFF",
                                                      "GIF8",
                                                      "BM",
                                                      std::string_view("II*\0", 4),
                                                      std::string_view("MM\0*", 4),
                                                      std::string_view("\0\0\0\x0CjP  ", 8)};
  if (head.starts_with("RIFF") && head.size() >= 12) return head.substr(8, 4) == "WEBP";
  return std::ranges::any_of(kMagic, [head](auto magic) { return head.starts_with(magic); });
}

Result<ExtractedDocument> RecognizePicture(const OcrCommand& ocr, std::string_view bytes) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string text, Recognize(ocr, bytes));
  ExtractedDocument document;
  ZHIWEN_RETURN_IF_ERROR(SetRecognized(ocr, text, bytes.size(), document));
  return document;
}

Result<ExtractedDocument> RecognizePages(const OcrCommand& ocr, std::string_view bytes,
                                         ExtractedDocument facts) {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t pages, CountPages(bytes));
  if (pages > kMostRecognizedPages) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("its {} pages are pictures, and the text of at most {} is recognized",
                            pages, kMostRecognizedPages));
  }
  std::string text;
  for (uint64_t page = 1; page <= pages; ++page) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string picture, DrawPage(bytes, page));
    ZHIWEN_ASSIGN_OR_RETURN(const std::string of_page, Recognize(ocr, picture));
    text += of_page;
    text += '\f';
  }
  facts.notes.clear();  // that pages have no text
  ZHIWEN_RETURN_IF_ERROR(SetRecognized(ocr, text, bytes.size(), facts));
  return facts;
}

}  // namespace zhiwen
