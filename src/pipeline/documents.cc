#include "zhiwen/documents.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <span>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/json/json_reader.h"
#include "base/utf8.h"
#include "document/record.h"
#include "pipeline/reader/line_blocks.h"

namespace zhiwen {
namespace {

constexpr size_t kReadBytes = size_t{1} << 20;
constexpr std::array<std::string_view, 2> kJsonLinesEndings = {".jsonl", ".ndjson"};
constexpr std::array<std::string_view, 1> kTextEndings = {".txt"};

// The endings by which files of a folder are taken.
std::span<const std::string_view> EndingsOf(DocumentFormat format) {
  if (format == DocumentFormat::kText) return kTextEndings;
  return kJsonLinesEndings;
}

bool EndsInOneOf(std::string_view path, std::span<const std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view end) { return path.ends_with(end); });
}

// "*.jsonl or *.ndjson"
std::string Patterns(DocumentFormat format) {
  std::string out;
  for (const std::string_view ending : EndingsOf(format)) {
    out += fmt::format("{}*{}", out.empty() ? "" : " or ", ending);
  }
  return out;
}

struct Folder {
  std::vector<std::string> taken;
  uint64_t passed_over = 0;
  std::string example;  // of those
};

Status ListBelow(FileSystem& files, const std::string& path, DocumentFormat format, Folder& out) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, files.List(path));
  for (const DirectoryEntry& entry : entries) {
    std::string below = path + (path.ends_with('/') ? "" : "/") + entry.name;
    if (entry.is_directory) {
      ZHIWEN_RETURN_IF_ERROR(ListBelow(files, below, format, out));
    } else if (entry.is_file && EndsInOneOf(below, EndingsOf(format))) {
      out.taken.push_back(std::move(below));
    } else if (out.passed_over++ == 0) {
      out.example = std::move(below);
    }
  }
  return {};
}

Result<Folder> ListFolder(FileSystem& files, const std::string& path, DocumentFormat format) {
  Folder out;
  ZHIWEN_RETURN_IF_ERROR(ListBelow(files, path, format, out));
  if (out.taken.empty()) {
    return Fail(ErrorCode::kNotFound,
                out.passed_over == 0
                    ? fmt::format("no {} file below \"{}\"", Patterns(format), path)
                    : fmt::format("no {} file below \"{}\"; others, such as \"{}\", must be named "
                                  "one by one",
                                  Patterns(format), path, out.example));
  }
  std::ranges::sort(out.taken);
  return out;
}

// What the first bytes of a file say when it is neither JSON Lines nor text.
std::string_view ForeignFormat(std::string_view head) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kMagic = {{
      {"\x28\xB5\x2F\xFD", "zstd data; decompress it first (zstd -d)"},
      {"\x1F\x8B", "gzip data; decompress it first (gunzip)"},
      {"PAR1", "a Parquet file; convert it to JSON Lines first"},
      {"PK\x03\x04", "a zip archive; unpack it first"},
      {"\xFF\xFE", "UTF-16 text; convert it to UTF-8 first (iconv)"},
      {"\xFE\xFF", "UTF-16 text; convert it to UTF-8 first (iconv)"},
  }};
  for (const auto& [magic, what] : kMagic) {
    if (head.starts_with(magic)) return what;
  }
  return {};
}

Result<FileIdentity> Inspect(FileSystem& files, const std::string& path) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<ReadableFile> file, files.OpenForRead(path));
  std::array<char, 4> head{};
  ZHIWEN_ASSIGN_OR_RETURN(const size_t count, file->ReadAt(0, head));
  if (const std::string_view what = ForeignFormat({head.data(), count}); !what.empty()) {
    return Fail(ErrorCode::kUnreadable, fmt::format("cannot read \"{}\": it is {}", path, what));
  }
  return file->Identity();
}

// Fails when two of the files are one.
Status CheckDistinct(const std::vector<DocumentFile>& files) {
  std::map<std::pair<uint64_t, uint64_t>, const std::string*> seen;
  for (const DocumentFile& file : files) {
    const auto [at, is_new] =
        seen.try_emplace({file.identity.device, file.identity.inode}, &file.path);
    if (is_new) continue;
    return Fail(ErrorCode::kInvalidArgument,
                *at->second == file.path
                    ? fmt::format("the input \"{}\" is given twice", file.path)
                    : fmt::format("the inputs \"{}\" and \"{}\" are the same file; give it once",
                                  *at->second, file.path));
  }
  return {};
}

}  // namespace

std::vector<FormatDescription> DescribeFormats() {
  return {
      {"jsonl", ".jsonl .ndjson", "one JSON object a line, text in a field (--text-field)",
       "dedup (whatever the name), fingerprint",
       "dedup (kept/: the records' bytes unchanged), fingerprint"},
      {"text", "any other", "the whole file, UTF-8", "compare, fingerprint", ""},
      {"jsonl.zst", ".jsonl.zst", "records of zstd frames of 8 MiB", "",
       "dedup (removed, clusters, failed)"},
      {"json", ".json", "", "", "dedup (report.json), every command with --json"},
  };
}

DocumentFormat FormatOfPath(std::string_view path) {
  return EndsInOneOf(path, kJsonLinesEndings) ? DocumentFormat::kJsonLines : DocumentFormat::kText;
}

Result<DocumentFiles> ListDocumentFiles(FileSystem& files, const std::vector<std::string>& inputs,
                                        DocumentFormat format) {
  DocumentFiles out;
  for (size_t input = 0; input < inputs.size(); ++input) {
    const std::string& path = inputs[input];
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_folder, files.IsDirectory(path));
    if (!is_folder) {
      out.files.push_back({path, input, {}});
      continue;
    }
    ZHIWEN_ASSIGN_OR_RETURN(Folder folder, ListFolder(files, path, format));
    for (std::string& taken : folder.taken) out.files.push_back({std::move(taken), input, {}});
    if (folder.passed_over == 0) continue;
    out.warnings.push_back(
        fmt::format("passed over {} other file{} below \"{}\", such as \"{}\"; "
                    "only {} files are read",
                    folder.passed_over, folder.passed_over == 1 ? "" : "s", path, folder.example,
                    Patterns(format)));
  }
  for (DocumentFile& file : out.files) {
    ZHIWEN_ASSIGN_OR_RETURN(file.identity, Inspect(files, file.path));
  }
  ZHIWEN_RETURN_IF_ERROR(CheckDistinct(out.files));
  return out;
}

struct DocumentReader::State {
  explicit State(RecordParser record_parser) : parser(std::move(record_parser)) {}

  std::unique_ptr<ReadableFile> file;
  std::string name;
  DocumentFormat format = DocumentFormat::kJsonLines;
  uint64_t max_record_bytes = 0;
  RecordParser parser;

  std::string buffer;  // [begin, end) is unread; padding behind it
  size_t begin = 0, end = 0;
  uint64_t offset = 0;  // of the next read
  uint64_t record = 0;
  bool at_end = false;
  bool dropping = false;  // inside a record that is too large

  Status Fill();
  Status SkipRest();
  Result<std::optional<std::string_view>> NextLine();
  Result<std::optional<SourceDocument>> NextRecord();
  Result<std::optional<SourceDocument>> WholeText();
  SourceDocument MakeFault(std::string reason, std::string detail) const;
  SourceDocument ParseRecord(std::string_view line);
};

// Moves what is unread to the front and reads on behind it.
Status DocumentReader::State::Fill() {
  std::memmove(buffer.data(), buffer.data() + begin, end - begin);
  end -= begin;
  begin = 0;
  const size_t wanted = std::max(kReadBytes, end);
  if (buffer.size() < end + wanted + JsonReader::kPadding) {
    buffer.resize(end + wanted + JsonReader::kPadding);
  }
  ZHIWEN_ASSIGN_OR_RETURN(const size_t count,
                          file->ReadAt(offset, std::span<char>(buffer.data() + end, wanted)));
  offset += count;
  end += count;
  at_end = count < wanted;
  return {};
}

// Passes over what is left of a record that was too large.
Status DocumentReader::State::SkipRest() {
  while (dropping) {
    const void* found = std::memchr(buffer.data() + begin, '\n', end - begin);
    dropping = found == nullptr && !at_end;
    begin = found == nullptr
                ? end
                : static_cast<size_t>(static_cast<const char*>(found) - buffer.data()) + 1;
    if (dropping) ZHIWEN_RETURN_IF_ERROR(Fill());
  }
  return {};
}

// The next line without its end; nothing at the end of the file. A record above the limit comes
// back cut somewhere behind the limit, and its rest is passed over by the following call.
Result<std::optional<std::string_view>> DocumentReader::State::NextLine() {
  ZHIWEN_RETURN_IF_ERROR(SkipRest());
  size_t looked = 0;  // bytes from `begin` that hold no line end
  while (true) {
    const void* found = std::memchr(buffer.data() + begin + looked, '\n', end - begin - looked);
    const bool complete = found != nullptr;
    const size_t line_end =
        complete ? static_cast<size_t>(static_cast<const char*>(found) - buffer.data()) : end;
    const std::string_view line(buffer.data() + begin, line_end - begin);
    if (at_end && !complete && line.empty()) return std::optional<std::string_view>();
    dropping = !complete && line.size() > max_record_bytes;
    if (complete || at_end || dropping) {
      begin = complete ? line_end + 1 : line_end;
      return std::optional(line);
    }
    looked = line.size();
    ZHIWEN_RETURN_IF_ERROR(Fill());
  }
}

SourceDocument DocumentReader::State::MakeFault(std::string reason, std::string detail) const {
  SourceDocument out;
  out.id = fmt::format("{}:{}", name, record);
  out.record = record;
  out.fault = std::move(reason);
  out.fault_detail = std::move(detail);
  return out;
}

SourceDocument DocumentReader::State::ParseRecord(std::string_view line) {
  std::variant<Document, RecordFault> parsed = parser.Parse(line);
  if (const auto* fault = std::get_if<RecordFault>(&parsed)) {
    return MakeFault(std::string(RecordFaultName(fault->reason)), fault->message);
  }
  const Document& document = std::get<Document>(parsed);
  SourceDocument out;
  out.text = document.text;
  out.id = document.id ? std::string(*document.id) : fmt::format("{}:{}", name, record);
  out.record = record;
  return out;
}

Result<std::optional<SourceDocument>> DocumentReader::State::NextRecord() {
  while (true) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::optional<std::string_view> line, NextLine());
    if (!line) return std::optional<SourceDocument>();
    const bool too_large = line->size() > max_record_bytes;  // and perhaps cut: its rest is unseen
    if (!too_large && IsBlankLine(*line)) continue;
    ++record;
    if (too_large) {
      const auto reason = RecordFault::Reason::kTooLarge;
      return std::optional(
          MakeFault(std::string(RecordFaultName(reason)),
                    fmt::format("the record is larger than {} bytes", max_record_bytes)));
    }
    return std::optional(ParseRecord(*line));
  }
}

Result<std::optional<SourceDocument>> DocumentReader::State::WholeText() {
  if (std::exchange(record, 1) != 0) return std::optional<SourceDocument>();
  while (!at_end && end <= max_record_bytes) ZHIWEN_RETURN_IF_ERROR(Fill());
  std::string_view bytes(buffer.data(), end);
  SourceDocument out;
  out.id = name;
  if (bytes.size() > max_record_bytes) {
    out.fault = RecordFaultName(RecordFault::Reason::kTooLarge);
    out.fault_detail = fmt::format("the file is larger than {} bytes", max_record_bytes);
    return std::optional(std::move(out));
  }
  if (const size_t broken = FindInvalidUtf8(bytes); broken < bytes.size()) {
    out.fault = RecordFaultName(RecordFault::Reason::kInvalidUtf8);
    out.fault_detail = fmt::format("not valid UTF-8 at byte {}", broken);
    return std::optional(std::move(out));
  }
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  out.text = bytes;
  return std::optional(std::move(out));
}

DocumentReader::DocumentReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
DocumentReader::~DocumentReader() = default;
DocumentReader::DocumentReader(DocumentReader&&) noexcept = default;
DocumentReader& DocumentReader::operator=(DocumentReader&&) noexcept = default;

Result<DocumentReader> DocumentReader::Create(std::unique_ptr<ReadableFile> file, std::string name,
                                              DocumentFormat format,
                                              const DocumentOptions& options) {
  RecordFields fields;
  fields.text = options.text_fields;
  if (options.id_field) fields.id = *options.id_field;
  ZHIWEN_ASSIGN_OR_RETURN(RecordParser parser, RecordParser::Create(fields));
  auto state = std::make_unique<State>(std::move(parser));
  state->file = std::move(file);
  state->name = std::move(name);
  state->format = format;
  state->max_record_bytes = options.max_record_bytes;
  state->buffer.resize(JsonReader::kPadding);
  return DocumentReader(std::move(state));
}

Result<std::optional<SourceDocument>> DocumentReader::Next() {
  return state_->format == DocumentFormat::kText ? state_->WholeText() : state_->NextRecord();
}

uint64_t DocumentReader::bytes_read() const { return state_->offset; }

}  // namespace zhiwen
