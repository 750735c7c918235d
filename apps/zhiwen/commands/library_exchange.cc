// Implements library export, import and verify.
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "commands/batch_run.h"
#include "commands/chosen_schemes.h"
#include "commands/chosen_text.h"
#include "commands/library_actions.h"
#include "terminal/table.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"
#include "zhiwen/file_system.h"
#include "zhiwen/library_verify.h"
#include "zhiwen/metadata.h"
#include "zhiwen/named_text.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMostVerifiedBytes = uint64_t{1} << 28;
constexpr size_t kExportedAtOnce = size_t{64} << 10;

std::string SayExported(const ExportSummary& summary, const ExportOptions& exported) {
  std::string said =
      fmt::format("{}: {}", exported.output, FormatPlural(summary.documents, "document"));
  if (summary.purged > 0) said += fmt::format(", {} purged", FormatCount(summary.purged));
  return said + "\n";
}

// A text, or a record with its fields.
struct GivenDocument {
  std::string text;
  std::vector<std::string> values;  // of the fields of the record
};

Result<GivenDocument> ReadGiven(const std::string& path, const ChosenFields& chosen,
                                const CommandContext& context) {
  const bool is_record = path != kStandardInput && [&] {
    const auto name = ParseNamedText(PosixFileSystem(), path, chosen.format);
    return name && name->is_record();
  }();
  GivenDocument given;
  ZHIWEN_ASSIGN_OR_RETURN(given.text,
                          ReadChosenText(path, chosen, kMostVerifiedBytes, context.cancellation));
  if (!is_record) return given;
  ZHIWEN_ASSIGN_OR_RETURN(const NamedText name,
                          ParseNamedText(PosixFileSystem(), path, chosen.format));
  ZHIWEN_ASSIGN_OR_RETURN(
      SourceDocument record,
      ReadRecord(PosixFileSystem(), name, chosen.documents, chosen.format, context.cancellation));
  given.values = std::move(record.values);
  return given;
}

std::string FormatVerified(const VerifiedDocument& verified, size_t columns) {
  std::vector<std::vector<std::string>> rows;
  for (size_t part = 0; part < verified.parts.size(); ++part) {
    rows.push_back({std::string(kMetadataPartWords[part]),
                    std::string(PartFindingName(verified.parts[part]))});
  }
  return FormatTable(rows, columns);
}

}  // namespace

Status LibraryExport(const LibraryActionOptions& options, CommandContext& context) {
  BatchRun run(context, 1);
  ExportOptions exported = {
      .folder = options.folder,
      .versions = options.shows_all ? LibraryVersions::kAll : LibraryVersions::kLive,
      .output = options.output,
      .overwrite = options.overwrites};
  std::string printed;
  exported.lines = [&](std::string_view line) -> Status {
    printed += line;
    return printed.size() < kExportedAtOnce ? Status() : run.Print(std::exchange(printed, {}));
  };
  ZHIWEN_ASSIGN_OR_RETURN(const ExportSummary summary, ExportLibrary(exported, run.environment()));
  ZHIWEN_RETURN_IF_ERROR(run.Print(printed));
  run.Clear();
  if (exported.output.empty() || context.console.quiet()) return {};
  return context.console.Print(SayExported(summary, exported));
}

Status LibraryImport(const LibraryActionOptions& options, CommandContext& context) {
  LibraryActionOptions restored = options;
  restored.add.restores = true;
  restored.add.overlaps = OwnerOverlaps::kLeave;  // of documents that were in a library before
  return LibraryAdd(restored, context);
}

Status LibraryVerify(const LibraryActionOptions& options, CommandContext& context) {
  if (options.words.size() != 2) {
    return Fail(ErrorCode::kInvalidArgument,
                "library verify needs an id and a file behind the library");
  }
  const std::string &id = options.words[0], &path = options.words[1];
  ChosenFields chosen = {.documents = options.add.inputs.documents,
                         .format = options.add.inputs.format};
  ZHIWEN_RETURN_IF_ERROR(RefuseIdleFields(std::span(&path, 1), chosen));
  FingerprintDocumentsOptions fields;
  options.metadata->AddTo(fields);
  for (const FieldSource& source : fields.fields) {
    chosen.documents.value_fields.push_back(source.field);
  }
  ChosenSchemes metadata;
  metadata.names = {"metadata"};
  metadata.key_file = options.key_file;
  ZHIWEN_ASSIGN_OR_RETURN(const auto schemes, CreateSchemes(metadata, context.language));
  ZHIWEN_ASSIGN_OR_RETURN(const auto library, Library::Open(PosixFileSystem(), options.folder));
  ZHIWEN_ASSIGN_OR_RETURN(const auto versions, FindStored(*library, options.folder, id));
  ZHIWEN_ASSIGN_OR_RETURN(const GivenDocument given, ReadGiven(path, chosen, context));
  DocumentFields document = {.text = given.text};
  for (size_t i = 0; i < given.values.size(); ++i) {
    std::string_view& target = document.*fields.fields[i].target;
    if (target.empty()) target = given.values[i];
  }
  ZHIWEN_ASSIGN_OR_RETURN(const VerifiedDocument verified,
                          VerifyDocument(*library, versions.front(), document, *schemes.front()));
  if (options.json) {
    return context.console.Print(VerifiedDocumentToJson(verified, path) + "\n");
  }
  if (context.console.quiet()) return {};
  return context.console.Print(FormatVerified(verified, context.console.columns()));
}

}  // namespace zhiwen
