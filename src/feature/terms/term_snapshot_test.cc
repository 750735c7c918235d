#include "zhiwen/term_snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "base/files/section_file.h"
#include "feature/terms/fake_segmenter_test_support.h"
#include "feature/terms/snapshot_file.h"
#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"
#include "support/paths.h"
#include "zhiwen/executor.h"
#include "zhiwen/terms.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;

using Corpus = std::vector<std::string>;

const TermExtractor& Terms() {
  static const TermExtractor extractor(std::make_shared<FakeSegmenter>());
  return extractor;
}

struct Build {
  SnapshotOptions options = {.output = "df.zwt", .memory_bytes = kLeastSnapshotMemory};
  size_t threads = 1;
  size_t batch = 7;
};

Result<SnapshotSummary> BuildIn(FileSystem& files, const Corpus& corpus, const Build& build) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto builder,
                          SnapshotBuilder::Create(files, Terms(), build.options));
  const auto executor = MakeThreadPool(build.threads);
  const std::vector<std::string_view> texts(corpus.begin(), corpus.end());
  for (size_t at = 0; at < texts.size(); at += build.batch) {
    const size_t count = std::min(build.batch, texts.size() - at);
    ZHIWEN_RETURN_IF_ERROR(
        builder->Add(*executor, std::span(texts).subspan(at, count), Cancellation()));
  }
  return builder->Finish(Cancellation());
}

std::string BytesOf(const Corpus& corpus, const Build& build = {}) {
  InMemoryFileSystem files;
  const auto summary = BuildIn(files, corpus, build);
  EXPECT_TRUE(summary.has_value()) << summary.error().message;
  EXPECT_EQ(files.Files().size(), 1u);  // no other file is left
  return files.Files()["df.zwt"];
}

Result<std::shared_ptr<const TermSnapshot>> OpenBytes(const std::string& bytes) {
  InMemoryFileSystem files;
  files.Put("df.zwt", bytes);
  return TermSnapshot::Open(files, "df.zwt");
}

Corpus RandomCorpus(uint32_t seed, size_t documents) {
  std::mt19937 random(seed);
  Corpus corpus(documents);
  for (std::string& text : corpus) {
    for (size_t i = random() % 9; i > 0; --i) {
      text += "词" + std::to_string(random() % (1 + random() % 40)) + " ";
    }
  }
  return corpus;
}

// Adds a term that occurs in three documents, so that it is never left out.
Corpus WithTerm(Corpus corpus) {
  corpus.insert(corpus.end(), 3, "常见");
  return corpus;
}

TEST(TermSnapshot, CountsTheDocumentsOfEachTerm) {
  const Corpus corpus = RandomCorpus(1, 100);
  std::map<std::string, uint64_t> wanted;
  for (const std::string& text : corpus) {
    std::istringstream words(text);
    const std::set<std::string> distinct{std::istream_iterator<std::string>(words), {}};
    for (const std::string& word : distinct) ++wanted[word];
  }
  const auto snapshot = OpenBytes(BytesOf(corpus));
  ASSERT_TRUE(snapshot.has_value()) << snapshot.error().message;
  EXPECT_EQ((*snapshot)->documents(), corpus.size());
  EXPECT_EQ((*snapshot)->terms_name(), Terms().name());
  ASSERT_EQ((*snapshot)->size(), wanted.size());
  size_t index = 0;
  for (const auto& [word, documents] : wanted) {
    EXPECT_EQ((*snapshot)->term(index), word);
    EXPECT_EQ((*snapshot)->documents_with(index), documents);
    EXPECT_EQ((*snapshot)->DocumentsWith(word), documents);
    ++index;
  }
  EXPECT_EQ((*snapshot)->DocumentsWith("别的"), 0u);
  EXPECT_EQ((*snapshot)->DocumentsWith(""), 0u);
  const auto most = MostFrequent(**snapshot, 2);
  ASSERT_EQ(most.size(), 2u);
  EXPECT_GE((*snapshot)->documents_with(most[0]), (*snapshot)->documents_with(most[1]));
}

TEST(TermSnapshot, IsTheSameForAnyThreadsMemoryAndOrder) {
  Corpus corpus = RandomCorpus(2, 60);
  for (size_t i = 0; i < 30'000; i += 100) {  // more terms than fit in the tables
    std::string text;
    for (size_t term = i; term < i + 100; ++term)
      text += "长长长长长长的词" + std::to_string(term) + " ";
    corpus.push_back(text);
    if (i % 300 == 0) corpus.push_back(text);
  }
  // One text with more distinct terms than fit in the table of a text.
  std::string all;
  for (const std::string& text : corpus) all += text;
  corpus.push_back(all + all);
  const std::string whole = BytesOf(corpus, {.options = {.output = "df.zwt"}});
  EXPECT_TRUE(BytesOf(corpus) == whole);
  EXPECT_TRUE(BytesOf(corpus, {.threads = 3, .batch = 50}) == whole);
  std::shuffle(corpus.begin(), corpus.end(), std::mt19937(3));
  EXPECT_TRUE(BytesOf(corpus) == whole);
}

TEST(TermSnapshot, MergesIntoTheSnapshotOfBothCorpora) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const Corpus a = WithTerm(RandomCorpus(seed, seed));
    const Corpus b = WithTerm(RandomCorpus(seed + 100, 10));
    Corpus both = a;
    both.insert(both.end(), b.begin(), b.end());
    InMemoryFileSystem files;
    files.Put("a", BytesOf(a));
    files.Put("b", BytesOf(b));
    const std::vector parts = {*TermSnapshot::Open(files, "a"), *TermSnapshot::Open(files, "b")};
    const uint64_t least = 1 + seed % 3;
    const SnapshotOptions options{.output = "c", .least_documents = least};
    const auto merged = MergeSnapshots(files, parts, options, Cancellation());
    ASSERT_TRUE(merged.has_value()) << merged.error().message;
    Build build;
    build.options.least_documents = least;
    EXPECT_TRUE(files.Files()["c"] == BytesOf(both, build)) << seed;
    EXPECT_EQ(merged->id, (*TermSnapshot::Open(files, "c"))->id());
  }
}

TEST(TermSnapshot, IsNotMergedWithWhatDoesNotFit) {
  InMemoryFileSystem files;
  files.Put("a", BytesOf({"甲 乙"}));
  files.Put("few", BytesOf({"甲", "甲"}, {.options = {.output = "df.zwt", .least_documents = 2}}));
  const TermExtractor other(std::make_shared<FakeSegmenter>(),
                            *Synonyms::Parse({"syn.txt", "甲\t乙\n"}));
  auto builder = *SnapshotBuilder::Create(files, other, {.output = "other"});
  const std::vector<std::string_view> texts = {"甲"};
  ASSERT_TRUE(builder->Add(*MakeInlineExecutor(), texts, Cancellation()).has_value());
  ASSERT_TRUE(builder->Finish(Cancellation()).has_value());
  const auto a = *TermSnapshot::Open(files, "a");
  for (const auto& [name, why] : {std::pair{"few", "fewer than 2 documents were left out"},
                                  std::pair{"other", "the same dictionaries and synonyms"}}) {
    const std::vector parts = {a, *TermSnapshot::Open(files, name)};
    const auto merged = MergeSnapshots(files, parts, {.output = "c"}, Cancellation());
    ASSERT_FALSE(merged.has_value());
    EXPECT_EQ(merged.error().code, ErrorCode::kConflict);
    EXPECT_THAT(merged.error().message, HasSubstr(why));
  }
  EXPECT_TRUE(a->CheckMadeWith(Terms()).has_value());
  EXPECT_EQ(a->CheckMadeWith(other).error().code, ErrorCode::kConflict);
}

TEST(TermSnapshot, WeighsRareTermsMore) {
  Corpus corpus(1000, "处处 ");
  for (size_t i = 0; i < corpus.size(); ++i) {
    if (i % 2 == 0) corpus[i] += "一半 ";
    if (i % 100 == 0) corpus[i] += "十篇 ";
  }
  const auto snapshot = *OpenBytes(BytesOf(corpus));
  const auto idf = [&](double documents) {
    return 65536 * (1 + std::log2(1001 / (documents + 1)));
  };
  EXPECT_EQ(snapshot->Idf("处处"), 65536u);
  EXPECT_NEAR(static_cast<double>(snapshot->Idf("一半")), idf(500), 2);
  EXPECT_NEAR(static_cast<double>(snapshot->Idf("十篇")), idf(10), 2);
  EXPECT_NEAR(static_cast<double>(snapshot->Idf("没有")), idf(0), 2);
  // Where rare terms were left out, a missing term is scored as if it were in the largest number of
  // documents that was left out.
  Build build;
  build.options.least_documents = 11;
  const auto pruned = *OpenBytes(BytesOf(corpus, build));
  EXPECT_EQ(pruned->Idf("十篇"), snapshot->Idf("十篇"));
  EXPECT_EQ(pruned->Idf("没有"), snapshot->Idf("十篇"));
  EXPECT_EQ(pruned->size(), 2u);

  const auto keywords =
      RankKeywords(Terms().Count("一半/n 十篇/n 处处/ns"), snapshot.get(), {.count = 2});
  EXPECT_EQ(keywords[0].term.text, "十篇");
  EXPECT_EQ(keywords[0].documents, 10u);
  EXPECT_EQ(keywords[1].term.text, "一半");
  EXPECT_NEAR(keywords[1].weight, 1.5 / 3 * (1 + std::log2(1001.0 / 501)), 1e-4);
}

TEST(TermSnapshot, RefusesDamagedFiles) {
  const std::string bytes = BytesOf({"甲 乙丙", "甲"});
  for (size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_FALSE(OpenBytes(bytes.substr(0, size)).has_value()) << size;
  }
  struct Forged {
    std::string why;
    SnapshotAbout about = {.documents = 2, .least_documents = 1};
    std::string words = "乙丙甲";
    std::vector<uint32_t> ends = {6, 9}, counts = {1, 2};
    std::string name = "terms.v1(x)";
  };
  const std::vector<Forged> cases = {
      {.why = ""},  // a valid file
      {.why = "\"about\"", .about = {.documents = uint64_t{1} << 40}},
      {.why = "\"about\"", .about = {.documents = 2, .least_documents = 0}},
      {.why = "\"words\": it is not sorted", .words = "甲乙乙", .ends = {3, 9}},
      {.why = "\"words\": it is not sorted", .words = "甲甲", .ends = {3, 6}},
      {.why = "\"words\": it is not UTF-8", .ends = {5, 9}},
      {.why = "\"ends\": it is not ascending", .ends = {6, 6, 9}, .counts = {1, 1, 1}},
      {.why = "\"ends\": it is not ascending", .ends = {4'000'000'000, 9}},
      {.why = "\"ends\": it does not fit", .ends = {6, 10}},
      {.why = "\"ends\": it does not fit", .ends = {6}},
      {.why = "\"ends\": it does not fit", .ends = {}, .counts = {}},
      {.why = "\"counts\"", .counts = {1, 3}},
      {.why = "\"counts\"", .counts = {0, 1}},
      {.why = "\"name\"", .name = "\xFF"}};
  for (const Forged& forged : cases) {
    SectionWriter writer;
    writer.Add(kAboutSection, BytesOfValue(forged.about));
    writer.Add(kNameSection, forged.name);
    writer.Add(kWordsSection, forged.words);
    writer.AddValues<uint32_t>(kEndsSection, forged.ends);
    writer.AddValues<uint32_t>(kCountsSection, forged.counts);
    const auto opened = OpenBytes(writer.Finish(kTermsFile));
    ASSERT_EQ(opened.has_value(), forged.why.empty()) << forged.why;
    if (opened) continue;
    EXPECT_EQ(opened.error().code, ErrorCode::kUnreadable);
    EXPECT_THAT(opened.error().message, HasSubstr(forged.why));
  }
}

TEST(TermSnapshot, WithoutTermsIsNotUsed) {
  SectionWriter writer;  // the bytes that older builders wrote
  writer.Add(kAboutSection, BytesOfValue(SnapshotAbout()));
  writer.Add(kNameSection, Terms().name());
  for (const auto section : {kWordsSection, kEndsSection, kCountsSection}) writer.Add(section, "");
  const auto snapshot = OpenBytes(writer.Finish(kTermsFile));
  ASSERT_TRUE(snapshot.has_value()) << snapshot.error().message;
  EXPECT_EQ((*snapshot)->CheckMadeWith(Terms()).error().code, ErrorCode::kUnreadable);
}

TEST(SnapshotBuilder, ReplacesNothingByAFileWithoutTerms) {
  InMemoryFileSystem files;
  const std::string old = BytesOf({"旧"});
  files.Put("df.zwt", old);
  Build build{.options = {.output = "df.zwt", .overwrite = true}};
  for (const Corpus& corpus : {Corpus(), Corpus{"", ""}}) {
    const auto built = BuildIn(files, corpus, build);
    ASSERT_FALSE(built.has_value());
    EXPECT_EQ(built.error().code, ErrorCode::kUnreadable);
  }
  build.options.least_documents = 2;
  const auto built = BuildIn(files, {"甲"}, build);
  ASSERT_FALSE(built.has_value());
  EXPECT_EQ(built.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(built.error().message, HasSubstr("ask for fewer"));
  EXPECT_TRUE(built.error().advises(Advice::kSetLeastDocuments));
  EXPECT_TRUE(files.Files()["df.zwt"] == old);
}

TEST(TermSnapshot, OpensFilesOfVersionOne) {
  const std::string path = SourceFolder() + "/src/feature/terms/testdata/terms_v1.zwt";
  const auto snapshot = TermSnapshot::Open(PosixFileSystem(), path);
  ASSERT_TRUE(snapshot.has_value()) << snapshot.error().message;
  EXPECT_EQ((*snapshot)->id(), "c570f0d52cf08d67");
  EXPECT_EQ((*snapshot)->documents(), 3u);
  EXPECT_EQ((*snapshot)->DocumentsWith("北京"), 2u);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(BytesOf({"北京/ns 的/uj 城市/n", "北京/ns AI/eng", ""}) == bytes);
}

TEST(SnapshotBuilder, LeavesTheOldFileUntilTheNewOneIsWhole) {
  const Build replace{.options = {.output = "df.zwt", .overwrite = true}};
  InMemoryFileSystem disk;
  const std::string old = BytesOf({"旧"});
  disk.Put("df.zwt", old);
  disk.Put("df.zwt.partial/scratch/words", "of a killed run");
  disk.Put("df.zwt.partial/notes.txt", "somebody's");
  EXPECT_EQ(BuildIn(disk, {"甲"}, {}).error().code, ErrorCode::kConflict);
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem copy;
    copy.CopyFrom(disk);
    FaultyFileSystem files(copy, {.at = n, .error = {ErrorCode::kExhausted, "disk full"}});
    const auto built = BuildIn(files, {"甲"}, replace);
    if (!files.fired()) {
      ASSERT_TRUE(built.has_value());
      EXPECT_TRUE(copy.Files()["df.zwt"] != old);
      EXPECT_EQ(copy.Files().size(), 2u);  // the foreign file is still there
      break;
    }
    if (built) continue;  // the fault hit during cleanup
    EXPECT_EQ(built.error().code, ErrorCode::kExhausted);
    const bool is_written = built.error().message.find("is written") != std::string::npos;
    EXPECT_EQ(copy.Files()["df.zwt"] == old, !is_written) << n;
  }
  ASSERT_TRUE(SnapshotBuilder::Create(disk, Terms(), replace.options).has_value());
  EXPECT_EQ(disk.Files().size(), 2u);  // without Finish no new file is left
}

TEST(SnapshotBuilder, RefusesWhatCannotBe) {
  InMemoryFileSystem files;
  files.Put("folder/file", "");
  files.Put("corpus.txt", "a text, which no snapshot may replace");
  const std::vector<std::pair<SnapshotOptions, ErrorCode>> cases = {
      {{.output = ""}, ErrorCode::kInvalidArgument},
      {{.output = "a", .memory_bytes = 1}, ErrorCode::kInvalidArgument},
      {{.output = "a", .least_documents = 0}, ErrorCode::kInvalidArgument},
      {{.output = "folder", .overwrite = true}, ErrorCode::kConflict},
      {{.output = "corpus.txt", .overwrite = true}, ErrorCode::kConflict}};
  for (const auto& [options, code] : cases) {
    EXPECT_EQ(SnapshotBuilder::Create(files, Terms(), options).error().code, code);
  }
  const auto one = *SnapshotBuilder::Create(files, Terms(), {.output = "a"});
  EXPECT_EQ(SnapshotBuilder::Create(files, Terms(), {.output = "a"}).error().code,
            ErrorCode::kConflict);
  Cancellation stopped;
  stopped.Request(ErrorCode::kInterrupted);
  const auto executor = MakeInlineExecutor();
  std::string many;
  for (int i = 0; i < 70'000; ++i) many += "词" + std::to_string(i) + " ";
  const std::vector<std::string_view> texts = {many};
  ASSERT_TRUE(one->Add(*executor, texts, Cancellation()).has_value());
  EXPECT_EQ(one->Add(*executor, texts, stopped).error().code, ErrorCode::kInterrupted);
  EXPECT_EQ(one->Finish(stopped).error().code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace zhiwen
