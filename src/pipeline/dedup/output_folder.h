#ifndef ZHIWEN_PIPELINE_DEDUP_OUTPUT_FOLDER_H_
#define ZHIWEN_PIPELINE_DEDUP_OUTPUT_FOLDER_H_

// The folder a run writes: everything goes below DIR/.partial and is renamed into DIR at the end,
// report.json last, so that a folder with a report is a finished run.
//
// Guarantees  nothing that a run did not write is ever removed
// Fails       Create: kConflict (not empty, or another run holds it), and what the file system says
// Not for     surviving a power cut: only the report is synced
//             (docs/decisions/002-outputs-are-not-synced.md)

#include <memory>
#include <string>
#include <vector>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

class OutputFolder {
 public:
  // Makes `path`, or takes it when it is empty or holds an earlier run and `overwrite` is set, and
  // locks it until destroyed.
  static Result<OutputFolder> Create(FileSystem& files, const std::string& path, bool overwrite);

  // Creates DIR/.partial/`name`, with the folders it needs.
  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& name);

  // Moves what was written into place; results of an earlier run go first.
  Status Publish();

 private:
  OutputFolder(FileSystem& files, std::string path) : files_(&files), path_(std::move(path)) {}
  std::string Partial(const std::string& name) const { return path_ + "/.partial/" + name; }

  FileSystem* files_;
  std::string path_;
  std::unique_ptr<FileLock> lock_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_OUTPUT_FOLDER_H_
