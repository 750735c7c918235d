#include "zhiwen/library_files.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

void RefuseEmptyId(SourceDocument& document) {
  if (!document.id.empty()) return;
  document.fault = "empty_id";
  document.fault_detail = "the id is empty";
}

}  // namespace

Result<AddFilesSummary> AddFiles(const AddFilesOptions& options,
                                 const BatchEnvironment& environment) {
  DocumentInputs inputs = options.inputs;
  const LabelFields& labels = options.labels;
  inputs.documents.value_fields = {labels.title, labels.author, labels.date, labels.url};
  DocumentBatches batches(std::move(inputs),
                          {.stage = Stage::kAddRows,
                           .outcome = "place in the library",
                           .done = "",
                           .check = RefuseEmptyId},
                          environment);
  ZHIWEN_RETURN_IF_ERROR(batches.Prepare());
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<LibraryWriter> writer,
                          LibraryWriter::Open(options.folder, environment));
  AddFilesSummary summary;
  uint64_t documents = 0;
  const auto add = [&](std::span<const LibraryDocument> next) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(const AddedDocuments added, writer->AddNext(next));
    summary.documents.added += added.added;
    summary.documents.updated += added.updated;
    summary.documents.unchanged += added.unchanged;
    const uint64_t stored = added.added + added.updated + added.unchanged;
    documents += stored;
    return options.stored && stored > 0 ? options.stored(documents) : Status();
  };
  const auto take = [&](std::span<const SourceDocument> batch) -> Status {
    std::vector<LibraryDocument> to_add;
    to_add.reserve(batch.size());
    for (const SourceDocument& document : batch) {
      LibraryDocument one = {.id = document.id, .text = document.text};
      if (document.values.size() == 4) {
        one.labels = {.title = document.values[0],
                      .author = document.values[1],
                      .date = document.values[2],
                      .url = document.values[3]};
      }
      to_add.push_back(std::move(one));
    }
    return add(to_add);
  };
  Status status = batches.ForEach(take);
  // Documents that were read before a failure are added, and stay.
  const Status last = add({});
  const Status closed = writer->Close();
  if (!status) {
    Error error = std::move(status).error();
    error.message += fmt::format("; {} read before {} in \"{}\", add the same again to go on",
                                 FormatPlural(documents, "document"), documents == 1 ? "is" : "are",
                                 options.folder);
    return tl::unexpected(std::move(error));
  }
  ZHIWEN_RETURN_IF_ERROR(Status(last));
  ZHIWEN_RETURN_IF_ERROR(Status(closed));
  summary.found = batches.found();
  return summary;
}

}  // namespace zhiwen
