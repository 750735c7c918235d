#ifndef ZHIWEN_BASE_FILES_OUTPUT_FILE_H_
#define ZHIWEN_BASE_FILES_OUTPUT_FILE_H_

// Writes an output file of a command, and decides what it may replace. The new file is made in the
// folder "PATH.partial", under a lock, and then moved to its place.
//
// Guarantees  an existing file stays until the new one is complete and on the disk. Nothing is
//             replaced that may not be, even if it appeared meanwhile. Without Publish nothing is
//             left, and no folder that was made for the file, unless it holds something else
// Threads     one at a time
// Fails       see the functions

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The kind of file that may be replaced. Only files of the same kind are replaced, never inputs.
struct OutputFileKind {
  std::string name;  // in messages: "it is no NAME file of zhiwen"
  // Returns whether a nonempty file is of this kind. Fails when the file cannot be read.
  std::function<Result<bool>(std::unique_ptr<ReadableFile> file)> is_of_kind;
};

// Files of this kind begin with these bytes, and no others do.
OutputFileKind KindThatBeginsWith(std::string name, std::string beginning);

struct OutputFileOptions {
  std::string path;
  // Whether an existing file is replaced if it is of the kind or empty. Links are followed.
  bool overwrite = false;
  // What is written stays in kept() where it is not published, for OpenUnfinished. Not given: it
  // goes.
  bool keeps_unfinished = false;
};

// The error of a place that takes no files (no permission, a read-only file system): kConflict.
// `noun` says what the place is, such as "output folder". Errors of another kind stay as they are.
tl::unexpected<Error> FailUnwritable(std::string_view noun, const std::string& path, Error error);

class OutputFile {
 public:
  // Fails: kConflict where something exists at the path that may not be replaced, another process
  // is writing it, a file is in the way of the folder, or the place takes no files;
  // kInvalidArgument for a path that names no file.
  static Result<std::unique_ptr<OutputFile>> Create(FileSystem& files, OutputFileKind kind,
                                                    const OutputFileOptions& options);
  // Removes the files of this run and of a killed one, and the folders that Create made unless they
  // contain other files.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Returns the path of a scratch folder, which the caller makes and the destructor removes.
  std::string scratch() const { return folder_ + "/scratch"; }

  // Returns the folder "PATH.partial", where a caller may keep what it needs to go on.
  const std::string& kept() const { return folder_; }

  // Opens the new, empty file. Its Close syncs it.
  Result<std::unique_ptr<WritableFile>> Open();

  // Opens what an earlier run left, cut to `size` bytes. Fails as FileSystem::OpenForAppend.
  Result<std::unique_ptr<WritableFile>> OpenUnfinished(uint64_t size);

  // Moves the file, which must be closed, to its place and syncs the name. Fails as Create does.
  // When only the name could not be synced, the error says that the file is there.
  Status Publish();

  // Writes all bytes of the file, which is then closed.
  Status WriteBytes(std::string_view bytes);

  // Writes all bytes of the file, and publishes it.
  Status PublishBytes(std::string_view bytes);

 private:
  OutputFile(FileSystem& files, OutputFileKind kind, OutputFileOptions options)
      : files_(files),
        kind_(std::move(kind)),
        options_(std::move(options)),
        folder_(options_.path + ".partial") {}
  // The name is hidden, so that a folder of inputs does not take the file for one.
  std::string made() const { return folder_ + "/.made"; }
  Status RefuseForeign() const;
  Status CheckPlace() const;
  Status TakePlace() const;

  FileSystem& files_;
  const OutputFileKind kind_;
  const OutputFileOptions options_;  // links are followed
  const std::string folder_;
  std::vector<std::string> made_folders_;  // above folder_, the lowest first
  std::unique_ptr<FileLock> lock_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_FILES_OUTPUT_FILE_H_
