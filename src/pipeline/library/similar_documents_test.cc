// A ranked list of documents equals that of comparing all of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "feature/phoneme_counts.h"
#include "fingerprint/phoneme_model.h"
#include "match/similarity.h"
#include "pipeline/batches/batch_test_support.h"
#include "pipeline/library/text_sketcher.h"
#include "support/language.h"
#include "support/temporary_folder.h"
#include "zhiwen/library.h"

namespace zhiwen {
namespace {

std::string RandomHan(std::mt19937& random, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    const auto code = 0x4E00 + random() % 0x5000;
    text += static_cast<char>(0xE0 | code >> 12);
    text += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (code & 0x3F));
  }
  return text;
}

class SimilarDocumentsOfLibrary : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(Library::Create(PosixFileSystem(), path_, "news")); }

  void Add(const std::map<std::string, std::string>& texts) {
    texts_.insert(texts.begin(), texts.end());
    auto writer = LibraryWriter::Open(path_, surroundings_.environment(PosixFileSystem()));
    ASSERT_TRUE(writer) << writer.error().message;
    std::vector<LibraryDocument> documents;
    for (const auto& [id, text] : texts) documents.push_back({.id = id, .text = text});
    ASSERT_TRUE((*writer)->Add(documents));
    ASSERT_TRUE((*writer)->Close());
  }

  SimilarDocuments Find(const std::string& text, const SimilarityOptions& options = {}) {
    const auto library = Library::Open(PosixFileSystem(), path_);
    EXPECT_TRUE(library) << library.error().message;
    auto similar = (*library)->FindSimilar(text, options);
    EXPECT_TRUE(similar) << similar.error().message;
    return similar ? *std::move(similar) : SimilarDocuments();
  }

  SimilarDocuments CompareWithAll(const std::string& text, const SimilarityOptions& options,
                                  const PhonemePrefilter* prefilter = nullptr) {
    const auto library = Library::Open(PosixFileSystem(), path_);
    EXPECT_TRUE(library) << library.error().message;
    auto similar = (*library)->CompareWithAll(text, options, prefilter,
                                              surroundings_.environment(PosixFileSystem()));
    EXPECT_TRUE(similar) << similar.error().message;
    return similar ? *std::move(similar) : SimilarDocuments();
  }

  struct Row {
    std::string id;
    double resemblance, containment, containment_of_original;
    auto operator<=>(const Row&) const = default;
  };
  static std::vector<Row> RowsOf(const SimilarDocuments& similar) {
    std::vector<Row> rows;
    for (const SimilarDocumentOfText& one : similar.documents) {
      rows.push_back(
          {one.document.id, one.resemblance, one.containment, one.containment_of_original});
    }
    return rows;
  }

  // The definition: compares the text with all documents.
  std::vector<Row> FindSlowly(const std::string& text, double least, size_t count) {
    const PassageChannel folded = {
        .index = "passages", .scheme = PassageScheme(), .channel = FoldedChannel()};
    auto of_text = TextSketcher::Create({&folded, 1});
    auto of_other = TextSketcher::Create({&folded, 1});
    std::vector<Row> rows;
    for (const auto& [id, other] : texts_) {
      const SetOverlap overlap =
          ComputeOverlap(of_text->ShingleSet(text), of_other->ShingleSet(other));
      if (overlap.shared == 0 || (least > 0 && !overlap.Reaches(least))) continue;
      rows.push_back(
          {id, overlap.Resemblance(), overlap.ContainmentOfA(), overlap.ContainmentOfB()});
    }
    // Ids are in the order of the numbers.
    std::ranges::stable_sort(
        rows, {}, [](const Row& row) { return std::tuple(-row.resemblance, -row.containment); });
    rows.resize(std::min(count, rows.size()));
    return rows;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "lib";
  BatchSurroundings surroundings_{2};
  std::map<std::string, std::string> texts_;
};

TEST_F(SimilarDocumentsOfLibrary, AreRankedAsThoughAllWereCompared) {
  std::mt19937 random(7);
  const std::string sentence = RandomHan(random, 30);
  std::map<std::string, std::string> texts;
  const std::string text = RandomHan(random, 400);
  for (int i = 10; i < 90; ++i) {  // from nearly nothing of the text to all of it, in other text
    const auto kept = static_cast<size_t>(i - 10) * 5;
    texts["d" + std::to_string(i)] =
        RandomHan(random, 100) + text.substr(0, kept * 3) + RandomHan(random, random() % 200);
  }
  for (int i = 0; i < 40; ++i) texts["other" + std::to_string(i)] = RandomHan(random, 300);
  texts["same"] = text;
  texts["same.again"] = text;
  Add(texts);
  for (const double least : {0.0, 0.3, 0.9}) {
    for (const size_t count : {1, 20, 200}) {
      const SimilarDocuments similar = Find(text, {.count = count, .least_resemblance = least});
      std::vector<Row> expected = FindSlowly(text, least, count);
      // A document that shares fewer than 22 symbols need not be found.
      if (count == 200 && least == 0) {
        ASSERT_GT(expected.size(), 77U);
        expected.resize(77);
        auto rows = RowsOf(similar);
        rows.resize(std::min<size_t>(rows.size(), 77));
        EXPECT_EQ(rows, expected);
      } else {
        EXPECT_EQ(RowsOf(similar), expected) << least << " " << count;
      }
      EXPECT_FALSE(similar.truncated);
      EXPECT_EQ(similar.searched, texts.size());
    }
  }
}

TEST_F(SimilarDocumentsOfLibrary, LeaveOutTheDocumentThatAsks) {
  std::mt19937 random(8);
  const std::string text = RandomHan(random, 200);
  Add({{"a", text}, {"b", text}, {"c", text.substr(0, 300)}});
  const SimilarDocuments all = Find(text);
  ASSERT_EQ(all.documents.size(), 3U);
  EXPECT_EQ(all.compared, 2U);  // equal texts are read once
  const SimilarDocuments others = Find(text, {.except = all.documents[0].document.number});
  ASSERT_EQ(others.documents.size(), 2U);
  EXPECT_EQ(others.documents[0].document.id, "b");
  EXPECT_EQ(others.documents[1].document.id, "c");
  EXPECT_EQ(others.documents[1].containment_of_original, 1);
}

TEST_F(SimilarDocumentsOfLibrary, AreEqualWhereTheTextIsShorterThanAShingle) {
  Add({{"a", "你好"}, {"b", "您好"}, {"c", "。。"}, {"d", ""}});
  EXPECT_EQ(RowsOf(Find("你，好")), (std::vector<Row>{{"a", 1, 1, 1}}));
  EXPECT_EQ(RowsOf(Find("。。")), (std::vector<Row>{{"c", 1, 1, 1}}));
  EXPECT_TRUE(Find("").documents.empty());
  EXPECT_TRUE(Find("！").documents.empty());
}

// More documents share more blocks with the text than can be compared; their sizes tell that they
// do not resemble it.
TEST_F(SimilarDocumentsOfLibrary, AreNotHiddenByLargeOnesThatShareMore) {
  std::mt19937 random(10);
  const std::string text = RandomHan(random, 120);
  std::map<std::string, std::string> texts;
  for (int i = 0; i < 250; ++i) texts["large" + std::to_string(i)] = text + RandomHan(random, 3000);
  for (int i = 10; i < 20; ++i) texts["half" + std::to_string(i)] = text.substr(0, 180 + 3 * i);
  Add(texts);
  const SimilarDocuments similar = Find(text, {.count = 10});
  EXPECT_EQ(RowsOf(similar), FindSlowly(text, 0, 10));
  EXPECT_EQ(similar.documents.front().document.id, "half19");
  EXPECT_TRUE(similar.truncated);
}

TEST_F(SimilarDocumentsOfLibrary, SayThatABoundWasMet) {
  std::mt19937 random(9);
  const std::string text = RandomHan(random, 200);
  std::map<std::string, std::string> texts;
  for (int i = 0; i < 30; ++i) texts["d" + std::to_string(i)] = text + RandomHan(random, 10);
  Add(texts);
  const SimilarDocuments few = Find(text, {.most_compared = 5});
  EXPECT_EQ(few.compared, 5U);
  EXPECT_EQ(few.documents.size(), 5U);
  EXPECT_TRUE(few.truncated);
  EXPECT_FALSE(Find(text).truncated);
}

TEST_F(SimilarDocumentsOfLibrary, NeedAValidText) {
  const auto library = Library::Open(PosixFileSystem(), path_);
  ASSERT_TRUE(library);
  EXPECT_EQ((*library)->FindSimilar("\xFF", {}).error().code, ErrorCode::kUnreadable);
  EXPECT_TRUE(Find("空的库").documents.empty());
}

TEST_F(SimilarDocumentsOfLibrary, AreThoseOfTheDefinitionWhenAllAreCompared) {
  std::mt19937 random(11);
  const std::string text = RandomHan(random, 300);
  std::map<std::string, std::string> texts;
  for (int i = 10; i < 99; ++i) {  // from a single shingle to all of the text
    texts["d" + std::to_string(i)] =
        text.substr(0, static_cast<size_t>(i) * 9) + RandomHan(random, random() % 200);
  }
  texts["same.again"] = texts["d50"];
  Add(texts);
  for (const double least : {0.0, 0.4}) {
    for (const size_t count : {1, 40, 500}) {
      const SimilarDocuments all =
          CompareWithAll(text, {.count = count, .least_resemblance = least});
      EXPECT_EQ(RowsOf(all), FindSlowly(text, least, count)) << least << " " << count;
      EXPECT_EQ(all.compared, 89U);
      EXPECT_FALSE(all.prefilter);
    }
  }
}

TEST_F(SimilarDocumentsOfLibrary, ThatSoundOtherwiseAreExcludedBeforeTheyAreCompared) {
  std::mt19937 random(12);
  const std::string text = RandomHan(random, 400);
  std::map<std::string, std::string> texts;
  for (int i = 0; i < 300; ++i) texts["other" + std::to_string(i)] = RandomHan(random, 200);
  for (int i = 0; i < 9; ++i) texts["short" + std::to_string(i)] = RandomHan(random, 60);
  texts["near"] = text.substr(0, 390 * 3) + RandomHan(random, 10);
  Add(texts);
  const Channel channel = *OpenChannel("phonemes", TestLanguage());
  for (const bool has_one_threshold : {false, true}) {
    const PhonemePrefilter prefilter = {
        .channel = channel, .model = {}, .has_one_threshold = has_one_threshold};
    uint64_t excluded = 0;
    for (const auto& [id, other] : texts) {
      const PhonemeCounts counts = CountPhonemes(channel, other);
      const PhonemeTriple cosines = ComputeCosines(CountPhonemes(channel, text), counts);
      const bool is_alike =
          has_one_threshold ? prefilter.model.Model2(cosines) : prefilter.model.Model1(cosines);
      excluded += counts.characters() >= 100 && !is_alike ? 1 : 0;
    }
    EXPECT_GT(excluded, 100U);
    const SimilarDocuments similar = CompareWithAll(text, {}, &prefilter);
    ASSERT_EQ(similar.documents.size(), 1U);
    EXPECT_EQ(similar.documents[0].document.id, "near");
    ASSERT_TRUE(similar.prefilter);
    EXPECT_EQ(similar.prefilter->texts, texts.size());
    EXPECT_EQ(similar.prefilter->excluded, excluded);
    EXPECT_EQ(similar.compared, texts.size() - excluded);
    EXPECT_EQ(similar.prefilter->lost, 0U);
  }
  // A threshold that no text reaches loses the near one, too, if it is in the sample.
  PhonemePrefilter strict = {.channel = channel, .model = {}};
  strict.model.similarity = 1;
  const SimilarDocuments none = CompareWithAll(text, {}, &strict);
  EXPECT_TRUE(none.documents.empty());
  EXPECT_EQ(none.prefilter->excluded, 301U);
}

}  // namespace
}  // namespace zhiwen
