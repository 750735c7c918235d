#ifndef ZHIWEN_DOCUMENT_OFFICE_ZIP_ARCHIVE_H_
#define ZHIWEN_DOCUMENT_OFFICE_ZIP_ARCHIVE_H_

// The members of a zip archive in memory: what office documents and books are packed in.
//
// In          the bytes of an archive, which outlive the object
// Out         names, and the unpacked bytes of one member at a time
// Guarantees  no more than kMostUnpackedBytes are unpacked in the life of an archive, in at most
//             kMostMembers reads, whatever its directory says; the checksum of every member is
//             verified; archives in it stay packed
// Cost        opening: the directory; reading: the member, at most half a gigabyte a second
// Threads     one at a time
// Fails       kUnreadable: no archive, a damaged, encrypted or missing member · kExhausted: more
//             members, or more bytes, than are read

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "zhiwen/result.h"

struct zip;

namespace zhiwen {

inline constexpr uint64_t kMostUnpackedBytes = uint64_t{256} << 20;
inline constexpr uint64_t kMostMembers = 10000;

// Returns whether a file begins as a zip archive with a member does.
bool BeginsAsZip(std::string_view head);

class ZipArchive {
 public:
  static Result<ZipArchive> Open(std::string_view bytes);

  // Whether there is a member of this path; letters count in either case.
  bool Has(std::string_view path) const;

  // Unpacks a member.
  Result<std::string> Read(std::string_view path);

 private:
  struct Closer {
    void operator()(zip* archive) const;
  };

  explicit ZipArchive(zip* archive) : archive_(archive) {}

  int64_t Locate(std::string_view path) const;  // below 0: not there

  std::unique_ptr<zip, Closer> archive_;
  uint64_t unpacked_ = 0, reads_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_ZIP_ARCHIVE_H_
