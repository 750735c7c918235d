// Damage and other programs' files: what is particular to the catalog as an SQLite file.

#include "store/sqlite/sqlite_corpus_store.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/compress/frame_compressor.h"
#include "store/sqlite/database.h"
#include "support/temporary_folder.h"

namespace zhiwen {
namespace {

using Access = SqliteCorpusStore::Access;
const Cancellation kUncancelled;

DocumentToStore TextDocument(const std::string& id, const std::string& text) {
  DocumentToStore document = {.id = id, .labels = {.title = "题 " + id}, .text = {}};
  document.text.content = document.text.exact = HashBytes128(text);
  document.text.folded = HashBytes128("folded " + text);
  document.text.units = document.text.bytes = text.size();
  auto compressor = FrameCompressor::Create(Compression::kZstd);
  EXPECT_TRUE(compressor && compressor->Compress(text, document.text.zstd));
  return document;
}

class SqliteCatalog : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(
        SqliteCorpusStore::Create(path_, {.id = "", .profile = "news", .near_scheme = "s"}));
    const std::vector<DocumentToStore> documents = {TextDocument("a", "甲文"),
                                                    TextDocument("b", "乙文")};
    ASSERT_TRUE((*SqliteCorpusStore::Open(path_, Access::kWrite))->Add(documents, {}));
  }

  // Changes the file behind the catalog's back.
  void Run(const std::string& sql) {
    const auto database = Database::Open(path_, Database::Access::kWrite);
    ASSERT_TRUE(database);
    ASSERT_TRUE((*database)->Run(sql));
  }

  std::vector<std::string> Problems() {
    std::vector<std::string> problems;
    const auto store = SqliteCorpusStore::Open(path_, Access::kRead);
    EXPECT_TRUE(store) << store.error().message;
    EXPECT_TRUE((*store)->Check([&](std::string problem) { problems.push_back(problem); },
                                NoProgress(), kUncancelled));
    return problems;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "catalog.sqlite";
};

TEST_F(SqliteCatalog, IsWholeWhenNothingHappened) { EXPECT_TRUE(Problems().empty()); }

TEST_F(SqliteCatalog, RefusesARowThatWasChanged) {
  for (const std::string change :
       {"UPDATE document SET title = 'x' WHERE number = 1", "UPDATE document SET state = 1",
        "UPDATE document SET text = 2 WHERE number = 1", "UPDATE document SET version = 9",
        "UPDATE document SET id = 'c' WHERE number = 1", "UPDATE document SET added = 5"}) {
    TemporaryFolder other;
    path_ = other / "catalog.sqlite";
    SetUp();
    Run(change);
    const auto store = SqliteCorpusStore::Open(path_, Access::kRead);
    ASSERT_TRUE(store);
    const auto found = (*store)->Find(1);
    ASSERT_FALSE(found) << change;
    EXPECT_EQ(found.error().code, ErrorCode::kUnreadable);
    EXPECT_NE(found.error().message.find("the row of document 1"), std::string::npos);
    EXPECT_FALSE(Problems().empty()) << change;
  }
}

TEST_F(SqliteCatalog, RefusesATextThatWasChanged) {
  Run("UPDATE text SET zstd = (SELECT zstd FROM text WHERE key = 2) WHERE key = 1");
  const auto store = SqliteCorpusStore::Open(path_, Access::kRead);
  const auto text = (*store)->ReadText(1);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kUnreadable);
  EXPECT_EQ(*(*store)->ReadText(2), "乙文");
  EXPECT_EQ(Problems().size(), 1U);
}

TEST_F(SqliteCatalog, ReportsRelationsThatDoNotHold) {
  Run("UPDATE text SET users = 2 WHERE key = 1");
  Run("DELETE FROM change WHERE sequence = 1");
  Run("DELETE FROM text WHERE key = 2");
  std::string all;
  for (const std::string& problem : Problems()) all += problem + "\n";
  EXPECT_NE(all.find("the number of documents is wrong of text 1"), std::string::npos) << all;
  EXPECT_NE(all.find("there is no text for document 2"), std::string::npos) << all;
  EXPECT_NE(all.find("changes are missing"), std::string::npos) << all;
  EXPECT_NE(all.find("changes do not lead to the state of document 1"), std::string::npos) << all;
}

TEST_F(SqliteCatalog, RefusesOtherSettings) {
  Run("UPDATE setting SET value = 'web' WHERE name = 'profile'");
  const auto store = SqliteCorpusStore::Open(path_, Access::kRead);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kUnreadable);
}

TEST_F(SqliteCatalog, RefusesFilesOfOthersAndOfNewerVersions) {
  EXPECT_EQ(SqliteCorpusStore::Create(path_, {}).error().code, ErrorCode::kConflict);
  Run("PRAGMA user_version = 99");
  const auto newer = SqliteCorpusStore::Open(path_, Access::kWrite);
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code, ErrorCode::kConflict);
  EXPECT_NE(newer.error().message.find("use a newer version"), std::string::npos);
  Run("PRAGMA application_id = 5");
  EXPECT_EQ(SqliteCorpusStore::Open(path_, Access::kWrite).error().code, ErrorCode::kConflict);
}

TEST_F(SqliteCatalog, KnowsACreationThatWasCutShort) {
  EXPECT_FALSE(SqliteCorpusStore::IsUnfinished(path_));
  const std::string other = folder_ / "other.sqlite";
  ASSERT_TRUE(
      (*Database::Open(other, Database::Access::kCreate))->Run("PRAGMA journal_mode = WAL"));
  EXPECT_TRUE(SqliteCorpusStore::IsUnfinished(other));
  EXPECT_EQ(SqliteCorpusStore::Open(other, Access::kRead).error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(SqliteCorpusStore::Create(other, {.id = "", .profile = "news", .near_scheme = "s"}));
}

}  // namespace
}  // namespace zhiwen
