// Implements library list, show, stats and fsck.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "commands/batch_run.h"
#include "commands/library_actions.h"
#include "terminal/table.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"
#include "zhiwen/file_system.h"

namespace zhiwen {
namespace {

constexpr size_t kListedAtOnce = size_t{64} << 10;

// Returns what is known of a work beside its name: "<tab> 《桃花源记》 陶渊明", or nothing.
std::string SayTitle(const WorkLabels& work) {
  if (work.title.empty() && work.author.empty()) return "";
  const std::string title = MakePrintable(work.title.empty() ? work.name : work.title);
  return fmt::format("\t{}{}{}", title.starts_with("《") ? title : "《" + title + "》",
                     work.author.empty() ? "" : " ", MakePrintable(work.author));
}

// Returns "n17 <tab> version 2 <tab> live <tab> 1,024 units <tab> date <tab> title <tab> work <tab>
// part", the kind unless it is an original, and the title of the work.
std::string Summarize(const StoredDocument& document) {
  std::string line =
      fmt::format("{}\tversion {}\t{}\t{}", MakePrintable(document.id), document.version,
                  DocumentStateName(document.state),
                  document.is_picture() ? "picture" : FormatCount(document.units) + " units");
  for (const std::string* label : {&document.labels.date, &document.labels.title,
                                   &document.work.name, &document.labels.part}) {
    line += "\t" + MakePrintable(*label);
  }
  if (document.labels.kind != DocumentKind::kOriginal) {
    line += fmt::format("\t{}", DocumentKindName(document.labels.kind));
    const std::string exposed = ExposureOf(document.labels);
    if (!exposed.empty()) line += " " + MakePrintable(exposed);
  }
  return line + SayTitle(document.work) + "\n";
}

// Returns "凡人 <tab> 2,446 parts <tab> 7,310,000 units <tab> owner", and the title of the work.
std::string Summarize(const StoredWork& work) {
  return fmt::format("{}\t{}\t{} units\t{}{}\n",
                     work.labels.name.empty() ? "(no work)" : MakePrintable(work.labels.name),
                     FormatPlural(work.documents, "part"), FormatCount(work.units),
                     MakePrintable(work.labels.owner), SayTitle(work.labels));
}

std::string SayChecked(const LibraryCheck& check, const std::string& folder) {
  std::string said;
  for (const std::string& problem : check.problems) said += problem + "\n";
  if (check.problems.empty()) {
    said = fmt::format("{}: whole, {}\n", folder, FormatPlural(check.documents, "document"));
  }
  if (check.behind > 0) {
    said += fmt::format("{}: the indexes are behind by {}; the next add or compact applies {}\n",
                        folder, FormatPlural(check.behind, "change"),
                        check.behind == 1 ? "it" : "them");
  }
  return said;
}

}  // namespace

Result<std::vector<StoredDocument>> FindStored(const Library& library, const std::string& folder,
                                               const std::string& id) {
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<StoredDocument> versions, library.FindVersions(id));
  if (versions.empty()) {
    return Fail(ErrorCode::kNotFound, fmt::format("\"{}\" has no document \"{}\"", folder, id));
  }
  if (versions.front().text == 0) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("document \"{}\" was purged from \"{}\"", id, folder));
  }
  return versions;
}

Status LibraryList(const LibraryActionOptions& options, CommandContext& context) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto library, Library::Open(PosixFileSystem(), options.folder));
  std::string printed;
  const auto versions = options.shows_all ? LibraryVersions::kAll : LibraryVersions::kLive;
  const auto print = [&](std::string line) -> Status {
    ZHIWEN_RETURN_IF_ERROR(context.cancellation.Check());
    printed += line;
    if (printed.size() < kListedAtOnce) return {};
    return context.console.Print(std::exchange(printed, {}));
  };
  const auto print_document = [&](const StoredDocument& document) {
    return print(options.json ? StoredDocumentToJson(document, nullptr) + "\n"
                              : Summarize(document));
  };
  if (options.lists_works) {
    ZHIWEN_RETURN_IF_ERROR(library->VisitWorks([&](const StoredWork& work) {
      // Documents with an owner and no work: a manifest has no record of them.
      if (options.json && work.labels.name.empty()) return Status();
      return print(options.json ? StoredWorkToJson(work) + "\n" : Summarize(work));
    }));
  } else if (!options.work.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto parts, library->FindParts(options.work));
    if (parts.empty()) {
      return Fail(ErrorCode::kNotFound,
                  fmt::format("\"{}\" has no work \"{}\"", options.folder, options.work));
    }
    for (const StoredDocument& part : parts) ZHIWEN_RETURN_IF_ERROR(print_document(part));
  } else {
    ZHIWEN_RETURN_IF_ERROR(library->VisitDocuments(versions, print_document));
  }
  return context.console.Print(printed);
}

Status LibraryShow(const LibraryActionOptions& options, CommandContext& context) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto library, Library::Open(PosixFileSystem(), options.folder));
  for (const std::string& id : options.words) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::vector<StoredDocument> versions,
                            FindStored(*library, options.folder, id));
    ZHIWEN_ASSIGN_OR_RETURN(const std::string text, library->ReadText(versions.front()));
    for (const StoredDocument& version : versions) {
      const std::string* const shown = &version == &versions.front() ? &text : nullptr;
      ZHIWEN_RETURN_IF_ERROR(context.console.Print(
          options.json ? StoredDocumentToJson(version, shown) + "\n" : Summarize(version)));
    }
    if (options.json) continue;
    ZHIWEN_RETURN_IF_ERROR(context.console.Print("\n" + text + (text.ends_with('\n') ? "" : "\n")));
  }
  return {};
}

Status LibraryStats(const LibraryActionOptions& options, CommandContext& context) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto library, Library::Open(PosixFileSystem(), options.folder));
  ZHIWEN_ASSIGN_OR_RETURN(const LibraryFacts facts, library->Facts());
  if (options.json) {
    return context.console.Print(LibraryFactsToJson(facts, options.folder) + "\n");
  }
  const uint64_t beside = facts.catalog_bytes + facts.near_bytes + facts.passage_bytes -
                          std::min(facts.stored_bytes, facts.catalog_bytes);
  std::vector<std::vector<std::string>> table = {
      {"profile", facts.profile},
      {"near", fmt::format("resemblance of at least {}", facts.near_threshold)},
      {"documents", FormatCount(facts.documents)},
      {"superseded", FormatCount(facts.superseded)},
      {"removed", FormatCount(facts.removed)},
      {"texts", fmt::format("{}, {}, compressed to {}", FormatCount(facts.texts),
                            FormatBytes(facts.text_bytes), FormatBytes(facts.stored_bytes))},
      {"catalog", FormatBytes(facts.catalog_bytes)},
      {"near-duplicates", FormatBytes(facts.near_bytes)},
      {"passages", FormatBytes(facts.passage_bytes)}};
  if (facts.works > 0 || facts.owners > 0) {
    table.push_back({"works", fmt::format("{}, of {}", FormatCount(facts.works),
                                          FormatPlural(facts.owners, "owner"))});
  }
  for (const LibraryChannelFacts& scheme : facts.schemes) {
    table.push_back({"scheme", fmt::format("{}, {}", FormatBytes(scheme.bytes), scheme.scheme)});
  }
  if (facts.resource_bytes > 0) {
    table.push_back({"files of schemes", FormatBytes(facts.resource_bytes)});
  }
  if (facts.documents > 0) {
    table.push_back({"beside the texts", FormatBytes(beside / facts.documents) + " a document"});
  }
  if (facts.index_sequence < facts.sequence) {
    table.push_back(
        {"the index lacks", FormatPlural(facts.sequence - facts.index_sequence, "change")});
  }
  return context.console.Print(FormatTable(table));
}

Status LibraryFsck(const LibraryActionOptions& options, CommandContext& context) {
  BatchRun run(context, 1);
  ZHIWEN_ASSIGN_OR_RETURN(const LibraryCheck check,
                          CheckLibrary(options.folder, run.environment()));
  run.Clear();
  ZHIWEN_RETURN_IF_ERROR(
      context.console.Print(options.json ? LibraryCheckToJson(check, options.folder) + "\n"
                                         : SayChecked(check, options.folder)));
  if (check.problems.empty()) return {};
  return Fail(
      ErrorCode::kUnreadable,
      fmt::format("\"{0}\" is not whole, {1}; zhiwen library compact {0} makes a damaged "
                  "index anew, library derive with the file that a scheme was given restores its "
                  "copy, a damaged catalog has to be restored from a copy",
                  options.folder, FormatPlural(check.problems.size(), "problem")));
}

}  // namespace zhiwen
