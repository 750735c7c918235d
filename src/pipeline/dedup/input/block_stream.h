#ifndef ZHIWEN_PIPELINE_DEDUP_INPUT_BLOCK_STREAM_H_
#define ZHIWEN_PIPELINE_DEDUP_INPUT_BLOCK_STREAM_H_

// Reads the inputs of a run as one sequence of blocks: the first pass reads all of them, later
// passes read the blocks of the rows that they ask for.
//
// Threads     one at a time

#include <cstdint>
#include <memory>
#include <string>

#include "pipeline/dedup/input/inputs.h"
#include "pipeline/dedup/rows/document_rows.h"
#include "pipeline/reader/record_blocks.h"
#include "zhiwen/result.h"

namespace zhiwen {

class BlockStream {
 public:
  // All outlive it.
  BlockStream(FileSystem& files, const DedupInputs& inputs, const BlockOptions& options)
      : files_(files), inputs_(inputs), options_(options) {}

  // Starts at `offset` of `file` instead of the first byte, behind so many records. Before the
  // first Next.
  void StartAt(uint32_t file, uint64_t offset, uint64_t records);

  // Reads the next block of all inputs; false at the end.
  Result<bool> Next(RecordBlock& block);

  // Returns the index of the current input file, also after Next failed.
  uint32_t file() const { return file_; }
  // Skips the rest of the current file.
  void SkipFile();

  // Reads the block of `row`; rows come in order. Fails: kUnreadable when the file is not what it
  // was when the run began, or cannot be read although it could before.
  Status Read(const BlockRow& row, RecordBlock& block);

  // Returns what stands behind the last record of `file`, when all of its rows were read. Damage
  // there is no error: the first pass met it. Before the rows of the next file.
  Result<std::string> ReadTail(uint32_t file);

  // After the last Read: makes sure that its file did not change meanwhile.
  Status Finish();

  // Compressed bytes of all inputs that were read so far.
  uint64_t bytes_read() const;

 private:
  Status Open(uint32_t file);
  Error ErrorOfLaterPass(Error error) const;

  FileSystem& files_;
  const DedupInputs& inputs_;
  const BlockOptions& options_;
  std::unique_ptr<FileBlocks> open_;
  uint32_t file_ = 0;
  uint64_t start_ = 0;
  bool is_behind_empty_text_ = false;  // which no offset tells
  uint64_t bytes_before_ = 0;          // of the files before file_
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_INPUT_BLOCK_STREAM_H_
