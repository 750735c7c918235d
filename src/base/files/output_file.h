#ifndef ZHIWEN_BASE_FILES_OUTPUT_FILE_H_
#define ZHIWEN_BASE_FILES_OUTPUT_FILE_H_

// A file that a command leaves behind: what it may replace, and how it gets to its place. Work is
// done in the folder "PATH.partial", under a lock.
//
// Guarantees  what was there stays until the new file is whole and on the disk; nothing is replaced
//             that may not be, though it came meanwhile. Without Publish nothing is left
// Threads     one at a time
// Fails       see the functions

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// What may be replaced: files of the same kind alone, never what they are made of.
struct OutputFileKind {
  std::string name;  // in messages: "it is no NAME file of zhiwen"
  // Whether a file that is not empty is of the kind. Fails where it cannot be read.
  std::function<Result<bool>(std::unique_ptr<ReadableFile> file)> is_of_kind;
};

struct OutputFileOptions {
  std::string path;
  // What is there is replaced when it is a file of the kind, or empty. Of a link: what it leads to.
  bool overwrite = false;
};

class OutputFile {
 public:
  // Fails: kConflict where something is at the path that may not be replaced, another process is at
  // it, or a file is in the way of the folder; kInvalidArgument for a path that names no file.
  static Result<std::unique_ptr<OutputFile>> Create(FileSystem& files, OutputFileKind kind,
                                                    const OutputFileOptions& options);
  // Removes what was made and a killed run left, and the folder where nobody else put something.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // A folder for the scratch of who makes the file; it is not there yet, and goes.
  std::string scratch() const { return folder_ + "/scratch"; }

  // The new file, empty; its Close syncs it first.
  Result<std::unique_ptr<WritableFile>> Open();

  // Gives the file, which is closed, its name, and syncs that. Fails as Create. Where only the name
  // could not be synced the error says that the file is there.
  Status Publish();

 private:
  OutputFile(FileSystem& files, OutputFileKind kind, OutputFileOptions options)
      : files_(files),
        kind_(std::move(kind)),
        options_(std::move(options)),
        folder_(options_.path + ".partial") {}
  // Hidden, so that a folder of inputs does not have it as one.
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
