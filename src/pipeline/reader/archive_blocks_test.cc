#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "document/archive/tar_entry.h"
#include "pipeline/reader/record_blocks.h"
#include "support/in_memory_file_system.h"
#include "zhiwen/documents.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;

class ArchiveBlocks : public testing::Test {
 protected:
  ArchiveBlocks() {
    for (int i = 1; i <= 7; ++i) {
      std::string name = fmt::format("{}/第{}章.txt", i, i);
      const std::string content(i == 4 ? 9000 : 40 * i, 'x');
      AppendTarEntry({.name = std::move(name), .content = content}, entries_);
    }
    files_.Put("a.tar", entries_ + std::string(TarEnd()));
  }

  std::unique_ptr<FileBlocks> Open(const BlockOptions& options) {
    return OpenFileBlocks(files_,
                          {.path = "a.tar",
                           .identity = files_.OpenForRead("a.tar").value()->Identity().value(),
                           .name = "a.tar",
                           .format = RecordFormat::kArchive,
                           .encoding = {}},
                          0, options)
        .value();
  }

  std::vector<SourceDocument> ReadAll(const DocumentOptions& options) {
    const auto listed = ListDocumentFiles(files_, {"a.tar"});
    DocumentReader reader = DocumentReader::Open(files_, listed->files[0], options).value();
    std::vector<SourceDocument> all;
    while (auto next = reader.Next().value()) all.push_back(*std::move(next));
    return all;
  }

  std::string entries_;
  InMemoryFileSystem files_;
};

TEST_F(ArchiveBlocks, EntriesDoNotDependOnTheSizeOfBlocks) {
  for (const size_t size : {1, 512, 1000, 5000, 100000}) {
    const auto blocks = Open({.block_bytes = size});
    RecordBlock block;
    std::string read;
    uint64_t records = 0;
    while (blocks->Next(block).value()) {
      EXPECT_EQ(block.offset, read.size());
      SplitRecords(block, [&](const BlockRecord& entry) {
        EXPECT_FALSE(ParseTarEntry(entry.bytes).fault);
        ++records;
      });
      read += block.bytes;
      // A reader that skips to a block gives the same one.
      const auto skipped = Open({.block_bytes = size});
      RecordBlock again;
      ASSERT_TRUE(skipped->SkipTo(block.offset));
      ASSERT_TRUE(skipped->Next(again).value());
      EXPECT_EQ(again.bytes, block.bytes);
    }
    EXPECT_EQ(read, entries_) << size;
    EXPECT_EQ(records, 7u);
  }
}

TEST_F(ArchiveBlocks, MembersAreDocumentsWithTheirNames) {
  const auto all = ReadAll({.value_fields = {"member", "title"}});
  ASSERT_EQ(all.size(), 7u);
  EXPECT_EQ(all[2].id, "a.tar/3/第3章.txt");
  EXPECT_EQ(all[2].record, 3u);
  EXPECT_EQ(all[2].text, std::string(120, 'x'));
  EXPECT_THAT(all[2].values, ElementsAre("3/第3章.txt", ""));
}

TEST_F(ArchiveBlocks, ALargeMemberIsAFaultAndTheNextOnesAreThere) {
  const auto all = ReadAll({.max_record_bytes = 8999});
  ASSERT_EQ(all.size(), 7u);
  EXPECT_EQ(all[3].fault, "too_large");
  EXPECT_THAT(all[3].fault_detail, testing::HasSubstr("\"4/第4章.txt\": it has more than 8999"));
  EXPECT_EQ(all[4].text.size(), 200u);
  EXPECT_EQ(ReadAll({.max_record_bytes = 9000})[3].text.size(), 9000u);
}

}  // namespace
}  // namespace zhiwen
