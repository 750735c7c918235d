#ifndef ZHIWEN_BASE_FILES_OUTPUT_FILE_H_
#define ZHIWEN_BASE_FILES_OUTPUT_FILE_H_

// Writes a file that a command leaves behind, and decides what it may replace. The new file is made
// in the folder "PATH.partial", under a lock, and then moved to its place.
//
// Guarantees  a file that was there stays until the new one is whole and on the disk. Nothing is
//             replaced that may not be, also when it came meanwhile. Without Publish nothing is
//             left
// Threads     one at a time
// Fails       see the functions

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The kind of file that may be replaced: only files of the same kind are, never their inputs.
struct OutputFileKind {
  std::string name;  // in messages: "it is no NAME file of zhiwen"
  // Returns whether a file that is not empty is of the kind. Fails where it cannot be read.
  std::function<Result<bool>(std::unique_ptr<ReadableFile> file)> is_of_kind;
};

struct OutputFileOptions {
  std::string path;
  // Whether a file that is there is replaced: one of the kind, or an empty one. Links are followed.
  bool overwrite = false;
};

class OutputFile {
 public:
  // Fails: kConflict where something is at the path that may not be replaced, another process is at
  // it, or a file is in the way of the folder; kInvalidArgument for a path that names no file.
  static Result<std::unique_ptr<OutputFile>> Create(FileSystem& files, OutputFileKind kind,
                                                    const OutputFileOptions& options);
  // Removes what was made and what a killed run left, and the folder unless somebody put something
  // there.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // The path of a folder for scratch, which the caller makes and the destructor removes.
  std::string scratch() const { return folder_ + "/scratch"; }

  // Opens the new file, which is empty; its Close syncs it.
  Result<std::unique_ptr<WritableFile>> Open();

  // Gives the file, which is closed, its name, and syncs the name. Fails as Create. When only the
  // name could not be synced, the error says that the file is there.
  Status Publish();

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
  std::unique_ptr<FileLock> lock_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_FILES_OUTPUT_FILE_H_
