// Implements index create, stats, fsck and merge.
#include <utility>

#include <fmt/format.h>

#include "commands/index_actions.h"
#include "terminal/progress_bar.h"
#include "terminal/table.h"
#include "zhiwen/figures.h"
#include "zhiwen/file_system.h"
#include "zhiwen/json_forms.h"

namespace zhiwen {
namespace {

std::string FormatSegments(const CodeIndexStats& stats) {
  if (stats.segments.empty()) return "";
  std::vector<std::vector<std::string>> rows = {{"segment", "codes", "rows", "removed", "size"}};
  for (const CodeSegmentStats& segment : stats.segments) {
    rows.push_back({segment.file, FormatCount(segment.codes), FormatCount(segment.rows),
                    FormatCount(segment.deleted_rows), FormatBytes(segment.bytes)});
  }
  return "\n" + FormatTable(rows);
}

std::string FormatMost(const CodeIndexStats& stats) {
  return (stats.counts_once() ? "" : "at most ") + FormatCount(stats.rows());
}

}  // namespace

std::string FormatContent(const CodeIndexStats& stats) {
  return fmt::format("{} {}, {}, {}", FormatMost(stats), stats.rows() == 1 ? "row" : "rows",
                     FormatPlural(stats.segments.size(), "segment"), FormatBytes(stats.bytes()));
}

Status PrintDone(const std::string& report, std::string_view done,
                 const IndexActionOptions& options, CommandContext& context) {
  if (context.console.quiet() && !options.json) return {};
  Status printed = context.console.Print(report);
  if (printed) printed = context.console.Flush();
  if (printed) return {};
  return Fail(printed.error().code,
              fmt::format("{}; all is {} all the same", printed.error().message, done));
}

Status IndexCreate(const IndexActionOptions& options, CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(CodeIndex::Create(PosixFileSystem(), options.folder, options.kind));
  std::string report = fmt::format("{}: {}, 0 rows\n", options.folder, CodeIndexKind(options.kind));
  if (options.json) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto index, CodeIndex::Open(PosixFileSystem(), options.folder));
    report = CodeIndexToJson(index->options(), index->stats(), options.folder) + "\n";
  }
  return PrintDone(report, fmt::format("made in \"{}\"", options.folder), options, context);
}

Status IndexStats(const IndexActionOptions& options, CommandContext& context) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto index, CodeIndex::Open(PosixFileSystem(), options.folder));
  const CodeIndexStats stats = index->stats();
  if (options.json) {
    return context.console.Print(CodeIndexToJson(index->options(), stats, options.folder) + "\n");
  }
  const uint64_t rows = stats.rows();
  const std::string size = FormatBytes(stats.bytes());
  const std::vector<std::vector<std::string>> table = {
      {"kind", CodeIndexKind(index->options())},
      {"rows", FormatMost(stats)},
      {"size", rows == 0
                   ? size
                   : fmt::format("{}, {:.1f} bytes a row", size,
                                 static_cast<double>(stats.bytes()) / static_cast<double>(rows))},
      {"log",
       fmt::format("{}, {}", FormatPlural(stats.log_rows, "row"), FormatBytes(stats.log_bytes))},
      {"generation", FormatCount(stats.generation)}};
  return context.console.Print(FormatTable(table) + FormatSegments(stats));
}

Status IndexFsck(const IndexActionOptions& options, CommandContext& context) {
  ProgressBar progress(context.console, SystemClock());
  ZHIWEN_ASSIGN_OR_RETURN(
      const CodeIndexCheck check,
      CheckCodeIndex(PosixFileSystem(), options.folder, progress, context.cancellation));
  progress.Clear();
  std::string printed;
  if (options.json) {
    printed = CodeIndexCheckToJson(check, options.folder) + "\n";
  } else {
    for (const std::string& problem : check.problems) printed += problem + "\n";
    for (const std::string& file : check.leftovers) {
      printed += fmt::format("\"{}\" is a leftover, which the next writer removes\n", file);
    }
    if (check.problems.empty()) {
      printed += fmt::format("{}: whole, {}\n", options.folder, FormatContent(check.stats));
    }
  }
  ZHIWEN_RETURN_IF_ERROR(context.console.Print(printed));
  if (check.problems.empty()) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("\"{}\" is not whole, {}; do what is printed of it, or restore the "
                          "index from a copy",
                          options.folder, FormatPlural(check.problems.size(), "problem")));
}

Status IndexMerge(const IndexActionOptions& options, CommandContext& context) {
  ProgressBar progress(context.console, SystemClock());
  ZHIWEN_ASSIGN_OR_RETURN(const auto writer,
                          CodeIndexWriter::Open(PosixFileSystem(), options.folder, {}));
  Status merged;
  if (options.merges == MergeChoice::kAll) {
    merged = writer->MergeAll(progress, context.cancellation);
  } else {
    Result<bool> more = true;
    while (more && *more) more = writer->MergeOnce(progress, context.cancellation);
    if (!more) merged = Fail(std::move(more));
  }
  const CodeIndexOptions kind = writer->index().options();
  const CodeIndexStats stats = writer->index().stats();
  const Status closed = writer->Close();
  if (!merged && merged.error().code == ErrorCode::kExhausted) {
    return Fail(ErrorCode::kExhausted, fmt::format("{}; \"{}\" has every row, run the same again",
                                                   merged.error().message, options.folder));
  }
  ZHIWEN_RETURN_IF_ERROR(std::move(merged));
  if (!closed) {
    return Fail(closed.error().code,
                fmt::format("{}; \"{}\" is merged all the same, and has every row",
                            closed.error().message, options.folder));
  }
  progress.Clear();
  const std::string report = options.json
                                 ? CodeIndexToJson(kind, stats, options.folder) + "\n"
                                 : fmt::format("{}: {}\n", options.folder, FormatContent(stats));
  return PrintDone(report, fmt::format("merged in \"{}\"", options.folder), options, context);
}

}  // namespace zhiwen
