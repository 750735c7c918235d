#include "pipeline/library/owner_overlaps.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pipeline/batches/batch_test_support.h"
#include "pipeline/library/library_test_support.h"
#include "support/temporary_folder.h"
#include "zhiwen/library.h"

namespace zhiwen {
namespace {

class OwnersOfLibrary : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(Library::Create(PosixFileSystem(), path_, "news")); }

  const BatchEnvironment& environment() { return surroundings_.environment(PosixFileSystem()); }

  // Returns the number of the document.
  uint32_t Add(const std::string& id, const std::string& text, const std::string& owner) {
    const auto writer = LibraryWriter::Open(path_, environment());
    EXPECT_TRUE(writer) << writer.error().message;
    const LibraryDocument document = {.id = id, .text = text, .work = {.owner = owner}};
    EXPECT_TRUE((*writer)->Add({&document, 1}));
    EXPECT_TRUE((*writer)->Close());
    return ++added_;
  }

  OwnerOverlapCounts Find(const std::vector<uint32_t>& documents) {
    const auto counts = FindOwnerOverlaps(path_, documents, nullptr, environment());
    EXPECT_TRUE(counts) << counts.error().message;
    return counts.value_or(OwnerOverlapCounts());
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_ / "lib";
  BatchSurroundings surroundings_{2};
  uint32_t added_ = 0;
};

// The owner's own copies share more with the text, and are more than a check compares at once.
TEST_F(OwnersOfLibrary, FindTheOneDocumentOfAnotherAmongManyOfTheirOwn) {
  const std::string page = SentencesOf(1, 40);
  const uint32_t mine = Add("mine", page, "甲");
  {
    const auto writer = *LibraryWriter::Open(path_, environment());
    std::vector<std::string> texts, ids;
    for (unsigned i = 0; i < 50; ++i) {
      ids.push_back("copy" + std::to_string(i));
      texts.push_back(page + SentencesOf(100 + i, 10));
    }
    std::vector<LibraryDocument> documents;
    for (size_t i = 0; i < ids.size(); ++i) {
      documents.push_back({.id = ids[i], .text = texts[i], .work = {.owner = "甲"}});
    }
    ASSERT_TRUE(writer->Add(documents));
    ASSERT_TRUE(writer->Close());
  }
  Add("nobodys", page, "");
  Add("theirs", SentencesOf(1, 6), "乙");
  const auto library = *Library::Open(PosixFileSystem(), path_);
  const auto checked = library->Check(page, {.owner = "甲"});
  ASSERT_TRUE(checked) << checked.error().message;
  ASSERT_EQ(checked->matches.size(), 1U);
  EXPECT_EQ(checked->matches[0].document.id, "theirs");
  EXPECT_EQ(checked->matches[0].relation, Relation::kContains);
  const OwnerOverlapCounts counts = Find({mine, mine});
  EXPECT_EQ(counts.compared, 1U);
  EXPECT_EQ(counts.overlapping, 1U);
}

// Each of the owner's own documents shares more with the text than the other owner's does.
TEST_F(OwnersOfLibrary, FindAShortDocumentOfAnotherBehindHundredsOfTheirOwn) {
  const std::string page = SentencesOf(1, 2400);
  const uint32_t mine = Add("mine", page, "甲");
  {
    const auto writer = *LibraryWriter::Open(path_, environment());
    std::vector<std::string> texts, ids;
    for (unsigned i = 0; i < 400; ++i) {
      ids.push_back("own" + std::to_string(i));
      texts.push_back(SentencesOf(1000 + i, 1) + page.substr(i * size_t{6} * 30, 6 * 30));
    }
    std::vector<LibraryDocument> documents;
    for (size_t i = 0; i < ids.size(); ++i) {
      documents.push_back({.id = ids[i], .text = texts[i], .work = {.owner = "甲"}});
    }
    ASSERT_TRUE(writer->Add(documents));
    ASSERT_TRUE(writer->Close());
  }
  Add("theirs", page.substr(size_t{1000} * 30, 3 * 30), "乙");
  EXPECT_EQ(Find({mine}).overlapping, 1U);
}

TEST_F(OwnersOfLibrary, CompareOnlyLiveDocumentsThatHaveOne) {
  const std::string page = SentencesOf(1);
  const uint32_t mine = Add("mine", page, "甲");
  EXPECT_EQ(Find({mine}).compared, 0U);  // there is one owner only
  const uint32_t other = Add("other", SentencesOf(2), "乙");
  const uint32_t nobodys = Add("nobodys", page, "");
  EXPECT_EQ(Find({mine, other, nobodys}).compared, 2U);
  EXPECT_EQ(Find({mine, other, nobodys}).overlapping, 0U);
  const uint32_t near = Add("other", page + "尾", "乙");  // a new version
  EXPECT_EQ(Find({mine, other, near}).compared, 2U);
  EXPECT_EQ(Find({mine, other, near}).overlapping, 2U);
}

TEST_F(OwnersOfLibrary, KeepADocumentOfWhichNothingIsSaid) {
  const std::string page = SentencesOf(1);
  const auto writer = *LibraryWriter::Open(path_, environment());
  const auto add = [&](const LibraryDocument& document) {
    const auto added = writer->Add({&document, 1});
    EXPECT_TRUE(added) << added.error().message;
    return added.value_or(AddedDocuments());
  };
  add({.id = "p",
       .text = page,
       .labels = {.part = "第1章", .kind = DocumentKind::kDecoy},
       .work = {.name = "书", .owner = "甲"}});
  add({.id = "q", .text = page, .work = {.owner = "乙"}});
  EXPECT_EQ(add({.id = "p", .text = page}).unchanged, 1U);
  EXPECT_EQ(add({.id = "q", .text = page}).unchanged, 1U);
  const AddedDocuments updated = add({.id = "p", .text = page + "尾"});
  EXPECT_EQ(updated.updated, 1U);
  EXPECT_EQ(updated.with_works.size(), 1U);
  const auto library = *Library::Open(PosixFileSystem(), path_);
  const StoredDocument kept = library->FindVersions("p")->front();
  EXPECT_EQ(kept.work.name + "|" + kept.work.owner + "|" + kept.labels.part, "书|甲|第1章");
  EXPECT_EQ(kept.labels.kind, DocumentKind::kDecoy);
  add({.id = "p", .text = page, .unsaid = UnsaidLabels::kEmpty});
  const StoredDocument emptied = library->FindVersions("p")->front();
  EXPECT_EQ(emptied.work_key, 0U);
  EXPECT_EQ(emptied.labels.kind, DocumentKind::kOriginal);
}

}  // namespace
}  // namespace zhiwen
