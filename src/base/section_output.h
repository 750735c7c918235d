#ifndef ZHIWEN_BASE_SECTION_OUTPUT_H_
#define ZHIWEN_BASE_SECTION_OUTPUT_H_

// A file of sections that a command leaves behind: what it may replace, and how it gets to its
// place. Work is done in the folder "PATH.partial", under a lock.
//
// Guarantees  what was there stays until the new file is whole and on the disk; nothing is replaced
//             that may not be, though it came meanwhile. Without Publish nothing is left
// Threads     one at a time
// Fails       see the functions

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "base/section_file.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct SectionOutputOptions {
  std::string path;
  // What is there is replaced when it is a file of the kind, whole or damaged, or empty. Of a link:
  // what it leads to.
  bool overwrite = false;
};

class SectionOutput {
 public:
  // Fails: kConflict where something is at the path that may not be replaced, another process is at
  // it, or a file is in the way of the folder; kInvalidArgument for a path that names no file.
  static Result<std::unique_ptr<SectionOutput>> Create(FileSystem& files,
                                                       const SectionFileKind& kind,
                                                       const SectionOutputOptions& options);
  // Removes what it made and a killed run left, and the folder where nobody else put something.
  ~SectionOutput();
  SectionOutput(const SectionOutput&) = delete;
  SectionOutput& operator=(const SectionOutput&) = delete;

  // A folder for the scratch of who makes the sections; it is not there yet, and goes.
  std::string scratch() const { return folder_ + "/scratch"; }

  // Writes the file, gives it its name when it is on the disk, and syncs that. Returns its
  // SectionFile::identity(). Fails as Create and `sections`. Where only the name could not be
  // synced the error says that the file is there.
  Result<uint64_t> Publish(std::span<const SectionContent> sections);

 private:
  SectionOutput(FileSystem& files, const SectionFileKind& kind, SectionOutputOptions options)
      : files_(files),
        kind_(kind),
        options_(std::move(options)),
        folder_(options_.path + ".partial") {}
  std::string made() const { return folder_ + "/made"; }
  Status CheckPlace() const;
  Status TakePlace() const;

  FileSystem& files_;
  const SectionFileKind kind_;
  const SectionOutputOptions options_;  // links are followed
  const std::string folder_;
  std::unique_ptr<FileLock> lock_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SECTION_OUTPUT_H_
