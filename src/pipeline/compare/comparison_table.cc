#include "zhiwen/comparison_table.h"

#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/files/output_file.h"
#include "pipeline/compare/compare_words.h"
#include "pipeline/run_report/html_text.h"
#include "pipeline/word/passage_table.h"
#include "pipeline/word/word_file.h"
#include "zhiwen/figures.h"

namespace zhiwen {

Result<std::string> RenderComparisonTable(const ComparedDocument& a, const ComparedDocument& b,
                                          const Comparison& comparison,
                                          const PassageComparison& passages,
                                          const ComparePageOptions& options) {
  const TableSide in_a = {{"a", "甲文"}, HtmlLabel(a.name, 400), a.text};
  const TableSide in_b = {{"b", "乙文"}, HtmlLabel(b.name, 400), b.text};
  std::vector<GlanceRow> rows;
  const auto add_text = [&](const TableSide& side, uint64_t symbols) {
    const std::string text =
        fmt::format("{}\n{} 字 characters or words", side.name, FormatCount(symbols));
    rows.push_back({side.who, {text, text}});
  };
  add_text(in_a, passages.a_symbols);
  add_text(in_b, passages.b_symbols);
  for (const GlanceRow& row : ComparisonRows(comparison, passages, options)) rows.push_back(row);
  std::string body = TableBegin(SentenceOn(a, b, passages)) + GlanceTable(rows);
  if (!passages.passages.empty()) {
    body += PassageLegend() + PassageTable(in_a, in_b, passages.passages);
  }
  body += ExcludedTables(in_a, in_b, passages.excluded);
  return PackWordFile(body + CommandNote(options.command));
}

Status WriteComparisonFiles(FileSystem& files, const ComparedDocument& a, const ComparedDocument& b,
                            const Comparison& comparison, const PassageComparison& passages,
                            const ComparePageOptions& page, const std::string& table) {
  std::vector<std::unique_ptr<OutputFile>> outputs;
  const auto write = [&](const std::string& path, OutputFileKind kind,
                         const auto& render) -> Status {
    if (path.empty()) return {};
    ZHIWEN_ASSIGN_OR_RETURN(
        outputs.emplace_back(),
        OutputFile::Create(files, std::move(kind), {.path = path, .overwrite = page.overwrite}));
    ZHIWEN_ASSIGN_OR_RETURN(const std::string bytes, Result<std::string>(render()));
    return outputs.back()->WriteBytes(bytes);
  };
  ZHIWEN_RETURN_IF_ERROR(write(table, WordFileKind(), [&] {
    return RenderComparisonTable(a, b, comparison, passages, page);
  }));
  ZHIWEN_RETURN_IF_ERROR(write(page.path, ComparePageFile(), [&] {
    return RenderComparePage(a, b, comparison, passages, page);
  }));
  for (const std::unique_ptr<OutputFile>& output : outputs) {
    ZHIWEN_RETURN_IF_ERROR(output->Publish());
  }
  return {};
}

}  // namespace zhiwen
