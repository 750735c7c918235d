// Implements library create, add, remove, derive and compact.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "commands/batch_run.h"
#include "commands/file_list.h"
#include "commands/library_actions.h"
#include "terminal/standard_input.h"
#include "zhiwen/figures.h"
#include "zhiwen/file_system.h"
#include "zhiwen/library_derive.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMostIdBytes = uint64_t{1} << 30;
constexpr size_t kMostNamed = 3;  // ids, in a message

Status PrintUnlessQuiet(const std::string& report, CommandContext& context) {
  return context.console.quiet() ? Status() : context.console.Print(report);
}

Result<LibraryFacts> ReadFacts(const LibraryActionOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto library, Library::Open(PosixFileSystem(), options.folder));
  return library->Facts();
}

Status PrintFacts(const LibraryActionOptions& options, CommandContext& context) {
  ZHIWEN_ASSIGN_OR_RETURN(const LibraryFacts facts, ReadFacts(options));
  return context.console.Print(LibraryFactsToJson(facts, options.folder) + "\n");
}

std::string SayAdded(const AddFilesSummary& summary) {
  const AddedDocuments& documents = summary.documents;
  std::string said = FormatPlural(documents.added, "document") + " added";
  if (documents.updated > 0) {
    said += fmt::format(", {} updated", FormatCount(documents.updated));
  }
  if (documents.unchanged > 0) {
    said += fmt::format(", {} unchanged", FormatCount(documents.unchanged));
  }
  if (summary.removed > 0) {
    said += fmt::format(", {} removed again", FormatCount(summary.removed));
  }
  return said;
}

// Returns what a user may not expect of those that were added or updated: "; 3 of them are empty",
// or nothing.
std::string SayUnexpected(const AddedDocuments& documents) {
  const bool is_one = documents.added + documents.updated == 1;
  const auto say = [is_one](uint64_t count, std::string_view one_does, std::string_view do_this) {
    if (count == 0) return std::string();
    return is_one ? fmt::format("; it {}", one_does)
                  : fmt::format("; {} of them {}", FormatCount(count),
                                count == 1 ? one_does : do_this);
  };
  return say(documents.equal_texts, "has the text of another document of the library",
             "have the texts of other documents of the library") +
         say(documents.empty, "is empty (nothing but spaces and punctuation)",
             "are empty (nothing but spaces and punctuation)");
}

// Returns "; 3 of 7 documents overlap works of other owners", or nothing where none was compared.
std::string SayOverlaps(const AddFilesSummary& summary, const std::string& file) {
  if (summary.compared == 0) return "";
  const std::string how =
      summary.overlapping > 0 && file.empty() ? " (--overlaps FILE lists them)" : "";
  const std::string bound =
      summary.truncated == 0
          ? ""
          : fmt::format("; for {} not all candidates were compared, and there may be more",
                        FormatPlural(summary.truncated, "document"));
  return fmt::format("; {} of {} {} works of other owners{}{}", FormatCount(summary.overlapping),
                     FormatPlural(summary.compared, "document"),
                     summary.overlapping == 1 ? "overlaps" : "overlap", how, bound);
}

// Returns "; 2 works added, 1 updated", or nothing.
std::string SayWorks(const AddedDocuments& documents) {
  if (documents.works_added == 0 && documents.works_updated == 0) return "";
  std::string said = "; " + FormatPlural(documents.works_added, "work") + " added";
  if (documents.works_updated > 0) {
    said += fmt::format(", {} updated", FormatCount(documents.works_updated));
  }
  return said;
}

// Returns the ids that were given, each once.
Result<std::vector<std::string>> ReadIds(const LibraryActionOptions& options,
                                         const CommandContext& context) {
  std::vector<std::string> ids = options.words;
  if (!options.ids_file.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string list,
                            ReadInput(options.ids_file, kMostIdBytes, context.cancellation));
    std::ranges::move(SplitFileList(list), std::back_inserter(ids));
  }
  std::ranges::sort(ids);
  const auto repeats = std::ranges::unique(ids);
  ids.erase(repeats.begin(), repeats.end());
  return ids;
}

// Returns what is to be done about documents that only earlier versions join to a work that is
// purged; nothing without such documents.
std::string SayMoved(const std::vector<std::string>& ids) {
  if (ids.empty()) return "";
  std::string named;
  for (size_t i = 0; i < std::min(kMostNamed, ids.size()); ++i) {
    named += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", ids[i]);
  }
  return fmt::format(
      "earlier versions of {} are of it, and stay: {}{}; remove --purge with ids purges all "
      "versions, add what is to stay again",
      FormatPlural(ids.size(), "document"), named,
      ids.size() > kMostNamed ? ", … (list --all has all)" : "");
}

// Returns the ids of a work whose documents are to be removed.
Result<std::vector<std::string>> FindIdsOfWork(const LibraryActionOptions& options,
                                               CommandContext& context) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto library, Library::Open(PosixFileSystem(), options.folder));
  const auto versions = options.purges ? LibraryVersions::kAll : LibraryVersions::kLive;
  ZHIWEN_ASSIGN_OR_RETURN(WorkDocuments of_work,
                          FindDocumentsOfWork(*library, options.work, versions));
  const std::string moved = SayMoved(of_work.moved);
  if (!of_work.ids.empty()) {
    if (!moved.empty()) {
      context.console.PrintWarning(
          fmt::format("the work \"{}\" is not gone whole: {}", options.work, moved));
    }
    return std::move(of_work.ids);
  }
  return Fail(ErrorCode::kNotFound,
              moved.empty() ? fmt::format("\"{}\" has no work \"{}\"", options.folder, options.work)
                            : fmt::format("\"{}\" has no document whose newest version is of the "
                                          "work \"{}\"; {}",
                                          options.folder, options.work, moved));
}

}  // namespace

Status LibraryCreate(const LibraryActionOptions& options, CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(Library::Create(PosixFileSystem(), options.folder, options.profile,
                                         [&context] { return context.language.Open(); }));
  if (options.json) return PrintFacts(options, context);
  return PrintUnlessQuiet(
      fmt::format("{}: a library of profile {}, 0 documents\n", options.folder, options.profile),
      context);
}

Status LibraryAdd(const LibraryActionOptions& options, CommandContext& context) {
  const std::chrono::nanoseconds begin = SystemClock().Monotonic();
  BatchRun run(context, ThreadsToUse(options.threads));
  AddFilesOptions add = options.add;
  if (options.acknowledges) {
    add.stored = [&](uint64_t documents) -> Status {
      ZHIWEN_RETURN_IF_ERROR(run.Print(fmt::format("{}\n", documents)));
      return context.console.Flush();
    };
  }
  ZHIWEN_ASSIGN_OR_RETURN(const AddFilesSummary summary, AddFiles(add, run.environment()));
  run.Clear();
  if (options.json) {
    ZHIWEN_ASSIGN_OR_RETURN(const LibraryFacts facts, ReadFacts(options));
    return context.console.Print(AddFilesSummaryToJson(summary, facts, options.folder) + "\n");
  }
  const double seconds = std::chrono::duration<double>(SystemClock().Monotonic() - begin).count();
  const AddedDocuments& documents = summary.documents;
  const uint64_t all = documents.added + documents.updated + documents.unchanged;
  return PrintUnlessQuiet(
      fmt::format("{}: {} in {}{}{}\n", options.folder, SayAdded(summary), FormatSeconds(seconds),
                  all == 0
                      ? ""
                      : fmt::format(", {} documents/s", FormatCount(static_cast<uint64_t>(
                                                            static_cast<double>(all) / seconds))),
                  SayUnexpected(documents) + SayWorks(documents) +
                      SayOverlaps(summary, options.add.overlaps_file)),
      context);
}

Status LibraryRemove(const LibraryActionOptions& options, CommandContext& context) {
  BatchRun run(context, ThreadsToUse(options.threads));
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<std::string> ids, ReadIds(options, context));
  if (ids.empty() == options.work.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "library remove needs ids behind the library, --ids FILE, or --work NAME alone");
  }
  ZHIWEN_ASSIGN_OR_RETURN(const auto writer,
                          LibraryWriter::Open(options.folder, run.environment()));
  if (!options.work.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(ids, FindIdsOfWork(options, context));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<bool> was_there,
                          options.purges ? writer->Purge(ids) : writer->Remove(ids));
  ZHIWEN_RETURN_IF_ERROR(writer->Close());
  run.Clear();
  const auto removed = static_cast<uint64_t>(std::ranges::count(was_there, true));
  if (options.json) {
    ZHIWEN_RETURN_IF_ERROR(PrintFacts(options, context));
  } else {
    ZHIWEN_RETURN_IF_ERROR(PrintUnlessQuiet(
        fmt::format("{}: {} {}\n", options.folder, FormatPlural(removed, "document"),
                    options.purges ? "purged" : "removed"),
        context));
  }
  if (removed == ids.size()) return {};
  const auto first = std::ranges::find(was_there, false) - was_there.begin();
  return Fail(
      ErrorCode::kNotFound,
      fmt::format(
          "{} not in the library, the first is \"{}\"",
          ids.size() - removed == 1 ? "1 id is" : FormatCount(ids.size() - removed) + " ids are",
          ids[static_cast<size_t>(first)]));
}

Status LibraryDerive(const LibraryActionOptions& options, CommandContext& context) {
  if (options.scheme.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "library derive needs --scheme NAME (see zhiwen schemes)");
  }
  BatchRun run(context, ThreadsToUse(options.threads));
  std::string report;
  if (options.drops) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string dropped,
                            DropScheme(options.folder, options.scheme, run.environment()));
    report = fmt::format("{}: no longer has values of {}\n", options.folder, dropped);
  } else {
    ZHIWEN_ASSIGN_OR_RETURN(
        const DerivedScheme derived,
        DeriveScheme(options.folder, options.scheme, run.environment(), options.scheme_files));
    report = fmt::format("{}: {} values of {}\n", options.folder,
                         derived.is_new ? "has" : "already had", derived.scheme);
    for (const std::string& replaced : derived.replaced) {
      report += fmt::format("{}: no longer has values of {}\n", options.folder, replaced);
    }
  }
  run.Clear();
  if (options.json) return PrintFacts(options, context);
  return PrintUnlessQuiet(report, context);
}

Status LibraryCompact(const LibraryActionOptions& options, CommandContext& context) {
  BatchRun run(context, ThreadsToUse(options.threads));
  ZHIWEN_ASSIGN_OR_RETURN(const auto writer,
                          LibraryWriter::Open(options.folder, run.environment()));
  ZHIWEN_RETURN_IF_ERROR(writer->Compact());
  ZHIWEN_RETURN_IF_ERROR(writer->Close());
  run.Clear();
  if (options.json) return PrintFacts(options, context);
  return PrintUnlessQuiet(fmt::format("{}: compact\n", options.folder), context);
}

}  // namespace zhiwen
