// Any bytes are a stored zip archive, or are refused: what is read of them is all of them. Members
// of any bytes are read as they were written.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/compress/stored_zip.h"
#include "require.h"

namespace {

using namespace zhiwen;

void CheckReading(std::string_view bytes) {
  const Result<std::vector<StoredMember>> members = ReadStoredZip(bytes);
  if (!members) return Require(!members.error().message.empty());
  bool are_sound = true;
  for (const StoredMember& member : *members) are_sound &= member.has_checksum;
  if (!are_sound) return;
  const Result<std::string> again = WriteStoredZip(*members);
  Require(again.has_value() && *again == bytes);
}

void CheckWriting(std::string_view bytes) {
  std::vector<std::string> paths;
  std::vector<StoredMember> members;
  for (size_t at = 0; at < bytes.size(); at += static_cast<uint8_t>(bytes[at]) + 1) {
    paths.push_back("member/" + std::to_string(members.size()));
    members.push_back({.path = {}, .bytes = bytes.substr(at, static_cast<uint8_t>(bytes[at]))});
  }
  for (size_t i = 0; i < members.size(); ++i) members[i].path = paths[i];
  const Result<std::string> archive = WriteStoredZip(members);
  if (!archive) return Require(members.size() > kMostZipMembers);
  const Result<std::vector<StoredMember>> read = ReadStoredZip(*archive);
  Require(read.has_value() && read->size() == members.size());
  for (size_t i = 0; i < members.size(); ++i) {
    Require((*read)[i].path == members[i].path && (*read)[i].bytes == members[i].bytes);
    Require((*read)[i].has_checksum);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  CheckReading(bytes);
  CheckWriting(bytes);
  return 0;
}
