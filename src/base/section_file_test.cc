#include "base/section_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/section_output.h"
#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr SectionFileKind kKind = {.name = "things", .version = 3};
constexpr uint64_t kNumbers[] = {1, 2, 0xFFFFFFFFFFFFFFFF};
const std::map<std::string, std::string> kContents = {
    {"numbers", std::string(reinterpret_cast<const char*>(kNumbers), sizeof(kNumbers))},
    {"words", "银行"},
    {"nothing", ""},
};

std::string SmallFile(const SectionFileKind& kind = kKind) {
  SectionWriter writer;
  for (const auto& [name, bytes] : kContents) writer.Add(name, bytes);
  return writer.Finish(kind);
}

Result<SectionFile> OpenBytes(std::string bytes) {
  InMemoryFileSystem files;
  files.Put("folder/small.zw", std::move(bytes));
  return SectionFile::Open(files, "folder/small.zw", kKind);
}

// It is refused, naming the file, or nothing of what it holds is changed.
void ExpectRefusedOrWhole(const std::string& bytes, const std::string& what) {
  const auto file = OpenBytes(bytes);
  if (!file) {
    EXPECT_TRUE(file.error().code == ErrorCode::kUnreadable ||
                file.error().code == ErrorCode::kConflict)
        << what;
    EXPECT_THAT(file.error().message, HasSubstr("cannot read \"folder/small.zw\": ")) << what;
    return;
  }
  EXPECT_EQ(file->identity(), OpenBytes(SmallFile())->identity()) << what;
  for (const auto& [name, content] : kContents)
    EXPECT_EQ(file->Bytes(name).value_or("none"), content) << what;
}

TEST(SectionFile, GivesBackWhatWasWritten) {
  const auto file = OpenBytes(SmallFile());
  ASSERT_TRUE(file);
  for (const auto& [name, content] : kContents)
    EXPECT_EQ(file->Bytes(name).value_or("none"), content);
  EXPECT_THAT(file->Values<uint64_t>("numbers").value(),
              ElementsAre(kNumbers[0], kNumbers[1], kNumbers[2]));
  EXPECT_THAT(file->Values<uint32_t>("words").error().message,
              HasSubstr("section \"words\": a part of a value"));
  EXPECT_THAT(
      file->Bytes("others").error().message,
      HasSubstr("section \"others\": it is not there; the file is damaged, make or install"));
}

TEST(SectionFile, AnotherVersionIsAConflictThatSaysWhatToDo) {
  for (const uint32_t version : {0U, 2U, 4U, 0xFFFFFFFFU}) {
    const auto file = OpenBytes(SmallFile({.name = "things", .version = version}));
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::kConflict);
    EXPECT_THAT(file.error().message, HasSubstr("reads version 3; make it again"));
  }
  const auto other = OpenBytes(SmallFile({.name = "thing", .version = 3}));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(other.error().message, HasSubstr("it is no things file of zhiwen"));
}

TEST(SectionFile, AFlippedByteIsFoundOrBetweenSections) {
  const std::string small = SmallFile();
  size_t refused = 0;
  for (size_t at = 0; at < small.size(); ++at) {
    std::string damaged = small;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    ExpectRefusedOrWhole(damaged, "byte " + std::to_string(at));
    refused += OpenBytes(damaged) ? 0 : 1;
  }
  // The zeros behind the kind and between sections alone mean nothing.
  EXPECT_EQ(refused, 40 - 9 + 3 * 56 + sizeof(kNumbers) + 6);
}

TEST(SectionFile, AFileThatEndsEarlyIsRefused) {
  const std::string small = SmallFile();
  for (size_t size = 0; size < small.size(); ++size) {
    EXPECT_FALSE(OpenBytes(small.substr(0, size))) << size;
    ExpectRefusedOrWhole(small.substr(0, size), "size " + std::to_string(size));
  }
  ExpectRefusedOrWhole(small + "more", "bytes behind the end");
}

TEST(SectionFile, BytesAnywhereInMemoryCanBeUsed) {
  const std::string small = SmallFile();
  std::vector<uint64_t> room(small.size() / sizeof(uint64_t) + 2);
  for (size_t shift = 0; shift < 8; ++shift) {
    char* const at = reinterpret_cast<char*>(room.data()) + shift;
    std::copy(small.begin(), small.end(), at);
    auto opened = SectionFile::Of({at, small.size()}, "memory", kKind);
    ASSERT_TRUE(opened) << shift;
    const SectionFile file = *std::move(opened);
    const auto numbers = file.Values<uint64_t>("numbers").value();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(numbers.data()) % alignof(uint64_t), 0U) << shift;
    EXPECT_THAT(numbers, ElementsAre(kNumbers[0], kNumbers[1], kNumbers[2])) << shift;
  }
  EXPECT_FALSE(SectionFile::Of({}, "memory", kKind));
}

TEST(SectionOutput, ReplacesOnlyItsKindAndOnlyWhenAsked) {
  InMemoryFileSystem files;
  files.Put("old", SmallFile({.name = "things", .version = 2}));
  files.Put("empty", "");
  files.Put("foreign", "what somebody wrote");
  files.Put("other", SmallFile({.name = "others", .version = 3}));
  files.Put("folder/file", "");
  const struct {
    SectionOutput output;
    const char* message;  // none: it may be written
  } kCases[] = {
      {{"new"}, nullptr},
      {{"old", true}, nullptr},
      {{"empty", true}, nullptr},
      {{"old"}, "is there already; choose another name, or use --overwrite"},
      {{"foreign", true}, "it is no things file"},
      {{"other", true}, "it is no things file"},
      {{"folder", true}, "is there already; choose another name"},
  };
  for (const auto& [output, message] : kCases) {
    const Status checked = CheckSectionOutput(files, kKind, output);
    EXPECT_EQ(checked.has_value(), message == nullptr) << output.path;
    if (checked || message == nullptr) continue;
    EXPECT_EQ(checked.error().code, ErrorCode::kConflict) << output.path;
    EXPECT_THAT(checked.error().message, HasSubstr(message));
  }
}

TEST(SectionOutput, IsOnTheDiskBeforeItHasItsName) {
  for (const FileOperation operation :
       {FileOperation::kSync, FileOperation::kRename, FileOperation::kSyncDirectory}) {
    InMemoryFileSystem disk;
    disk.Put("folder/out", "old");
    FaultyFileSystem files(disk, {.at = 1, .only = operation});
    const auto file = files.OpenForWrite("folder/made");
    ASSERT_TRUE(file && (*file)->Append("new"));
    const Status published = PublishFile(files, **file, "folder/out");
    EXPECT_TRUE(files.fired());
    const bool is_last = operation == FileOperation::kSyncDirectory;
    EXPECT_EQ(published.has_value(), is_last);
    EXPECT_EQ(disk.Files()["folder/out"], is_last ? "new" : "old");
  }
}

}  // namespace
}  // namespace zhiwen
