#include "base/compress/frame_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "base/compress/frame_compressor.h"
#include "support/decompress_zstd.h"
#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"
#include "support/temporary_folder.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;

Status WriteRecords(FileSystem& files, const std::string& path,
                    const std::vector<std::string>& records,
                    Compression compression = Compression::kZstd) {
  ZHIWEN_ASSIGN_OR_RETURN(auto file, files.OpenForWrite(path));
  ZHIWEN_ASSIGN_OR_RETURN(const auto writer, FrameWriter::Create(std::move(file), compression));
  for (const std::string& record : records) ZHIWEN_RETURN_IF_ERROR(writer->Append(record));
  return writer->Close();
}

std::string Compressed(const std::vector<std::string>& records,
                       Compression compression = Compression::kZstd) {
  InMemoryFileSystem files;
  EXPECT_TRUE(WriteRecords(files, "a", records, compression).has_value());
  return files.Files().at("a");
}

// Makes records that compress to about a half, of all sizes up to `largest`.
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

// Returns the content sizes of the frames, from their headers.
std::vector<uint64_t> FrameSizes(std::string_view compressed) {
  std::vector<uint64_t> sizes;
  while (!compressed.empty()) {
    sizes.push_back(ZSTD_getFrameContentSize(compressed.data(), compressed.size()));
    compressed.remove_prefix(ZSTD_findFrameCompressedSize(compressed.data(), compressed.size()));
  }
  return sizes;
}

TEST(FrameWriter, RecordsReadBack) {
  const std::vector<std::string> records = SomeRecords(20 << 20, 300'000);
  const auto content = DecompressZstd(Compressed(records));
  ASSERT_TRUE(content.has_value());
  EXPECT_TRUE(*content == Joined(records));
}

TEST(FrameWriter, AFrameClosesAfterTheRecordThatFillsItAndTellsItsSize) {
  const std::string third(kFrameBytes / 3 + 1, 'x');
  const std::string exact(kFrameBytes, 'y');
  const std::string huge(3 * kFrameBytes, 'z');
  EXPECT_EQ(FrameSizes(Compressed({third, third, third, third, exact, huge, "end\n"})),
            (std::vector<uint64_t>{3 * third.size(), third.size() + exact.size(), huge.size(), 4}));
}

TEST(FrameWriter, EqualRecordsGiveEqualBytesWhateverWasWrittenBefore) {
  const std::vector<std::string> records = SomeRecords(kFrameBytes, 1000);
  const std::string alone = Compressed(records);
  std::vector<std::string> after_others = {std::string(2 * kFrameBytes, 'x')};
  const std::string others = Compressed(after_others);
  after_others.insert(after_others.end(), records.begin(), records.end());
  EXPECT_TRUE(Compressed(after_others) == others + alone);
}

TEST(FrameWriter, NoRecordsGiveOneEmptyFrame) {
  const std::string compressed = Compressed({});
  EXPECT_EQ(FrameSizes(compressed), std::vector<uint64_t>{0});
  EXPECT_EQ(DecompressZstd(compressed).value(), "");
  EXPECT_EQ(Compressed({}, Compression::kNone), "");
  std::string member;
  ASSERT_TRUE(FrameCompressor::Create(Compression::kGzip).value().Compress("", member));
  EXPECT_EQ(Compressed({}, Compression::kGzip), member);
}

TEST(FrameWriter, GzipMembersCloseWhereZstdFramesDo) {
  const std::vector<std::string> records = SomeRecords(20 << 20, 300'000);
  FrameCompressor compressor = FrameCompressor::Create(Compression::kGzip).value();
  std::string members, content;
  for (size_t i = 0; i < records.size(); ++i) {
    content += records[i];
    if (content.size() < kFrameBytes && i + 1 < records.size()) continue;
    ASSERT_TRUE(compressor.Compress(content, members));
    content.clear();
  }
  EXPECT_TRUE(Compressed(records, Compression::kGzip) == members);
}

TEST(FrameWriter, NoneWritesTheRecordsInFewLargeAppends) {
  const std::vector<std::string> records = SomeRecords(20 << 20, 300'000);
  InMemoryFileSystem memory;
  FaultyFileSystem files(memory, {.at = 0, .only = FileOperation::kWrite});
  ASSERT_TRUE(WriteRecords(files, "a", records, Compression::kNone).has_value());
  EXPECT_TRUE(memory.Files().at("a") == Joined(records));
  EXPECT_EQ(files.count(), 3u);
}

TEST(FrameWriter, RecordsAreCounted) {
  InMemoryFileSystem files;
  const auto writer =
      FrameWriter::Create(files.OpenForWrite("a").value(), Compression::kGzip).value();
  EXPECT_EQ(writer->records(), 0u);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(writer->Append("record\n").has_value());
  EXPECT_EQ(writer->records(), 3u);
}

TEST(FrameWriter, TheZstdProgramReadsThem) {
  const TemporaryFolder folder;
  const std::vector<std::string> records = SomeRecords(10 << 20, 1000);
  ASSERT_TRUE(WriteRecords(PosixFileSystem(), folder / "a.zst", records).has_value());
  if (std::system("zstd --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no zstd program here";
  ASSERT_EQ(std::system(("zstd -q -d " + (folder / "a.zst")).c_str()), 0);
  EXPECT_TRUE(ReadWholeFile(PosixFileSystem(), folder / "a", 1 << 30).value() == Joined(records));
}

TEST(FrameWriter, SlowAFaultAtAnyFileOperationComesBack) {
  const std::vector<std::string> records = SomeRecords(9 << 20, 1 << 20);
  for (const Compression compression :
       {Compression::kNone, Compression::kGzip, Compression::kZstd}) {
    uint64_t fired = 0;
    for (uint64_t n = 1;; ++n) {
      InMemoryFileSystem memory;
      FaultyFileSystem faulty(memory, {.at = n, .error = {ErrorCode::kExhausted, "disk full"}});
      const Status status = WriteRecords(faulty, "a", records, compression);
      if (!faulty.fired()) break;
      ++fired;
      ASSERT_FALSE(status.has_value()) << n;
      EXPECT_EQ(status.error().message, "disk full");
    }
    EXPECT_EQ(fired, 4u);  // open, two frames, close
  }
}

TEST(FrameWriter, AfterAFaultNothingMoreIsWritten) {
  InMemoryFileSystem memory;
  FaultyFileSystem faulty(memory, {.at = 1, .only = FileOperation::kWrite});
  const auto writer =
      FrameWriter::Create(faulty.OpenForWrite("a").value(), Compression::kZstd).value();
  EXPECT_FALSE(writer->Append(std::string(kFrameBytes, 'x')).has_value());
  const std::string left = memory.Files().at("a");
  EXPECT_FALSE(writer->Append("more").has_value());
  EXPECT_FALSE(writer->Close().has_value());
  EXPECT_EQ(memory.Files().at("a"), left);
}

// docs/decisions/002-outputs-are-not-synced.md has the reasons.
TEST(FrameWriter, AreNotSynced) {
  InMemoryFileSystem memory;
  FaultyFileSystem files(memory, {.at = 1, .only = FileOperation::kSync});
  EXPECT_TRUE(WriteRecords(files, "a", {"record\n"}));
  EXPECT_EQ(files.count(), 0u);
}

}  // namespace
}  // namespace zhiwen
