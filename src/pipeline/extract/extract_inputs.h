#ifndef ZHIWEN_PIPELINE_EXTRACT_EXTRACT_INPUTS_H_
#define ZHIWEN_PIPELINE_EXTRACT_EXTRACT_INPUTS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "pipeline/extract/block_extractor.h"
#include "pipeline/reader/record_blocks.h"
#include "zhiwen/extract_files.h"

namespace zhiwen {

// Whether a user stopped the run.
bool IsStopOfRun(ErrorCode code);

// The blocks of all inputs, one file after another.
class InputBlocks {
 public:
  InputBlocks(const ExtractFilesOptions& options, const BatchEnvironment& environment)
      : options_(options), environment_(environment) {}

  // Looks at all inputs.
  Status List();
  const std::vector<DocumentFile>& files() const { return files_; }
  // Files that cannot be what their names say.
  const std::vector<LeftOutFile>& left_out() const { return left_out_; }

  // Goes on with the input behind the first `inputs`.
  void GoTo(uint64_t inputs);

  // A hash of what the inputs are: their names, sizes and times.
  uint64_t Hash() const;

  // Gives the next block, or the failure of a file; false at the end.
  Result<bool> Next(BlockWork& work);

  uint64_t bytes_read() const {
    return bytes_before_ + (blocks_ == nullptr ? 0 : blocks_->file_bytes_read());
  }
  uint64_t total_bytes() const { return total_bytes_; }

 private:
  Result<std::unique_ptr<FileBlocks>> Open(const DocumentFile& file) const;
  Result<bool> ReadBlock(BlockWork& work);

  const ExtractFilesOptions& options_;
  const BatchEnvironment& environment_;
  std::vector<DocumentFile> files_;
  std::vector<LeftOutFile> left_out_;
  size_t file_ = 0;
  std::unique_ptr<FileBlocks> blocks_;  // of file_
  uint64_t records_ = 0;                // of its earlier blocks
  uint64_t bytes_before_ = 0, total_bytes_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_EXTRACT_EXTRACT_INPUTS_H_
