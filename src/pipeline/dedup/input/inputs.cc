#include "pipeline/dedup/input/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "base/compress/compression_ending.h"
#include "base/hash.h"
#include "base/utf8/transcoder.h"
#include "pipeline/columnar/kept_parquet.h"
#include "pipeline/file_head.h"
#include "pipeline/output_place.h"
#include "pipeline/reader/document_input.h"
#include "zhiwen/documents.h"

namespace zhiwen {
namespace {

namespace fs = std::filesystem;

constexpr size_t kCopyBytes = size_t{1} << 20;

// Checks the fields that are added or changed against a file, as far as that can be done without
// its records.
Status CheckAddedFields(FileSystem& files, const AddedFields& added, const InputFile& input,
                        const std::string& name) {
  if (!added.any() && !added.cut_text) return {};
  if (added.cut_text && IsExtracted(input.format)) {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("passages cannot be cut out of \"{}\", whose text is extracted; extract "
                    "the texts first, and cut those",
                    name));
  }
  if (added.any() && (IsWholeFile(input.format) || IsExtracted(input.format))) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" has no fields; marks and sizes of clusters need "
                            "records (JSON Lines, JSON arrays, CSV, TSV, Parquet)",
                            name));
  }
  for (const std::optional<std::string>& field :
       {added.mark, added.mark_keeper, added.cluster_size}) {
    if (!field || !input.encoding || EncodeText(*field, *input.encoding)) continue;
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the field \"{}\" cannot be added to \"{}\", which is in {}: that "
                            "encoding lacks one of its characters",
                            *field, name, TextEncodingName(*input.encoding)));
  }
  if (input.format != RecordFormat::kParquet) return {};
  Status checked = CheckKeptColumns(files, input,
                                    {.mark_name = added.mark,
                                     .keeper_name = added.mark_keeper,
                                     .cluster_size_name = added.cluster_size,
                                     .cut_name = added.cut_text});
  // Damage is for the pass that reads the file.
  return checked || checked.error().code != ErrorCode::kInvalidArgument ? Status() : checked;
}

fs::path CommonParent(const std::vector<fs::path>& folders) {
  fs::path common = folders.front();
  for (const fs::path& folder : folders) {
    while (!IsInside(folder, common)) common = common.parent_path();
  }
  return common;
}

// Where the kept files of an archive are written, as a tar archive: "a.tar.gz", "b.zip.tar".
std::string TarPath(std::string path) {
  std::string_view name = path;
  const bool is_compressed = RemoveCompressionEnding(name);
  const bool is_tar =
      EndsInAnyCase(name, ".tar") || EndsInAnyCase(path, ".tgz") || EndsInAnyCase(path, ".tzst");
  if (is_tar) return path;
  return is_compressed ? fmt::format("{}.tar{}", name, path.substr(name.size())) : path + ".tar";
}

// "stdin.jsonl", "stdin.csv.gz".
std::string StandardInputName(const InputFile& input) {
  std::string name = "stdin";
  switch (input.format) {
    case RecordFormat::kJsonLines:
      name += ".jsonl";
      break;
    case RecordFormat::kCsv:
      name += ".csv";
      break;
    case RecordFormat::kTsv:
      name += ".tsv";
      break;
    case RecordFormat::kText:
      name += ".txt";
      break;
    case RecordFormat::kParquet:
      name += ".parquet";
      break;
    case RecordFormat::kJsonArray:
      name += ".json";
      break;
    case RecordFormat::kDocument:
      name += ".document";
      break;
    case RecordFormat::kWarc:
      name += ".warc";
      break;
    case RecordFormat::kArchive:
      name += ".tar";
      break;
  }
  if (input.compression == Compression::kGzip) name += ".gz";
  if (input.compression == Compression::kZstd) name += ".zst";
  return name;
}

tl::unexpected<Error> FailSamePlace(std::string_view one, std::string_view other,
                                    std::string_view place) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("{} and {} would both be written as kept/{}, and one would replace the "
                          "other; rename one of them, or give them in separate runs",
                          one, other, place));
}

std::string Quoted(std::string_view name) { return fmt::format("\"{}\"", name); }

// Fails when two files would be one below kept/: by links, names that are written alike can be
// different files.
Status CheckKeptPaths(const DedupInputs& inputs) {
  std::map<std::string_view, size_t> seen;
  for (size_t i = 0; i < inputs.kept_paths.size(); ++i) {
    const auto [at, is_new] = seen.try_emplace(inputs.kept_paths[i], i);
    if (is_new) continue;
    return FailSamePlace("the input " + Quoted(inputs.names[at->second]), Quoted(inputs.names[i]),
                         inputs.kept_paths[i]);
  }
  return {};
}

// Fails when a reference is an input too: all of it would go, as equal to itself.
Status CheckNoInput(const DedupInputs& references, const DedupInputs& inputs) {
  const auto file_of = [](const InputFile& file) {
    return std::pair(file.identity.device, file.identity.inode);
  };
  std::map<std::pair<uint64_t, uint64_t>, size_t> given;
  for (size_t i = 0; i < inputs.files.size(); ++i) given.emplace(file_of(inputs.files[i]), i);
  for (size_t r = 0; r < references.files.size(); ++r) {
    const auto at = given.find(file_of(references.files[r]));
    if (at == given.end()) continue;
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the reference \"{}\" and the input \"{}\" are the same "
                            "file, and all of it would be removed; leave it out of one of them",
                            references.names[r], inputs.names[at->second]));
  }
  return {};
}

// Nobody can say the format and the encoding of references: their names and first bytes do.
tl::unexpected<Error> FailOfReferences(Error error) {
  if (std::erase(error.advice, Advice::kNameFormat) > 0) {
    error.message += "; the format of a reference is the one of its name, such as *.jsonl or *.txt";
  }
  if (std::erase(error.advice, Advice::kNameEncoding) > 0) {
    error.message += "; an encoding that is named is that of the inputs, so convert a reference";
  }
  return tl::unexpected(std::move(error));
}

// Fails when no input has a use for options.syntax.
Status CheckSyntax(const InputOptions& options, const DedupInputs& inputs) {
  std::vector<DocumentFormat> formats;
  formats.reserve(inputs.files.size() + 1);
  for (const InputFile& file : inputs.files) {
    formats.push_back(file.format == RecordFormat::kCsv       ? DocumentFormat::kCsv
                      : file.format == RecordFormat::kParquet ? DocumentFormat::kParquet
                                                              : DocumentFormat::kJsonLines);
  }
  if (inputs.standard_input) {
    formats.push_back(options.format.value_or(DocumentFormat::kJsonLines));
  }
  return CheckSyntaxIsUsed(options.syntax, formats);
}

// What standard input is by its first bytes.
InputFile DescribeStandardInput(const FileHead& head, const InputOptions& options) {
  InputFile input{.path = {}, .identity = {}};
  input.format = ToRecordFormat(options.format.value_or(DocumentFormat::kJsonLines));
  if (!options.format && BeginsWithBracket(head.bytes)) input.format = RecordFormat::kJsonArray;
  input.compression = ToCompression(head.compression);
  input.separator = SeparatorOfHead(head.bytes, options.syntax.separator, options.text_fields);
  if (!options.format && head.extracted) input.format = ToRecordFormat(*head.extracted);
  input.encoding = IsExtracted(input.format) ? options.syntax.encoding : head.encoding;
  return input;
}

// The name of standard input, by its first bytes. Fails when a file has its place below kept/.
Result<std::string> NameStandardInput(const InputFile& input, const DedupInputs& inputs) {
  std::string name = StandardInputName(input);
  for (size_t i = 0; i < inputs.kept_paths.size(); ++i) {
    const std::string& path = inputs.kept_paths[i];
    if (path != name && !path.starts_with(name + "/")) continue;
    return FailSamePlace("standard input (-)", "the input " + Quoted(inputs.names[i]), name);
  }
  return name;
}

// Makes the copy of standard input at `path` one of `inputs`.
Status AddStandardInputCopy(const InputOptions& options, const std::string& path,
                            const DedupEnvironment& environment, DedupInputs& inputs) {
  ZHIWEN_ASSIGN_OR_RETURN(const FileHead head,
                          ReadFileHead(environment.files, path, options.syntax.encoding));
  InputFile input = DescribeStandardInput(head, options);
  input.path = path;
  input.identity = head.identity;
  ZHIWEN_ASSIGN_OR_RETURN(const std::string name, NameStandardInput(input, inputs));
  ZHIWEN_RETURN_IF_ERROR(CheckAddedFields(environment.files, options.added, input, name));
  input.name = name;
  const size_t place = *std::exchange(inputs.standard_input, std::nullopt);
  const auto at = static_cast<std::ptrdiff_t>(place);
  inputs.total_bytes += input.identity.size;
  inputs.files.insert(inputs.files.begin() + at, std::move(input));
  inputs.names.insert(inputs.names.begin() + at, name);
  inputs.kept_paths.insert(inputs.kept_paths.begin() + at, name);
  return {};
}

// Reads the file at `path`; false also when it is gone, or a part of it cannot be read.
Result<bool> HasChecksum(const std::string& path, uint64_t checksum,
                         const DedupEnvironment& environment) {
  const auto copy = environment.files.OpenForRead(path);
  if (!copy && copy.error().code == ErrorCode::kNotFound) return false;
  if (!copy) return tl::unexpected(copy.error());
  StreamHash128 hash;
  std::vector<char> buffer(kCopyBytes);
  for (uint64_t size = 0;;) {
    ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
    const auto got = (*copy)->ReadAt(size, buffer);
    if (!got && got.error().code == ErrorCode::kUnreadable) return false;
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) return hash.Finish().low == checksum;
    hash.Add({buffer.data(), *got});
    size += *got;
  }
}

}  // namespace

Result<DedupInputs> OpenInputs(FileSystem& files, const InputOptions& options, LogSink& log) {
  std::vector<std::string> words = options.words;
  if (words.empty()) return Fail(ErrorCode::kInvalidArgument, "no input files given");
  DedupInputs inputs;
  size_t words_before = SIZE_MAX;  // standard input
  if (const auto word = std::ranges::find(words, kStandardInput); word != words.end()) {
    words_before = static_cast<size_t>(word - words.begin());
    words.erase(word);
    if (std::ranges::find(words, kStandardInput) != words.end()) {
      return Fail(ErrorCode::kInvalidArgument, "standard input (-) is given twice");
    }
    inputs.standard_input = 0;
  }
  if (words.empty()) {
    ZHIWEN_RETURN_IF_ERROR(CheckSyntax(options, inputs));
    return inputs;
  }
  std::vector<fs::path> roots;  // of the common parent: given folders, the folders of given files
  for (const std::string& word : words) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_folder, files.IsDirectory(word));
    ZHIWEN_RETURN_IF_ERROR(CheckApart(word, is_folder, options.output));
    roots.push_back(is_folder ? AbsolutePath(word) : AbsolutePath(word).parent_path());
  }
  ZHIWEN_ASSIGN_OR_RETURN(
      DocumentFiles listed,
      ListDocumentFiles(
          files, words,
          {.format = options.format,
           .damaged = options.skip_bad_files ? DamagedBeginning::kList : DamagedBeginning::kRefuse,
           .syntax = options.syntax,
           .text_fields = options.text_fields}));
  if (listed.files.empty() && !inputs.standard_input && !listed.left_out.empty()) {
    return Fail(ErrorCode::kUnreadable, listed.left_out.front().why);
  }
  for (const std::string& warning : listed.warnings) log.Warn(warning);
  for (const LeftOutFile& file : listed.left_out) log.Warn(file.why + "; it is left out");
  inputs.left_out = std::move(listed.left_out);

  const fs::path parent = CommonParent(roots);
  for (DocumentFile& file : listed.files) {
    InputFile input = ToInputFile(file);
    ZHIWEN_RETURN_IF_ERROR(CheckAddedFields(files, options.added, input, file.path));
    std::string kept_path = AbsolutePath(file.path).lexically_relative(parent).string();
    if (input.format == RecordFormat::kArchive) kept_path = TarPath(std::move(kept_path));
    inputs.kept_paths.push_back(std::move(kept_path));
    inputs.total_bytes += file.identity.size;
    inputs.names.push_back(file.path);
    if (inputs.standard_input && file.input < words_before) ++*inputs.standard_input;
    inputs.files.push_back(std::move(input));
  }
  ZHIWEN_RETURN_IF_ERROR(CheckKeptPaths(inputs));
  ZHIWEN_RETURN_IF_ERROR(CheckSyntax(options, inputs));
  return inputs;
}

Result<DedupInputs> OpenReferences(FileSystem& files, const InputOptions& options,
                                   const DedupInputs& inputs, LogSink& log) {
  for (const std::string& word : options.references) {
    if (word == kStandardInput) {
      return Fail(ErrorCode::kInvalidArgument,
                  "references cannot come from standard input; name a file");
    }
    ZHIWEN_RETURN_IF_ERROR(CheckOutside(word, options.output, "reference"));
  }
  Result<DocumentFiles> found =
      ListDocumentFiles(files, options.references, {.text_fields = options.text_fields});
  if (!found) return FailOfReferences(std::move(found).error());
  const DocumentFiles listed = *std::move(found);
  for (const std::string& warning : listed.warnings) log.Warn(warning);
  DedupInputs references;
  for (const DocumentFile& file : listed.files) {
    references.total_bytes += file.identity.size;
    references.names.push_back(file.path);
    references.files.push_back(ToInputFile(file));
  }
  ZHIWEN_RETURN_IF_ERROR(CheckNoInput(references, inputs));
  return references;
}

Status SpoolStandardInput(const InputOptions& options, const std::string& folder,
                          const DedupEnvironment& environment, DedupInputs& inputs) {
  if (!inputs.standard_input) return {};
  if (environment.standard_input == nullptr) {
    return Fail(ErrorCode::kInvalidArgument, "there is no standard input to read (-)");
  }
  const std::string path = fmt::format("{}/{}", folder, kStandardInputCopy);
  ZHIWEN_ASSIGN_OR_RETURN(const auto spool, environment.files.OpenForWrite(path));
  std::vector<char> buffer(kCopyBytes);
  StreamHash128 hash;
  for (uint64_t size = 0;;) {
    ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(const size_t got, environment.standard_input->ReadAt(size, buffer));
    if (size == 0) {
      ZHIWEN_ASSIGN_OR_RETURN(const FileHead head,
                              HeadOfBytes({buffer.data(), got}, options.syntax.encoding));
      ZHIWEN_RETURN_IF_ERROR(NameStandardInput(DescribeStandardInput(head, options), inputs));
    }
    if (got == 0) break;
    ZHIWEN_RETURN_IF_ERROR(spool->Append({buffer.data(), got}));
    hash.Add({buffer.data(), got});
    size += got;
    environment.progress.Advance(Stage::kRead, size, 0);
    if (got < buffer.size()) break;
  }
  ZHIWEN_RETURN_IF_ERROR(spool->Close());
  inputs.standard_input_checksum = hash.Finish().low;
  return AddStandardInputCopy(options, path, environment, inputs);
}

Status ReopenStandardInput(const InputOptions& options, const std::string& folder,
                           uint64_t checksum, const DedupEnvironment& environment,
                           DedupInputs& inputs) {
  if (!inputs.standard_input) return {};
  const std::string path = fmt::format("{}/{}", folder, kStandardInputCopy);
  ZHIWEN_ASSIGN_OR_RETURN(const bool is_whole, HasChecksum(path, checksum, environment));
  if (!is_whole) {
    return Fail(ErrorCode::kConflict,
                fmt::format("the copy of standard input \"{}\" is damaged or gone, so that the run "
                            "cannot be continued; start it again, and give standard input again",
                            path),
                {Advice::kStartOver});
  }
  inputs.standard_input_checksum = checksum;
  return AddStandardInputCopy(options, path, environment, inputs);
}

}  // namespace zhiwen
