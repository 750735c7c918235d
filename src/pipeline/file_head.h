#ifndef ZHIWEN_PIPELINE_FILE_HEAD_H_
#define ZHIWEN_PIPELINE_FILE_HEAD_H_

// The first bytes of a file, decompressed: what a file is when its name does not say it.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "zhiwen/documents.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Bytes that are looked at.
inline constexpr size_t kHeadBytes = size_t{16} << 10;

// Bytes in memory as a file of this name.
std::unique_ptr<ReadableFile> MakeBytesFile(std::string bytes, std::string name);

struct FileHead {
  FileIdentity identity = {};
  DocumentCompression compression = DocumentCompression::kNone;
  std::string stored;  // as they are in the file
  std::string bytes;   // decompressed; none when they are damaged, which reading will tell
};

// Fails: as opening and reading do.
Result<FileHead> ReadFileHead(FileSystem& files, const std::string& path);

// The same of a stream, from the first bytes of it; no identity.
FileHead HeadOfBytes(std::string_view first);

// Whether the file begins with the bracket of an array, with a byte order mark or white space
// before it perhaps.
bool BeginsWithBracket(std::string_view head);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_FILE_HEAD_H_
