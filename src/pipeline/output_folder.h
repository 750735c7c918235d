#ifndef ZHIWEN_PIPELINE_OUTPUT_FOLDER_H_
#define ZHIWEN_PIPELINE_OUTPUT_FOLDER_H_

// The folder that a run writes. Everything goes below DIR/.partial and is renamed into DIR at the
// end, the report last: a folder with a report is a finished run.
//
// Guarantees  nothing that a run did not write is ever removed; an interrupted run is removed only
//             where that is asked for
// Fails       Create: kConflict (not empty, held by another run, a file in its path, or not to be
//             written to), and what the file system says
// Not for     surviving a power cut: only the report is synced
//             (docs/decisions/002-outputs-are-not-synced.md)

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// What the folder may hold before the run.
enum class OutputUse : uint8_t {
  kNew,       // nothing
  kReplace,   // an earlier run
  kContinue,  // an interrupted run that left a checkpoint, or nothing
};

// Everything that a run may leave in its folder. The names live as long as the program.
struct OutputContents {
  std::span<const std::string_view> results = {};   // as they are published; the report is last
  std::span<const std::string_view> optional = {};  // of them: those that some runs do not write
  std::string_view folder = {};                     // of them: a folder
};

class OutputFolder {
 public:
  // Makes `path`, or takes it when what it holds is as `use` says, and locks it until destroyed.
  static Result<OutputFolder> Create(FileSystem& files, const std::string& path, OutputUse use,
                                     const OutputContents& contents);

  // Fails as Create would, and leaves everything as it is.
  static Status Check(FileSystem& files, const std::string& path, OutputUse use,
                      const OutputContents& contents);

  const std::string& path() const { return path_; }

  // The file that says how far the run is (checkpoint.h), and whether it was there at first.
  std::string checkpoint_path() const { return Partial("checkpoint"); }
  bool has_checkpoint() const { return has_checkpoint_; }

  // To be called before anything is written: takes away what an interrupted run left, all of it or
  // its outputs only.
  Status Clear();
  Status ClearOutputs();

  // Returns where `name` is until Publish: DIR/.partial/`name`.
  std::string Partial(const std::string& name) const { return path_ + "/.partial/" + name; }

  // Creates DIR/.partial/`name`, with the folders it needs.
  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& name);

  // Makes DIR/.partial/`name` a second name of the file `from`; false where the system cannot.
  Result<bool> Link(const std::string& from, const std::string& name);

  // Moves what was written into place; results of an earlier run go first.
  Status Publish();

  // For a run that failed and cannot be continued: takes away what it wrote, and the folder itself
  // when the run had made it.
  void Abandon();

 private:
  OutputFolder(FileSystem& files, std::string path, const OutputContents& contents)
      : files_(&files), path_(std::move(path)), contents_(contents) {}

  FileSystem* files_;
  std::string path_;
  OutputContents contents_;
  std::unique_ptr<FileLock> lock_;
  bool has_checkpoint_ = false;
  bool is_made_ = false;  // by this run
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_OUTPUT_FOLDER_H_
