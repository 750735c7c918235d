#include "zhiwen/documents.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/compress/byte_source.h"
#include "pipeline/reader/document_input.h"

namespace zhiwen {
namespace {

struct Ending {
  std::string_view ending;
  DocumentFormat format;
};

constexpr std::array<Ending, 6> kEndings = {{
    {".jsonl", DocumentFormat::kJsonLines},
    {".ndjson", DocumentFormat::kJsonLines},
    {".csv", DocumentFormat::kCsv},
    {".tsv", DocumentFormat::kTsv},
    {".parquet", DocumentFormat::kParquet},
    {".txt", DocumentFormat::kText},
}};

constexpr std::array<std::pair<std::string_view, DocumentFormat>, 5> kNames = {{
    {"jsonl", DocumentFormat::kJsonLines},
    {"csv", DocumentFormat::kCsv},
    {"tsv", DocumentFormat::kTsv},
    {"text", DocumentFormat::kText},
    {"parquet", DocumentFormat::kParquet},
}};

constexpr size_t kPieceBytes = size_t{1} << 20;

class BytesFile final : public ReadableFile {
 public:
  BytesFile(std::string bytes, std::string name)
      : bytes_(std::move(bytes)), name_(std::move(name)) {}
  Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
    return offset >= bytes_.size() ? 0 : bytes_.copy(out.data(), out.size(), offset);
  }
  Result<FileIdentity> Identity() const override { return FileIdentity(); }
  const std::string& path() const override { return name_; }

 private:
  const std::string bytes_, name_;
};

char LowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool HasEnding(std::string_view path, std::string_view ending) {
  if (path.size() < ending.size()) return false;
  return std::ranges::equal(path.substr(path.size() - ending.size()), ending, {}, LowerCase);
}

// Whether files of a folder with such an ending are taken.
bool IsWanted(DocumentFormat found, const ListOptions& options) {
  return options.format ? found == *options.format : found != DocumentFormat::kText;
}

// "*.jsonl, *.ndjson", of the formats that are read.
std::string Patterns(const ListOptions& options) {
  std::string out;
  for (const Ending& row : kEndings) {
    if (!IsWanted(row.format, options)) continue;
    out += fmt::format("{}*{}", out.empty() ? "" : ", ", row.ending);
  }
  if (!options.format) out += " or *.txt";
  if (options.format != DocumentFormat::kParquet) out += " (also .gz, .zst)";
  return out;
}

struct Folder {
  std::vector<std::string> wanted;
  std::vector<std::string> texts;  // taken when nothing is wanted and no format is asked for
  uint64_t others = 0;
  std::string other;  // one of them
};

Status ListBelow(FileSystem& files, const std::string& path, const ListOptions& options,
                 Folder& out) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, files.List(path));
  for (const DirectoryEntry& entry : entries) {
    std::string below = path + (path.ends_with('/') ? "" : "/") + entry.name;
    const std::optional<DocumentFormat> format = FormatOfPath(below);
    if (entry.is_directory) {
      ZHIWEN_RETURN_IF_ERROR(ListBelow(files, below, options, out));
    } else if (entry.is_file && format && IsWanted(*format, options)) {
      out.wanted.push_back(std::move(below));
    } else if (entry.is_file && format == DocumentFormat::kText && !options.format) {
      out.texts.push_back(std::move(below));
    } else if (out.others++ == 0) {
      out.other = std::move(below);
    }
  }
  return {};
}

Result<Folder> ListFolder(FileSystem& files, const std::string& path, const ListOptions& options) {
  Folder out;
  ZHIWEN_RETURN_IF_ERROR(ListBelow(files, path, options, out));
  if (out.wanted.empty()) {
    std::swap(out.wanted, out.texts);
  } else if (!out.texts.empty()) {
    out.others += out.texts.size();
    out.other = *std::ranges::min_element(out.texts);
  }
  if (out.wanted.empty()) {
    return Fail(ErrorCode::kNotFound,
                out.others == 0
                    ? fmt::format("no {} file below \"{}\"", Patterns(options), path)
                    : fmt::format("no {} file below \"{}\"; others, such as \"{}\", must be named "
                                  "one by one",
                                  Patterns(options), path, out.other));
  }
  std::ranges::sort(out.wanted);
  return out;
}

// What the first bytes of a file say when it holds no documents.
std::string_view ForeignFormat(std::string_view head) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kMagic = {{
      {"PK\x03\x04", "a zip archive; unpack it first"},
      {"\xFD\x37\x7A\x58", "xz data; decompress it first (unxz)"},
      {"BZh9", "bzip2 data; decompress it first (bunzip2)"},
      {"\xFF\xFE", "UTF-16 text; convert it to UTF-8 first (iconv)"},
      {"\xFE\xFF", "UTF-16 text; convert it to UTF-8 first (iconv)"},
  }};
  for (const auto& [magic, what] : kMagic) {
    if (head.starts_with(magic)) return what;
  }
  return {};
}

DocumentCompression CompressionOf(std::string_view head) {
  switch (DetectCompression(head)) {
    case Compression::kGzip:
      return DocumentCompression::kGzip;
    case Compression::kZstd:
      return DocumentCompression::kZstd;
    case Compression::kNone:
      break;
  }
  return DocumentCompression::kNone;
}

// The first decompressed bytes; none when they are damaged, which reading will tell.
std::string Decompressed(std::unique_ptr<ReadableFile> file, DocumentCompression compression) {
  auto source = OpenByteSource(std::move(file), ToCompression(compression));
  if (!source) return {};
  std::array<char, 4> head{};
  const Result<size_t> count = (*source)->Read(head);
  return count ? std::string(head.data(), *count) : std::string();
}

// Says why the content does not fit what the name or the user says; empty when it may.
std::string_view Mismatch(const DocumentFile& file, std::string_view head,
                          DamagedBeginning damaged) {
  const bool is_parquet = head.starts_with("PAR1") || head.starts_with("PARE");
  const bool is_compressed = file.compression != DocumentCompression::kNone;
  if (file.format == DocumentFormat::kParquet) {
    if (is_compressed) return "a compressed file; Parquet compresses inside: decompress it first";
    const bool may_be_parquet = is_parquet || damaged == DamagedBeginning::kList;
    return may_be_parquet ? "" : "no Parquet file, which begins with PAR1";
  }
  if (is_parquet) return "a Parquet file; name it *.parquet";
  return ForeignFormat(head);
}

// Looks at a file; `known` is its format when the name or the user says one.
Status Inspect(FileSystem& files, std::optional<DocumentFormat> known, DamagedBeginning damaged,
               DocumentFile& out) {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, files.OpenForRead(out.path));
  ZHIWEN_ASSIGN_OR_RETURN(out.identity, file->Identity());
  std::array<char, 4> first{};
  ZHIWEN_ASSIGN_OR_RETURN(const size_t count, file->ReadAt(0, first));
  std::string head(first.data(), count);
  out.compression = CompressionOf(head);
  if (!known && head.starts_with("PAR1")) out.format = DocumentFormat::kParquet;
  if (out.compression != DocumentCompression::kNone) {
    head = Decompressed(std::move(file), out.compression);
  }
  if (const std::string_view what = Mismatch(out, head, damaged); !what.empty()) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read \"{}\": it is {}", out.path, what));
  }
  return {};
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
  const std::string read_by = "dedup, fingerprint";
  const std::string unchanged = "dedup (kept/: the records' bytes unchanged)";
  return {
      {"jsonl", ".jsonl .ndjson, also .gz .zst",
       "one JSON object a line, text in a field (--text-field)", read_by,
       unchanged + ", fingerprint"},
      {"csv", ".csv, also .gz .zst",
       "one record of RFC 4180; the first line names the fields (--text-field)", read_by,
       unchanged},
      {"tsv", ".tsv, also .gz .zst", "the same with tabs, quotes included", read_by, unchanged},
      {"text", ".txt, also .gz .zst", "the whole file, UTF-8", read_by + ", compare", unchanged},
      {"parquet", ".parquet", "one row, text in a column (--text-field)", read_by,
       "dedup (kept/: the same schema and values)"},
      {"jsonl.zst", ".jsonl.zst", "records of zstd frames of 8 MiB", read_by,
       "dedup (removed, clusters, failed)"},
      {"json", ".json", "", "", "dedup (report.json), every command with --json"},
  };
}

std::optional<DocumentFormat> FormatOfPath(std::string_view path) {
  bool is_compressed = false;
  for (const std::string_view ending : {".gz", ".zst"}) {
    if (is_compressed || !HasEnding(path, ending)) continue;
    path.remove_suffix(ending.size());
    is_compressed = true;
  }
  for (const Ending& row : kEndings) {
    if (!HasEnding(path, row.ending)) continue;
    if (is_compressed && row.format == DocumentFormat::kParquet) return std::nullopt;
    return row.format;
  }
  return std::nullopt;
}

Result<DocumentFormat> ParseDocumentFormat(std::string_view name) {
  std::string names;
  for (const auto& [known, format] : kNames) {
    if (known == name) return format;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known);
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is no format; there are {}", name, names));
}

Result<DocumentFiles> ListDocumentFiles(FileSystem& files, const std::vector<std::string>& inputs,
                                        const ListOptions& options) {
  DocumentFiles out;
  for (size_t input = 0; input < inputs.size(); ++input) {
    const std::string& path = inputs[input];
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_folder, files.IsDirectory(path));
    if (!is_folder) {
      out.files.push_back({.path = path, .input = input, .identity = {}});
      continue;
    }
    ZHIWEN_ASSIGN_OR_RETURN(Folder folder, ListFolder(files, path, options));
    for (std::string& taken : folder.wanted) {
      out.files.push_back({.path = std::move(taken), .input = input, .identity = {}});
    }
    if (folder.others == 0) continue;
    out.warnings.push_back(fmt::format(
        "passed over {} other file{} below \"{}\", such as \"{}\"; "
        "only {} files are read",
        folder.others, folder.others == 1 ? "" : "s", path, folder.other, Patterns(options)));
  }
  for (DocumentFile& file : out.files) {
    const std::optional<DocumentFormat> known =
        options.format ? options.format : FormatOfPath(file.path);
    file.format = known.value_or(options.otherwise);
    ZHIWEN_RETURN_IF_ERROR(Inspect(files, known, options.damaged, file));
  }
  ZHIWEN_RETURN_IF_ERROR(CheckDistinct(out.files));
  return out;
}

Result<std::string> DecompressBytes(std::string bytes, const std::string& name, uint64_t limit) {
  const Compression compression = DetectCompression(bytes);
  if (compression == Compression::kNone) return bytes;
  ZHIWEN_ASSIGN_OR_RETURN(
      const auto source,
      OpenByteSource(std::make_unique<BytesFile>(std::move(bytes), name), compression));
  std::string out;
  while (true) {
    const size_t before = out.size();
    out.resize(before + kPieceBytes);
    ZHIWEN_ASSIGN_OR_RETURN(const size_t count, source->Read(std::span<char>(out).subspan(before)));
    out.resize(before + count);
    if (out.size() > limit) {
      return Fail(ErrorCode::kExhausted,
                  fmt::format("\"{}\" holds more than {} bytes when decompressed", name, limit));
    }
    if (count < kPieceBytes) return out;
  }
}

}  // namespace zhiwen
