#ifndef ZHIWEN_PIPELINE_EXTRACT_EXTRACT_OUTPUT_H_
#define ZHIWEN_PIPELINE_EXTRACT_EXTRACT_OUTPUT_H_

// The file of extracted texts: lines of JSON, plain, gzip or zstd, as its name ends. A run that
// ends early, however it ends, leaves what it has; another one goes on behind the last input file
// whose lines are there.
//
// Guarantees  what was there stays until the new file is whole and on the disk. Frames end where an
//             input ends, once they have kLeastFrame bytes: equal lines give equal bytes, be it in
//             one run or in several
// Cost        memory of one frame. A stop costs the inputs since the last frame
// Threads     one at a time
// Fails       as base/files/output_file.h; Create: kInvalidArgument for another ending · kConflict:
//             what an earlier run left was made otherwise, or is damaged
// Persisted   PATH.partial/.made, the frames so far; PATH.partial/progress, version 2: one line
// with
//             the parameters' hash, the counts of ExtractProgress and a checksum. Nobody else reads
//             them, and another version is made anew

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/compress/frame_compressor.h"
#include "base/files/output_file.h"
#include "zhiwen/extract_files.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// How far a run has come.
struct ExtractProgress {
  uint64_t inputs = 0;  // whose lines are all there
  uint64_t bytes = 0;   // of the output
  ExtractedFiles counts = {};
};

struct ExtractOutputOptions {
  std::string path;
  bool overwrite = false;
  bool resume = false;      // go on with what an earlier run left; where it left nothing, begin
  uint64_t parameters = 0;  // a hash of all that decides the lines, the inputs too
};

class ExtractOutput {
 public:
  static constexpr size_t kLeastFrame = size_t{1} << 20;
  static constexpr size_t kMostFrame = size_t{8} << 20;

  static Result<std::unique_ptr<ExtractOutput>> Create(FileSystem& files,
                                                       const ExtractOutputOptions& options);

  // Where no input has ended on the disk, nothing is left.
  ~ExtractOutput();
  ExtractOutput(const ExtractOutput&) = delete;
  ExtractOutput& operator=(const ExtractOutput&) = delete;

  // How far a run has come on the disk: at the beginning, an earlier one.
  const ExtractProgress& progress() const { return progress_; }

  // Adds a line of the input that comes next.
  Status Add(std::string_view line);

  // All lines of one more input are there; `counts` are those of all so far.
  Status EndInput(const ExtractedFiles& counts);

  // Writes the rest and gives the file its name.
  Status Publish();

 private:
  ExtractOutput(FileSystem& files, uint64_t parameters, FrameCompressor compressor)
      : files_(files), parameters_(parameters), compressor_(std::move(compressor)) {}

  std::string progress_path() const { return output_->kept() + "/progress"; }
  Status ReadProgress();
  Status WriteProgress();
  Status WriteFrame();

  FileSystem& files_;
  const uint64_t parameters_;
  FrameCompressor compressor_;
  std::unique_ptr<OutputFile> output_;
  std::unique_ptr<WritableFile> made_;
  std::string lines_, frame_;  // not written yet
  uint64_t bytes_ = 0;         // of .made
  uint64_t inputs_ = 0;        // that have ended
  ExtractProgress progress_;   // as it is on the disk
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_EXTRACT_EXTRACT_OUTPUT_H_
