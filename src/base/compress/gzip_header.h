#ifndef ZHIWEN_BASE_COMPRESS_GZIP_HEADER_H_
#define ZHIWEN_BASE_COMPRESS_GZIP_HEADER_H_

// Parses the header of a gzip member (RFC 1952, 2.3), wherever pieces of the file end. The reader
// of igzip 2.30 takes good headers with a name and a comment, or a checksum, for damaged ones when
// a piece ends inside them.

#include <string_view>

#include "base/compress/file_pieces.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct GzipHeader {
  bool whole = false;        // whether the file does not end in it
  std::string_view cause{};  // why it is corrupt; empty when it is not
};

// Consumes the header at the start of `pieces`, or a part of the header when it is bad.
Result<GzipHeader> ParseGzipHeader(FilePieces& pieces);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_GZIP_HEADER_H_
