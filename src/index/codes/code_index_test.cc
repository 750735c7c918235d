// Tests that an index has exactly the rows that its changes make, whether they are in the log, in
// segments or in merged segments.

#include "zhiwen/code_index.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <new>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "index/codes/code_index_test_support.h"
#include "index/codes/code_state.h"
#include "index/durable/merge_choice.h"
#include "support/in_memory_file_system.h"
#include "support/paths.h"

namespace zhiwen {
namespace {

constexpr CodeWriterOptions kSmall = {.log_bytes = 1500, .direct_rows = 60};
const Cancellation kNeverCancelled;

std::unique_ptr<CodeIndexWriter> OpenWriter(FileSystem& files,
                                            const CodeWriterOptions& options = kSmall) {
  auto writer = CodeIndexWriter::Open(files, "index", options);
  EXPECT_TRUE(writer) << writer.error().message;
  return std::move(*writer);
}

void ExpectRows(const CodeIndex& index, const ModelRows& rows, ModelRandom& random) {
  std::vector<uint64_t> queries = {0};
  for (int i = 0; i < 10; ++i) queries.push_back(random.Code());
  for (const uint32_t radius : {0U, 3U, 40U}) {
    const auto found = FoundBy(index, queries, {.radius = radius});
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(*found, FoundBy(rows, queries, radius)) << radius;
  }
}

enum class Tables : uint8_t { kOfSegments, kInMemory };

struct Form {
  uint32_t code_bits;
  Durability durability;
  Tables tables = Tables::kOfSegments;
};

template <typename Opened>
void ReadIfInMemory(Tables tables, Opened& opened) {
  if (tables == Tables::kOfSegments) return;
  const Status read = opened.ReadIntoMemory(NoProgress(), kNeverCancelled);
  ASSERT_TRUE(read) << read.error().message;
}

class CodeIndexes : public testing::TestWithParam<Form> {};

TEST_P(CodeIndexes, AreTheSetOfRowsThatTheirChangesMake) {
  const auto [code_bits, durability, tables] = GetParam();
  ModelRandom random(code_bits, code_bits);
  InMemoryFileSystem files;
  ASSERT_TRUE(CodeIndex::Create(files, "index", {.code_bits = code_bits}));
  CodeWriterOptions options = kSmall;
  options.durability = durability;
  auto writer = OpenWriter(files, options);
  ReadIfInMemory(tables, *writer);
  ModelRows rows;
  std::vector<ModelChanges> since_flush;  // changes that the owner would commit again
  uint64_t committed = 0;
  const bool has_own_log = durability == Durability::kOwnLog;
  for (int step = 0; step < 60; ++step) {
    const uint64_t kind = random.Below(10);
    if (kind < 6) {
      since_flush.push_back(random.Changes(random.Below(30), random.Below(8)));
    } else if (kind == 6) {
      since_flush.push_back(random.Changes(80, 0));
    }
    if (kind < 7) {
      ASSERT_TRUE(writer->Commit(since_flush.back().changes()));
      since_flush.back().MakeTo(rows);
      ++committed;
    } else if (kind == 7) {
      ASSERT_TRUE(writer->MergeOnce(NoProgress(), kNeverCancelled));
    } else if (kind == 8) {
      ASSERT_TRUE(writer->Flush(committed));
      since_flush.clear();
    } else {  // destroys the writer without Close, as a crash does
      writer.reset();
      writer = OpenWriter(files, options);
      ReadIfInMemory(tables, *writer);
      if (!has_own_log) {
        ASSERT_EQ(writer->index().stats().sequence, committed - since_flush.size());
        for (const auto& changes : since_flush) ASSERT_TRUE(writer->Commit(changes.changes()));
      }
    }
    ExpectRows(writer->index(), rows, random);
    if (!has_own_log) continue;
    const auto reader = CodeIndex::Open(files, "index");
    ASSERT_TRUE(reader) << reader.error().message;
    ReadIfInMemory(tables, **reader);
    ExpectRows(**reader, rows, random);
  }
  ASSERT_TRUE(writer->MergeAll(NoProgress(), kNeverCancelled));
  ExpectRows(writer->index(), rows, random);
  const CodeIndexStats stats = writer->index().stats();
  EXPECT_EQ(stats.table_bytes != 0, tables == Tables::kInMemory);
  EXPECT_EQ(stats.segments.size(), 1);
  EXPECT_EQ(stats.rows(), rows.size());
  ASSERT_TRUE(writer->Close());
  writer = nullptr;  // while a writer is open no file is a leftover
  const auto check = CheckCodeIndex(files, "index", NoProgress(), kNeverCancelled);
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->problems.empty()) << check->problems.front();
  EXPECT_TRUE(check->leftovers.empty()) << check->leftovers.front();
}

INSTANTIATE_TEST_SUITE_P(All, CodeIndexes,
                         testing::Values(Form{64, Durability::kOwnLog},
                                         Form{32, Durability::kOwnLog},
                                         Form{64, Durability::kReplayedByOwner},
                                         Form{64, Durability::kOwnLog, Tables::kInMemory},
                                         Form{32, Durability::kOwnLog, Tables::kInMemory},
                                         Form{64, Durability::kReplayedByOwner, Tables::kInMemory}),
                         [](const auto& form) {
                           return "Of" + std::to_string(form.param.code_bits) + "Bits" +
                                  (form.param.durability == Durability::kOwnLog ? "" : "Replayed") +
                                  (form.param.tables == Tables::kInMemory ? "InMemory" : "");
                         });

class CodeIndexRows : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(CodeIndex::Create(files_, "index", {}));
    writer_ = OpenWriter(files_);
  }
  void Commit(const ModelChanges& changes) {
    const Status committed = writer_->Commit(changes.changes());
    ASSERT_TRUE(committed) << committed.error().message;
    changes.MakeTo(rows_);
  }

  InMemoryFileSystem files_;
  std::unique_ptr<CodeIndexWriter> writer_;
  ModelRows rows_;
  ModelRandom random_{5, 64};
};

TEST_F(CodeIndexRows, StayAsTheyWereForWhoOpenedBefore) {
  Commit(random_.Changes(100, 0));
  const ModelRows before = rows_;
  const auto reader = CodeIndex::Open(files_, "index");
  ASSERT_TRUE(reader);
  Commit(random_.Changes(100, 30));
  ASSERT_TRUE(writer_->MergeAll(NoProgress(), kNeverCancelled));
  ExpectRows(**reader, before, random_);
  ExpectRows(writer_->index(), rows_, random_);
}

TEST_F(CodeIndexRows, OfTheNearestCodesAreFoundAtEveryRadius) {
  Commit(random_.Changes(90, 0));
  Commit(random_.Changes(40, 5));
  std::vector<uint64_t> queries;
  for (int i = 0; i < 6; ++i) queries.push_back(random_.Code());
  const auto in_memory = CodeIndex::Open(files_, "index");
  ASSERT_TRUE(in_memory);
  ReadIfInMemory(Tables::kInMemory, **in_memory);
  for (const uint32_t nearest : {1U, 3U, 1000U}) {
    std::vector<FoundRow> expected;
    for (uint32_t i = 0; i < queries.size(); ++i) {
      std::set<std::pair<uint32_t, uint64_t>> codes;
      for (const auto& [query, distance, code, label] : FoundBy(rows_, {queries[i]}, 9)) {
        codes.emplace(distance, code);
        if (codes.size() > nearest) break;
        expected.emplace_back(i, distance, code, label);
      }
    }
    const auto found = FoundBy(writer_->index(), queries, {.radius = 9, .nearest = nearest});
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, expected) << nearest;
    EXPECT_EQ(*FoundBy(**in_memory, queries, {.radius = 9, .nearest = nearest}), expected)
        << nearest;
  }
}

TEST_F(CodeIndexRows, OfSoManyQueriesAreFoundAsAreWanted) {
  Commit(random_.Changes(90, 0));
  Commit(random_.Changes(40, 5));
  std::vector<uint64_t> queries;
  for (int i = 0; i < 30; ++i) queries.push_back(random_.Code());
  const std::vector<FoundRow> expected = FoundBy(rows_, queries, 40);
  std::vector<FoundRow> found;
  size_t calls = 0;
  for (uint32_t at = 0; at < queries.size(); ++calls) {
    CodeAnswer answer;
    const auto rest = std::span(queries).subspan(at);
    ASSERT_TRUE(writer_->index().Query(rest, {.radius = 40, .most_rows = 50}, answer));
    ASSERT_GT(answer.answered, 0);
    for (const CodeMatch& match : answer.matches) {
      found.emplace_back(at + match.query, match.distance, match.code, answer.LabelOf(match));
    }
    at += answer.answered;
  }
  EXPECT_EQ(found, expected);
  EXPECT_GT(calls, 3);
}

// So many that they are answered some at a time: with radius 64, each finds every code.
TEST_F(CodeIndexRows, AreFoundByManyQueries) {
  Commit(random_.Changes(90, 0));
  Commit(random_.Changes(40, 5));
  std::vector<uint64_t> queries;
  for (int i = 0; i < 1200; ++i) queries.push_back(random_.Code());
  for (const uint32_t radius : {3U, 64U}) {
    const std::vector<FoundRow> expected = FoundBy(rows_, queries, radius);
    const auto found = FoundBy(writer_->index(), queries, {.radius = radius});
    ASSERT_TRUE(found);
    EXPECT_TRUE(*found == expected) << radius;
    CodeAnswer answer;
    ASSERT_TRUE(writer_->index().Query(queries, {.radius = radius, .most_rows = 0}, answer));
    EXPECT_GE(answer.answered, 1U) << "or the caller would go on for ever";
  }
}

TEST_F(CodeIndexRows, AreJoinedByTheLeastLabelsOfTheirCodes) {
  Commit(random_.Changes(120, 0));
  Commit(random_.Changes(20, 10));
  using Pair = std::tuple<uint64_t, uint64_t, std::string, std::string>;
  std::map<uint64_t, std::set<std::string>> labels;
  for (const auto& [code, label] : rows_) labels[code].insert(label);
  std::vector<Pair> expected, found;
  for (const auto& [a, of_a] : labels) {
    for (const std::string& label : of_a) {
      if (label != *of_a.begin()) expected.emplace_back(a, a, *of_a.begin(), label);
    }
    for (const auto& [b, of_b] : labels) {
      if (a < b && std::popcount(a ^ b) <= 2) {
        expected.emplace_back(a, b, *of_a.begin(), *of_b.begin());
      }
    }
  }
  const auto visit = [&](const CodeRowPair& pair) -> Status {
    found.emplace_back(pair.a, pair.b, pair.label_a, pair.label_b);
    EXPECT_EQ(pair.distance, std::popcount(pair.a ^ pair.b));
    return {};
  };
  ASSERT_TRUE(writer_->index().Join(2, visit, NoProgress(), kNeverCancelled));
  EXPECT_EQ(found, expected);
}

// Calls `once` when a file whose name contains `part` is made.
class CallingFileSystem final : public InMemoryFileSystem {
 public:
  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path) override {
    if (once && path.find(part) != std::string::npos) std::exchange(once, nullptr)();
    return InMemoryFileSystem::OpenForWrite(path);
  }
  std::string part;
  std::function<void()> once;
};

TEST(CodeIndexMerges, LeaveOutWhatIsRemovedMeanwhile) {
  for (const bool flushes_too : {false, true}) {
    CallingFileSystem files;
    ASSERT_TRUE(CodeIndex::Create(files, "index", {}));
    auto writer = OpenWriter(files);
    ModelRandom random(8, 64);
    ModelRows rows;
    const auto commit = [&](const ModelChanges& changes) {
      ASSERT_TRUE(writer->Commit(changes.changes()));
      changes.MakeTo(rows);
    };
    for (int i = 0; i < 4; ++i) commit(random.Changes(70, 0));
    ModelChanges removed, added_again;
    removed.RemoveLabel("doc-5");
    removed.RemoveCode(rows.begin()->first);
    added_again.Add(rows.begin()->first, rows.begin()->second);
    files.part = "segment-";
    files.once = [&] {
      commit(removed);
      commit(added_again);
      ASSERT_TRUE(!flushes_too || writer->Flush(0));
    };
    ASSERT_TRUE(*writer->MergeOnce(NoProgress(), kNeverCancelled));
    ASSERT_EQ(files.once, nullptr);
    ExpectRows(writer->index(), rows, random);
    ExpectRows(**CodeIndex::Open(files, "index"), rows, random);
    writer.reset();  // as a crash does
    writer = OpenWriter(files);
    ASSERT_TRUE(writer->MergeAll(NoProgress(), kNeverCancelled));
    ExpectRows(writer->index(), rows, random);
    EXPECT_EQ(writer->index().stats().rows(), rows.size());
  }
}

TEST_F(CodeIndexRows, OfSeveralThreadsAreAllThere) {
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint64_t i = 0; i < 20; ++i) {
        CodeChanges changes;
        changes.Add(thread << 32 | i, "t" + std::to_string(thread));
        EXPECT_TRUE(writer_->Commit(changes));
        EXPECT_TRUE(thread != 0 || writer_->MergeOnce(NoProgress(), kNeverCancelled));
        EXPECT_TRUE(thread != 1 || i % 8 != 0 ||
                    writer_->ReadIntoMemory(NoProgress(), kNeverCancelled));
        EXPECT_TRUE(RowsOf(writer_->index()));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(RowsOf(writer_->index())->size(), 80);
  EXPECT_EQ(RowsOf(**CodeIndex::Open(files_, "index"))->size(), 80);
}

// Enough codes that keys are looked up and not all codes compared; many of them equal or near, some
// in several segments, some with several labels, some removed, some added while tables are there.
TEST(CodeIndexTables, GiveTheAnswersOfTheSegments) {
  constexpr CodeWriterOptions kDirect = {.log_bytes = 1 << 20, .direct_rows = 1000};
  for (const bool has_labels : {false, true}) {
    InMemoryFileSystem files;
    ASSERT_TRUE(CodeIndex::Create(files, "index", {}));
    auto writer = OpenWriter(files, kDirect);
    std::mt19937_64 random(11);
    std::vector<uint64_t> codes;
    const auto commit = [&](size_t additions, size_t removals) {
      CodeChanges changes;
      for (size_t i = 0; i < additions; ++i) {
        const bool is_near = i % 3 != 0 && !codes.empty();
        uint64_t code = is_near ? codes[random() % codes.size()] : random();
        for (uint64_t flips = random() % 4; flips > 0; --flips)
          code ^= uint64_t{1} << random() % 64;
        codes.push_back(code);
        changes.Add(code, has_labels && i % 2 == 0 ? "label " + std::to_string(i % 50) : "");
      }
      for (size_t i = 0; i < removals; ++i) {
        const uint64_t code = codes[random() % codes.size()];
        if (i % 2 == 0) changes.RemoveCode(code);
        if (i % 2 == 1) changes.Remove(code, "");
      }
      if (removals != 0 && has_labels) changes.RemoveLabel("label 8");
      ASSERT_TRUE(writer->Commit(changes));
    };
    const auto compare = [&](bool reads) {
      const auto mapped = CodeIndex::Open(files, "index");
      const auto reader = CodeIndex::Open(files, "index");
      ASSERT_TRUE(mapped && reader);
      if (reads) ReadIfInMemory(Tables::kInMemory, *writer);
      ReadIfInMemory(Tables::kInMemory, **reader);
      std::vector<uint64_t> queries(codes.end() - 300, codes.end());
      for (size_t i = 0; i < 300; ++i)
        queries.push_back(codes[i * (codes.size() / 300)] ^ uint64_t{5} << i % 60);
      for (const uint32_t radius : {0U, 1U, 3U, 4U}) {
        const auto expected = FoundBy(**mapped, queries, {.radius = radius});
        ASSERT_TRUE(expected);
        EXPECT_GT(expected->size(), radius == 0 ? 100 : 300);
        EXPECT_EQ(*FoundBy(**reader, queries, {.radius = radius}), *expected) << radius;
        EXPECT_EQ(*FoundBy(writer->index(), queries, {.radius = radius}), *expected) << radius;
      }
    };
    for (size_t i = 0; i < 4; ++i) commit(6000, 0);
    commit(0, 3000);
    compare(true);
    commit(5000, 0);  // a segment
    commit(300, 2000);
    compare(false);
    EXPECT_GE(writer->index().stats().segments.size(), 4);
    ASSERT_TRUE(writer->MergeAll(NoProgress(), kNeverCancelled));
    compare(false);
    EXPECT_GT(writer->index().stats().table_bytes, 0);
  }
}

TEST(CodeIndexTables, GoWhereAChangeFails) {
  CodeState state(CodeIndexOptions{});
  CodeChanges changes;
  for (uint64_t code = 0; code < 100; ++code) changes.Add(code << 20);
  ASSERT_TRUE(state.Apply(changes.bytes()));
  ASSERT_TRUE(state.ReadIntoMemory(NoProgress(), kNeverCancelled));
  EXPECT_GT(state.stats().table_bytes, 0);
  EXPECT_FALSE(state.Apply(changes.bytes() + '\x7f'));
  EXPECT_EQ(state.stats().table_bytes, 0);
  EXPECT_EQ(RowsOf(state)->size(), 100);
}

TEST_F(CodeIndexRows, AreReadIntoMemoryWholeOrNotAtAll) {
  Commit(random_.Changes(100, 0));
  const auto reader = CodeIndex::Open(files_, "index");
  ASSERT_TRUE(reader);
  Cancellation cancelled;
  cancelled.Request(ErrorCode::kInterrupted);
  const Status stopped = (*reader)->ReadIntoMemory(NoProgress(), cancelled);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
  EXPECT_EQ((*reader)->stats().table_bytes, 0);
  ExpectRows(**reader, rows_, random_);
  const auto all = files_.Files();
  const auto segment = std::ranges::find_if(
      all, [](const auto& file) { return file.first.find("segment-") != std::string::npos; });
  ASSERT_NE(segment, all.end());
  size_t refused = 0;
  for (size_t place = 0; place < segment->second.size(); place += 50) {
    std::string content = segment->second;
    content[place] ^= 1;
    files_.Damage(segment->first, content);
    const auto damaged = CodeIndex::Open(files_, "index");
    if (!damaged) continue;
    const Status read = (*damaged)->ReadIntoMemory(NoProgress(), kNeverCancelled);
    EXPECT_EQ((*damaged)->stats().table_bytes != 0, read.has_value());
    if (const auto rows = RowsOf(**damaged)) {
      EXPECT_EQ(*rows, rows_);
    }
    if (read) continue;
    ++refused;
    EXPECT_EQ(read.error().code, ErrorCode::kUnreadable);
    EXPECT_NE(read.error().message.find(segment->first), std::string::npos);
  }
  EXPECT_GT(refused, 0);
}

TEST_F(CodeIndexRows, HaveOneWriter) {
  const auto second = CodeIndexWriter::Open(files_, "index", {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  writer_.reset();
  EXPECT_TRUE(CodeIndexWriter::Open(files_, "index", {}));
}

TEST_F(CodeIndexRows, OutOfRangeAreRefused) {
  CodeChanges changes;
  changes.Add(1, std::string(kMostLabelBytes + 1, 'x'));
  EXPECT_EQ(writer_->Commit(changes).error().code, ErrorCode::kInvalidArgument);
  ASSERT_TRUE(CodeIndex::Create(files_, "small", {.code_bits = 32}));
  auto small = CodeIndexWriter::Open(files_, "small", {});
  changes.Clear();
  changes.Add(uint64_t{1} << 32);
  EXPECT_EQ((*small)->Commit(changes).error().code, ErrorCode::kInvalidArgument);
  CodeAnswer answer;
  const uint64_t query = uint64_t{1} << 32;
  EXPECT_FALSE((*small)->index().Query(std::span(&query, 1), {}, answer));
  EXPECT_FALSE(writer_->index().Query(std::span(&query, 1), {.radius = 65}, answer));
  EXPECT_EQ(CodeIndex::Create(files_, "third", {.code_bits = 48}).error().code,
            ErrorCode::kInvalidArgument);
}

// Opens files of version 1. Files written now are the same for equal changes.
TEST(CodeIndexFolders, OfVersion1StayReadable) {
  const std::string frozen = SourceFolder() + "/src/index/codes/testdata/index.v1";
  const ModelRows expected = {{0x0123456789abcdef, ""},
                              {0x0123456789abcdef, "文一"},
                              {0xffffffff00000000, "b"},
                              {0x0123456789abcdee, "in the log"}};
  // The first files of deleted rows had no number.
  for (const auto* const which : {"", ".unnumbered"}) {
    const auto index = CodeIndex::Open(PosixFileSystem(), frozen + which);
    ASSERT_TRUE(index) << index.error().message;
    EXPECT_EQ(*RowsOf(**index), expected);
  }
  InMemoryFileSystem files;
  ASSERT_TRUE(CodeIndex::Create(files, "index", {}));
  auto writer = OpenWriter(files);
  CodeChanges changes;
  changes.Add(0x0123456789abcdef);
  changes.Add(0x0123456789abcdef, "文一");
  changes.Add(0xffffffff00000000, "a");
  changes.Add(0xffffffff00000000, "b");
  ASSERT_TRUE(writer->Commit(changes) && writer->Flush(1));
  changes.Clear();
  changes.Remove(0xffffffff00000000, "a");
  ASSERT_TRUE(writer->Commit(changes) && writer->Flush(2));
  changes.Clear();
  changes.Add(0x0123456789abcdee, "in the log");
  ASSERT_TRUE(writer->Commit(changes) && writer->Close());
  writer.reset();
  for (const auto& [path, content] : files.Files()) {
    const auto bytes = ReadWholeFile(PosixFileSystem(), frozen + path.substr(5), 1 << 20);
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_EQ(*bytes, content) << path;
  }
}

TEST(CodeIndexFolders, SayWhatIsWrongWithThem) {
  InMemoryFileSystem files;
  EXPECT_EQ(CodeIndex::Open(files, "index").error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(CodeIndex::Create(files, "index", {}));
  EXPECT_EQ(CodeIndex::Create(files, "index", {}).error().code, ErrorCode::kConflict);
  std::string manifest = files.Files().at("index/manifest");
  manifest[manifest.size() - 4] ^= 1;
  files.Put("other/manifest", manifest);
  EXPECT_EQ(CodeIndex::Open(files, "other").error().code, ErrorCode::kUnreadable);
}

TEST(ChosenMerges, AreOfFourOfOneTierOrOfOneThatIsWorn) {
  using Places = std::vector<size_t>;
  const auto choose = [](const std::vector<MergeCandidate>& segments) {
    return ChooseMerge(segments);
  };
  EXPECT_EQ(choose({}), Places());
  EXPECT_EQ(choose({{1000}, {1010}, {1020}}), Places());
  EXPECT_EQ(choose({{1000}, {90000}, {1010}, {1020}, {1000}}), (Places{0, 2, 3, 4}));
  EXPECT_EQ(choose({{5000}, {1000, 250}, {90000}}), Places{1});
  EXPECT_EQ(choose({{1000, 249}}), Places());
  const std::vector<MergeCandidate> all = {{10}, {uint64_t{1} << 31}, {20}};
  EXPECT_EQ(ChooseAll(all), (Places{0, 2}));
  EXPECT_EQ(ChooseAll(std::vector<MergeCandidate>{{10}}), Places());
  // A kind of index may have another limit beside the number of rows.
  EXPECT_EQ(choose({{1000, 0, 0.3}, {1000, 0, 0.3}, {1000, 0, 0.3}, {1000, 0, 0.3}}),
            (Places{0, 1, 2}));
  EXPECT_EQ(choose({{1000, 0, 0.6}, {1000, 0, 0.6}, {1000, 0, 0.6}, {1000, 0, 0.6}}), Places());
  EXPECT_EQ(choose({{1000, 500, 1.2}}), Places{0});
  EXPECT_EQ(ChooseAll(std::vector<MergeCandidate>{{10, 0, 0.4}, {20, 0, 0.5}, {30, 0, 0.2}}),
            (Places{0, 1}));
  // Each merge moves a row to a higher tier, so a growing index needs few merges.
  std::vector<MergeCandidate> segments;
  uint64_t written = 0, rows = 0;
  for (int i = 0; i < 1000; ++i) {
    segments.push_back({100});
    rows += 100;
    for (Places places = choose(segments); !places.empty(); places = choose(segments)) {
      MergeCandidate merged;
      for (size_t j = places.size(); j-- > 0;) {
        merged.rows += segments[places[j]].rows;
        segments.erase(segments.begin() + static_cast<ptrdiff_t>(places[j]));
      }
      written += merged.rows;
      segments.push_back(merged);
    }
  }
  EXPECT_LE(written, rows * 5);  // log₄ 1000
  EXPECT_LE(segments.size(), 15);
}

TEST(CodeState, SaysNothingOfWhatIsThereAfterAChangeInWhichMemoryRanOut) {
  CodeState state(CodeIndexOptions{});
  CodeAnswer answer;
  const std::vector<uint64_t> queries = {1};
  EXPECT_TRUE(state.Query(queries, {.radius = 3}, answer));
  EXPECT_THROW(state.ChangeAlone([] { throw std::bad_alloc(); }), std::bad_alloc);
  const Status asked = state.Query(queries, {.radius = 3}, answer);
  ASSERT_FALSE(asked);
  EXPECT_EQ(asked.error().code, ErrorCode::kExhausted);
  EXPECT_EQ(state.stats().segments.size(), 0);
}

}  // namespace
}  // namespace zhiwen
