#ifndef ZHIWEN_BASE_COMPRESS_PEEKED_FILE_H_
#define ZHIWEN_BASE_COMPRESS_PEEKED_FILE_H_

// Detects the compression of a file that can be read only once, such as standard input.

#include <cstddef>
#include <memory>

#include "base/compress/byte_source.h"

namespace zhiwen {

struct PeekedFile {
  std::unique_ptr<ReadableFile> file;  // still to be read from its beginning
  Compression compression = Compression::kNone;
  size_t bytes = 0;  // bytes read from the file for the detection
};

// Takes ownership of the file. Reads no byte that cannot change the result, so that a user who
// sends a line and waits for the answer is not blocked. Fails as ReadAt of the file does.
Result<PeekedFile> PeekFile(std::unique_ptr<ReadableFile> file);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_PEEKED_FILE_H_
