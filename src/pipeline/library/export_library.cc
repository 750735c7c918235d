#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "base/json/json_writer.h"
#include "pipeline/library/picture_matches.h"
#include "pipeline/lines_output.h"
#include "zhiwen/library.h"
#include "zhiwen/library_files.h"

namespace zhiwen {
namespace {

std::string ExportedLine(const StoredDocument& document, const std::string& text,
                         const std::optional<DocumentSource>& source, LibraryVersions versions) {
  const LabelFields names;
  const DocumentLabels& labels = document.labels;
  std::string line;
  JsonWriter json(line);
  json.BeginObject().Key("id").String(document.id);
  json.Key(names.title).String(labels.title).Key(names.author).String(labels.author);
  json.Key(names.date).String(labels.date).Key(names.url).String(labels.url);
  json.Key(names.work).String(document.work.name).Key(names.part).String(labels.part);
  json.Key(names.owner).String(document.work.owner);
  json.Key(kKindField).String(DocumentKindName(labels.kind));
  if (!labels.exposed_from.empty()) json.Key(kExposedFromField).String(labels.exposed_from);
  if (!labels.exposed_until.empty()) json.Key(kExposedUntilField).String(labels.exposed_until);
  if (versions == LibraryVersions::kAll) {
    json.Key(kStateField).String(DocumentStateName(document.state));
  }
  if (source && !source->picture.empty()) {
    json.Key(kPictureKeysField).String(PictureKeysToHex(source->picture));
  } else if (source) {
    json.Key(kSourcePlacesField).String(source->places);
    json.Key(kSourceMemberField).String(source->member);
  }
  json.Key("text").String(text).EndObject();
  return line + "\n";
}

constexpr LinesKind kExportKind = {.name = "library export", .field = "\",\"title\":\""};

// The receiver of lines: a file, or the caller.
class ExportSink {
 public:
  static Result<ExportSink> Create(FileSystem& files, const ExportOptions& options) {
    ExportSink sink(options.lines);
    if (options.output.empty()) return sink;
    ZHIWEN_ASSIGN_OR_RETURN(
        sink.file_, LinesOutput::Create(files, kExportKind,
                                        {.path = options.output, .overwrite = options.overwrite}));
    return sink;
  }

  Status Take(std::string_view line) { return file_ ? file_->Add(line) : lines_(line); }
  Status Publish() { return file_ ? file_->Publish() : Status(); }

 private:
  explicit ExportSink(TextSink lines) : lines_(std::move(lines)) {}

  TextSink lines_;
  std::unique_ptr<LinesOutput> file_;
};

}  // namespace

Result<ExportSummary> ExportLibrary(const ExportOptions& options,
                                    const BatchEnvironment& environment) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<Library> library,
                          Library::Open(environment.files, options.folder));
  ZHIWEN_ASSIGN_OR_RETURN(ExportSink sink, ExportSink::Create(environment.files, options));
  ZHIWEN_ASSIGN_OR_RETURN(const LibraryFacts facts, library->Facts());
  ExportSummary summary;
  uint64_t bytes = 0;
  const auto write = [&](const StoredDocument& document) -> Status {
    ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
    const auto text = library->ReadText(document);
    if (!text && text.error().code == ErrorCode::kNotFound) {
      ++summary.purged;
      return {};
    }
    if (!text) return tl::unexpected(text.error());
    ZHIWEN_ASSIGN_OR_RETURN(const auto source, library->ReadSource(document));
    ++summary.documents;
    bytes += text->size();  // more than the library stores, where texts are equal
    environment.progress.Advance(Stage::kRead, std::min(bytes, facts.text_bytes), facts.text_bytes);
    return sink.Take(ExportedLine(document, *text, source, options.versions));
  };
  ZHIWEN_RETURN_IF_ERROR(library->VisitDocuments(options.versions, write));
  ZHIWEN_RETURN_IF_ERROR(sink.Publish());
  return summary;
}

}  // namespace zhiwen
