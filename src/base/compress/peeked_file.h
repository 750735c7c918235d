#ifndef ZHIWEN_BASE_COMPRESS_PEEKED_FILE_H_
#define ZHIWEN_BASE_COMPRESS_PEEKED_FILE_H_

// What a file is by its first bytes, where it can be read once only: standard input.

#include <cstddef>
#include <memory>

#include "base/compress/byte_source.h"

namespace zhiwen {

struct PeekedFile {
  std::unique_ptr<ReadableFile> file;  // still to be read from its beginning
  Compression compression = Compression::kNone;
  size_t bytes = 0;  // of it, that were taken from `file` to see that
};

// Takes the file over. No byte is asked for that cannot decide: who sends a line and waits for the
// answer is not waited for. Fails: what its ReadAt returns.
Result<PeekedFile> PeekFile(std::unique_ptr<ReadableFile> file);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_PEEKED_FILE_H_
