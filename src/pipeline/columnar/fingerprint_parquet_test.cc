// Fingerprints as Parquet, read back by Arrow.

#include "pipeline/columnar/fingerprint_parquet.h"

#include <arrow/array/array_binary.h>
#include <arrow/type.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <parquet/metadata.h>

#include "pipeline/columnar/parquet_codes.h"
#include "pipeline/columnar/parquet_test_support.h"
#include "support/faulty_file_system.h"

namespace zhiwen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kName = "made.v1(channel=exact.v1)";

std::vector<std::pair<std::string, Fingerprint>> EveryKind() {
  return {{"甲", FingerprintBytes{0, 255, 7}},
          {"none", NoFingerprint()},
          {"set", HashSet{{1, ~uint64_t{0}}}},
          {"codes", CodeSequence{2, {1, 2, 3, 4}}},
          {"blocks", SelectedShingles{{9, 2, {{3}, {12}}}, {8, 4, {{6}, {15}}}}},
          {"terms", WeightedTerms{{"指纹", 3}, {"b", ~uint64_t{0}}}},
          {"path \xFF", FingerprintBytes{}},
          {"none again", NoFingerprint()}};
}

Status WriteRows(FileSystem& files, std::span<const std::pair<std::string, Fingerprint>> rows,
                 const ParquetSinkOptions& options = {}) {
  ZHIWEN_ASSIGN_OR_RETURN(auto out, files.OpenForWrite("out.parquet"));
  ZHIWEN_ASSIGN_OR_RETURN(const auto sink, OpenParquetSink(std::move(out), options));
  for (const auto& [id, value] : rows) ZHIWEN_RETURN_IF_ERROR(sink->Add(id, kName, value));
  return sink->Close();
}

TEST(FingerprintParquet, HasAColumnForEveryKindOfValue) {
  InMemoryFileSystem files;
  ASSERT_TRUE(WriteRows(files, EveryKind()));
  const auto table = ReadTable(files.Files().at("out.parquet"));
  ASSERT_TRUE(table->ValidateFull().ok());
  const auto block = arrow::struct_({arrow::field("hash", arrow::uint64(), false),
                                     arrow::field("position", arrow::uint64(), false),
                                     arrow::field("begin", arrow::uint64(), false),
                                     arrow::field("end", arrow::uint64(), false)});
  const auto term = arrow::struct_(
      {arrow::field("term", arrow::utf8(), false), arrow::field("weight", arrow::uint64(), false)});
  const std::vector<TestColumn> wanted = {
      {"id", arrow::utf8(),
       R"(["甲", "none", "set", "codes", "blocks", "terms", "path �", "none again"])"},
      {"scheme", arrow::utf8(),
       "[" +
           [] {
             std::string names;
             for (int i = 0; i < 8; ++i)
               names += (i == 0 ? "\"" : ", \"") + std::string(kName) + "\"";
             return names;
           }() +
           "]"},
      {"value", arrow::binary(), "[\"\", null, null, null, null, null, \"\", null]"},
      {"hashes", arrow::list(arrow::field("element", arrow::uint64(), false)),
       "[null, null, [1, 18446744073709551615], null, null, null, null, null]"},
      {"codes", arrow::list(arrow::field("element", arrow::binary(), false)),
       "[null, null, null, [\"\\u0001\\u0002\", \"\\u0003\\u0004\"], null, null, null, null]"},
      {"blocks", arrow::list(arrow::field("element", block, false)),
       R"([null, null, null, null, [{"hash": 9, "position": 2, "begin": 3, "end": 12},
          {"hash": 8, "position": 4, "begin": 6, "end": 15}], null, null, null])"},
      {"terms", arrow::list(arrow::field("element", term, false)),
       R"([null, null, null, null, null, [{"term": "指纹", "weight": 3},
          {"term": "b", "weight": 18446744073709551615}], null, null])"}};
  const auto expected = MakeTable(wanted);
  ASSERT_EQ(table->num_columns(), expected->num_columns());
  for (int i = 0; i < table->num_columns(); ++i) {
    EXPECT_EQ(table->field(i)->name(), expected->field(i)->name());
    EXPECT_TRUE(table->field(i)->type()->Equals(expected->field(i)->type()))
        << table->field(i)->ToString();
    if (i == 2) continue;  // bytes that no JSON can say
    EXPECT_TRUE(table->column(i)->Equals(*expected->column(i))) << table->column(i)->ToString();
  }
  const auto& values = static_cast<const arrow::BinaryArray&>(*table->column(2)->chunk(0));
  EXPECT_EQ(values.GetView(0), std::string_view("\0\xFF\7", 3));
  EXPECT_EQ(values.null_count(), 6);
  EXPECT_FALSE(table->field(0)->nullable());
}

TEST(FingerprintParquet, IsKnownByItsMarkAndByNothingElse) {
  InMemoryFileSystem files;
  ASSERT_TRUE(WriteRows(files, {}));
  EXPECT_EQ(ReadTable(files.Files().at("out.parquet"))->num_rows(), 0);
  const auto is_ours = [&](const std::string& path) {
    return *IsFingerprintParquet(*files.OpenForRead(path));
  };
  EXPECT_TRUE(is_ours("out.parquet"));
  files.Put("other.parquet", ParquetBytes(*MakeTable({{"id", arrow::utf8(), "[\"a\"]"}})));
  EXPECT_FALSE(is_ours("other.parquet"));
  files.Put("text.parquet", "no Parquet");
  EXPECT_FALSE(is_ours("text.parquet"));
}

TEST(FingerprintParquet, RowsGoOutInGroups) {
  InMemoryFileSystem files;
  HashSet set;
  for (uint64_t i = 0; i < 100; ++i) set.hashes.push_back(i);
  const std::vector<std::pair<std::string, Fingerprint>> rows(4, {"large", set});
  ASSERT_TRUE(WriteRows(files, rows, {.group_bytes = 1000}));
  const auto footer = ReadFooter(files.Files().at("out.parquet"));
  EXPECT_EQ(footer->num_rows(), 4);
  EXPECT_EQ(footer->num_row_groups(), 2);
}

TEST(FingerprintParquet, AFullDiskIsSaidAsItIs) {
  InMemoryFileSystem disk;
  FaultyFileSystem files(disk, {.at = 1, .only = FileOperation::kWrite});
  const Status written = WriteRows(files, EveryKind());
  ASSERT_FALSE(written);
  EXPECT_TRUE(files.fired());
  EXPECT_EQ(written.error().message.find("as Parquet"), std::string::npos)
      << written.error().message;
}

// --- codes of other tables ----------------------------------------------------------------------

// "code label" of each row; the error's message last where there is one.
std::vector<std::string> CodesOf(FileSystem& files, const CodeReaderOptions& options) {
  auto source = OpenParquetCodes(files, "in.parquet", options);
  std::vector<std::string> rows;
  CodeBatch batch;
  while (true) {
    const Result<bool> more = (*source)->Next(batch);
    if (!more) rows.push_back(more.error().message);
    if (!more || !*more) return rows;
    for (size_t i = 0; i < batch.codes.size(); ++i) {
      rows.push_back(fmt::format("{:x} {}", batch.codes[i], batch.labels[i]));
    }
  }
}

TEST(ParquetCodes, AreNumbersOrText) {
  InMemoryFileSystem files;
  const auto names = arrow::dictionary(arrow::int32(), arrow::utf8());
  PutFile(files, "in.parquet",
          ParquetBytes(*MakeTable({{"signed", arrow::int64(), "[1, -1, null]"},
                                   {"half", arrow::uint32(), "[1, 4294967295, 7]"},
                                   {"hex", arrow::utf8(), "[\"0xF\", \"ff\", \"fg\"]"},
                                   {"share", arrow::float64(), "[2, 1.5, 3]"},
                                   {"path", names, "[\"甲\", null, \"乙\"]"},
                                   {"number", arrow::int32(), "[3, 4, 5]"}})));
  EXPECT_THAT(CodesOf(files, {.code_field = "signed", .id_field = "number"}),
              ElementsAre("1 3", "ffffffffffffffff 4"));
  EXPECT_THAT(CodesOf(files, {.code_bits = 32, .code_field = "half"}),
              ElementsAre("1 ", "ffffffff ", "7 "));
  EXPECT_THAT(CodesOf(files, {.code_field = "half", .id_field = "path"}),
              ElementsAre(HasSubstr("row 2 is wrong: field \"path\" is null")));
  EXPECT_THAT(CodesOf(files, {.code_field = "hex"}),
              ElementsAre(HasSubstr("row 3 is wrong: field \"hex\" is no code of 1 to 16")));
  EXPECT_THAT(CodesOf(files, {.code_field = "share"}),
              ElementsAre(HasSubstr("row 1 is wrong: field \"share\" is no whole number")));
}

}  // namespace
}  // namespace zhiwen
