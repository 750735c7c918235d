#include "pipeline/output_folder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files/output_file.h"

namespace zhiwen {
namespace {

bool IsScratch(std::string_view name) { return name == ".partial" || name == ".lock"; }

bool IsResult(const OutputContents& contents, std::string_view name) {
  return std::ranges::find(contents.results, name) != contents.results.end();
}

// A folder to be replaced may hold what an earlier run left, and nothing else. So may one whose run
// is continued: that was to replace them, or was stopped while it moved them into place.
Status CheckFree(FileSystem& files, const std::string& path, OutputUse use, bool has_checkpoint,
                 const OutputContents& contents) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, files.List(path));
  const auto holds = [&](std::string_view name) {
    return std::ranges::any_of(entries,
                               [&](const DirectoryEntry& entry) { return entry.name == name; });
  };
  const std::string_view report = contents.results.back();
  const bool is_earlier_run = holds(report) || holds(".partial");
  if (use == OutputUse::kContinue && !has_checkpoint && holds(report)) {
    return Fail(ErrorCode::kConflict,
                fmt::format("the run in \"{}\" is finished, there is nothing to continue; "
                            "begin a new run in another folder, or in place of that one",
                            path),
                {Advice::kReplaceOutput});
  }
  const bool may_replace =
      use == OutputUse::kReplace || (use == OutputUse::kContinue && has_checkpoint);
  for (const DirectoryEntry& entry : entries) {
    if (IsScratch(entry.name)) continue;
    const bool replaceable = is_earlier_run && IsResult(contents, entry.name);
    if (may_replace && replaceable) continue;
    return Fail(ErrorCode::kConflict,
                fmt::format("the output folder \"{}\" is not empty (it holds \"{}\"); choose "
                            "another one{}",
                            path, entry.name,
                            replaceable   ? ", or replace the earlier run"
                            : may_replace ? "; only what a run wrote is replaced"
                                          : ""),
                replaceable ? std::vector{Advice::kReplaceOutput} : std::vector<Advice>());
  }
  if (use != OutputUse::kNew || !has_checkpoint) return {};
  return Fail(ErrorCode::kConflict,
              fmt::format("the output folder \"{}\" holds an interrupted run; continue it, or "
                          "start it again",
                          path),
              {Advice::kResume, Advice::kStartOver});
}

// Fails where `path` or a folder above it is a file.
Status CheckNoFileInTheWay(FileSystem& files, const std::string& path) {
  for (size_t end = 0; end != std::string::npos;) {
    end = path.find('/', end + 1);
    const std::string above = path.substr(0, end);
    ZHIWEN_ASSIGN_OR_RETURN(const bool exists, files.Exists(above));
    if (!exists) return {};
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_folder, files.IsDirectory(above));
    if (is_folder) continue;
    return Fail(ErrorCode::kConflict,
                fmt::format("cannot create the output folder \"{}\": \"{}\" is a file; choose "
                            "another output folder",
                            path, above));
  }
  return {};
}

}  // namespace

Result<OutputFolder> OutputFolder::Create(FileSystem& files, const std::string& path, OutputUse use,
                                          const OutputContents& contents) {
  if (path.empty()) return Fail(ErrorCode::kInvalidArgument, "no output folder given");
  ZHIWEN_ASSIGN_OR_RETURN(const bool exists, files.Exists(path));
  if (Status made = files.CreateDirectories(path); !made) {
    ZHIWEN_RETURN_IF_ERROR(CheckNoFileInTheWay(files, path));
    return FailUnwritable("output folder", path, std::move(made).error());
  }
  OutputFolder folder(files, path, contents);
  folder.is_made_ = !exists;
  Result<std::unique_ptr<FileLock>> lock = files.Lock(path + "/.lock");
  if (!lock) return FailUnwritable("output folder", path, std::move(lock).error());
  folder.lock_ = *std::move(lock);
  ZHIWEN_ASSIGN_OR_RETURN(folder.has_checkpoint_, files.Exists(folder.checkpoint_path()));
  ZHIWEN_RETURN_IF_ERROR(CheckFree(files, path, use, folder.has_checkpoint_, contents));
  return folder;
}

Status OutputFolder::Check(FileSystem& files, const std::string& path, OutputUse use,
                           const OutputContents& contents) {
  ZHIWEN_RETURN_IF_ERROR(CheckNoFileInTheWay(files, path));
  ZHIWEN_ASSIGN_OR_RETURN(const bool exists, files.Exists(path));
  if (!exists) return {};
  ZHIWEN_RETURN_IF_ERROR(files.CheckUnlocked(path + "/.lock"));
  ZHIWEN_ASSIGN_OR_RETURN(const bool has_checkpoint, files.Exists(path + "/.partial/checkpoint"));
  return CheckFree(files, path, use, has_checkpoint, contents);
}

Status OutputFolder::Clear() {
  // The checkpoint goes first: without what it describes it would be in the way of the next run.
  if (has_checkpoint_) ZHIWEN_RETURN_IF_ERROR(files_->RemoveFile(checkpoint_path()));
  has_checkpoint_ = false;
  ZHIWEN_RETURN_IF_ERROR(files_->RemoveAll(Partial("")));
  return files_->CreateDirectories(Partial(std::string(contents_.folder)));
}

Status OutputFolder::ClearOutputs() {
  ZHIWEN_RETURN_IF_ERROR(files_->RemoveAll(Partial(std::string(contents_.folder))));
  return files_->CreateDirectories(Partial(std::string(contents_.folder)));
}

Result<std::unique_ptr<WritableFile>> OutputFolder::OpenForWrite(const std::string& name) {
  const std::string path = Partial(name);
  ZHIWEN_RETURN_IF_ERROR(files_->CreateDirectories(path.substr(0, path.rfind('/'))));
  return files_->OpenForWrite(path);
}

Result<bool> OutputFolder::Link(const std::string& from, const std::string& name) {
  const std::string path = Partial(name);
  ZHIWEN_RETURN_IF_ERROR(files_->CreateDirectories(path.substr(0, path.rfind('/'))));
  return files_->Link(from, path);
}

Status OutputFolder::Publish() {
  // An old report must not describe new files: it goes first, and the new one comes last.
  const auto& results = contents_.results;
  for (auto name = results.rbegin(); name != results.rend(); ++name) {
    ZHIWEN_RETURN_IF_ERROR(files_->RemoveAll(fmt::format("{}/{}", path_, *name)));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const auto written, files_->List(Partial("")));
  const auto is_written = [&](std::string_view name) {
    return std::ranges::any_of(written,
                               [&](const DirectoryEntry& entry) { return entry.name == name; });
  };
  for (const std::string_view name : results) {
    const auto& optional = contents_.optional;
    const bool is_optional = std::ranges::find(optional, name) != optional.end();
    if (is_optional && !is_written(name)) continue;
    const std::string to = fmt::format("{}/{}", path_, name);
    if (name == results.back()) ZHIWEN_RETURN_IF_ERROR(files_->SyncDirectory(path_));
    ZHIWEN_RETURN_IF_ERROR(files_->Rename(Partial(std::string(name)), to));
  }
  // The run is finished; what tidying leaves behind, the next run takes away. The checkpoint goes
  // first: it would describe what is not there any more.
  (void)files_->RemoveFile(checkpoint_path());
  (void)files_->RemoveAll(Partial(""));
  (void)files_->SyncDirectory(path_);
  lock_.reset();  // removes .lock
  return {};
}

void OutputFolder::Abandon() {
  // Results without their report are of a run that was stopped while it published them: .partial
  // says so, and stays.
  const auto entries = files_->List(path_);
  const auto holds = [&](auto&& is_wanted) {
    return entries && std::ranges::any_of(*entries, is_wanted, &DirectoryEntry::name);
  };
  const bool has_results = holds([&](std::string_view name) { return IsResult(contents_, name); });
  const bool has_report =
      holds([&](std::string_view name) { return name == contents_.results.back(); });
  // What cannot be removed stays; the next run takes it away.
  if (entries && has_results == has_report) (void)files_->RemoveAll(Partial(""));
  lock_.reset();  // removes .lock
  if (is_made_) (void)files_->RemoveEmptyFolder(path_);
}

}  // namespace zhiwen
