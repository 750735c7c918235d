#include "document/foreign/pdf.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/process/child_process.h"
#include "document/foreign/foreign_program.h"
#include "document/foreign/pdf_outline.h"
#include "document/foreign/printed_lines.h"
#include "document/html/html_text.h"
#include "document/office/office_text.h"

namespace zhiwen {
namespace {

// What stands between `before` and `after` in the head that pdftotext writes.
std::string ValueBetween(std::string_view head, std::string_view before, std::string_view after) {
  const size_t at = head.find(before);
  if (at == std::string_view::npos) return {};
  head.remove_prefix(at + before.size());
  return DecodeHtmlText(head.substr(0, head.find(after)));
}

// Returns the text up to the end of its page, and takes it and the end away.
std::string_view TakePage(std::string_view& pages) {
  const size_t end = std::min(pages.find('\f'), pages.size());
  const std::string_view page = pages.substr(0, end);
  pages.remove_prefix(std::min(end + 1, pages.size()));
  return page;
}

void AddPageNote(std::string_view pages, ExtractedDocument& document) {
  size_t count = 0, without_text = 0;
  while (pages.find('\f') != std::string_view::npos) {
    ++count;
    if (TakePage(pages).find_first_not_of(" \t\n") == std::string_view::npos) ++without_text;
  }
  if (without_text == 0) return;
  document.notes.push_back(
      fmt::format("of {} pages {} have no text: they may be pictures of text, which is not read",
                  count, without_text));
}

// The titles of the outline, by their pages; of an outline that cannot be read a note.
std::vector<OutlineTitle> TitlesByPage(std::string_view bytes, ExtractedDocument& document) {
  if (!MayHavePdfOutline(bytes)) return {};
  Result<std::vector<OutlineTitle>> titles = ReadPdfOutline(bytes);
  if (!titles) {
    document.notes.push_back(fmt::format("headings are missing, for the outline cannot be read: {}",
                                         titles.error().message));
    return {};
  }
  std::ranges::stable_sort(*titles, {}, &OutlineTitle::page);
  return std::move(*titles);
}

void AddPage(std::string_view page, std::span<const OutlineTitle> titles,
             std::vector<OfficeBlock>& out) {
  size_t at = 0;
  const auto add_text = [&](size_t end) {
    std::ranges::move(ParagraphsOfPrintedLines(page.substr(at, end - at)), std::back_inserter(out));
    at = end;
  };
  for (const HeadingLines& heading : FindHeadings(page, titles)) {
    add_text(heading.begin);
    at = heading.end;
    out.push_back(
        HeadingOfPrintedLines(page.substr(heading.begin, at - heading.begin), heading.level));
  }
  add_text(page.size());
}

std::vector<OfficeBlock> BlocksOfPages(std::string_view pages,
                                       const std::vector<OutlineTitle>& titles) {
  std::vector<OfficeBlock> blocks;
  for (uint64_t number = 1; !pages.empty() && blocks.size() <= kMostOfficeBlocks; ++number) {
    const auto of_page = std::ranges::equal_range(titles, number, {}, &OutlineTitle::page);
    AddPage(TakePage(pages), {of_page.begin(), of_page.end()}, blocks);
  }
  return blocks;
}

}  // namespace

bool BeginsAsPdf(std::string_view head) {
  head.remove_prefix(std::min(head.find_first_not_of("\xEF\xBB\xBF \r\n"), head.size()));
  return head.starts_with("%PDF-");
}

Result<ExtractedDocument> ExtractPdf(std::string_view bytes) {
  constexpr std::string_view kTextBegin = "<pre>\n", kTextEnd = "</pre>";
  const ForeignProgram program = {
      .name = "pdftotext",
      .package = "poppler-utils",
      .files = "PDF files",
      .arguments = {"-enc", "UTF-8", "-eol", "unix", "-htmlmeta", kChildInput, "-"}};
  ZHIWEN_ASSIGN_OR_RETURN(const ForeignText made, ReadByProgram(program, bytes));
  const std::string_view all = made.text;
  const size_t begin = all.find(kTextBegin);
  const size_t end = all.rfind(kTextEnd);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) {
    return Fail(ErrorCode::kUnreadable, "the file is damaged: pdftotext finds no page in it");
  }
  const std::string_view head = all.substr(0, begin);
  const std::string_view pages =
      all.substr(begin + kTextBegin.size(), end - begin - kTextBegin.size());
  ExtractedDocument document;
  document.type = DocumentType::kPdf;
  document.title = ValueBetween(head, "<title>", "</title>");
  document.author = ValueBetween(head, "<meta name=\"Author\" content=\"", "\"/>");
  document.date = ValueBetween(head, "<meta name=\"CreationDate\" content=\"", "\"/>");
  std::vector<OfficeBlock> blocks = BlocksOfPages(pages, TitlesByPage(bytes, document));
  for (OfficeBlock& block : blocks) block.end = bytes.size();
  ZHIWEN_RETURN_IF_ERROR(SetBlocks(blocks, document));
  AddPageNote(pages, document);
  if (made.errors.find("Missing language pack") != std::string::npos) {
    document.notes.emplace_back(
        "characters are missing: pdftotext needs the tables of the package poppler-data for them");
  }
  return document;
}

}  // namespace zhiwen
