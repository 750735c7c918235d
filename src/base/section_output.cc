#include "base/section_output.h"

#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace zhiwen {
namespace {

// Only a file of the kind is replaced by another: never what it is made of.
Status RefuseForeign(FileSystem& files, const SectionFileKind& kind, const std::string& path) {
  const auto refuse = [&](std::string_view why) {
    return Fail(ErrorCode::kConflict,
                fmt::format("cannot write \"{}\": it {} {} file of zhiwen, which is all that "
                            "--overwrite replaces; choose another name",
                            path, why, kind.name));
  };
  const auto file = files.OpenForRead(path);
  // A pipe, a device, or a file that may not be read.
  if (!file && file.error().code == ErrorCode::kUnreadable) return refuse("cannot be read as a");
  if (!file) return Fail(file.error().code, file.error().message);
  std::array<char, kSectionHeadBytes> head = {};
  ZHIWEN_ASSIGN_OR_RETURN(const size_t size, (*file)->ReadAt(0, head));
  if (size == 0 || IsOfKind({head.data(), size}, kind)) return {};
  return refuse("is no");
}

}  // namespace

Result<std::unique_ptr<SectionOutput>> SectionOutput::Create(FileSystem& files,
                                                             const SectionFileKind& kind,
                                                             const SectionOutputOptions& options) {
  if (options.path.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "no output file given (-o FILE)");
  }
  if (options.path.ends_with('/')) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot write \"{}\": name a file, not a folder", options.path));
  }
  ZHIWEN_ASSIGN_OR_RETURN(std::string path, files.FollowLink(options.path));
  std::unique_ptr<SectionOutput> output(
      new SectionOutput(files, kind, {.path = std::move(path), .overwrite = options.overwrite}));
  ZHIWEN_RETURN_IF_ERROR(output->CheckPlace());
  ZHIWEN_RETURN_IF_ERROR(files.CreateDirectories(output->folder_));
  ZHIWEN_ASSIGN_OR_RETURN(output->lock_, files.Lock(output->folder_ + "/.lock"));
  ZHIWEN_RETURN_IF_ERROR(files.RemoveAll(output->scratch()));
  return output;
}

SectionOutput::~SectionOutput() {
  if (lock_ == nullptr) return;  // the folder is another process's
  // What cannot be removed stays; the next run takes it away.
  (void)files_.RemoveAll(scratch());
  (void)files_.RemoveAll(made());
  lock_.reset();  // removes .lock
  (void)files_.RemoveEmptyFolder(folder_);
}

Status SectionOutput::CheckPlace() const {
  ZHIWEN_ASSIGN_OR_RETURN(const bool exists, files_.Exists(options_.path));
  if (!exists) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const bool is_folder, files_.IsDirectory(options_.path));
  if (!is_folder && options_.overwrite) return RefuseForeign(files_, kind_, options_.path);
  return Fail(ErrorCode::kConflict,
              fmt::format("cannot write \"{}\": it is there already; choose another name{}",
                          options_.path, is_folder ? "" : ", or use --overwrite"));
}

// It may be hours since Create looked.
Status SectionOutput::TakePlace() const {
  ZHIWEN_RETURN_IF_ERROR(CheckPlace());
  if (!options_.overwrite) {  // a link, unlike a new name, replaces nothing
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_linked, files_.Link(made(), options_.path));
    if (is_linked) return {};
  }
  return files_.Rename(made(), options_.path);
}

Result<uint64_t> SectionOutput::Publish(std::span<const SectionContent> sections) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<WritableFile> file, files_.OpenForWrite(made()));
  const auto append = [&](std::string_view bytes) { return file->Append(bytes); };
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t identity, WriteSections(kind_, sections, append));
  ZHIWEN_RETURN_IF_ERROR(file->Sync());
  ZHIWEN_RETURN_IF_ERROR(file->Close());
  ZHIWEN_RETURN_IF_ERROR(TakePlace());
  const std::filesystem::path folder = std::filesystem::path(options_.path).parent_path();
  const Status synced = files_.SyncDirectory(folder.empty() ? "." : folder.string());
  if (synced) return identity;
  return Fail(synced.error().code,
              fmt::format("\"{}\" is written, and may be lost when the machine stops now: {}",
                          options_.path, synced.error().message));
}

}  // namespace zhiwen
