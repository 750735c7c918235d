// Damaged files: an error, or values that are right; never a crash.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <arrow/type.h>

#include <cstring>
#include <random>

#include "pipeline/columnar/kept_parquet.h"
#include "pipeline/columnar/parquet_blocks.h"
#include "pipeline/columnar/parquet_test_support.h"
#include "support/faulty_file_system.h"
#include "support/flipped_bit.h"

namespace zhiwen {
namespace {

std::string SmallFile() {
  const auto meta = arrow::struct_({arrow::field("id", arrow::int64())});
  std::string texts = "[", metas = "[", tags = "[", marks = "[";
  for (int i = 0; i < 60; ++i) {
    const std::string comma = i == 0 ? "" : ",";
    texts += fmt::format("{}\"白日依山尽 {}\"", comma, i);
    metas += fmt::format("{}{{\"id\": {}}}", comma, i * 1000);
    tags += fmt::format("{}[\"t{}\", null]", comma, i % 3);
    marks += fmt::format("{}\"s{}\"", comma, i % 4);
  }
  return ParquetBytes(
      *MakeTable({{"text", arrow::utf8(), texts + "]"},
                  {"meta", meta, metas + "]"},
                  {"tags", arrow::list(arrow::utf8()), tags + "]"},
                  {"source", arrow::dictionary(arrow::int32(), arrow::utf8()), marks + "]"}}),
      {.rows_per_group = 25,
       .more = [](auto& builder) { builder.compression(parquet::Compression::ZSTD); }});
}

BlockOptions Options() {
  BlockOptions options;
  options.fields = {.text = {"text"}, .id = "meta.id", .policy = {"source"}};
  options.max_row_group_bytes = uint64_t{64} << 20;
  return options;
}

uint32_t FooterBytes(const std::string& bytes) {
  uint32_t length = 0;
  std::memcpy(&length, bytes.data() + bytes.size() - 8, sizeof length);
  return length + 8;
}

Status Keep(FileSystem& files, const InputFile& input) {
  ZHIWEN_ASSIGN_OR_RETURN(auto out, files.OpenForWrite("out.parquet"));
  const auto judge = [](uint64_t row) -> Result<RowVerdict> {
    return RowVerdict{.keep = row % 3 != 0};
  };
  ZHIWEN_RETURN_IF_ERROR(
      WriteKeptParquet(files, input, std::move(out), judge,
                       {.columns = {}, .max_row_group_bytes = uint64_t{64} << 20}));
  return {};
}

TEST(ParquetDamageTest, SlowEveryTruncationIsUnreadable) {
  const std::string whole = SmallFile();
  InMemoryFileSystem files;
  for (size_t length = 0; length < whole.size(); ++length) {
    const InputFile input = PutFile(files, "cut.parquet", whole.substr(0, length));
    const AllRows all = ReadRows(files, input, Options());
    ASSERT_TRUE(all.error.has_value()) << length;
    EXPECT_EQ(all.error->code, ErrorCode::kUnreadable) << all.error->message;
    EXPECT_THAT(all.error->message, testing::HasSubstr("cut.parquet"));
    EXPECT_TRUE(all.rows.empty());
  }
}

TEST(ParquetDamageTest, SlowFlippedBitsAreAnErrorOrRightValues) {
  const std::string whole = SmallFile();
  InMemoryFileSystem files;
  const AllRows right = ReadRows(files, PutFile(files, "right.parquet", whole), Options());
  ASSERT_EQ(right.rows.size(), 60U);
  std::mt19937_64 random(20240501);
  const size_t data_bytes = whole.size() - FooterBytes(whole);
  size_t errors = 0, wrong_data = 0;
  for (int round = 0; round < 2000; ++round) {
    const size_t bit = random() % (whole.size() * 8);
    const InputFile input = PutFile(files, "flip.parquet", WithBitFlipped(whole, bit));
    const AllRows all = ReadRows(files, input, Options());
    (void)Keep(files, input);
    if (all.error) {
      ++errors;
      continue;
    }
    EXPECT_EQ(all.rows.size(), 60U) << bit;
    // The footer has no checksum: a name or a type can become another one there.
    if (bit / 8 < data_bytes && all.rows != right.rows) {
      ++wrong_data;
      ADD_FAILURE() << "bit " << bit << " of byte " << bit / 8;
    }
  }
  EXPECT_GT(errors, 500U);
  EXPECT_EQ(wrong_data, 0U);
}

TEST(ParquetDamageTest, SlowFlippedRunsOfBytesDoNotCrash) {
  const std::string whole = SmallFile();
  InMemoryFileSystem files;
  std::mt19937_64 random(7);
  for (int round = 0; round < 1000; ++round) {
    std::string broken = whole;
    // Mostly in the footer, where lengths and places are.
    const size_t from = random() % 4 == 0 ? random() % whole.size()
                                          : whole.size() - 1 - random() % FooterBytes(whole);
    for (size_t i = from; i < std::min(from + 1 + random() % 8, whole.size()); ++i) {
      broken[i] = static_cast<char>(random());
    }
    const InputFile input = PutFile(files, "flip.parquet", std::move(broken));
    (void)ReadRows(files, input, Options());
    (void)Keep(files, input);
  }
}

TEST(ParquetDamageTest, SlowFilesThatAreNoParquetAreUnreadable) {
  InMemoryFileSystem files;
  for (const std::string& bytes :
       {std::string(), std::string("PAR1"), std::string(8, 'x'), std::string("{\"text\": \"a\"}\n"),
        std::string(100'000, '\0'), std::string("PAR1\xff\xff\xff\x7fPAR1")}) {
    const AllRows all = ReadRows(files, PutFile(files, "x.parquet", bytes), Options());
    ASSERT_TRUE(all.error.has_value());
    EXPECT_EQ(all.error->code, ErrorCode::kUnreadable);
    EXPECT_THAT(all.error->message, testing::HasSubstr("cannot read \"x.parquet\" as Parquet"));
  }
}

TEST(ParquetDamageTest, SlowFaultsOfEveryReadComeOutAsTheyAre) {
  InMemoryFileSystem memory;
  const InputFile input = PutFile(memory, "in.parquet", SmallFile());
  for (uint64_t n = 1;; ++n) {
    FaultyFileSystem files(memory,
                           {.at = n, .only = {}, .error = {ErrorCode::kUnreadable, "bad disk"}});
    const AllRows all = ReadRows(files, input, Options());
    if (!files.fired()) {
      EXPECT_FALSE(all.error.has_value());
      EXPECT_GT(n, 5U);
      break;
    }
    ASSERT_TRUE(all.error.has_value()) << n;
    EXPECT_EQ(all.error->message, "bad disk") << n;
  }
}

}  // namespace
}  // namespace zhiwen
