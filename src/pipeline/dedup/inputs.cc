#include "pipeline/dedup/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

namespace zhiwen {
namespace {

namespace fs = std::filesystem;

// Absolute, without "." and ".."; a folder without its final slash.
fs::path Absolute(const std::string& path) {
  std::error_code ignored;
  fs::path absolute = fs::absolute(path, ignored).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

// The same with symbolic links followed, as far as the path exists.
fs::path Resolved(const std::string& path) {
  std::error_code failed;
  const fs::path resolved = fs::weakly_canonical(Absolute(path), failed);
  return failed ? Absolute(path) : resolved;
}

bool IsInside(const fs::path& path, const fs::path& folder) {
  const auto [stop, unused] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return stop == folder.end();
}

// What one run reads, by path.
struct Listing {
  std::vector<std::string> paths;
  std::vector<fs::path> roots;  // of the common parent: given folders, the folders of given files
  uint64_t passed_over = 0;     // files of folders that are not taken
  std::string example;          // one of them
};

Status ListBelow(FileSystem& files, const std::string& folder, Listing& listing) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, files.List(folder));
  for (const DirectoryEntry& entry : entries) {
    std::string path = folder.ends_with('/') ? folder + entry.name : folder + "/" + entry.name;
    if (entry.is_directory) {
      ZHIWEN_RETURN_IF_ERROR(ListBelow(files, path, listing));
    } else if (entry.name.ends_with(".jsonl")) {
      listing.paths.push_back(std::move(path));
    } else if (listing.passed_over++ == 0) {
      listing.example = std::move(path);
    }
  }
  return {};
}

Status ListWord(FileSystem& files, const std::string& word, const std::string& output,
                Listing& listing) {
  ZHIWEN_ASSIGN_OR_RETURN(const bool is_folder, files.IsDirectory(word));
  if (IsInside(Resolved(word), Resolved(output))) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the input \"{}\" lies inside the output folder \"{}\", which the run "
                            "replaces; choose another output",
                            word, output));
  }
  if (!is_folder) {
    listing.roots.push_back(Absolute(word).parent_path());
    listing.paths.push_back(word);
    return {};
  }
  if (IsInside(Resolved(output), Resolved(word))) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the output \"{}\" lies inside the input folder \"{}\"; choose a "
                            "folder outside of it",
                            output, word));
  }
  const size_t before = listing.paths.size();
  listing.roots.push_back(Absolute(word));
  ZHIWEN_RETURN_IF_ERROR(ListBelow(files, word, listing));
  if (listing.paths.size() == before) {
    return Fail(ErrorCode::kNotFound, fmt::format("no *.jsonl file below \"{}\"", word));
  }
  return {};
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

fs::path CommonParent(const std::vector<fs::path>& folders) {
  fs::path common = folders.front();
  for (const fs::path& folder : folders) {
    while (!IsInside(folder, common)) common = common.parent_path();
  }
  return common;
}

Status CheckDistinct(const std::vector<InputFile>& inputs) {
  std::map<std::pair<uint64_t, uint64_t>, std::string_view> seen;
  for (const InputFile& input : inputs) {
    const std::pair<uint64_t, uint64_t> key(input.identity.device, input.identity.inode);
    const auto [at, is_new] = seen.emplace(key, input.path);
    if (!is_new) {
      return Fail(
          ErrorCode::kInvalidArgument,
          fmt::format("the inputs \"{}\" and \"{}\" are the same file", at->second, input.path));
    }
  }
  return {};
}

}  // namespace

Result<DedupInputs> OpenInputs(FileSystem& files, const std::vector<std::string>& words,
                               const std::string& output, LogSink& log) {
  if (words.empty()) return Fail(ErrorCode::kInvalidArgument, "no input files given");
  Listing listing;
  for (const std::string& word : words) {
    ZHIWEN_RETURN_IF_ERROR(ListWord(files, word, output, listing));
  }
  if (listing.passed_over > 0) {
    log.Warn(
        fmt::format("{} files in the input folders are not *.jsonl and were not read, such as "
                    "\"{}\"",
                    listing.passed_over, listing.example));
  }
  DedupInputs inputs;
  const fs::path parent = CommonParent(listing.roots);
  for (const std::string& path : listing.paths) {
    inputs.kept_paths.push_back(Absolute(path).lexically_relative(parent).string());
    ZHIWEN_ASSIGN_OR_RETURN(InputFile input, Inspect(files, path));
    inputs.total_bytes += input.identity.size;
    inputs.files.push_back(std::move(input));
  }
  ZHIWEN_RETURN_IF_ERROR(CheckDistinct(inputs.files));
  return inputs;
}

}  // namespace zhiwen
