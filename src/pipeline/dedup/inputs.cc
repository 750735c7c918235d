#include "pipeline/dedup/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "zhiwen/documents.h"

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

Status CheckApart(const std::string& word, bool is_folder, const std::string& output) {
  if (IsInside(Resolved(word), Resolved(output))) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the input \"{}\" lies inside the output folder \"{}\", which the run "
                            "replaces; choose another output",
                            word, output));
  }
  if (is_folder && IsInside(Resolved(output), Resolved(word))) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the output \"{}\" lies inside the input folder \"{}\"; choose a "
                            "folder outside of it",
                            output, word));
  }
  return {};
}

fs::path CommonParent(const std::vector<fs::path>& folders) {
  fs::path common = folders.front();
  for (const fs::path& folder : folders) {
    while (!IsInside(folder, common)) common = common.parent_path();
  }
  return common;
}

}  // namespace

Result<DedupInputs> OpenInputs(FileSystem& files, const std::vector<std::string>& words,
                               const std::string& output, LogSink& log) {
  if (words.empty()) return Fail(ErrorCode::kInvalidArgument, "no input files given");
  std::vector<fs::path> roots;  // of the common parent: given folders, the folders of given files
  for (const std::string& word : words) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_folder, files.IsDirectory(word));
    ZHIWEN_RETURN_IF_ERROR(CheckApart(word, is_folder, output));
    roots.push_back(is_folder ? Absolute(word) : Absolute(word).parent_path());
  }
  ZHIWEN_ASSIGN_OR_RETURN(DocumentFiles listed,
                          ListDocumentFiles(files, words, DocumentFormat::kJsonLines));
  for (const std::string& warning : listed.warnings) log.Warn(warning);

  DedupInputs inputs;
  const fs::path parent = CommonParent(roots);
  for (DocumentFile& file : listed.files) {
    inputs.kept_paths.push_back(Absolute(file.path).lexically_relative(parent).string());
    inputs.total_bytes += file.identity.size;
    inputs.files.push_back({std::move(file.path), file.identity});
  }
  return inputs;
}

}  // namespace zhiwen
