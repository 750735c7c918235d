#include "pipeline/columnar/parquet_blocks.h"

#include <arrow/array/builder_binary.h>
#include <arrow/type.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>

#include "pipeline/columnar/parquet_test_support.h"

namespace zhiwen {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

BlockOptions BlocksOf(size_t bytes) {
  BlockOptions options;
  options.block_bytes = bytes;
  return options;
}

BlockOptions WithLimit(uint64_t bytes) {
  BlockOptions options;
  options.max_row_group_bytes = bytes;
  return options;
}

class ParquetBlocksTest : public testing::Test {
 protected:
  AllRows Read(const arrow::Table& table, const BlockOptions& options = {},
               const WriteChoices& choices = {}) {
    return ReadRows(files_, PutFile(files_, "in.parquet", ParquetBytes(table, choices)), options);
  }

  InMemoryFileSystem files_;
};

// A column of texts "row 0", "row 1", … with ids.
std::shared_ptr<arrow::Table> NumberedRows(int count, const std::string& filling = "") {
  std::string texts = "[", ids = "[";
  for (int i = 0; i < count; ++i) {
    texts += fmt::format("{}\"row {}{}\"", i == 0 ? "" : ",", i, filling);
    ids += fmt::format("{}{}", i == 0 ? "" : ",", i);
  }
  return MakeTable({{"text", arrow::utf8(), texts + "]"}, {"id", arrow::int64(), ids + "]"}});
}

TEST_F(ParquetBlocksTest, TextsOfEveryStringTypeAreTheSame) {
  const std::vector<std::shared_ptr<arrow::DataType>> types = {
      arrow::utf8(),   arrow::large_utf8(),   arrow::utf8_view(),
      arrow::binary(), arrow::large_binary(), arrow::dictionary(arrow::int32(), arrow::utf8())};
  for (const auto& type : types) {
    const AllRows all = Read(*MakeTable({{"text", type, R"(["春眠不觉晓", null, "", "b"])"}}));
    EXPECT_THAT(all.rows,
                ElementsAre("春眠不觉晓|-", "missing_field: field \"text\" is null", "|-", "b|-"))
        << type->ToString();
    EXPECT_FALSE(all.error.has_value());
  }
}

TEST_F(ParquetBlocksTest, IdsAndPolicyValuesAreSpelledAsJsonDoes) {
  const std::vector<std::pair<std::shared_ptr<arrow::DataType>, std::string>> cases = {
      {arrow::int8(), "-5"},
      {arrow::int64(), "-9007199254740993"},
      {arrow::uint64(), "18446744073709551615"},
      {arrow::uint32(), "4294967295"},
      {arrow::float64(), "0.1"},
      {arrow::float32(), "0.1"},
      {arrow::boolean(), "true"},
  };
  for (const auto& [type, value] : cases) {
    BlockOptions options;
    options.fields.policy = {"p"};
    const AllRows all = Read(*MakeTable({{"text", arrow::utf8(), R"(["t", "u"])"},
                                         {"id", type, fmt::format("[{}, null]", value)},
                                         {"p", type, fmt::format("[null, {}]", value)}}),
                             options);
    EXPECT_THAT(all.rows, ElementsAre("t|" + value + "|-", "u|-|" + value)) << type->ToString();
  }
}

TEST_F(ParquetBlocksTest, TimesAreIso8601) {
  BlockOptions options;
  options.fields.policy = {"zoned", "local", "nano", "day", "ms_day", "clock", "price"};
  const AllRows all = Read(
      *MakeTable({{"text", arrow::utf8(), R"(["t", "u"])"},
                  {"zoned", arrow::timestamp(arrow::TimeUnit::MILLI, "Asia/Shanghai"),
                   "[1714521600123, -1]"},
                  {"local", arrow::timestamp(arrow::TimeUnit::MICRO), "[0, -62135596800000000]"},
                  {"nano", arrow::timestamp(arrow::TimeUnit::NANO, "UTC"), "[1, 1500000000]"},
                  {"day", arrow::date32(), "[19844, -1]"},
                  {"ms_day", arrow::date64(), "[1714521600000, -86400000]"},
                  {"clock", arrow::time64(arrow::TimeUnit::MICRO), "[3661000001, 0]"},
                  {"price", arrow::decimal128(9, 2), R"(["12.50", "-0.01"])"}}),
      options);
  EXPECT_THAT(
      all.rows,
      ElementsAre("t|-|2024-05-01T00:00:00.123Z|1970-01-01T00:00:00|1970-01-01T00:00:00.000000001Z|"
                  "2024-05-01|2024-05-01|01:01:01.000001|12.50",
                  "u|-|1969-12-31T23:59:59.999Z|0001-01-01T00:00:00|1970-01-01T00:00:01.5Z|"
                  "1969-12-31|1969-12-31|00:00:00|-0.01"));
}

TEST_F(ParquetBlocksTest, DottedFieldsReachIntoStructsWhoseNullsCount) {
  const auto meta =
      arrow::struct_({arrow::field("title", arrow::utf8()),
                      arrow::field("deep", arrow::struct_({arrow::field("id", arrow::int32())}))});
  BlockOptions options;
  options.fields = {.text = {"meta.title", "body"}, .id = "meta.deep.id", .policy = {}};
  const AllRows all =
      Read(*MakeTable({{"other", arrow::list(arrow::utf8()), R"([["x"], [], null, ["y"]])"},
                       {"meta", meta,
                        R"([{"title": "甲", "deep": {"id": 1}}, null, {"title": null, "deep": null},
                       {"title": "丁", "deep": {"id": null}}])"},
                       {"body", arrow::utf8(), R"(["a", "b", null, ""])"}}),
           options);
  EXPECT_THAT(
      all.rows,
      ElementsAre("甲\na|1", "\nb|-",
                  "missing_field: fields \"meta.title\", \"body\" are all missing", "丁\n|-"));
}

TEST_F(ParquetBlocksTest, ListsOfStringsAreValuesWhereTheyAreAskedFor) {
  const auto words = arrow::list(arrow::utf8());
  const auto table = MakeTable(
      {{"text", arrow::utf8(), R"(["t", "u", "v"])"},
       {"a", words, R"([["一", null, "二"], [], null])"},
       {"m", arrow::struct_({arrow::field("b", words)}), R"([null, {"b": ["三"]}, {"b": null}])"},
       {"n", arrow::list(arrow::int32()), "[[1], [2, 3], []]"}});
  BlockOptions options;
  options.fields.policy = {"a", "m.b", "n"};
  EXPECT_THAT(Read(*table, options).rows, ElementsAre("t|-|-|-|-", "u|-|-|-|-", "v|-|-|-|-"));
  options.fields.joins_lists = true;
  EXPECT_THAT(Read(*table, options).rows, ElementsAre("t|-|一\n二|-|-", "u|-||三|-", "v|-|-|-|"));
}

TEST_F(ParquetBlocksTest, AColumnWhoseNameHasADotIsFound) {
  BlockOptions options;
  options.fields.text = {"a.b"};
  const AllRows all = Read(*MakeTable({{"a.b", arrow::utf8(), R"(["t"])"}}), options);
  EXPECT_THAT(all.rows, ElementsAre("t|-"));
}

TEST_F(ParquetBlocksTest, AColumnThatDoesNotExistIsMissingInEveryRow) {
  BlockOptions options;
  options.fields.text = {"content"};
  const AllRows all = Read(*NumberedRows(3000), options, {.rows_per_group = 2000});
  ASSERT_EQ(all.rows.size(), 3000U);
  EXPECT_EQ(
      all.rows.front(),
      "missing_field: field \"content\" is missing; the file has the columns \"text\", \"id\"");
  EXPECT_EQ(all.rows.back(), all.rows.front());
  EXPECT_FALSE(all.error.has_value());
}

TEST_F(ParquetBlocksTest, WhatIsNoStringIsAFaultThatSaysWhatItIs) {
  const auto fault_of = [&](std::shared_ptr<arrow::DataType> type, const std::string& json) {
    return Read(*MakeTable({{"text", std::move(type), json}})).rows.at(0);
  };
  EXPECT_EQ(fault_of(arrow::int32(), "[5]"),
            "not_a_string: field \"text\" holds a number, not a string");
  EXPECT_EQ(fault_of(arrow::boolean(), "[true]"),
            "not_a_string: field \"text\" holds true or false, not a string");
  EXPECT_EQ(fault_of(arrow::date32(), "[1]"),
            "not_a_string: field \"text\" holds a date or a time, not a string");
  EXPECT_EQ(fault_of(arrow::list(arrow::utf8()), R"([["x"]])"),
            "not_a_string: field \"text\" holds an array, not a string");
  EXPECT_EQ(fault_of(arrow::struct_({arrow::field("a", arrow::utf8())}), R"([{"a": "x"}])"),
            "not_a_string: field \"text\" holds an object, not a string");
}

TEST_F(ParquetBlocksTest, BytesThatAreNoUtf8AreAFaultOfTheText) {
  arrow::StringBuilder builder;
  ASSERT_TRUE(builder.Append("ok\xff").ok());
  const auto table = arrow::Table::Make(arrow::schema({arrow::field("text", arrow::utf8())}),
                                        {builder.Finish().ValueOrDie()});
  EXPECT_THAT(Read(*table).rows,
              ElementsAre("invalid_utf8: byte 2 of field \"text\" is not valid UTF-8"));
}

TEST_F(ParquetBlocksTest, ATextAboveTheLargestRecordIsTooLarge) {
  BlockOptions options;
  options.max_record_bytes = 3;
  EXPECT_THAT(Read(*MakeTable({{"text", arrow::utf8(), R"(["abc", "abcd"])"}}), options).rows,
              ElementsAre("abc|-",
                          "too_large: the text has 4 bytes, more than the 3 that a record "
                          "may have"));
}

TEST_F(ParquetBlocksTest, BlocksCountRowsAndStayInsideOfRowGroups) {
  const AllRows all =
      Read(*NumberedRows(5000, std::string(100, 'x')), BlocksOf(20000), {.rows_per_group = 1700});
  ASSERT_EQ(all.rows.size(), 5000U);
  EXPECT_EQ(all.rows[4999], "row 4999" + std::string(100, 'x') + "|4999");
  EXPECT_THAT(all.block_offsets, testing::IsSupersetOf({0U, 1700U, 3400U}));
  for (size_t i = 1; i < all.block_offsets.size(); ++i) {
    EXPECT_LE(all.block_offsets[i] - all.block_offsets[i - 1], 400U);
  }
  EXPECT_LT(all.block_offsets.size(), 60U);
}

TEST_F(ParquetBlocksTest, SkippingToEveryBlockGivesTheSameBlocksAgain) {
  const std::string bytes =
      ParquetBytes(*NumberedRows(1500, "春江潮水连海平"), {.rows_per_group = 400});
  const InputFile input = PutFile(files_, "in.parquet", bytes);
  const BlockOptions options = BlocksOf(2000);
  const AllRows all = ReadRows(files_, input, options);
  ASSERT_GT(all.block_offsets.size(), 10U);
  for (size_t i = 0; i < all.block_offsets.size(); ++i) {
    const uint64_t from = all.block_offsets[i];
    const AllRows rest = ReadRows(files_, input, options, from);
    EXPECT_EQ(rest.rows,
              std::vector<std::string>(all.rows.begin() + static_cast<long>(from), all.rows.end()));
    EXPECT_EQ(rest.block_offsets,
              std::vector<uint64_t>(all.block_offsets.begin() + static_cast<long>(i),
                                    all.block_offsets.end()));
  }
  EXPECT_THAT(ReadRows(files_, input, options, 1500).rows, testing::IsEmpty());
  const AllRows wrong = ReadRows(files_, input, options, 1501);
  ASSERT_TRUE(wrong.error.has_value());
  EXPECT_THAT(wrong.error->message, HasSubstr("row 1501"));
}

TEST_F(ParquetBlocksTest, SkippingRowGroupsReadsNothingOfThem) {
  const std::string bytes = ParquetBytes(
      *NumberedRows(4000, std::string(500, 'y')),
      {.rows_per_group = 1000, .more = [](auto& builder) { builder.disable_dictionary(); }});
  const InputFile input = PutFile(files_, "in.parquet", bytes);
  auto blocks = OpenParquetBlocks(files_, input, 0, {});
  ASSERT_TRUE(blocks.has_value());
  ASSERT_TRUE((*blocks)->SkipTo(3000).has_value());
  RecordBlock block;
  ASSERT_TRUE((*blocks)->Next(block).has_value());
  EXPECT_EQ(block.offset, 3000U);
  EXPECT_LT((*blocks)->file_bytes_read(), bytes.size() / 2);
}

TEST_F(ParquetBlocksTest, OnlyNeededColumnsAreRead) {
  std::string wide = "[";
  for (int i = 0; i < 2000; ++i)
    wide += fmt::format("{}\"{}\"", i == 0 ? "" : ",",
                        std::string(400, static_cast<char>('a' + i % 26)));
  const auto table =
      MakeTable({{"wide", arrow::utf8(), wide + "]"}, {"text", arrow::utf8(), [] {
                                                         std::string texts = "[\"t\"";
                                                         for (int i = 1; i < 2000; ++i)
                                                           texts += ",\"t\"";
                                                         return texts + "]";
                                                       }()}});
  const std::string bytes =
      ParquetBytes(*table, {.more = [](auto& builder) { builder.disable_dictionary(); }});
  auto blocks = OpenParquetBlocks(files_, PutFile(files_, "in.parquet", bytes), 0, {});
  ASSERT_TRUE(blocks.has_value());
  RecordBlock block;
  while (*(*blocks)->Next(block)) {
  }
  EXPECT_LT((*blocks)->file_bytes_read(), 300'000U);  // the footer is looked for in 64 KB
}

TEST_F(ParquetBlocksTest, ViewsOfARowLiveUntilTheNextOne) {
  BlockOptions options;
  options.fields = {.text = {"a", "b"}, .id = "n", .policy = {"x", "y"}};
  const InputFile input =
      PutFile(files_, "in.parquet",
              ParquetBytes(*MakeTable({{"a", arrow::utf8(), R"(["1"])"},
                                       {"b", arrow::utf8(), R"(["2"])"},
                                       {"n", arrow::int64(), "[123456789012345678]"},
                                       {"x", arrow::float64(), "[1.5]"},
                                       {"y", arrow::boolean(), "[false]"}})));
  auto blocks = OpenParquetBlocks(files_, input, 0, options);
  auto rows = ParquetRows::Create(options.fields);
  RecordBlock block;
  ASSERT_TRUE(*(*blocks)->Next(block));
  const ParsedRecord record = rows->Parse(block, 0);
  const auto& document = std::get<Document>(record);
  EXPECT_EQ(document.text, "1\n2");
  EXPECT_EQ(document.id, "123456789012345678");
  EXPECT_EQ(document.policy[0], "1.5");
  EXPECT_EQ(document.policy[1], "false");
}

TEST_F(ParquetBlocksTest, ARowGroupAboveTheLimitIsExhaustedNamingTheNeed) {
  const std::string bytes =
      ParquetBytes(*NumberedRows(2000, std::string(300, 'z')),
                   {.more = [](auto& builder) { builder.disable_dictionary(); }});
  const InputFile input = PutFile(files_, "in.parquet", bytes);
  const auto shape = ExamineParquet(files_, input, {});
  ASSERT_TRUE(shape.has_value());
  EXPECT_EQ(shape->rows, 2000U);
  EXPECT_GT(shape->largest_needed_bytes, 600'000U);
  const AllRows all = ReadRows(files_, input, WithLimit(shape->largest_needed_bytes - 1));
  ASSERT_TRUE(all.error.has_value());
  EXPECT_EQ(all.error->code, ErrorCode::kExhausted);
  EXPECT_THAT(all.error->message, AllOf(HasSubstr("in.parquet"),
                                        HasSubstr(std::to_string(shape->largest_needed_bytes))));
  EXPECT_FALSE(ReadRows(files_, input, WithLimit(shape->largest_needed_bytes)).error);
}

TEST_F(ParquetBlocksTest, SlowValuesThatADictionaryRepeatsStayWithinTheLimit) {
  // A megabyte, a thousand times over, in a file of few bytes.
  arrow::StringBuilder builder;
  const std::string large(1 << 20, 'w');
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(builder.Append(large).ok());
  const auto table = arrow::Table::Make(arrow::schema({arrow::field("text", arrow::utf8())}),
                                        {builder.Finish().ValueOrDie()});
  const InputFile input = PutFile(files_, "in.parquet",
                                  ParquetBytes(*table, {.store_schema = false, .more = [](auto& b) {
                                                          b.dictionary_pagesize_limit(1 << 24);
                                                        }}));
  const auto shape = ExamineParquet(files_, input, {});
  ASSERT_LT(shape->largest_needed_bytes, 4U << 20);
  auto blocks = OpenParquetBlocks(files_, input, 0, WithLimit(32U << 20));
  ASSERT_TRUE(blocks.has_value());
  RecordBlock block;
  uint64_t rows = 0;
  Result<bool> more = false;
  while ((more = (*blocks)->Next(block)) && *more) rows += block.length;
  if (!more) {
    EXPECT_EQ(more.error().code, ErrorCode::kExhausted) << more.error().message;
  } else {
    EXPECT_EQ(rows, 1000U);
  }
}

TEST_F(ParquetBlocksTest, AFileThatChangedIsNotReadOn) {
  const std::string bytes = ParquetBytes(*NumberedRows(10));
  InputFile input = PutFile(files_, "in.parquet", bytes);
  input.identity.modified_nanoseconds += 1;
  EXPECT_EQ(ReadRows(files_, input, {}).error->code, ErrorCode::kUnreadable);
}

TEST_F(ParquetBlocksTest, FieldNamesAreChecked) {
  const InputFile input = PutFile(files_, "in.parquet", ParquetBytes(*NumberedRows(1)));
  BlockOptions options;
  options.fields.text = {"a..b"};
  EXPECT_EQ(ReadRows(files_, input, options).error->code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(ParquetRows::Create({.text = {}, .id = "id", .policy = {}}).error().code,
            ErrorCode::kInvalidArgument);
}

TEST_F(ParquetBlocksTest, FilesWithoutRowsHaveNoBlocks) {
  const AllRows all = Read(*MakeTable({{"text", arrow::utf8(), "[]"}}));
  EXPECT_TRUE(all.rows.empty());
  EXPECT_FALSE(all.error.has_value());
}

TEST_F(ParquetBlocksTest, AFailedRowIsWrittenAsJsonWithAllItsColumns) {
  const auto table = MakeTable(
      {{"text", arrow::utf8(), R"([null, "t", null])"},
       {"n", arrow::int32(), "[1, 2, null]"},
       {"tags", arrow::list(arrow::utf8()), R"([["甲", null], [], null])"},
       {"meta", arrow::struct_({arrow::field("d", arrow::date32())}), R"([{"d": 0}, null, null])"},
       {"map", arrow::map(arrow::utf8(), arrow::float64()), R"([[["k", 0.5]], [], null])"},
       {"raw", arrow::binary(), R"(["ab", "c", null])"},
       {"when", arrow::timestamp(arrow::TimeUnit::SECOND, "UTC"), "[1, 2, null]"},
       {"price", arrow::decimal128(5, 2), R"(["1.20", "0.00", null])"}});
  const InputFile input =
      PutFile(files_, "in.parquet", ParquetBytes(*table, {.rows_per_group = 2}));
  auto blocks = OpenParquetBlocks(files_, input, 0, {});
  auto rows = ParquetRows::Create({});
  RecordBlock first, second;
  ASSERT_TRUE(*(*blocks)->Next(first));
  ASSERT_TRUE(*(*blocks)->Next(second));
  const std::string expected_first =
      R"({"text":null,"n":1,"tags":["甲",null],"meta":{"d":"1970-01-01"},)"
      R"("map":[{"key":"k","value":0.5}],"raw":"ab","when":"1970-01-01T00:00:01Z","price":"1.20"})";
  EXPECT_EQ(rows->RowAsJson(first, 0), expected_first);
  EXPECT_EQ(rows->RowAsJson(second, 0),
            R"({"text":null,"n":null,"tags":null,"meta":null,"map":null,"raw":null,"when":null,)"
            R"("price":null})");
  EXPECT_EQ(rows->RowAsJson(first, 0), expected_first);  // backwards too
}

TEST_F(ParquetBlocksTest, ReadingStartsNoThread) {
  const auto threads = [] {
    int count = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator("/proc/self/task")) {
      ++count;
    }
    return count;
  };
  const int before = threads();
  EXPECT_EQ(Read(*NumberedRows(3000)).rows.size(), 3000U);
  EXPECT_EQ(threads(), before);
}

}  // namespace
}  // namespace zhiwen
