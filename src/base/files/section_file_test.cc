#include "base/files/section_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/files/section_output.h"
#include "support/faulty_file_system.h"
#include "support/flipped_bit.h"
#include "support/in_memory_file_system.h"
#include "support/temporary_folder.h"

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

// Checks that a file is refused with an error naming it, or that none of its content is changed.
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
  EXPECT_THAT(other.error().message,
              HasSubstr("it is no things file of zhiwen; zhiwen things makes one"));
}

TEST(SectionFile, APartIsRestoredWithItsWhole) {
  const SectionFileKind part = {.name = "things", .version = 3, .part_of = "box"};
  const auto message_of = [&](const std::string& bytes) {
    return SectionFile::Of(bytes, "small.zw", part).error().message;
  };
  const std::string bytes = SmallFile();
  EXPECT_THAT(message_of(bytes.substr(0, 40)), HasSubstr("damaged, restore the box from a copy"));
  EXPECT_THAT(message_of("things"), HasSubstr("no things file of zhiwen; restore the box from a"));
  EXPECT_THAT(message_of(SmallFile({.name = "things", .version = 2})),
              HasSubstr("reads version 3; use the program that wrote it"));
}

TEST(SectionFile, AFlippedByteIsFoundOrBetweenSections) {
  const std::string small = SmallFile();
  size_t refused = 0;
  for (size_t at = 0; at < small.size(); ++at) {
    const std::string damaged = WithBitFlipped(small, 8 * at + at % 8);
    ExpectRefusedOrWhole(damaged, "byte " + std::to_string(at));
    refused += OpenBytes(damaged) ? 0 : 1;
  }
  // Only the zeros after the kind and between sections have no meaning.
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

std::vector<SectionContent> NewSections() {
  return {{"words", 3, [](const SectionSink& take) { return take("新"); }}};
}

Status WriteOutput(FileSystem& files, const OutputFileOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto output, SectionOutput::Create(files, kKind, options));
  ZHIWEN_RETURN_IF_ERROR(output->Publish(NewSections()));
  return {};
}

std::string WordsIn(FileSystem& files, const std::string& path) {
  const auto file = SectionFile::Open(files, path, kKind);
  return file ? std::string(file->Bytes("words").value_or("none")) : file.error().message;
}

TEST(SectionOutput, ReplacesOnlyItsKindAndOnlyWhenAsked) {
  InMemoryFileSystem files;
  files.Put("old", SmallFile({.name = "things", .version = 2}));
  files.Put("empty", "");
  files.Put("foreign", "what somebody wrote");
  files.Put("other", SmallFile({.name = "others", .version = 3}));
  files.Put("folder/file", "");
  files.Put("busy.partial", "what somebody wrote");
  files.Put("killed.partial/.made", "half");
  files.Put("killed.partial/scratch/rows", "half");
  files.Put("killed.partial/notes", "what somebody wrote");
  const struct {
    OutputFileOptions options;
    const char* message;  // none when the file is written
    ErrorCode code = ErrorCode::kConflict;
  } kCases[] = {
      {{"old"}, "is there already; choose another name, or have it replaced"},
      {{"new"}, nullptr},
      {{"old", true}, nullptr},
      {{"empty", true}, nullptr},
      {{"killed"}, nullptr},
      {{"foreign", true}, "it is no things file"},
      {{"other", true}, "it is no things file"},
      {{"folder", true}, "is there already; choose another name"},
      {{"busy"}, "busy.partial\": a file is in the way"},
      {{""}, "no output file", ErrorCode::kInvalidArgument},
      {{"folder/"}, "name a file", ErrorCode::kInvalidArgument},
  };
  for (const auto& [options, message, code] : kCases) {
    const auto before = files.Files();
    const Status written = WriteOutput(files, options);
    ASSERT_EQ(written.has_value(), message == nullptr) << options.path;
    if (written) {
      EXPECT_EQ(WordsIn(files, options.path), "新") << options.path;
      continue;
    }
    EXPECT_EQ(written.error().code, code) << options.path;
    EXPECT_THAT(written.error().message, HasSubstr(message));
    EXPECT_EQ(files.Files(), before) << options.path;
  }
  for (const char* gone : {"killed.partial/.made", "killed.partial/scratch/rows", "new.partial"}) {
    EXPECT_FALSE(files.Exists(gone).value()) << gone;
  }
  EXPECT_TRUE(files.Exists("killed.partial/notes").value());
}

TEST(SectionOutput, ReplacesNothingThatCameMeanwhile) {
  InMemoryFileSystem files;
  for (const bool overwrite : {false, true}) {
    const auto output = SectionOutput::Create(files, kKind, {"out", overwrite}).value();
    EXPECT_EQ(WriteOutput(files, {"out"}).error().code, ErrorCode::kConflict);  // two at a time
    files.Put("out", "what somebody wrote");
    EXPECT_EQ(output->Publish(NewSections()).error().code, ErrorCode::kConflict);
    EXPECT_EQ(files.Files()["out"], "what somebody wrote");
    ASSERT_TRUE(files.RemoveFile("out"));
  }
}

TEST(SectionOutput, SaysThatAPlaceTakesNoFiles) {
  for (const FileOperation operation : {FileOperation::kCreateDirectories, FileOperation::kLock}) {
    InMemoryFileSystem disk;
    FaultyFileSystem files(disk, {.at = 1, .only = operation});
    const Status written = WriteOutput(files, {"folder/out"});
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::kConflict);
    EXPECT_EQ(written.error().message,
              "the output file \"folder/out\" cannot be written to (cannot use the file: injected "
              "fault); choose another output file");
  }
}

TEST(SectionOutput, IsOnTheDiskBeforeItHasItsNameWhichIsSyncedToo) {
  const std::string old = SmallFile();
  for (const bool overwrite : {false, true}) {
    for (const FileOperation operation :
         {FileOperation::kSync, overwrite ? FileOperation::kRename : FileOperation::kLink,
          FileOperation::kSyncDirectory}) {
      InMemoryFileSystem disk;
      ASSERT_TRUE(disk.CreateDirectories("folder"));
      if (overwrite) disk.Put("folder/out", old);
      const auto before = disk.Files();
      FaultyFileSystem files(disk, {.at = 1, .only = operation});
      const Status written = WriteOutput(files, {"folder/out", overwrite});
      EXPECT_TRUE(files.fired());
      ASSERT_FALSE(written);
      if (operation == FileOperation::kSyncDirectory) {
        EXPECT_THAT(written.error().message, HasSubstr("\"folder/out\" is written"));
        EXPECT_EQ(WordsIn(disk, "folder/out"), "新");
      } else {
        EXPECT_EQ(disk.Files(), before);
      }
    }
  }
}

TEST(SectionOutput, FollowsALinkAndRefusesWhatIsNoFile) {
  const TemporaryFolder folder;
  FileSystem& files = PosixFileSystem();
  ASSERT_TRUE(WriteOutput(files, {folder / "old"}));
  ASSERT_EQ(::symlink("old", (folder / "link").c_str()), 0);
  ASSERT_EQ(::symlink("nowhere", (folder / "dangling").c_str()), 0);
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::ofstream(folder / "old", std::ios::trunc);
  ASSERT_TRUE(WriteOutput(files, {folder / "link", true}));
  EXPECT_EQ(WordsIn(files, folder / "old"), "新");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(WriteOutput(files, {folder / "link"}).error().code, ErrorCode::kConflict);
  EXPECT_EQ(WriteOutput(files, {folder / "dangling"}).error().code, ErrorCode::kNotFound);
  EXPECT_THAT(WriteOutput(files, {folder / "pipe", true}).error().message,
              HasSubstr("cannot be read as a things file of zhiwen"));
  EXPECT_EQ(files.List(folder.path())->size(), 4u);
}

}  // namespace
}  // namespace zhiwen
