// Implements index add and index remove.
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "commands/batch_run.h"
#include "commands/index_actions.h"
#include "zhiwen/figures.h"
#include "zhiwen/json_forms.h"

namespace zhiwen {
namespace {

std::string Summarize(const CodeChangeSummary& summary, std::string_view action) {
  if (action == "add") return FormatPlural(summary.read, "row") + " added";
  if (!summary.removed) {
    return FormatPlural(summary.read, "row") + " read and removed where they were,";
  }
  return fmt::format("{} removed, for {} read,", FormatPlural(*summary.removed, "row"),
                     FormatCount(summary.read));
}

std::string Report(const CodeChangeSummary& summary, const IndexActionOptions& options,
                   std::string_view action, double seconds) {
  if (options.json) {
    return CodeChangesToJson({.action = action, .read = summary.read, .removed = summary.removed},
                             summary.kind, summary.stats, options.folder) +
           "\n";
  }
  const double rate = static_cast<double>(summary.read) / seconds;
  return fmt::format(
      "{}: {} in {}{}; now {}\n", options.folder, Summarize(summary, action),
      FormatSeconds(seconds),
      summary.read == 0 ? "" : fmt::format(", {} rows/s", FormatCount(static_cast<uint64_t>(rate))),
      FormatContent(summary.stats));
}

Status ChangeIndex(const IndexActionOptions& options, CodeChange change, CommandContext& context) {
  const std::chrono::nanoseconds begin = SystemClock().Monotonic();
  BatchRun run(context, 1);
  CodeChangeOptions changes{.folder = options.folder,
                            .files = options.files,
                            .change = change,
                            .merges = options.merges != MergeChoice::kNone};
  if (options.acknowledges) {
    // A client that waits for an acknowledgement sends nothing before it arrives.
    changes.patience = std::chrono::milliseconds(0);
    changes.committed = [&](uint64_t rows) -> Status {
      ZHIWEN_RETURN_IF_ERROR(run.Print(fmt::format("{}\n", rows)));
      return context.console.Flush();
    };
  }
  ZHIWEN_ASSIGN_OR_RETURN(const CodeChangeSummary summary,
                          ChangeCodeIndex(changes, run.environment()));
  run.Clear();
  const bool adds = change == CodeChange::kAdd;
  const double seconds = std::chrono::duration<double>(SystemClock().Monotonic() - begin).count();
  return PrintDone(Report(summary, options, adds ? "add" : "remove", seconds),
                   fmt::format("{} in \"{}\"", adds ? "added" : "removed", options.folder), options,
                   context);
}

}  // namespace

Status IndexAdd(const IndexActionOptions& options, CommandContext& context) {
  return ChangeIndex(options, CodeChange::kAdd, context);
}

Status IndexRemove(const IndexActionOptions& options, CommandContext& context) {
  return ChangeIndex(options, options.removal, context);
}

}  // namespace zhiwen
