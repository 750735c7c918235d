#ifndef ZHIWEN_BASE_COMPRESS_STORED_ZIP_H_
#define ZHIWEN_BASE_COMPRESS_STORED_ZIP_H_

// Zip archives in one fixed form: members are not compressed, stand one behind another, and have
// no time but 1980-01-01. Every program that unpacks zip archives reads them.
//
// In          members: paths and bytes; or the bytes of an archive
// Out         the bytes of the archive; or its members
// Guarantees  the same members give the same bytes. ReadStoredZip takes archives of this form
//             alone, so that every byte of the archive is in a member or follows from the members:
//             nothing stands between or behind them, and no two programs unpack different members.
//             The sizes that an archive states are never trusted
// Cost        writing copies the members once; reading computes their checksums
// Threads     free functions
// Fails       kExhausted: more than kMostZipBytes or kMostZipMembers · kUnreadable: another form,
//             a truncated archive, or two members of one path, naming the byte or the member
// Not for     archives that others wrote (document/archive/, document/office/)

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr uint64_t kMostZipBytes = uint64_t{1} << 30;
inline constexpr size_t kMostZipMembers = 10000;

struct StoredMember {
  std::string_view path, bytes;
  bool has_checksum = true;  // the checksum of the archive is that of the bytes
};

// Returns the archive of these members, in their order. Their paths differ and are in ASCII.
Result<std::string> WriteStoredZip(std::span<const StoredMember> members);

// Returns the members in their order; views of `archive`.
Result<std::vector<StoredMember>> ReadStoredZip(std::string_view archive);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_STORED_ZIP_H_
