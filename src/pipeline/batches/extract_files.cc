#include "zhiwen/extract_files.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/json/json_writer.h"
#include "pipeline/batches/input_paths.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMostPageBytes = uint64_t{1} << 30;
constexpr size_t kReadBytes = size_t{1} << 20;
constexpr size_t kFilesPerThread = 16;

void SpanToJson(std::string_view key, ByteSpan span, JsonWriter& json) {
  json.Key(key).BeginObject();
  json.Key("begin").Unsigned(span.begin.value).Key("end").Unsigned(span.end.value);
  json.EndObject();
}

std::string FailedToJson(std::string_view name, const Error& error) {
  std::string line;
  JsonWriter json(line);
  json.BeginObject().Key("id").String(name).Key("source").BeginObject();
  json.Key("file").String(name).EndObject();
  json.Key("failed").BeginObject().Key("reason").String(TraitsOf(error.code).name);
  json.Key("message").String(error.message).EndObject().EndObject();
  return line + '\n';
}

// Reads what arrives, to its end.
Result<std::string> ReadArriving(ReadableFile& file) {
  std::string bytes;
  while (bytes.size() <= kMostPageBytes) {
    const size_t before = bytes.size();
    bytes.resize(before + kReadBytes);
    ZHIWEN_ASSIGN_OR_RETURN(const size_t count,
                            file.ReadAt(before, std::span<char>(bytes).subspan(before)));
    bytes.resize(before + count);
    if (count < kReadBytes) return bytes;
  }
  return Fail(ErrorCode::kExhausted,
              fmt::format("cannot read \"{}\": a web page of more than 1 GiB", file.path()));
}

// What came of a file.
struct Extracted {
  std::string output;
  std::optional<Error> error;
  bool is_empty = false;
};

class FileExtraction {
 public:
  FileExtraction(const ExtractFilesOptions& options, const TextSink& sink,
                 const BatchEnvironment& environment)
      : options_(options), sink_(sink), environment_(environment) {}

  Result<ExtractedFiles> Run();

 private:
  Status CheckPaths() const;
  Result<std::string> Read(const std::string& path) const;
  Extracted Extract(const std::string& path, Result<std::string> bytes) const;
  Status Take(const std::string& path, Extracted extracted);
  Status FailAtEnd() const;

  const ExtractFilesOptions& options_;
  const TextSink& sink_;
  const BatchEnvironment& environment_;
  ExtractedFiles counts_;
  uint64_t failed_ = 0;
  std::optional<Error> first_error_;
  bool has_text_ = false;
};

Status FileExtraction::CheckPaths() const {
  ZHIWEN_RETURN_IF_ERROR(CheckStandardInput(options_.paths, environment_));
  for (const std::string& path : options_.paths) {
    if (path == kStandardInput) continue;
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_folder, environment_.files.IsDirectory(path));
    if (!is_folder) continue;
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" is a folder; name the HTML files in it", path));
  }
  return {};
}

Result<std::string> FileExtraction::Read(const std::string& path) const {
  const bool arrives = path == kStandardInput;
  ZHIWEN_ASSIGN_OR_RETURN(std::string bytes,
                          arrives ? ReadArriving(*environment_.standard_input())
                                  : ReadWholeFile(environment_.files, path, kMostPageBytes));
  return DecompressBytes(std::move(bytes), NameOfInput(path), kMostPageBytes);
}

Extracted FileExtraction::Extract(const std::string& path, Result<std::string> bytes) const {
  const std::string name = NameOfInput(path);
  Result<ExtractedDocument> page = tl::unexpected<Error>(Error{});
  if (bytes) {
    page = ExtractDocument(*bytes, {.type = DocumentTypeOfPath(path)});
  } else {
    page = Fail(bytes.error().code, bytes.error().message);
  }
  Extracted extracted;
  if (!page) {
    extracted.error = page.error();
    if (options_.form != ExtractForm::kText) extracted.output = FailedToJson(name, page.error());
    return extracted;
  }
  extracted.is_empty = page->kind == ExtractedKind::kEmpty;
  if (options_.form == ExtractForm::kText) {
    extracted.output = std::move(page->text);
    if (!extracted.is_empty) extracted.output += '\n';
  } else {
    const bool shows_blocks = options_.form == ExtractForm::kBlocks;
    extracted.output =
        ExtractedToJson(name, *page, shows_blocks ? PageBlocks::kShow : PageBlocks::kLeaveOut) +
        '\n';
  }
  return extracted;
}

Status FileExtraction::Take(const std::string& path, Extracted extracted) {
  ++counts_.files;
  counts_.empty += extracted.is_empty ? 1 : 0;
  if (extracted.error) {
    ++failed_;
    if (options_.paths.size() > 1) environment_.log.Warn(extracted.error->message);
    if (!first_error_) first_error_ = std::move(extracted.error);
  } else if (extracted.is_empty && options_.form == ExtractForm::kText) {
    environment_.log.Warn(fmt::format("\"{}\" has no text", NameOfInput(path)));
  }
  if (extracted.output.empty()) return {};
  if (options_.form == ExtractForm::kText && std::exchange(has_text_, true)) {
    ZHIWEN_RETURN_IF_ERROR(sink_("\n"));
  }
  return sink_(extracted.output);
}

Status FileExtraction::FailAtEnd() const {
  if (!first_error_) return {};
  if (options_.paths.size() == 1) return tl::unexpected<Error>(*first_error_);
  return Fail(ErrorCode::kUnreadable,
              fmt::format("{} of {} could not be read", FormatCount(failed_),
                          FormatPlural(counts_.files, "file")));
}

Result<ExtractedFiles> FileExtraction::Run() {
  ZHIWEN_RETURN_IF_ERROR(CheckPaths());
  const size_t at_a_time = kFilesPerThread * environment_.executor.concurrency();
  const std::vector<std::string>& paths = options_.paths;
  for (size_t begin = 0; begin < paths.size(); begin += at_a_time) {
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    environment_.progress.Advance(Stage::kExtract, begin, paths.size());
    const std::span<const std::string> batch =
        std::span(paths).subspan(begin, std::min(at_a_time, paths.size() - begin));
    // Standard input belongs to the calling thread.
    std::vector<std::optional<Result<std::string>>> bytes(batch.size());
    for (size_t i = 0; i < batch.size(); ++i) {
      if (batch[i] == kStandardInput) bytes[i] = Read(batch[i]);
    }
    std::vector<Extracted> extracted(batch.size());
    ParallelFor(environment_.executor, batch.size(), 1, [&](size_t from, size_t to) {
      for (size_t i = from; i < to; ++i) {
        if (environment_.cancellation.requested()) return;
        extracted[i] = Extract(batch[i], bytes[i] ? *std::move(bytes[i]) : Read(batch[i]));
      }
    });
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    for (size_t i = 0; i < batch.size(); ++i) {
      ZHIWEN_RETURN_IF_ERROR(Take(batch[i], std::move(extracted[i])));
    }
  }
  ZHIWEN_RETURN_IF_ERROR(FailAtEnd());
  return counts_;
}

}  // namespace

Result<ExtractedFiles> ExtractFiles(const ExtractFilesOptions& options, const TextSink& sink,
                                    const BatchEnvironment& environment) {
  return FileExtraction(options, sink, environment).Run();
}

std::string ExtractedToJson(std::string_view name, const ExtractedDocument& page,
                            PageBlocks blocks) {
  std::string line;
  JsonWriter json(line);
  json.BeginObject().Key("id").String(name).Key("source").BeginObject();
  json.Key("file").String(name).EndObject();
  json.Key("url").String(page.url).Key("type").String(DocumentTypeName(page.type));
  json.Key("encoding").BeginObject().Key("name").String(page.encoding);
  json.Key("declared").String(page.declared_encoding);
  json.Key("errors").Unsigned(page.encoding_errors).EndObject();
  json.Key("title").String(page.title).Key("author").String(page.author);
  json.Key("date").String(page.date).Key("site").String(page.site);
  json.Key("language").String(page.language).Key("kind").String(ExtractedKindName(page.kind));
  json.Key("share").Fixed(page.share, 3).Key("text").String(page.text);
  if (blocks == PageBlocks::kShow) {
    json.Key("blocks").BeginArray();
    for (const ExtractedBlock& block : page.blocks) {
      json.BeginObject().Key("kind").String(BlockKindName(block.kind));
      json.Key("level").Unsigned(block.level);
      SpanToJson("text", block.text, json);
      SpanToJson("source", block.source, json);
      json.EndObject();
    }
    json.EndArray();
  }
  json.EndObject();
  return line;
}

}  // namespace zhiwen
