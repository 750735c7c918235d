// Whole runs over damaged Parquet: a named error, or with skip_bad_files the row groups before the
// damage; nothing counted twice, and outputs that can be read.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <arrow/scalar.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <parquet/metadata.h>

#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "pipeline/columnar/parquet_test_support.h"
#include "pipeline/dedup/run.h"
#include "support/decompress_zstd.h"
#include "support/faulty_file_system.h"
#include "support/flipped_bit.h"

namespace zhiwen {
namespace {

constexpr int kRows = 60;
constexpr int kRowsPerGroup = 20;
constexpr char kSound[] = "{\"id\":\"z\",\"text\":\"两个黄鹂鸣翠柳，一行白鹭上青天。\"}\n";

// Column "extra" is one that no pass but the last reads. Every third text is a copy.
std::string SourceBytes() {
  std::string ids = "[", texts = "[", extras = "[";
  for (int i = 0; i < kRows; ++i) {
    const std::string comma = i == 0 ? "" : ",";
    ids += fmt::format("{}\"r{}\"", comma, i);
    texts += fmt::format("{}\"白日依山尽，黄河入海流，其 {}\"", comma, i % 3 == 2 ? i - 1 : i);
    extras += fmt::format("{}\"欲穷千里目 {}\"", comma, i % 7);
  }
  return ParquetBytes(*MakeTable({{"id", arrow::utf8(), ids + "]"},
                                  {"text", arrow::utf8(), texts + "]"},
                                  {"extra", arrow::utf8(), extras + "]"}}),
                      {.rows_per_group = kRowsPerGroup, .more = [](auto& builder) {
                         builder.compression(parquet::Compression::ZSTD);
                       }});
}

class ParquetDedup : public testing::Test {
 protected:
  ParquetDedup() {
    options_.inputs = {"/in"};
    options_.output = "/out";
    options_.overwrite = true;
  }

  Result<DedupReport> Run(FileSystem& files) {
    const auto executor = MakeInlineExecutor();
    const Cancellation cancellation;
    return RunDedup(options_, {.block_bytes = 300},
                    {files, *executor, SystemClock(), NoProgress(), NoLog(), cancellation});
  }

  // A run over `bytes` beside a sound file.
  Result<DedupReport> RunOver(std::string bytes) {
    files_ = std::make_unique<InMemoryFileSystem>();
    files_->Put("/in/a.parquet", std::move(bytes));
    files_->Put("/in/b.jsonl", kSound);
    return Run(*files_);
  }

  // The ids of the kept rows, when there are some.
  std::vector<std::string> KeptRows() {
    const auto& all = files_->Files();
    if (!all.contains("/out/kept/a.parquet")) return {};
    const auto table = ReadTable(all.at("/out/kept/a.parquet"));
    EXPECT_EQ(table->num_columns(), 3);
    EXPECT_TRUE(table->ValidateFull().ok());
    std::vector<std::string> ids;
    const auto column = table->GetColumnByName("id");
    for (int64_t row = 0; row < table->num_rows(); ++row) {
      ids.push_back(column->GetScalar(row).ValueOrDie()->ToString());
    }
    return ids;
  }

  // What a run with skip_bad_files says of the file with so many sound rows.
  void ExpectReadInPart(const std::string& bytes, uint64_t rows, const std::string& kind) {
    options_.skip_bad_files = true;
    const auto report = RunOver(bytes);
    ASSERT_TRUE(report.has_value()) << kind << ": " << report.error().message;
    EXPECT_EQ(report->documents, rows + 1) << kind;
    EXPECT_EQ(report->kept + report->removed_total() + report->failed_total(), rows + 1) << kind;
    ASSERT_EQ(report->bad_files.size(), 1U) << kind;
    EXPECT_EQ(report->bad_files[0].name, "/in/a.parquet");
    EXPECT_THAT(report->bad_files[0].message, testing::HasSubstr("a.parquet"));
    EXPECT_EQ(report->bad_files[0].records, rows) << kind;
    const std::vector<std::string> kept = KeptRows();
    EXPECT_EQ(kept.size() + 1, report->kept) << kind;
    for (const std::string& id : kept) EXPECT_LT(std::stoul(id.substr(1)), rows);
    EXPECT_THAT(files_->Files().at("/out/kept/b.jsonl"), testing::HasSubstr("鹂鸣翠柳")) << kind;
  }

  void ExpectUnreadable(const std::string& bytes, const std::string& kind) {
    options_.skip_bad_files = false;
    const auto report = RunOver(bytes);
    ASSERT_FALSE(report.has_value()) << kind;
    EXPECT_EQ(report.error().code, ErrorCode::kUnreadable) << kind;
    EXPECT_THAT(report.error().message, testing::HasSubstr("\"/in/a.parquet\"")) << kind;
    EXPECT_FALSE(files_->Files().contains("/out/report.json"));
    message_ = report.error().message;
  }

  std::unique_ptr<InMemoryFileSystem> files_;
  DedupOptions options_;
  std::string message_;  // of the last ExpectUnreadable
};

std::string Flipped(std::string bytes, int64_t at) {
  bytes[static_cast<size_t>(at)] ^= 0x10;
  return bytes;
}

// One damage of each kind, in row group 1, in a column that is read and in one that is not.
TEST_F(ParquetDedup, DamageOfEveryKindIsANamedErrorOrTheEndOfTheFile) {
  const std::string whole = SourceBytes();
  const auto footer = ReadFooter(whole);
  for (const std::string name : {"text", "extra"}) {
    const int leaf = name == "text" ? 1 : 2;
    const auto chunk = footer->RowGroup(1)->ColumnChunk(leaf);
    ASSERT_TRUE(chunk->has_dictionary_page());
    const int64_t end = chunk->dictionary_page_offset() + chunk->total_compressed_size();
    const std::vector<std::pair<std::string, int64_t>> places = {
        {"dictionary page", (chunk->dictionary_page_offset() + chunk->data_page_offset()) / 2},
        {"page header", chunk->data_page_offset()},
        {"page data", end - 2}};
    for (const auto& [kind, place] : places) {
      SCOPED_TRACE(name + ": " + kind);
      ExpectUnreadable(Flipped(whole, place), kind);
      EXPECT_THAT(message_, testing::HasSubstr("row group 1 (rows 21 to 40)"));
      EXPECT_THAT(message_, testing::HasSubstr("skip bad files"));
      ExpectReadInPart(Flipped(whole, place), kRowsPerGroup, kind);
    }
  }
}

// Found when its rows are decided, so that neither continuing the run helps, nor that with a file
// that replaces it.
TEST_F(ParquetDedup, DamageThatIsFoundLateComesWithTheAdviceThatWorks) {
  const std::string whole = SourceBytes();
  const auto chunk = ReadFooter(whole)->RowGroup(1)->ColumnChunk(2);
  options_.checkpoint_every = 0;
  ExpectUnreadable(Flipped(whole, chunk->data_page_offset() + 30), "late");
  EXPECT_THAT(message_, testing::HasSubstr("start the run again"));
  EXPECT_THAT(message_, testing::Not(testing::HasSubstr("continue")));
  ASSERT_TRUE(files_->Files().contains("/out/.partial/checkpoint"));
  DedupOptions resuming = options_;
  resuming.overwrite = false;
  resuming.resume = true;
  std::swap(resuming, options_);
  EXPECT_FALSE(Run(*files_).has_value());
  files_->Put("/in/a.parquet", whole);
  EXPECT_FALSE(Run(*files_).has_value());
  std::swap(resuming, options_);
  EXPECT_TRUE(Run(*files_).has_value());
  EXPECT_EQ(KeptRows().size(), kRows / 3 * 2U);
}

TEST_F(ParquetDedup, AFileWithoutItsFooterHasNoRows) {
  const std::string whole = SourceBytes();
  const int64_t size = static_cast<int64_t>(whole.size());
  const std::vector<std::pair<std::string, std::string>> files = {
      {"truncated", whole.substr(0, whole.size() / 2)},
      {"one byte too short", whole.substr(0, whole.size() - 1)},
      {"magic", Flipped(whole, size - 1)},
      {"length of the footer", Flipped(whole, size - 6)},
      {"a page of zeros", std::string(4096, '\0')},
      {"nothing", std::string()}};
  for (const auto& [kind, bytes] : files) {
    SCOPED_TRACE(kind);
    for (const bool marks : {false, true}) {
      options_.mark = marks ? std::optional<std::string>("dup") : std::nullopt;
      ExpectUnreadable(bytes, kind);
      ExpectReadInPart(bytes, 0, kind);
    }
  }
}

// Beside a file of JSON Lines in front, whose removals come first.
TEST_F(ParquetDedup, MarkedRowsNameTheirKeepers) {
  options_.mark = "dup";
  options_.mark_keeper = "of";
  files_ = std::make_unique<InMemoryFileSystem>();
  files_->Put("/in/0.jsonl", std::string(kSound) + kSound);
  files_->Put("/in/a.parquet", SourceBytes());
  const auto report = Run(*files_);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  const auto table = ReadTable(files_->Files().at("/out/kept/a.parquet"));
  ASSERT_EQ(table->num_rows(), kRows);
  size_t named = 0;
  for (int64_t row = 0; row < table->num_rows(); ++row) {
    const auto keeper = table->GetColumnByName("of")->GetScalar(row).ValueOrDie();
    const bool marked =
        table->GetColumnByName("dup")->GetScalar(row).ValueOrDie()->ToString() == "true";
    EXPECT_EQ(keeper->is_valid, marked) << row;
    if (!marked) continue;
    ++named;
    const int64_t other = row % 3 == 2 ? row - 1 : row + 1;
    EXPECT_EQ(keeper->ToString(), fmt::format("r{}", other));
  }
  EXPECT_EQ(named, kRows / 3U);
}

// Beside a file of JSON Lines in front, whose cuts come first.
TEST_F(ParquetDedup, RowsLoseWhatMatchesAReference) {
  const std::string item = "海内存知己，天涯若比邻。无为在歧路，儿女共沾巾";
  options_.against = {"/ref/r.jsonl"};
  options_.against_rule = ReferenceRule::kContains;
  options_.against_action = ReferenceAction::kCut;
  options_.mode = DedupMode::kExact;
  files_ = std::make_unique<InMemoryFileSystem>();
  files_->Put("/ref/r.jsonl", "{\"text\":\"" + item + "\"}\n");
  files_->Put("/in/0.jsonl", "{\"text\":\"前" + item + "后\"}\n");
  std::string texts = "[";
  for (int i = 0; i < 9; ++i) {
    texts += fmt::format("{}\"第 {} 行{}\"", i == 0 ? "" : ",", i, i % 4 == 1 ? item : "");
  }
  files_->Put("/in/a.parquet", ParquetBytes(*MakeTable({{"text", arrow::utf8(), texts + "]"}}),
                                            {.rows_per_group = 4}));
  const auto report = Run(*files_);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->against->cuts->documents, 3U);
  EXPECT_EQ(files_->Files().at("/out/kept/0.jsonl"), "{\"text\":\"前后\"}\n");
  const auto table = ReadTable(files_->Files().at("/out/kept/a.parquet"));
  ASSERT_EQ(table->num_rows(), 9);
  for (int64_t row = 0; row < 9; ++row) {
    EXPECT_EQ(table->column(0)->GetScalar(row).ValueOrDie()->ToString(),
              fmt::format("第 {} 行", row));
  }
}

// Nobody reads these but to tell what a file is.
TEST_F(ParquetDedup, ADamagedFirstByteCostsNoRowOfARunThatSkipsBadFiles) {
  const std::string bytes = Flipped(SourceBytes(), 1);
  ExpectUnreadable(bytes, "first bytes");
  options_.skip_bad_files = true;
  const auto report = RunOver(bytes);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->documents, kRows + 1U);
  EXPECT_EQ(KeptRows().size(), kRows / 3 * 2U);
}

// Wherever a bit flips outside of the footer, which has no checksum.
TEST_F(ParquetDedup, SlowNoFlippedBitOfAPageEndsARunThatSkipsBadFiles) {
  const std::string whole = SourceBytes();
  const std::set<std::string> all = [&] {
    options_.skip_bad_files = true;
    EXPECT_TRUE(RunOver(whole).has_value());
    const auto kept = KeptRows();
    return std::set<std::string>(kept.begin(), kept.end());
  }();
  ASSERT_EQ(all.size(), kRows / 3 * 2U);
  uint32_t footer = 0;
  whole.copy(reinterpret_cast<char*>(&footer), sizeof footer, whole.size() - 8);
  std::mt19937_64 random(11);
  size_t bad = 0;
  for (int round = 0; round < 150; ++round) {
    const size_t bit = 32 + random() % ((whole.size() - footer - 8 - 4) * 8);
    const auto report = RunOver(WithBitFlipped(whole, bit));
    ASSERT_TRUE(report.has_value()) << bit << ": " << report.error().message;
    EXPECT_EQ(report->kept + report->removed_total(), report->documents);
    bad += report->bad_files.size();
    const std::vector<std::string> kept = KeptRows();
    EXPECT_EQ(kept.size() + 1, report->kept);
    // Of each row group all or nothing: 20 rows, of which 7, 6 and 7 are copies.
    EXPECT_THAT(kept.size(), testing::AnyOf(0U, 14U, 27U, 40U)) << bit;
    EXPECT_EQ(kept.size() < 40, !report->bad_files.empty()) << bit;
    for (const std::string& id : kept) EXPECT_TRUE(all.contains(id)) << id;
  }
  EXPECT_GT(bad, 70U);
}

TEST_F(ParquetDedup, SlowWhicheverFileOperationFailsAReportIsThereExactlyWhenTheRunSucceeded) {
  uint64_t failures = 0;
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    memory.Put("/in/a.parquet", SourceBytes());
    FaultyFileSystem faulty(memory, {.at = n, .error = {ErrorCode::kExhausted, "disk full"}});
    const auto report = Run(faulty);
    EXPECT_EQ(memory.Files().contains("/out/report.json"), report.has_value()) << n;
    if (!faulty.fired()) break;
    if (report) continue;  // tidying, when everything is in place
    ++failures;
    EXPECT_EQ(report.error().code, ErrorCode::kExhausted) << n << report.error().message;
  }
  EXPECT_GT(failures, 40U);
}

}  // namespace
}  // namespace zhiwen
