#include "base/compress/zstd_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"
#include "support/temporary_folder.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;

Status WriteRecords(FileSystem& files, const std::string& path,
                    const std::vector<std::string>& records) {
  ZHIWEN_ASSIGN_OR_RETURN(auto file, files.OpenForWrite(path));
  ZHIWEN_ASSIGN_OR_RETURN(const auto writer, ZstdFrameWriter::Create(std::move(file)));
  for (const std::string& record : records) ZHIWEN_RETURN_IF_ERROR(writer->Append(record));
  return writer->Close();
}

std::string Compressed(const std::vector<std::string>& records) {
  InMemoryFileSystem files;
  EXPECT_TRUE(WriteRecords(files, "a", records).has_value());
  return files.Files().at("a");
}

// Records that compress to about a half, of all sizes up to `largest`.
std::vector<std::string> SomeRecords(size_t total, size_t largest) {
  std::mt19937 random(1);
  std::vector<std::string> records;
  for (size_t size = 0; size < total; size += records.back().size()) {
    std::string record(1 + random() % largest, '\0');
    for (char& byte : record) byte = static_cast<char>('a' + random() % 16);
    record.back() = '\n';
    records.push_back(std::move(record));
  }
  return records;
}

std::string Joined(const std::vector<std::string>& records) {
  std::string all;
  for (const std::string& record : records) all += record;
  return all;
}

// Content sizes of the frames, from their headers.
std::vector<uint64_t> FrameSizes(std::string_view compressed) {
  std::vector<uint64_t> sizes;
  while (!compressed.empty()) {
    sizes.push_back(ZSTD_getFrameContentSize(compressed.data(), compressed.size()));
    compressed.remove_prefix(ZSTD_findFrameCompressedSize(compressed.data(), compressed.size()));
  }
  return sizes;
}

TEST(ZstdFrames, RecordsReadBack) {
  const std::vector<std::string> records = SomeRecords(20 << 20, 300'000);
  const auto content = DecompressZstd(Compressed(records), 1 << 30);
  ASSERT_TRUE(content.has_value());
  EXPECT_TRUE(*content == Joined(records));
}

TEST(ZstdFrames, AFrameClosesAfterTheRecordThatFillsItAndTellsItsSize) {
  const std::string third(kZstdFrameBytes / 3 + 1, 'x');
  const std::string exact(kZstdFrameBytes, 'y');
  const std::string huge(3 * kZstdFrameBytes, 'z');
  EXPECT_EQ(FrameSizes(Compressed({third, third, third, third, exact, huge, "end\n"})),
            (std::vector<uint64_t>{3 * third.size(), third.size() + exact.size(), huge.size(), 4}));
}

TEST(ZstdFrames, EqualRecordsGiveEqualBytesWhateverWasWrittenBefore) {
  const std::vector<std::string> records = SomeRecords(kZstdFrameBytes, 1000);
  const std::string alone = Compressed(records);
  std::vector<std::string> after_others = {std::string(2 * kZstdFrameBytes, 'x')};
  const std::string others = Compressed(after_others);
  after_others.insert(after_others.end(), records.begin(), records.end());
  EXPECT_TRUE(Compressed(after_others) == others + alone);
}

TEST(ZstdFrames, NoRecordsGiveOneEmptyFrame) {
  const std::string compressed = Compressed({});
  EXPECT_EQ(FrameSizes(compressed), std::vector<uint64_t>{0});
  EXPECT_EQ(DecompressZstd(compressed, 0).value(), "");
}

TEST(ZstdFrames, TheZstdProgramReadsThem) {
  const TemporaryFolder folder;
  const std::vector<std::string> records = SomeRecords(10 << 20, 1000);
  ASSERT_TRUE(WriteRecords(PosixFileSystem(), folder / "a.zst", records).has_value());
  if (std::system("zstd --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no zstd program here";
  ASSERT_EQ(std::system(("zstd -q -d " + (folder / "a.zst")).c_str()), 0);
  EXPECT_TRUE(ReadWholeFile(PosixFileSystem(), folder / "a", 1 << 30).value() == Joined(records));
}

TEST(ZstdFrames, EveryTruncationIsAnErrorButBetweenFrames) {
  const std::string first = Compressed({"first record\n"});
  const std::string both = first + Compressed({"second record\n"});
  for (size_t size = 0; size < both.size(); ++size) {
    const auto content = DecompressZstd(std::string_view(both).substr(0, size), 1000);
    if (size == first.size()) {
      EXPECT_EQ(content.value(), "first record\n");
      continue;
    }
    ASSERT_FALSE(content.has_value()) << size;
    EXPECT_EQ(content.error().code, ErrorCode::kUnreadable);
    const size_t frame = size < first.size() ? 0 : first.size();
    EXPECT_THAT(content.error().message,
                HasSubstr("damaged zstd frame at byte " + std::to_string(frame) + ": "));
  }
}

TEST(ZstdFrames, EveryFlippedBitIsAnErrorOrHarmless) {
  const std::string right = Joined(SomeRecords(3000, 100));
  const std::string compressed = Compressed({right});
  size_t errors = 0;
  for (size_t bit = 0; bit < 8 * compressed.size(); ++bit) {
    std::string damaged = compressed;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    const auto content = DecompressZstd(damaged, 1 << 20);
    if (content) {
      ASSERT_EQ(*content, right) << bit;
      continue;
    }
    ++errors;
    ASSERT_THAT(content.error().message, HasSubstr("damaged zstd frame at byte ")) << bit;
  }
  EXPECT_GT(errors, 8 * compressed.size() * 99 / 100);
}

TEST(ZstdFrames, RubbishBetweenFramesNamesItsPlace) {
  const std::string first = Compressed({"first"});
  const auto content = DecompressZstd(first + "rubbish that is no frame", 1000);
  ASSERT_FALSE(content.has_value());
  EXPECT_THAT(content.error().message,
              HasSubstr("zstd frame at byte " + std::to_string(first.size())));
}

TEST(ZstdFrames, ABombStopsAtTheLimit) {
  const std::string bomb = Compressed({std::string(50 << 20, '\0')});
  EXPECT_EQ(DecompressZstd(bomb, 1 << 20).error().code, ErrorCode::kExhausted);
  EXPECT_EQ(DecompressZstd(Compressed({"12345"}), 4).error().code, ErrorCode::kExhausted);
  EXPECT_TRUE(DecompressZstd(Compressed({"12345"}), 5).has_value());
}

TEST(ZstdFrames, AFaultAtAnyFileOperationComesBack) {
  const std::vector<std::string> records = SomeRecords(9 << 20, 1 << 20);
  uint64_t fired = 0;
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    FaultyFileSystem faulty(memory, {.at = n, .error = {ErrorCode::kExhausted, "disk full"}});
    const Status status = WriteRecords(faulty, "a", records);
    if (!faulty.fired()) break;
    ++fired;
    ASSERT_FALSE(status.has_value()) << n;
    EXPECT_EQ(status.error().message, "disk full");
  }
  EXPECT_GE(fired, 8u);
}

TEST(ZstdFrames, AfterAFaultNothingMoreIsWritten) {
  InMemoryFileSystem memory;
  FaultyFileSystem faulty(memory, {.at = 1, .only = FileOperation::kWrite});
  const auto writer = ZstdFrameWriter::Create(faulty.OpenForWrite("a").value()).value();
  EXPECT_FALSE(writer->Append(std::string(kZstdFrameBytes, 'x')).has_value());
  const std::string left = memory.Files().at("a");
  EXPECT_FALSE(writer->Append("more").has_value());
  EXPECT_FALSE(writer->Close().has_value());
  EXPECT_EQ(memory.Files().at("a"), left);
}

// docs/decisions/002-outputs-are-not-synced.md
TEST(ZstdFrames, AreNotSynced) {
  InMemoryFileSystem memory;
  FaultyFileSystem files(memory, {.at = 1, .only = FileOperation::kSync});
  EXPECT_TRUE(WriteRecords(files, "a", {"record\n"}));
  EXPECT_EQ(files.count(), 0u);
}

}  // namespace
}  // namespace zhiwen
