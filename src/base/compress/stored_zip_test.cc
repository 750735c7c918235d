#include "base/compress/stored_zip.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/stored_zip.h"

namespace zhiwen {
namespace {

using PathsAndBytes = std::vector<std::pair<std::string, std::string>>;

const PathsAndBytes& ThreeMembers() {
  static const PathsAndBytes members = {
      {"manifest.json", "{}\n"}, {"empty", ""}, {"a/文", std::string("\0PK\x03\x04", 5)}};
  return members;
}

std::vector<StoredMember> MembersOf(const PathsAndBytes& sample) {
  std::vector<StoredMember> members;
  for (const auto& [path, bytes] : sample) members.push_back({path, bytes});
  return members;
}

// What a reader of the archive sees; nothing where it is refused or a checksum is wrong.
PathsAndBytes SeenIn(const std::string& archive) {
  const auto members = ReadStoredZip(archive);
  PathsAndBytes seen;
  for (const StoredMember& member : members.value_or(std::vector<StoredMember>())) {
    if (!member.has_checksum) return {};
    seen.emplace_back(member.path, member.bytes);
  }
  return seen;
}

TEST(StoredArchive, IsWhatAnotherWriterMakes) {
  EXPECT_EQ(WriteStoredZip(MembersOf(ThreeMembers())).value(), StoredZip(ThreeMembers()));
  EXPECT_EQ(WriteStoredZip({}).value(), StoredZip({}));
}

TEST(StoredArchive, GivesItsMembersBack) {
  EXPECT_EQ(SeenIn(StoredZip(ThreeMembers())), ThreeMembers());
  EXPECT_TRUE(ReadStoredZip(StoredZip({})).value().empty());
}

TEST(StoredArchive, IsRefusedWhereverItIsCutOff) {
  const std::string archive = StoredZip(ThreeMembers());
  for (size_t size = 0; size < archive.size(); ++size) {
    const auto members = ReadStoredZip(std::string_view(archive).substr(0, size));
    ASSERT_FALSE(members) << size;
    EXPECT_EQ(members.error().code, ErrorCode::kUnreadable) << size;
  }
  EXPECT_FALSE(ReadStoredZip(archive + "x"));
}

TEST(StoredArchive, ShowsEveryChangeOfAByte) {
  const std::string archive = StoredZip(ThreeMembers());
  for (size_t at = 0; at < archive.size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      std::string changed = archive;
      changed[at] = static_cast<char>(changed[at] ^ 1 << bit);
      EXPECT_NE(SeenIn(changed), ThreeMembers()) << at;
    }
  }
}

TEST(StoredArchive, TakesNoStatedSizeAtItsWord) {
  for (const size_t at : {18, 22, 26}) {  // both sizes of the first member, and of its path
    std::string archive = StoredZip(ThreeMembers());
    for (size_t i = 0; i < (at == 26 ? 2 : 4); ++i) archive[at + i] = '\xFF';
    EXPECT_FALSE(ReadStoredZip(archive)) << at;
  }
}

TEST(StoredArchive, HasNoTwoMembersOfOnePath) {
  const auto members = ReadStoredZip(StoredZip({{"a", "1"}, {"a", "2"}}));
  ASSERT_FALSE(members);
  EXPECT_NE(members.error().message.find("second member a"), std::string::npos);
}

}  // namespace
}  // namespace zhiwen
