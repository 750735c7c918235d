#include "base/files/output_file.h"

#include <filesystem>
#include <span>

#include <fmt/format.h>

namespace zhiwen {
namespace {

class SyncedFile final : public WritableFile {
 public:
  explicit SyncedFile(std::unique_ptr<WritableFile> file) : file_(std::move(file)) {}

  Status Append(std::string_view bytes) override { return file_->Append(bytes); }
  Status Sync() override { return file_->Sync(); }
  Status Close() override {
    ZHIWEN_RETURN_IF_ERROR(file_->Sync());
    return file_->Close();
  }
  const std::string& path() const override { return file_->path(); }

 private:
  std::unique_ptr<WritableFile> file_;
};

// Returns the folders above a path that are not there, the lowest first.
std::vector<std::string> MissingFoldersAbove(FileSystem& files, const std::string& path) {
  std::vector<std::string> missing;
  std::filesystem::path above = std::filesystem::path(path).lexically_normal().parent_path();
  while (!above.empty() && !files.Exists(above.string()).value_or(true)) {
    missing.push_back(above.string());
    above = above.parent_path();
  }
  return missing;
}

}  // namespace

OutputFileKind KindThatBeginsWith(std::string name, std::string beginning) {
  const auto is_of_kind =
      [beginning = std::move(beginning)](std::unique_ptr<ReadableFile> file) -> Result<bool> {
    std::string head(beginning.size(), '\0');
    ZHIWEN_ASSIGN_OR_RETURN(const size_t size, file->ReadAt(0, head));
    return size == head.size() && head == beginning;
  };
  return {.name = std::move(name), .is_of_kind = is_of_kind};
}

tl::unexpected<Error> FailUnwritable(std::string_view noun, const std::string& path, Error error) {
  if (error.code != ErrorCode::kUnreadable && error.code != ErrorCode::kNotFound) {
    return tl::unexpected(std::move(error));
  }
  return Fail(ErrorCode::kConflict,
              fmt::format("the {0} \"{1}\" cannot be written to ({2}); choose another {0}", noun,
                          path, error.message));
}

Result<std::unique_ptr<OutputFile>> OutputFile::Create(FileSystem& files, OutputFileKind kind,
                                                       const OutputFileOptions& options) {
  if (options.path.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "no output file given (-o FILE)");
  }
  if (options.path.ends_with('/')) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot write \"{}\": name a file, not a folder", options.path));
  }
  ZHIWEN_ASSIGN_OR_RETURN(std::string path, files.FollowLink(options.path));
  std::unique_ptr<OutputFile> output(
      new OutputFile(files, std::move(kind),
                     {.path = std::move(path),
                      .overwrite = options.overwrite,
                      .keeps_unfinished = options.keeps_unfinished}));
  ZHIWEN_RETURN_IF_ERROR(output->CheckPlace());
  std::vector<std::string> missing = MissingFoldersAbove(files, output->folder_);
  if (Status made = files.CreateDirectories(output->folder_); !made) {
    if (made.error().code != ErrorCode::kConflict) {
      return FailUnwritable("output file", options.path, std::move(made).error());
    }
    return Fail(made.error().code,
                fmt::format("cannot write \"{}\": {}", options.path, made.error().message));
  }
  Result<std::unique_ptr<FileLock>> lock = files.Lock(output->folder_ + "/.lock");
  if (!lock) return FailUnwritable("output file", options.path, std::move(lock).error());
  output->lock_ = *std::move(lock);
  output->made_folders_ = std::move(missing);
  ZHIWEN_RETURN_IF_ERROR(files.RemoveAll(output->scratch()));
  return output;
}

OutputFile::~OutputFile() {
  if (lock_ == nullptr) return;  // another process owns the folder
  // A file that cannot be removed is left for the next run to remove.
  (void)files_.RemoveAll(scratch());
  if (!options_.keeps_unfinished) (void)files_.RemoveAll(made());
  lock_.reset();  // removes .lock
  (void)files_.RemoveEmptyFolder(folder_);
  for (const std::string& made : made_folders_) (void)files_.RemoveEmptyFolder(made);
}

Status OutputFile::RefuseForeign() const {
  const auto refuse = [&](std::string_view why) {
    return Fail(ErrorCode::kConflict,
                fmt::format("cannot write \"{}\": it {} {} file of zhiwen, and nothing "
                            "else is replaced; choose another name",
                            options_.path, why, kind_.name));
  };
  auto file = files_.OpenForRead(options_.path);
  // The path is a pipe, a device, or a file without read permission.
  if (!file && file.error().code == ErrorCode::kUnreadable) return refuse("cannot be read as a");
  if (!file) return Fail(std::move(file));
  char first = 0;
  ZHIWEN_ASSIGN_OR_RETURN(const size_t size, (*file)->ReadAt(0, std::span(&first, 1)));
  if (size == 0) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const bool is_of_kind, kind_.is_of_kind(*std::move(file)));
  return is_of_kind ? Status() : refuse("is no");
}

Status OutputFile::CheckPlace() const {
  ZHIWEN_ASSIGN_OR_RETURN(const bool exists, files_.Exists(options_.path));
  if (!exists) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const bool is_folder, files_.IsDirectory(options_.path));
  if (!is_folder && options_.overwrite) return RefuseForeign();
  return Fail(ErrorCode::kConflict,
              fmt::format("cannot write \"{}\": it is there already; choose another name{}",
                          options_.path, is_folder ? "" : ", or have it replaced"),
              is_folder ? std::vector<Advice>() : std::vector{Advice::kReplaceOutput});
}

// Checks the path again, because hours may have passed since Create did.
Status OutputFile::TakePlace() const {
  ZHIWEN_RETURN_IF_ERROR(CheckPlace());
  if (!options_.overwrite) {  // unlike a rename, a link replaces nothing
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_linked, files_.Link(made(), options_.path));
    if (is_linked) return {};
  }
  return files_.Rename(made(), options_.path);
}

// What a killed run left may be another name of the file that it published.
Result<std::unique_ptr<WritableFile>> OutputFile::Open() {
  ZHIWEN_RETURN_IF_ERROR(files_.RemoveAll(made()));
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, files_.OpenForWrite(made()));
  return std::make_unique<SyncedFile>(std::move(file));
}

Result<std::unique_ptr<WritableFile>> OutputFile::OpenUnfinished(uint64_t size) {
  ZHIWEN_ASSIGN_OR_RETURN(const bool exists, files_.Exists(options_.path));
  if (exists) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto there, files_.OpenForRead(options_.path));
    ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity place, there->Identity());
    ZHIWEN_ASSIGN_OR_RETURN(const auto left, files_.OpenForRead(made()));
    ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity unfinished, left->Identity());
    if (place.device == unfinished.device && place.inode == unfinished.inode) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("\"{}\" is whole: the run that wrote it was stopped when it had "
                              "done all",
                              options_.path));
    }
  }
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, files_.OpenForAppend(made(), size));
  return std::make_unique<SyncedFile>(std::move(file));
}

Status OutputFile::Publish() {
  ZHIWEN_RETURN_IF_ERROR(TakePlace());
  // A link is another name of the file, and this one goes.
  if (options_.keeps_unfinished) ZHIWEN_RETURN_IF_ERROR(files_.RemoveAll(made()));
  const std::filesystem::path folder = std::filesystem::path(options_.path).parent_path();
  const Status synced = files_.SyncDirectory(folder.empty() ? "." : folder.string());
  if (synced) return {};
  return Fail(synced.error().code,
              fmt::format("\"{}\" is written, and may be lost when the machine stops now: {}",
                          options_.path, synced.error().message));
}

Status OutputFile::WriteBytes(std::string_view bytes) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<WritableFile> file, Open());
  ZHIWEN_RETURN_IF_ERROR(file->Append(bytes));
  return file->Close();
}

Status OutputFile::PublishBytes(std::string_view bytes) {
  ZHIWEN_RETURN_IF_ERROR(WriteBytes(bytes));
  return Publish();
}

}  // namespace zhiwen
