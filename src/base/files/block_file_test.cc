#include "base/files/block_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "base/base64.h"
#include "support/flipped_bit.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;

constexpr SectionFileKind kThings = {.name = "things", .version = 3};
constexpr std::string_view kPath = "folder/large.zw";

// Sections of more than a block, of whole blocks, and an empty one.
const std::map<std::string, std::string>& Contents() {
  static const std::map<std::string, std::string> contents = {
      {"long", std::string(3 * kBlockBytes + 17, 'x')},
      {"nothing", ""},
      {"whole", std::string(2 * kBlockBytes, 'y')},
      {"words", "银行"},
  };
  return contents;
}

std::string FileOf(const std::map<std::string, std::string>& contents) {
  std::string file;
  BlockFileWriter writer(kThings, [&](std::string_view bytes) {
    file += bytes;
    return Status();
  });
  for (const auto& [name, bytes] : contents) {
    EXPECT_TRUE(writer.StartSection(name));
    // Appends in pieces of 1000 bytes.
    for (size_t begin = 0; begin < bytes.size(); begin += 1000) {
      EXPECT_TRUE(writer.Append(std::string_view(bytes).substr(begin, 1000)));
    }
  }
  EXPECT_TRUE(writer.Finish());
  return file;
}

Result<std::unique_ptr<BlockFile>> OpenBlocks(std::string bytes,
                                              const SectionFileKind& kind = kThings) {
  InMemoryFileSystem files;
  files.Put(std::string(kPath), std::move(bytes));
  return BlockFile::Open(files, std::string(kPath), kind);
}

// Returns whether a file returns everything that was written.
bool GivesEverything(const BlockFile& file) {
  for (const auto& [name, bytes] : Contents()) {
    const auto section = file.Section(name);
    if (!section || section->size() != bytes.size()) return false;
    if (!section->Touch(0, section->size())) {
      EXPECT_THAT(section->Damaged(0).value().message, HasSubstr("section \"" + name + "\""));
      return false;
    }
    EXPECT_EQ(std::string_view(section->values<char>(), section->size()), bytes);
  }
  return true;
}

TEST(BlockFile, GivesBackWhatWasWritten) {
  const auto file = OpenBlocks(FileOf(Contents()));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_TRUE(GivesEverything(**file));
  EXPECT_TRUE((*file)->CheckAll());
  auto other = Contents();
  other["words"] = "銀行";
  EXPECT_NE((*OpenBlocks(FileOf(other)))->identity(), (*file)->identity());
  EXPECT_TRUE(OpenBlocks(FileOf({{"a", ""}})));
}

TEST(BlockFile, RefusesOtherKindsAndVersions) {
  const std::string bytes = FileOf(Contents());
  const auto other_kind = OpenBlocks(bytes, {.name = "others", .version = 3});
  EXPECT_EQ(other_kind.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(other_kind.error().message,
              HasSubstr("it is no others file of zhiwen; make or install it again"));
  const auto newer = OpenBlocks(bytes, {.name = "things", .version = 2});
  EXPECT_EQ(newer.error().code, ErrorCode::kConflict);
  EXPECT_THAT(newer.error().message, HasSubstr("version 3, and this program reads version 2"));
  EXPECT_EQ(OpenBlocks("").error().code, ErrorCode::kUnreadable);
  EXPECT_THAT((*OpenBlocks(bytes))->Section("numbers").error().message,
              HasSubstr("it has no section \"numbers\""));
  EXPECT_THAT((*OpenBlocks(bytes))->Section("words", 4).error().message,
              HasSubstr("section \"words\" has a part of a value"));
}

TEST(BlockFile, RefusesEveryTruncation) {
  const std::string bytes = FileOf(Contents());
  for (size_t size = 0; size < bytes.size(); size += size % 4096 < 40 ? 1 : 171) {
    EXPECT_EQ(OpenBlocks(bytes.substr(0, size)).error().code, ErrorCode::kUnreadable) << size;
  }
  EXPECT_FALSE(OpenBlocks(bytes + "x"));
}

// Damage is refused when the file is opened, or when the block is touched; it is never handed out.
TEST(BlockFile, HandsOutNoByteThatWasChanged) {
  const std::string bytes = FileOf(Contents());
  for (size_t at = 0; at < bytes.size(); at += at % 4096 < 64 ? 1 : 97) {
    const auto file = OpenBlocks(WithBitFlipped(bytes, 8 * at + at % 8));
    EXPECT_FALSE(file && GivesEverything(**file) && (*file)->CheckAll()) << at;
  }
}

TEST(BlockFile, NamesTheDamagedBlockAndGivesTheOthers) {
  std::string bytes = FileOf(Contents());
  bytes[2 * kBlockBytes + 5] = '!';  // the second block of "long"
  const auto file = OpenBlocks(bytes);
  ASSERT_TRUE(file);
  const BlockSection section = *(*file)->Section("long");
  EXPECT_TRUE(section.Touch(0, kBlockBytes));
  EXPECT_FALSE(section.Touch(kBlockBytes - 1, 2));
  EXPECT_TRUE(section.Touch(2 * kBlockBytes, kBlockBytes + 17));
  const Status all = (*file)->CheckAll();
  EXPECT_EQ(all.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(all.error().message,
              HasSubstr("cannot read \"folder/large.zw\": section \"long\": the checksum of the 4 "
                        "KiB at byte 8192 of the file is wrong"));
}

TEST(BlockFile, IsTouchedByThreadsAtOnce) {
  const auto file = OpenBlocks(FileOf(Contents()));
  ASSERT_TRUE(file);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&] { EXPECT_TRUE(GivesEverything(**file)); });
  for (std::thread& thread : threads) thread.join();
}

// A writer passes on the errors of its sink.
TEST(BlockFileWriter, FailsWithItsSink) {
  for (size_t room = 0; room < 40000; room += 1111) {
    size_t taken = 0;
    BlockFileWriter writer(kThings, [&](std::string_view bytes) -> Status {
      taken += bytes.size();
      if (taken > room) return Fail(ErrorCode::kExhausted, "disk full");
      return {};
    });
    Status status;
    for (const auto& [name, bytes] : Contents()) {
      if (status) status = writer.StartSection(name);
      if (status) status = writer.Append(bytes);
    }
    const bool has_room = FileOf(Contents()).size() <= room;
    EXPECT_EQ(status && writer.Finish(), has_room) << room;
  }
}

}  // namespace
}  // namespace zhiwen
