#include "pipeline/dedup/output_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace zhiwen {
namespace {

// Everything a run may leave in its folder, in the order of publishing. The report is last: it says
// that the rest is there.
constexpr std::array<std::string_view, 5> kResults = {
    "kept", "removed.jsonl.zst", "clusters.jsonl.zst", "failed.jsonl.zst", "report.json"};

bool IsScratch(std::string_view name) { return name == ".partial" || name == ".lock"; }

bool IsResult(std::string_view name) {
  return std::find(kResults.begin(), kResults.end(), name) != kResults.end();
}

// The folder may hold nothing, or, to be replaced, what an earlier run left and nothing else.
Status CheckFree(FileSystem& files, const std::string& path, bool overwrite) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, files.List(path));
  const bool is_earlier_run = std::ranges::any_of(entries, [](const DirectoryEntry& entry) {
    return entry.name == "report.json" || entry.name == ".partial";
  });
  for (const DirectoryEntry& entry : entries) {
    if (IsScratch(entry.name)) continue;
    const bool replaceable = is_earlier_run && IsResult(entry.name);
    if (overwrite && replaceable) continue;
    return Fail(
        ErrorCode::kConflict,
        fmt::format("the output folder \"{}\" is not empty (it holds \"{}\"); choose another "
                    "one{}",
                    path, entry.name,
                    replaceable ? ", or replace the earlier run with --overwrite"
                    : overwrite ? "; --overwrite replaces only what a run wrote"
                                : ""));
  }
  return {};
}

}  // namespace

Result<OutputFolder> OutputFolder::Create(FileSystem& files, const std::string& path,
                                          bool overwrite) {
  if (path.empty()) return Fail(ErrorCode::kInvalidArgument, "no output folder given (-o DIR)");
  ZHIWEN_RETURN_IF_ERROR(files.CreateDirectories(path));
  OutputFolder folder(files, path);
  ZHIWEN_ASSIGN_OR_RETURN(folder.lock_, files.Lock(path + "/.lock"));
  ZHIWEN_RETURN_IF_ERROR(CheckFree(files, path, overwrite));
  ZHIWEN_RETURN_IF_ERROR(files.RemoveAll(folder.Partial("")));
  ZHIWEN_RETURN_IF_ERROR(files.CreateDirectories(folder.Partial("kept")));
  return folder;
}

Result<std::unique_ptr<WritableFile>> OutputFolder::OpenForWrite(const std::string& name) {
  const std::string path = Partial(name);
  ZHIWEN_RETURN_IF_ERROR(files_->CreateDirectories(path.substr(0, path.rfind('/'))));
  return files_->OpenForWrite(path);
}

Status OutputFolder::Publish() {
  // An old report must not describe new files: it goes first, and the new one comes last.
  for (auto name = kResults.rbegin(); name != kResults.rend(); ++name) {
    ZHIWEN_RETURN_IF_ERROR(files_->RemoveAll(fmt::format("{}/{}", path_, *name)));
  }
  for (const std::string_view name : kResults) {
    const std::string to = fmt::format("{}/{}", path_, name);
    if (name == kResults.back()) ZHIWEN_RETURN_IF_ERROR(files_->SyncDirectory(path_));
    ZHIWEN_RETURN_IF_ERROR(files_->Rename(Partial(std::string(name)), to));
  }
  // The run is finished; what tidying leaves behind, the next run takes away.
  (void)files_->RemoveAll(Partial(""));
  (void)files_->SyncDirectory(path_);
  lock_.reset();  // removes .lock
  return {};
}

}  // namespace zhiwen
