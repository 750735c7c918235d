#ifndef ZHIWEN_PIPELINE_READER_LINE_BLOCKS_H_
#define ZHIWEN_PIPELINE_READER_LINE_BLOCKS_H_

// Reads files as blocks of whole lines, in order, for several workers.
//
// In          files, given one after the other
// Out         blocks numbered from 0: ascending offsets inside a file, files in the order given;
//             together they cover every byte once
// Guarantees  a block ends after a line end or at the end of its file; a line longer than a block
//             makes that block larger
// Cost        one copy from the page cache; the unfinished line at the end of a block is read again
// Threads     Next may be called from several threads at once, each with a buffer of its own
// Fails       kUnreadable: a read failed, or the file changed while it was read

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A file of a run, with what it looked like when the run began. Files are opened when their turn
// comes, so that a run can have more of them than the system lets a process hold open.
struct InputFile {
  std::string path;
  FileIdentity identity;
};

// Opens `input` again. Fails: kUnreadable when it is not what it was when the run began.
Result<std::unique_ptr<ReadableFile>> OpenUnchanged(FileSystem& files, const InputFile& input);

// Fails: kUnreadable when the open file is not what it was when the run began.
Status CheckUnchanged(const ReadableFile& file, const InputFile& input);

// Fills `out` from `offset` on. Fails: kUnreadable when the file ends before.
Status ReadFully(const ReadableFile& file, uint64_t offset, std::span<char> out);

struct LineBlock {
  uint64_t sequence = 0;   // of all blocks of the run
  uint32_t file = 0;       // index into the files
  uint64_t offset = 0;     // of bytes.front() in the file
  std::string_view bytes;  // lives in the caller's buffer; kBlockPadding readable bytes follow
};

inline constexpr size_t kBlockPadding = 64;

class LineBlockReader {
 public:
  // Both must outlive the reader.
  LineBlockReader(FileSystem& file_system, const std::vector<InputFile>& files, size_t block_bytes)
      : file_system_(file_system), files_(files), block_bytes_(block_bytes) {}

  // Reads the next block into `buffer` and describes it in `block`; returns false at the end.
  Result<bool> Next(std::vector<char>& buffer, LineBlock& block);

  // Bytes handed out so far.
  uint64_t bytes_read() const;

 private:
  // Makes open_ the file that has bytes left; false at the end of the last.
  Result<bool> OpenNext();
  // Reads whole lines from offset_ on; returns how many bytes.
  Result<size_t> ReadLines(std::vector<char>& buffer);

  FileSystem& file_system_;
  const std::vector<InputFile>& files_;
  const size_t block_bytes_;
  mutable std::mutex mutex_;
  std::unique_ptr<ReadableFile> open_;  // files_[file_], once it was opened
  uint32_t file_ = 0;
  uint64_t offset_ = 0;
  uint64_t sequence_ = 0;
  uint64_t bytes_read_ = 0;
};

// Cuts the next line off the front of `rest`: the line without '\n' in `line`, its length with the
// line end in `taken`. Returns false when `rest` is empty.
bool TakeLine(std::string_view& rest, std::string_view& line, size_t& taken);

// True for a line that holds nothing but white space, or a byte order mark: no record.
bool IsBlankLine(std::string_view line);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_READER_LINE_BLOCKS_H_
