#include "pipeline/dedup/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

namespace zhiwen {
namespace {

namespace fs = std::filesystem;

// Paths are compared by their spelling: absolute, without "." and "..".
fs::path Absolute(const std::string& path) {
  std::error_code ignored;
  fs::path absolute = fs::absolute(path, ignored).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

bool IsInside(const fs::path& path, const fs::path& folder) {
  const auto [stop, unused] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return stop == folder.end();
}

Status FindBelow(FileSystem& files, const std::string& folder, std::vector<std::string>& found) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, files.List(folder));
  for (const DirectoryEntry& entry : entries) {
    std::string path = folder.ends_with('/') ? folder + entry.name : folder + "/" + entry.name;
    if (entry.is_directory) {
      ZHIWEN_RETURN_IF_ERROR(FindBelow(files, path, found));
    } else if (entry.name.ends_with(".jsonl")) {
      found.push_back(std::move(path));
    }
  }
  return {};
}

Result<std::vector<std::string>> Expand(FileSystem& files, const std::vector<std::string>& words,
                                        const fs::path& output) {
  std::vector<std::string> found;
  for (const std::string& word : words) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_folder, files.IsDirectory(word));
    if (!is_folder) {
      found.push_back(word);
      continue;
    }
    if (IsInside(output, Absolute(word))) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("the output \"{}\" lies inside the input folder \"{}\"; choose a "
                              "folder outside of it",
                              output.string(), word));
    }
    const size_t before = found.size();
    ZHIWEN_RETURN_IF_ERROR(FindBelow(files, word, found));
    if (found.size() == before) {
      return Fail(ErrorCode::kNotFound, fmt::format("no *.jsonl file below \"{}\"", word));
    }
  }
  return found;
}

// What the first bytes say when they are not JSON Lines.
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

Result<InputFile> Inspect(FileSystem& files, const std::string& path) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto file, files.OpenForRead(path));
  InputFile input{path, {}};
  ZHIWEN_ASSIGN_OR_RETURN(input.identity, file->Identity());
  std::array<char, 4> head{};
  ZHIWEN_ASSIGN_OR_RETURN(const size_t got, file->ReadAt(0, head));
  if (const std::string_view what = ForeignFormat({head.data(), got}); !what.empty()) {
    return Fail(ErrorCode::kUnreadable, fmt::format("cannot read \"{}\": it is {}", path, what));
  }
  return input;
}

fs::path CommonParent(const std::vector<fs::path>& paths) {
  fs::path common = paths.front().parent_path();
  for (const fs::path& path : paths) {
    while (!IsInside(path, common)) common = common.parent_path();
  }
  return common;
}

}  // namespace

Result<DedupInputs> OpenInputs(FileSystem& files, const std::vector<std::string>& words,
                               const std::string& output) {
  if (words.empty()) return Fail(ErrorCode::kInvalidArgument, "no input files given");
  DedupInputs inputs;
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<std::string> paths,
                          Expand(files, words, Absolute(output)));

  std::vector<fs::path> absolute;
  std::set<fs::path> seen;
  for (const std::string& path : paths) {
    absolute.push_back(Absolute(path));
    if (!seen.insert(absolute.back()).second) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("the input \"{}\" is given twice", path));
    }
  }
  const fs::path parent = CommonParent(absolute);
  for (size_t i = 0; i < absolute.size(); ++i) {
    inputs.kept_paths.push_back(absolute[i].lexically_relative(parent).string());
    ZHIWEN_ASSIGN_OR_RETURN(InputFile input, Inspect(files, paths[i]));
    inputs.total_bytes += input.identity.size;
    inputs.files.push_back(std::move(input));
  }
  return inputs;
}

}  // namespace zhiwen
