#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/utf8/transcoder.h"
#include "document/warc/warc_scanner.h"
#include "document/warc/warc_test_support.h"
#include "pipeline/reader/record_blocks.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

// Captures of several records and lengths, the fourth one with a body of 9,000 bytes.
std::string WriteCaptures() {
  std::string bytes =
      WriteWarcRecord("warcinfo", "WARC-Record-ID: <urn:uuid:0>\r\n", "software: x");
  for (int i = 1; i <= 6; ++i) {
    const std::string about = fmt::format("WARC-Target-URI: http://a.example/{}\r\n", i);
    const std::string body(i == 4 ? 9000 : 40 * i, 'x');
    bytes += WriteWarcRecord("request", about, "GET / HTTP/1.1\r\n\r\n");
    bytes +=
        WriteWarcRecord("response", about + "Content-Type: application/http; msgtype=response\r\n",
                        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>" + body);
  }
  return bytes;
}

std::vector<std::string> CutGroups(std::string_view bytes) {
  std::vector<std::string> groups;
  WarcCutter cutter(bytes);
  for (std::string_view group = cutter.Next(); !group.empty(); group = cutter.Next()) {
    groups.emplace_back(group);
  }
  return groups;
}

class WarcBlocks : public testing::Test {
 protected:
  WarcBlocks() { files_.Put("a.warc", bytes_); }

  std::unique_ptr<FileBlocks> Open(const BlockOptions& options) {
    return OpenFileBlocks(files_,
                          {.path = "a.warc",
                           .identity = files_.OpenForRead("a.warc").value()->Identity().value(),
                           .format = RecordFormat::kWarc,
                           .encoding = {}},
                          0, options)
        .value();
  }

  const std::string bytes_ = WriteCaptures();
  InMemoryFileSystem files_;
};

TEST_F(WarcBlocks, GroupsDoNotDependOnTheSizeOfBlocks) {
  const std::vector<std::string> expected = CutGroups(bytes_);
  ASSERT_EQ(expected.size(), 7u);
  for (const size_t size : {1, 7, 64, 300, 1000, 5000, 100000}) {
    const auto blocks = Open({.block_bytes = size});
    RecordBlock block;
    std::vector<std::string> groups;
    uint64_t offset = 0;
    while (blocks->Next(block).value()) {
      EXPECT_EQ(block.offset, offset);
      EXPECT_FALSE(block.oversized);
      SplitRecords(block, [&](const BlockRecord& group) { groups.emplace_back(group.bytes); });
      offset += block.length;
      // A reader that skips to a block gives the same one.
      const auto skipped = Open({.block_bytes = size});
      RecordBlock again;
      ASSERT_TRUE(skipped->SkipTo(block.offset));
      ASSERT_TRUE(skipped->Next(again).value());
      EXPECT_EQ(again.bytes, block.bytes);
    }
    EXPECT_EQ(offset, bytes_.size());
    EXPECT_EQ(groups, expected) << size;
  }
}

// The limit of a group is not exact: a window has room for a header behind it.
TEST_F(WarcBlocks, ALargeGroupIsPassedOverAndTheNextOnesAreThere) {
  std::string bytes = WriteCaptures();
  const std::string large = WriteHttpResponse("", std::string(3 << 20, 'y'));
  files_.Put("a.warc", bytes + large + bytes);
  std::vector<std::string> expected = CutGroups(bytes);
  for (const size_t size : {1000, 100000}) {
    const auto blocks = Open({.block_bytes = size, .max_record_bytes = 20000});
    RecordBlock block;
    std::vector<std::string> groups;
    uint64_t oversized = 0;
    while (blocks->Next(block).value()) {
      if (block.oversized) {
        ++oversized;
        EXPECT_EQ(block.length, large.size());
        continue;
      }
      SplitRecords(block, [&](const BlockRecord& group) { groups.emplace_back(group.bytes); });
    }
    EXPECT_EQ(oversized, 1u);
    std::vector<std::string> both = expected;
    both.insert(both.end(), expected.begin(), expected.end());
    EXPECT_EQ(groups, both) << size;
  }
}

// Wherever a file is cut: whole groups are there, and the end is told.
TEST_F(WarcBlocks, AFileThatEndsInsideARecordIsDamagedBehindItsWholeGroups) {
  for (size_t size = 1; size < bytes_.size(); size += 97) {
    const std::string cut = bytes_.substr(0, size);
    files_.Put("a.warc", cut);
    const auto blocks = Open({.block_bytes = 500});
    RecordBlock block;
    std::string read;
    Result<bool> more = blocks->Next(block);
    for (; more && *more; more = blocks->Next(block)) read += block.bytes;
    const bool is_told = !more;
    EXPECT_EQ(read, cut.substr(0, read.size()));
    EXPECT_TRUE(is_told || read == cut) << size;
    for (const std::string& group : CutGroups(read)) {
      EXPECT_TRUE(FindWarcRecords(group).back().damage == WarcDamage::kNone) << size;
    }
  }
}

TEST_F(WarcBlocks, AStreamIsKnownByItsFirstBytes) {
  auto blocks = OpenStreamBlocks(files_.OpenForRead("a.warc").value(),
                                 {.path = "stdin",
                                  .identity = {},
                                  .format = RecordFormat::kJsonLines,
                                  .may_be_other = true,
                                  .encoding = {}},
                                 {.block_bytes = 500})
                    .value();
  RecordBlock block;
  size_t groups = 0;
  while (blocks->Next(block).value()) {
    EXPECT_EQ(block.format, RecordFormat::kWarc);
    SplitRecords(block, [&](const BlockRecord&) { ++groups; });
  }
  EXPECT_EQ(groups, 7u);
}

// What is looked at to find the format is looked at again to find the encoding.
TEST_F(WarcBlocks, ASmallStreamInAnotherEncodingIsStillText) {
  const std::string text = "秋天的叶子落在小路上，走过去沙沙地响，孩子们捡了一片又一片。";
  for (const TextEncoding encoding : {TextEncoding::kGb18030, TextEncoding::kUtf16Le}) {
    const std::string mark = encoding == TextEncoding::kUtf16Le ? "\xFF\xFE" : "";
    files_.Put("b", mark + EncodeText(text, encoding).value());
    auto blocks = OpenStreamBlocks(files_.OpenForRead("b").value(),
                                   {.path = "stdin",
                                    .identity = {},
                                    .format = RecordFormat::kText,
                                    .may_be_other = true,
                                    .encoding = {}},
                                   {})
                      .value();
    RecordBlock block;
    ASSERT_TRUE(blocks->Next(block).value());
    EXPECT_EQ(block.head->encoding, encoding);
  }
}

}  // namespace
}  // namespace zhiwen
