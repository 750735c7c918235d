#ifndef ZHIWEN_PIPELINE_FILE_HEAD_H_
#define ZHIWEN_PIPELINE_FILE_HEAD_H_

// The first bytes of a file, decompressed: what a file is when its name does not say it.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "zhiwen/documents.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Bytes that are looked at.
inline constexpr size_t kHeadBytes = size_t{16} << 10;
inline constexpr size_t kMostHeadBytes = size_t{256} << 10;

struct FileHead {
  FileIdentity identity = {};
  DocumentCompression compression = DocumentCompression::kNone;
  std::string stored;  // as they are in the file
  std::string bytes;   // decompressed, and in UTF-8 as far as they can be decoded; none when they
                       // are damaged, which reading will tell
  // What they show before they are decoded (DetectExtractedFormat).
  std::optional<DocumentFormat> extracted = {};
  TextEncoding encoding = TextEncoding::kUtf8;
  bool has_other_mark = false;  // a byte order mark of another encoding than the one asked for
};

// `encoding`: what was asked for; where nothing was, or a byte order mark says another one, the
// bytes decide. Of a file that begins with ASCII alone up to kMostHeadBytes are looked at for that.
// Fails: as opening and reading do; kUnavailable where an encoding cannot be decoded.
Result<FileHead> ReadFileHead(FileSystem& files, const std::string& path,
                              std::optional<TextEncoding> encoding);

// The same of a stream, from the first bytes of it; no identity.
Result<FileHead> HeadOfBytes(std::string_view first, std::optional<TextEncoding> encoding);

// Whether the file begins with the bracket of an array, with a byte order mark or white space
// before it perhaps.
bool BeginsWithBracket(std::string_view head);

// Returns what separates the fields of a CSV file that begins so: `asked`, or what its first line
// shows (FindSeparator).
char SeparatorOfHead(std::string_view head, std::optional<char> asked,
                     std::span<const std::string> text_fields);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_FILE_HEAD_H_
