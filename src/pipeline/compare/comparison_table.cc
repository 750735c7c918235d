#include "zhiwen/comparison_table.h"

#include <memory>
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

Status WriteComparisonTable(FileSystem& files, const ComparedDocument& a, const ComparedDocument& b,
                            const Comparison& comparison, const PassageComparison& passages,
                            const ComparePageOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(
      const std::unique_ptr<OutputFile> output,
      OutputFile::Create(files, WordFileKind(),
                         {.path = options.path, .overwrite = options.overwrite}));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string bytes,
                          RenderComparisonTable(a, b, comparison, passages, options));
  return output->PublishBytes(bytes);
}

}  // namespace zhiwen
