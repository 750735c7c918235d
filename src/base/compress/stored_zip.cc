#include "base/compress/stored_zip.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <isa-l/crc.h>

namespace zhiwen {
namespace {

constexpr std::string_view kMemberMagic("PK\x03\x04", 4);
constexpr std::string_view kEntryMagic("PK\x01\x02", 4);
constexpr std::string_view kEndMagic("PK\x05\x06", 4);
constexpr uint32_t kReaderVersion = 20;
constexpr uint32_t kFirstDay = 0x00210000;                          // 1980-01-01, 0:00
constexpr size_t kFieldBytes = 26;                                  // of a member, behind its magic
constexpr size_t kChecksumAt = 10, kSizeAt = 14, kPathSizeAt = 22;  // in these

void AppendNumber(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i, value >>= 8) out += static_cast<char>(value & 0xFF);
}

uint32_t NumberAt(std::string_view bytes, size_t at, size_t size) {
  uint32_t value = 0;
  for (size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

uint32_t ChecksumOf(std::string_view bytes) {
  return crc32_gzip_refl(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

// Returns what a member and its entry in the directory have in common.
std::string FieldsOf(const StoredMember& member, uint32_t checksum) {
  std::string fields;
  AppendNumber(fields, kReaderVersion, 2);
  AppendNumber(fields, 0, 4);  // flags, method: stored
  AppendNumber(fields, kFirstDay, 4);
  AppendNumber(fields, checksum, 4);
  AppendNumber(fields, member.bytes.size(), 4);
  AppendNumber(fields, member.bytes.size(), 4);
  AppendNumber(fields, member.path.size(), 2);
  AppendNumber(fields, 0, 2);  // further fields
  return fields;
}

// The directory of an archive, entry by entry.
class Directory {
 public:
  void Add(std::string_view fields, std::string_view path, uint64_t member_at) {
    entries_ += kEntryMagic;
    AppendNumber(entries_, kReaderVersion, 2);
    entries_ += fields;
    AppendNumber(entries_, 0, 10);  // comment, disk, attributes
    AppendNumber(entries_, member_at, 4);
    entries_ += path;
    ++count_;
  }

  // Returns all that stands behind the last member, which ends at `begin`.
  std::string Finish(uint64_t begin) const {
    std::string out = entries_;
    out += kEndMagic;
    AppendNumber(out, 0, 4);  // disks
    AppendNumber(out, count_, 2);
    AppendNumber(out, count_, 2);
    AppendNumber(out, entries_.size(), 4);
    AppendNumber(out, begin, 4);
    AppendNumber(out, 0, 2);  // comment
    return out;
  }

 private:
  std::string entries_;
  size_t count_ = 0;
};

tl::unexpected<Error> FailTooLarge() {
  return Fail(ErrorCode::kExhausted,
              fmt::format("an archive of more than {} MiB, or of more than {} members, is neither "
                          "written nor read",
                          kMostZipBytes >> 20, kMostZipMembers));
}

tl::unexpected<Error> FailOtherForm(size_t at, std::string_view what) {
  return Fail(ErrorCode::kUnreadable,
              fmt::format("{} at byte {}: it is cut off or was changed, or another program wrote "
                          "it; get it again as it was written",
                          what, at));
}

}  // namespace

Result<std::string> WriteStoredZip(std::span<const StoredMember> members) {
  uint64_t size = 0;
  for (const StoredMember& member : members) {
    size += member.bytes.size() + 2 * (member.path.size() + 64);
  }
  if (size > kMostZipBytes || members.size() > kMostZipMembers) return FailTooLarge();
  std::string archive;
  archive.reserve(size);
  Directory directory;
  for (const StoredMember& member : members) {
    const std::string fields = FieldsOf(member, ChecksumOf(member.bytes));
    directory.Add(fields, member.path, archive.size());
    archive += kMemberMagic;
    archive += fields;
    archive += member.path;
    archive += member.bytes;
  }
  return archive + directory.Finish(archive.size());
}

Result<std::vector<StoredMember>> ReadStoredZip(std::string_view archive) {
  if (archive.size() > kMostZipBytes) return FailTooLarge();
  std::vector<StoredMember> members;
  std::set<std::string_view> paths;
  Directory directory;
  size_t at = 0;
  while (archive.substr(at).starts_with(kMemberMagic)) {
    const std::string_view rest = archive.substr(at + kMemberMagic.size());
    if (rest.size() < kFieldBytes) return FailOtherForm(at, "a member ends too early");
    const uint32_t checksum = NumberAt(rest, kChecksumAt, 4);
    const size_t size = NumberAt(rest, kSizeAt, 4), path_size = NumberAt(rest, kPathSizeAt, 2);
    if (rest.size() - kFieldBytes < path_size || rest.size() - kFieldBytes - path_size < size) {
      return FailOtherForm(at, "a member ends too early");
    }
    StoredMember member = {.path = rest.substr(kFieldBytes, path_size),
                           .bytes = rest.substr(kFieldBytes + path_size, size)};
    const std::string fields = FieldsOf(member, checksum);
    if (!rest.starts_with(fields)) return FailOtherForm(at, "a member has another form");
    if (!paths.insert(member.path).second) {
      return FailOtherForm(at, fmt::format("a second member {}", member.path));
    }
    if (members.size() == kMostZipMembers) return FailTooLarge();
    member.has_checksum = checksum == ChecksumOf(member.bytes);
    members.push_back(member);
    directory.Add(fields, member.path, at);
    at += kMemberMagic.size() + kFieldBytes + path_size + size;
  }
  if (archive.substr(at) == directory.Finish(at)) return members;
  return FailOtherForm(at, "the directory of the archive is not that of its members");
}

}  // namespace zhiwen
