// Implements index query and index join.
#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "commands/batch_run.h"
#include "commands/index_actions.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"
#include "zhiwen/file_system.h"
#include "zhiwen/json_forms.h"

namespace zhiwen {
namespace {

constexpr size_t kPrintedAtOnce = size_t{64} << 10;

// Appends an id as a column. Control characters, which an id from JSON may contain, would break the
// line.
void AppendColumn(std::string& out, std::string_view id) {
  const bool is_plain =
      std::ranges::none_of(id, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  out += '\t';
  out += is_plain ? std::string(id) : MakePrintable(id);
}

void AppendMatches(std::string& out, const CodeQueryResult& query, const CodeAnswer& answer,
                   const CodeIndexOptions& kind) {
  const std::string code = CodeToHex(query.code, kind);
  for (const CodeMatch& match : query.matches) {
    fmt::format_to(std::back_inserter(out), "{}\t{}\t{}", code, CodeToHex(match.code, kind),
                   match.distance);
    AppendColumn(out, answer.LabelOf(match));
    if (!query.label.empty()) AppendColumn(out, query.label);
    out += '\n';
  }
}

void WarnOfTruncated(const CodeLookupSummary& summary, Console& console) {
  if (summary.truncated == 0) return;
  console.PrintWarning(fmt::format(
      "{} of {} met a bound of the index, codes of which a million and more share a half: what is "
      "printed of them is true, and there may be more (--json says which)",
      FormatCount(summary.truncated),
      summary.queries == 1 ? "1 query" : FormatCount(summary.queries) + " queries"));
}

}  // namespace

Status IndexQuery(const IndexActionOptions& options, CommandContext& context) {
  BatchRun run(context, 1);
  const auto print = [&](std::span<const CodeQueryResult> queries, const CodeAnswer& answer,
                         const CodeIndexOptions& kind) -> Status {
    std::string printed;
    for (const CodeQueryResult& query : queries) {
      if (options.json) {
        AppendCodeQuery(printed, query, answer, kind);
      } else {
        AppendMatches(printed, query, answer, kind);
      }
    }
    if (printed.empty()) return {};
    ZHIWEN_RETURN_IF_ERROR(run.Print(printed));
    return context.console.Flush();  // a user who queries line by line waits for the answer
  };
  ZHIWEN_ASSIGN_OR_RETURN(const CodeLookupSummary summary,
                          LookUpCodes({.folder = options.folder,
                                       .files = options.files,
                                       .query = options.query,
                                       .in_memory = options.in_memory},
                                      print, run.environment()));
  run.Clear();
  WarnOfTruncated(summary, context.console);
  return {};
}

Status IndexJoin(const IndexActionOptions& options, CommandContext& context) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto index, CodeIndex::Open(PosixFileSystem(), options.folder));
  const CodeIndexOptions& kind = index->options();
  BatchRun run(context, 1);
  std::string printed;
  const auto visit = [&](const CodeRowPair& pair) -> Status {
    if (options.json) {
      AppendCodePair(printed, pair, kind);
    } else {
      fmt::format_to(std::back_inserter(printed), "{}\t{}\t{}", CodeToHex(pair.a, kind),
                     CodeToHex(pair.b, kind), pair.distance);
      AppendColumn(printed, pair.label_a);
      AppendColumn(printed, pair.label_b);
      printed += '\n';
    }
    if (printed.size() < kPrintedAtOnce) return {};
    return run.Print(std::exchange(printed, {}));
  };
  ZHIWEN_RETURN_IF_ERROR(
      index->Join(options.query.radius, visit, run.environment().progress, context.cancellation));
  return run.Print(printed);
}

}  // namespace zhiwen
