#include "pipeline/folder_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/compress/compression_ending.h"
#include "base/utf8/ascii.h"
#include "pipeline/file_head.h"
#include "zhiwen/extract.h"
#include "zhiwen/picture.h"

namespace zhiwen {
namespace {

struct Ending {
  std::string_view ending;
  DocumentFormat format;
};

constexpr std::array<Ending, 17> kEndings = {{
    {".jsonl", DocumentFormat::kJsonLines},
    {".ndjson", DocumentFormat::kJsonLines},
    {".csv", DocumentFormat::kCsv},
    {".tsv", DocumentFormat::kTsv},
    {".parquet", DocumentFormat::kParquet},
    {".warc", DocumentFormat::kWarc},
    {".wet", DocumentFormat::kWarc},
    {".zip", DocumentFormat::kArchive},
    {".7z", DocumentFormat::kArchive},
    {".tar", DocumentFormat::kArchive},
    {".tgz", DocumentFormat::kArchive},
    {".tzst", DocumentFormat::kArchive},
    {".tar.xz", DocumentFormat::kArchive},
    {".txz", DocumentFormat::kArchive},
    {".tar.bz2", DocumentFormat::kArchive},
    {".tbz2", DocumentFormat::kArchive},
    {".txt", DocumentFormat::kText},
}};

// Whether the documents in a file of this format are files themselves.
bool HoldsFiles(DocumentFormat format) {
  return IsWholeFile(format) || format == DocumentFormat::kArchive;
}

// Whether a file whose name says `found` is taken. Asked for texts, a file that says nothing is
// one: a text has no ending of its own.
bool IsWanted(std::optional<DocumentFormat> found, std::optional<DocumentFormat> asked) {
  if (!asked) return found && !HoldsFiles(*found);
  return found ? *found == *asked : asked == DocumentFormat::kText;
}

// Whether pictures alone are read.
bool TakesPictures(const ListOptions& options) {
  return options.pictures == PictureTaking::kAlone && !options.format;
}

void AddPatterns(std::span<const std::string_view> endings, std::string& out) {
  for (const std::string_view ending : endings) {
    out += fmt::format("{}*{}", out.empty() ? "" : ", ", ending);
  }
}

// "*.jsonl, *.ndjson", of the formats that are read.
std::string Patterns(const ListOptions& options) {
  std::string out;
  if (TakesPictures(options)) {
    AddPatterns(PictureEndings(), out);
    return out;
  }
  const std::optional<DocumentFormat> asked = options.format;
  for (const Ending& row : kEndings) {
    if (!IsWanted(row.format, asked)) continue;
    out += fmt::format("{}*{}", out.empty() ? "" : ", ", row.ending);
  }
  if (!asked)
    out += ", *.json (arrays), or *.txt, archives (*.zip, *.tar, *.7z) and files such as *.html";
  if (asked == DocumentFormat::kJsonArray) out += "*.json";
  if (asked == DocumentFormat::kDocument) {
    AddPatterns(DocumentEndings(), out);
  }
  if (asked != DocumentFormat::kParquet) out += " (also .gz, .zst)";
  return out;
}

// The same of a path: Markdown is a text where texts are asked for; a file called *.json is taken
// when it is an array, as it may be one object.
bool IsWantedPath(FileSystem& files, const std::string& path, const ListOptions& options) {
  if (TakesPictures(options)) return IsPicturePath(path);
  const std::optional<DocumentFormat> asked = options.format;
  if (asked == DocumentFormat::kText && DocumentTypeOfPath(path) == DocumentType::kMarkdown) {
    return true;
  }
  if (!IsJsonPath(path)) return IsWanted(FormatOfPath(path), asked);
  if (asked) return asked == DocumentFormat::kJsonArray || asked == DocumentFormat::kText;
  const Result<FileHead> head = ReadFileHead(files, path, std::nullopt);
  return head && BeginsWithBracket(head->bytes);
}

struct Walk {
  FileSystem& files;
  std::filesystem::path root;  // its normal form
  const ListOptions& options;
  const std::set<std::string>& named;
  std::optional<std::pair<std::string, FileIdentity>> left_out;  // its name, and which file it is
  FolderFiles out;
  std::vector<std::string> texts;
};

// Whether it is read anyway: it is named, or a folder above it below the root.
bool IsNamed(const std::string& path, const Walk& walk) {
  std::filesystem::path at = NormalPath(path);
  for (; !at.empty() && at != walk.root; at = at.parent_path()) {
    if (walk.named.contains(at.string())) return true;
    if (at == at.parent_path()) break;
  }
  return false;
}

Result<std::pair<std::string, FileIdentity>> NameAndIdentity(FileSystem& files,
                                                             const std::string& path) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<ReadableFile> file, files.OpenForRead(path));
  ZHIWEN_ASSIGN_OR_RETURN(FileIdentity identity, file->Identity());
  return std::pair(std::filesystem::path(path).filename().string(), identity);
}

Result<bool> IsLeftOut(const DirectoryEntry& entry, const std::string& path, const Walk& walk) {
  if (!walk.left_out || !entry.is_file || entry.name != walk.left_out->first) return false;
  ZHIWEN_ASSIGN_OR_RETURN(const auto found, NameAndIdentity(walk.files, path));
  return found == *walk.left_out;
}

Status WalkBelow(const std::string& path, Walk& walk) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, walk.files.List(path));
  for (const DirectoryEntry& entry : entries) {
    std::string below = path + (path.ends_with('/') ? "" : "/") + entry.name;
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_left_out, IsLeftOut(entry, below, walk));
    if (is_left_out) continue;
    const std::optional<DocumentFormat> format =
        TakesPictures(walk.options) ? std::nullopt : FormatOfPath(below);
    const bool is_hidden = entry.name.starts_with('.');
    const bool is_wanted =
        entry.is_file && !is_hidden && IsWantedPath(walk.files, below, walk.options);
    if (is_hidden) {
      if (!IsNamed(below, walk)) walk.out.hidden.Add(below);
    } else if (entry.is_directory) {
      ZHIWEN_RETURN_IF_ERROR(WalkBelow(below, walk));
    } else if (is_wanted) {
      walk.out.taken.push_back(std::move(below));
    } else if (IsNamed(below, walk)) {
      continue;
    } else if (entry.is_file && format && HoldsFiles(*format) && !walk.options.format) {
      walk.texts.push_back(std::move(below));
    } else if (!entry.is_file && walk.files.IsDirectory(below).value_or(false)) {
      walk.out.folder_links.Add(below);
    } else {
      walk.out.others.Add(below);
    }
  }
  return {};
}

// One that was passed over, where nothing else was found.
std::string ExampleOf(const FolderFiles& found) {
  for (const PassedOver* one : {&found.others, &found.folder_links, &found.hidden}) {
    if (one->count > 0) return one->example;
  }
  return "";
}

std::string Counted(const PassedOver& passed, std::string_view one, std::string_view several,
                    const std::string& path) {
  return fmt::format("passed over {} {} below \"{}\", such as \"{}\"", passed.count,
                     passed.count == 1 ? one : several, path, passed.example);
}

}  // namespace

std::optional<DocumentFormat> FormatOfPath(std::string_view path) {
  const bool is_compressed = RemoveCompressionEnding(path);
  for (const Ending& row : kEndings) {
    if (!EndsInAnyCase(path, row.ending)) continue;
    if (is_compressed && row.format == DocumentFormat::kParquet) return std::nullopt;
    return row.format;
  }
  if (DocumentTypeOfPath(path)) return DocumentFormat::kDocument;
  return std::nullopt;
}

bool IsJsonPath(std::string_view path) {
  RemoveCompressionEnding(path);
  return EndsInAnyCase(path, ".json");
}

Result<FolderFiles> ListFolderFiles(FileSystem& files, const std::string& path,
                                    const ListOptions& options,
                                    const std::set<std::string>& named) {
  Walk walk{files, NormalPath(path), options, named, {}, {}, {}};
  if (!options.leave_out.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(walk.left_out, NameAndIdentity(files, options.leave_out));
  }
  ZHIWEN_RETURN_IF_ERROR(WalkBelow(path, walk));
  FolderFiles& out = walk.out;
  if (out.taken.empty() || options.folders == FolderTaking::kRecordsAndFiles) {
    std::ranges::move(std::exchange(walk.texts, {}), std::back_inserter(out.taken));
  }
  std::ranges::sort(walk.texts);
  for (const std::string& text : walk.texts) out.texts.Add(text);
  std::ranges::sort(out.taken);
  if (!out.taken.empty()) return std::move(out);
  std::string message = fmt::format("no {} file below \"{}\"", Patterns(options), path);
  const std::string example = ExampleOf(out);
  if (example.empty()) return Fail(ErrorCode::kNotFound, std::move(message));
  if (!options.format && !TakesPictures(options) && example == out.others.example) {
    return Fail(ErrorCode::kNotFound,
                message + fmt::format("; to read others, such as \"{}\", as texts, say that the "
                                      "format is text",
                                      example),
                {Advice::kNameFormat});
  }
  return Fail(
      ErrorCode::kNotFound,
      message + fmt::format("; others, such as \"{}\", are read when they are named", example));
}

std::vector<std::string> DescribePassedOver(const FolderFiles& found, const std::string& path,
                                            const ListOptions& options) {
  std::vector<std::string> out;
  if (found.texts.count > 0) {
    out.push_back(
        Counted(found.texts, "text", "texts", path) +
        ": beside records, texts are read when they are named, or when text is asked for");
  }
  if (found.others.count > 0) {
    out.push_back(
        Counted(found.others, "other file", "other files", path) +
        fmt::format("; only {} files are read, and those that are named", Patterns(options)));
  }
  if (found.folder_links.count > 0) {
    out.push_back(Counted(found.folder_links, "link to a folder", "links to folders", path) +
                  ": such links are not followed; name it to read what is below");
  }
  if (found.hidden.count > 0) {
    out.push_back(Counted(found.hidden, "hidden name", "hidden names", path) +
                  ": what begins with a dot is read when it is named");
  }
  return out;
}

std::string NormalPath(const std::string& path) {
  std::string normal = std::filesystem::path(path).lexically_normal().string();
  if (normal.size() > 1 && normal.ends_with('/')) normal.pop_back();
  return normal;
}

}  // namespace zhiwen
