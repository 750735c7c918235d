#include "pipeline/columnar/kept_parquet.h"

#include <arrow/array.h>
#include <arrow/compute/api.h>
#include <arrow/extension_type.h>
#include <arrow/type.h>
#include <arrow/util/key_value_metadata.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <parquet/schema.h>

#include "pipeline/columnar/parquet_test_support.h"
#include "support/faulty_file_system.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<RowVerdict> KeepEven(uint64_t row) {
  return RowVerdict{.keep = row % 2 == 0, .marked = row % 4 == 0, .cluster_size = row + 1};
}

Result<RowVerdict> KeepAll(uint64_t row) {
  return RowVerdict{.keep = true, .marked = row % 2 == 1, .cluster_size = row};
}

// Every row kept by `judge`, by Arrow's own means.
std::shared_ptr<arrow::Table> Chosen(const arrow::Table& table, const RowJudge& judge) {
  std::vector<std::shared_ptr<arrow::Table>> rows;
  for (int64_t i = 0; i < table.num_rows(); ++i) {
    if (judge(static_cast<uint64_t>(i))->keep) rows.push_back(table.Slice(i, 1));
  }
  if (rows.empty()) return table.Slice(0, 0);
  return arrow::ConcatenateTables(rows).ValueOrDie();
}

// NaN is equal to itself here.
void ExpectEqual(const arrow::Table& got, const arrow::Table& wanted) {
  ASSERT_EQ(got.num_columns(), wanted.num_columns());
  for (int i = 0; i < got.num_columns(); ++i) {
    const auto options = arrow::EqualOptions::Defaults().nans_equal(true).signed_zeros_equal(false);
    EXPECT_TRUE(got.column(i)->Equals(*wanted.column(i), options))
        << got.field(i)->ToString() << "\n"
        << got.column(i)->ToString() << "\n"
        << wanted.column(i)->ToString();
  }
}

class KeptParquetTest : public testing::Test {
 protected:
  Result<ParquetWritten> Write(const std::string& bytes, const RowJudge& judge,
                               const KeptParquetOptions& options = {}) {
    const InputFile input = PutFile(files_, "in.parquet", bytes);
    ZHIWEN_ASSIGN_OR_RETURN(auto out, files_.OpenForWrite("out.parquet"));
    return WriteKeptParquet(files_, input, std::move(out), judge, options);
  }
  std::string Written() const { return files_.Files().at("out.parquet"); }

  // Writes the even rows of `table` and compares them with Arrow's.
  void ExpectSame(const arrow::Table& table, const WriteChoices& choices = {}) {
    const std::string bytes = ParquetBytes(table, choices);
    const auto written = Write(bytes, KeepEven);
    ASSERT_TRUE(written.has_value()) << written.error().message;
    const auto source = ReadTable(bytes), kept = ReadTable(Written());
    EXPECT_TRUE(kept->schema()->Equals(source->schema(), /*check_metadata=*/true))
        << kept->schema()->ToString(true) << "\n"
        << source->schema()->ToString(true);
    EXPECT_TRUE(ReadFooter(Written())->schema()->Equals(*ReadFooter(bytes)->schema()));
    const auto expected = Chosen(*source, KeepEven);
    ASSERT_TRUE(kept->ValidateFull().ok());
    ExpectEqual(*kept, *expected);
    EXPECT_EQ(written->rows, static_cast<uint64_t>(expected->num_rows()));
    EXPECT_EQ(written->bytes, Written().size());
  }

  InMemoryFileSystem files_;
};

std::shared_ptr<arrow::Table> ManyTypes() {
  const auto nested = arrow::list(arrow::struct_(
      {arrow::field("a", arrow::int32()), arrow::field("b", arrow::list(arrow::utf8()))}));
  return MakeTable(
      {{"text", arrow::utf8(), R"(["甲", null, "丙", "", "戊"])"},
       {"large", arrow::large_utf8(), R"(["1", "2", null, "4", "5"])"},
       {"view", arrow::utf8_view(),
        R"(["a view of many letters", "2", null, "4", "another one of those"])"},
       {"binary", arrow::binary(), R"(["x", null, "y", "z", ""])"},
       {"fixed", arrow::fixed_size_binary(3), R"(["abc", null, "def", "ghi", null])"},
       {"b", arrow::boolean(), "[true, null, false, true, false]"},
       {"i8", arrow::int8(), "[1, 2, null, -4, 5]"},
       {"u16", arrow::uint16(), "[1, 2, null, 65535, 5]"},
       {"u32", arrow::uint32(), "[1, 2, 4294967295, 4, null]"},
       {"u64", arrow::uint64(), "[1, 2, 18446744073709551615, 4, null]"},
       {"half", arrow::float16(), "[1.5, null, 0, 1, 2]"},
       {"f", arrow::float32(), "[1.5, null, -0.0, 1e30, 2]"},
       {"d", arrow::float64(), "[1.5, null, NaN, Inf, 2]"},
       {"dec", arrow::decimal128(20, 3),
        R"(["1.000", null, "-99999999999999.999", "2.000", null])"},
       {"dec256", arrow::decimal256(50, 3), R"(["1.000", null, "-7.999", "2.000", null])"},
       {"date", arrow::date32(), "[1, null, 3, 4, 5]"},
       {"date64", arrow::date64(), "[86400000, null, 0, 0, 0]"},
       {"time", arrow::time32(arrow::TimeUnit::MILLI), "[1, null, 3, 4, 5]"},
       {"time_ns", arrow::time64(arrow::TimeUnit::NANO), "[1, null, 3, 4, 5]"},
       {"seconds", arrow::timestamp(arrow::TimeUnit::SECOND), "[1, null, 3, 4, 5]"},
       {"zoned", arrow::timestamp(arrow::TimeUnit::NANO, "Asia/Shanghai"), "[1, null, 3, 4, 5]"},
       {"duration", arrow::duration(arrow::TimeUnit::MICRO), "[1, null, 3, 4, 5]"},
       {"dict", arrow::dictionary(arrow::int32(), arrow::utf8()), R"(["p", "q", null, "p", "r"])"},
       {"nested", nested,
        R"([[{"a": 1, "b": ["x", null]}, null], null, [], [{"a": null, "b": null}],
            [{"a": 5, "b": []}]])"},
       {"large_list", arrow::large_list(arrow::int64()), "[[1, 2], null, [], [3], [null]]"},
       {"fixed_list", arrow::fixed_size_list(arrow::int32(), 2),
        "[[1, 2], [3, 4], [5, null], [7, 8], [9, 10]]"},
       {"map", arrow::map(arrow::utf8(), arrow::int32()),
        R"([[["k", 1]], null, [], [["l", null]], [["m", 3], ["n", 4]]])"},
       {"null", arrow::null(), "[null, null, null, null, null]"}});
}

TEST_F(KeptParquetTest, ValuesAndSchemaOfEveryTypeStayTheSame) { ExpectSame(*ManyTypes()); }

TEST_F(KeptParquetTest, AlsoWithoutASchemaOfArrows) {
  ExpectSame(*ManyTypes(), {.store_schema = false});
  EXPECT_EQ(ReadFooter(Written())->key_value_metadata(), nullptr);
}

TEST_F(KeptParquetTest, AlsoInSmallRowGroupsAndOldTimestamps) {
  ExpectSame(*ManyTypes(), {.rows_per_group = 2});
  ExpectSame(*MakeTable({{"t", arrow::timestamp(arrow::TimeUnit::NANO), "[1, 2, 3, null]"}}),
             {.int96 = true});
  EXPECT_EQ(ReadFooter(Written())->schema()->Column(0)->physical_type(), parquet::Type::INT96);
}

TEST_F(KeptParquetTest, DecimalsInIntegersStayInIntegers) {
  ExpectSame(*MakeTable({{"d", arrow::decimal128(8, 2), R"(["1.00", "2.50", null])"}}),
             {.more = [](auto& builder) { builder.enable_store_decimal_as_integer(); }});
  EXPECT_EQ(ReadFooter(Written())->schema()->Column(0)->physical_type(), parquet::Type::INT32);
}

TEST_F(KeptParquetTest, MetadataOfTheFileAndOfFieldsStays) {
  const auto table =
      MakeTable({{"text", arrow::utf8(), R"(["a", "b"])",
                  arrow::key_value_metadata({"PARQUET:field_id", "note"}, {"17", "正文"})}},
                arrow::key_value_metadata({"pandas", "empty"}, {"{\"columns\": []}", ""}));
  const std::string bytes = ParquetBytes(*table);
  ASSERT_TRUE(Write(bytes, KeepEven).has_value());
  const auto before = ReadFooter(bytes), after = ReadFooter(Written());
  EXPECT_TRUE(after->key_value_metadata()->Equals(*before->key_value_metadata()));
  EXPECT_EQ(after->schema()->Column(0)->schema_node()->field_id(), 17);
  EXPECT_TRUE(ReadTable(Written())->schema()->Equals(ReadTable(bytes)->schema(), true));
}

TEST_F(KeptParquetTest, CodecAndEncodingOfEveryColumnStay) {
  std::string texts = "[", numbers = "[";
  for (int i = 0; i < 500; ++i) {
    texts += fmt::format("{}\"text number {}\"", i == 0 ? "" : ",", i);
    numbers += fmt::format("{}{}", i == 0 ? "" : ",", i);
  }
  const auto table = MakeTable({{"zstd", arrow::utf8(), texts + "]"},
                                {"snappy", arrow::utf8(), texts + "]"},
                                {"none", arrow::int64(), numbers + "]"},
                                {"gzip", arrow::float64(), numbers + "]"},
                                {"lz4", arrow::utf8(), texts + "]"},
                                {"brotli", arrow::utf8(), texts + "]"}});
  const auto choose = [](parquet::WriterProperties::Builder& builder) {
    builder.compression("zstd", parquet::Compression::ZSTD);
    builder.compression("snappy", parquet::Compression::SNAPPY);
    builder.compression("gzip", parquet::Compression::GZIP);
    builder.compression("lz4", parquet::Compression::LZ4);
    builder.compression("brotli", parquet::Compression::BROTLI);
    builder.disable_dictionary("zstd");
    builder.encoding("zstd", parquet::Encoding::DELTA_BYTE_ARRAY);
    builder.disable_dictionary("snappy");
    builder.encoding("snappy", parquet::Encoding::DELTA_LENGTH_BYTE_ARRAY);
    builder.disable_dictionary("none");
    builder.encoding("none", parquet::Encoding::DELTA_BINARY_PACKED);
    builder.disable_dictionary("gzip");
    builder.encoding("gzip", parquet::Encoding::BYTE_STREAM_SPLIT);
    builder.disable_dictionary("brotli");
  };
  for (const auto version :
       {parquet::ParquetDataPageVersion::V1, parquet::ParquetDataPageVersion::V2}) {
    const std::string bytes = ParquetBytes(*table, {.more = [&](auto& builder) {
      choose(builder);
      builder.data_page_version(version);
    }});
    ASSERT_TRUE(Write(bytes, KeepEven).has_value());
    const auto old_footer = ReadFooter(bytes), new_footer = ReadFooter(Written());
    const auto before = old_footer->RowGroup(0), after = new_footer->RowGroup(0);
    for (int i = 0; i < table->num_columns(); ++i) {
      const auto old_chunk = before->ColumnChunk(i), new_chunk = after->ColumnChunk(i);
      EXPECT_EQ(new_chunk->compression(), old_chunk->compression()) << i;
      EXPECT_EQ(new_chunk->has_dictionary_page(), old_chunk->has_dictionary_page()) << i;
      EXPECT_EQ(new_chunk->encodings(), old_chunk->encodings()) << i;
      EXPECT_EQ(new_chunk->encoding_stats().back().page_type,
                old_chunk->encoding_stats().back().page_type);
    }
  }
}

TEST_F(KeptParquetTest, RowGroupsStayAndEmptyOnesGo) {
  std::string texts = "[\"0\"";
  for (int i = 1; i < 2500; ++i) texts += fmt::format(",\"{}\"", i);
  const auto table = MakeTable({{"text", arrow::utf8(), texts + "]"}});
  const auto written =
      Write(ParquetBytes(*table, {.rows_per_group = 1000}), [](uint64_t row) -> Result<RowVerdict> {
        return RowVerdict{.keep = row < 900 || row >= 2000};
      });
  ASSERT_TRUE(written.has_value());
  EXPECT_EQ(written->row_groups, 2U);
  const auto footer = ReadFooter(Written());
  ASSERT_EQ(footer->num_row_groups(), 2);
  EXPECT_EQ(footer->RowGroup(0)->num_rows(), 900);
  EXPECT_EQ(footer->RowGroup(1)->num_rows(), 500);
}

TEST_F(KeptParquetTest, AFileOfWhichNothingIsKeptIsStillAFile) {
  const auto written = Write(ParquetBytes(*ManyTypes()), [](uint64_t) -> Result<RowVerdict> {
    return RowVerdict{.keep = false};
  });
  ASSERT_TRUE(written.has_value());
  EXPECT_EQ(written->rows, 0U);
  EXPECT_EQ(ReadTable(Written())->num_rows(), 0);
  EXPECT_EQ(ReadTable(Written())->num_columns(), ManyTypes()->num_columns());
}

TEST_F(KeptParquetTest, AddedColumnsComeLastWithAndWithoutASchemaOfArrows) {
  for (const bool store_schema : {true, false}) {
    const std::string bytes =
        ParquetBytes(*ManyTypes(), {.rows_per_group = 2, .store_schema = store_schema});
    const auto written = Write(
        bytes, KeepAll, {.columns = {.mark_name = "dup", .cluster_size_name = "cluster_size"}});
    ASSERT_TRUE(written.has_value()) << written.error().message;
    const auto source = ReadTable(bytes), kept = ReadTable(Written());
    ASSERT_EQ(kept->num_columns(), source->num_columns() + 2);
    EXPECT_EQ(kept->schema()->field(source->num_columns())->name(), "dup");
    EXPECT_EQ(kept->field(source->num_columns() + 1)->type()->id(), arrow::Type::INT64);
    EXPECT_EQ(kept->column(source->num_columns())->GetScalar(1).ValueOrDie()->ToString(), "true");
    EXPECT_EQ(kept->column(source->num_columns() + 1)->GetScalar(4).ValueOrDie()->ToString(), "4");
    auto without = kept->RemoveColumn(source->num_columns() + 1).ValueOrDie();
    without = without->RemoveColumn(source->num_columns()).ValueOrDie();
    EXPECT_TRUE(without->schema()->Equals(source->schema(), /*check_metadata=*/true));
    ExpectEqual(*without, *source);
  }
}

TEST_F(KeptParquetTest, TheColumnOfKeepersIsNullWhereThereIsNone) {
  for (const bool store_schema : {true, false}) {
    const std::string bytes =
        ParquetBytes(*ManyTypes(), {.rows_per_group = 2, .store_schema = store_schema});
    const auto judge = [](uint64_t row) -> Result<RowVerdict> {
      return RowVerdict{.marked = row == 1, .keeper = row == 1 ? "保留" : "", .cluster_size = 1};
    };
    const auto written =
        Write(bytes, judge,
              {.columns = {.mark_name = "dup", .keeper_name = "of", .cluster_size_name = "size"}});
    ASSERT_TRUE(written.has_value()) << written.error().message;
    const auto kept = ReadTable(Written());
    const int columns = kept->num_columns();
    EXPECT_EQ(kept->schema()->field(columns - 2)->name(), "of");
    EXPECT_EQ(kept->field(columns - 2)->type()->id(), arrow::Type::STRING);
    EXPECT_EQ(kept->field(columns - 1)->name(), "size");
    EXPECT_EQ(kept->column(columns - 2)->GetScalar(1).ValueOrDie()->ToString(), "保留");
    EXPECT_EQ(kept->column(columns - 2)->null_count(), kept->num_rows() - 1);
  }
}

TEST_F(KeptParquetTest, ANameThatIsTakenIsRefusedByName) {
  const std::string bytes = ParquetBytes(*MakeTable({{"dup", arrow::utf8(), R"(["a"])"}}));
  const auto written =
      Write(bytes, KeepAll, {.columns = {.mark_name = "dup", .cluster_size_name = {}}});
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(written.error().message, HasSubstr("\"dup\""));
  const InputFile input = PutFile(files_, "in.parquet", bytes);
  EXPECT_FALSE(CheckKeptColumns(files_, input, {.mark_name = "x", .cluster_size_name = "x"}));
  EXPECT_TRUE(CheckKeptColumns(files_, input, {.mark_name = "x", .cluster_size_name = "y"}));
  EXPECT_FALSE(CheckKeptColumns(files_, input,
                                {.mark_name = "x", .keeper_name = "y", .cluster_size_name = "y"}));
  EXPECT_FALSE(CheckKeptColumns(files_, input,
                                {.mark_name = "x", .keeper_name = "dup", .cluster_size_name = {}}));
}

TEST_F(KeptParquetTest, TextsLosePassagesAndNothingElseChanges) {
  const std::string texts = R"(["甲乙丙丁", "甲乙", null, "甲乙丙丁", "丙"])";
  const auto judge = [](uint64_t row) -> Result<RowVerdict> {
    RowVerdict verdict{.keep = row != 1};
    if (row == 0 || row == 3) verdict.cuts = {{3, 6, "乙"}, {9, 12, "丁"}};
    return verdict;
  };
  for (const auto& type :
       {arrow::utf8(), arrow::large_utf8(), arrow::binary(), arrow::large_binary()}) {
    for (const int64_t group : {2, 9}) {
      const std::string bytes =
          ParquetBytes(*MakeTable({{"n", arrow::int32(), "[1,2,3,4,5]"}, {"text", type, texts}}),
                       {.rows_per_group = group});
      const KeptParquetOptions options{.columns = {.mark_name = {}, .cut_name = "text"}};
      const auto written = Write(bytes, judge, options);
      ASSERT_TRUE(written.has_value()) << written.error().message;
      const auto kept = ReadTable(Written());
      EXPECT_TRUE(kept->ValidateFull().ok());
      EXPECT_TRUE(kept->schema()->Equals(ReadTable(bytes)->schema(), /*check_metadata=*/true));
      const auto expected = MakeTable(
          {{"n", arrow::int32(), "[1,3,4,5]"}, {"text", type, R"(["甲丙", null, "甲丙", "丙"])"}});
      ExpectEqual(*kept, *expected);
      const auto wrong = [&](uint64_t) -> Result<RowVerdict> {
        return RowVerdict{.cuts = {{0, 3, "乙"}}};
      };
      EXPECT_FALSE(Write(bytes, wrong, options).has_value());
    }
  }
}

TEST_F(KeptParquetTest, AColumnThatCannotBeCutIsRefusedByName) {
  const auto strings = arrow::dictionary(arrow::int32(), arrow::utf8());
  const auto inside = arrow::struct_({arrow::field("b", arrow::utf8())});
  const InputFile input = PutFile(files_, "in.parquet",
                                  ParquetBytes(*MakeTable({{"text", arrow::utf8(), R"(["x"])"},
                                                           {"d", strings, R"(["x"])"},
                                                           {"a", inside, R"([{"b":"x"}])"}})));
  const auto check = [&](const std::string& name) {
    return CheckKeptColumns(files_, input, {.mark_name = {}, .cut_name = name});
  };
  EXPECT_TRUE(check("text"));
  EXPECT_TRUE(check("missing"));
  for (const std::string name : {"d", "a.b"}) {
    const Status refused = check(name);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(refused.error().message, HasSubstr("\"" + name + "\" of \"in.parquet\""));
  }
}

TEST_F(KeptParquetTest, EqualInputGivesEqualBytes) {
  const std::string bytes = ParquetBytes(*ManyTypes(), {.rows_per_group = 3});
  ASSERT_TRUE(Write(bytes, KeepEven).has_value());
  const std::string first = Written();
  ASSERT_TRUE(
      Write(bytes, KeepEven, {.columns = {}, .max_row_group_bytes = 64U << 20}).has_value());
  EXPECT_EQ(Written(), first);
}

TEST_F(KeptParquetTest, EveryRowIsJudgedOnceInOrderAndAnErrorOfTheJudgeStops) {
  std::string texts = "[\"0\"";
  for (int i = 1; i < 2500; ++i) texts += fmt::format(",\"{}\"", i);
  const std::string bytes =
      ParquetBytes(*MakeTable({{"text", arrow::utf8(), texts + "]"}}), {.rows_per_group = 600});
  uint64_t next = 0;
  ASSERT_TRUE(Write(bytes, [&](uint64_t row) -> Result<RowVerdict> {
    EXPECT_EQ(row, next++);
    return RowVerdict{};
  }));
  EXPECT_EQ(next, 2500U);
  const auto stopped = Write(bytes, [&](uint64_t row) -> Result<RowVerdict> {
    if (row == 1300) return Fail(ErrorCode::kInterrupted, "stop");
    return RowVerdict{};
  });
  ASSERT_FALSE(stopped.has_value());
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
  EXPECT_FALSE(Written().ends_with("PAR1"));
}

TEST_F(KeptParquetTest, ALongColumnKeepsItsEncodingThroughManyBatches) {
  // Low cardinality, many batches: a dictionary at the start and at the end.
  std::string texts = "[\"k0\"";
  for (int i = 1; i < 20000; ++i) texts += fmt::format(",\"k{}\"", i % 7);
  const auto table =
      MakeTable({{"coded", arrow::dictionary(arrow::int32(), arrow::utf8()), texts + "]"},
                 {"plain", arrow::utf8(), texts + "]"}});
  ExpectSame(*table);
  const auto footer = ReadFooter(Written());
  const auto group = footer->RowGroup(0);
  EXPECT_TRUE(group->ColumnChunk(0)->has_dictionary_page());
  EXPECT_LT(group->ColumnChunk(0)->total_compressed_size(), 10'000);
  EXPECT_LT(group->ColumnChunk(1)->total_compressed_size(), 10'000);
}

TEST_F(KeptParquetTest, FaultsOfEveryOperationComeOutAsTheyAre) {
  const std::string bytes = ParquetBytes(*ManyTypes(), {.rows_per_group = 2});
  const InputFile input = PutFile(files_, "in.parquet", bytes);
  for (uint64_t n = 1;; ++n) {
    FaultyFileSystem files(files_,
                           {.at = n, .only = {}, .error = {ErrorCode::kExhausted, "disk full"}});
    auto out = files.OpenForWrite("out.parquet");
    Result<ParquetWritten> written = Fail(ErrorCode::kExhausted, "disk full");
    if (out) written = WriteKeptParquet(files, input, *std::move(out), KeepEven, {});
    if (!files.fired()) {
      EXPECT_TRUE(written.has_value());
      EXPECT_GT(n, 5U);
      break;
    }
    ASSERT_FALSE(written.has_value()) << n;
    EXPECT_EQ(written.error().message, "disk full") << n;
  }
}

TEST_F(KeptParquetTest, ARowGroupAboveTheLimitIsExhausted) {
  const auto written =
      Write(ParquetBytes(*ManyTypes()), KeepEven, {.columns = {}, .max_row_group_bytes = 1000});
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().code, ErrorCode::kExhausted);
}

}  // namespace
}  // namespace zhiwen
