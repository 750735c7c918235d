#ifndef ZHIWEN_DOCUMENT_ARCHIVE_ARCHIVE_SOURCE_H_
#define ZHIWEN_DOCUMENT_ARCHIVE_ARCHIVE_SOURCE_H_

// Reads an archive as a stream of tar entries (document/archive/tar_entry.h), one a member.
//
// In          a zip, tar or 7z archive; tar also when all of it is packed: gzip, zstd, xz, bzip2
// Out         an entry for each regular file in it. Folders, links and devices are left out.
//             Encrypted, damaged and too large members are entries that say so
// Guarantees  nothing is written to a disk: names are names, also "/etc/passwd" and "../x". Names
//             that are not UTF-8 are decoded as what they look like, GB18030 where that is
//             possible. An archive that unpacks to more than kMostArchiveRatio times its size ends
//             there. The same bytes for the same file, whatever the sizes of the reads
// Cost        unpacks on the calling thread; memory of one member, at most max_member_bytes
// Threads     one at a time
// Fails       as base/compress/byte_source.h; kUnreadable, behind the members before: no archive,
//             damaged, its directory encrypted, or unpacking to too much; a 7z archive without
//             `size`
// Not for     office files and books, which are zip archives, too: BeginsAsArchive leaves them out

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/compress/byte_source.h"
#include "zhiwen/extract.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr uint64_t kMostArchiveRatio = 1000;
// Less than this is never too much.
inline constexpr uint64_t kFreeArchiveBytes = uint64_t{1} << 30;

struct ArchiveOptions {
  uint64_t max_member_bytes = kMostCaptureBytes;
  uint64_t free_bytes = kFreeArchiveBytes;
};

// Whether a file begins as an archive does, and not as a document that is packed in one; of tar
// packed by xz or bzip2 only the name of the file tells.
bool BeginsAsArchive(std::string_view head);

// Opens an archive in a file. `size`: of a file that can be read anywhere.
Result<std::unique_ptr<ByteSource>> OpenArchive(std::unique_ptr<ReadableFile> file,
                                                Compression compression,
                                                std::optional<uint64_t> size,
                                                const ArchiveOptions& options);

// Opens an archive of which `first` was read already; `path` is for messages.
Result<std::unique_ptr<ByteSource>> OpenArchive(std::string first, std::unique_ptr<ByteSource> rest,
                                                std::string path, const ArchiveOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_ARCHIVE_ARCHIVE_SOURCE_H_
