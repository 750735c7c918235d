// Damage and other programs' files: what is particular to the catalog as an SQLite file.

#include "store/sqlite/sqlite_corpus_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "base/compress/frame_compressor.h"
#include "store/sqlite/database.h"
#include "store/sqlite/schema.h"
#include "support/paths.h"
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

TEST_F(SqliteCatalog, KeepsTheSchemesOfItsCodes) {
  using Schemes = std::map<std::string, std::string>;
  const auto writer = SqliteCorpusStore::Open(path_, Access::kWrite);
  ASSERT_TRUE(writer && (*writer)->BeginIncarnation("scheme1"));
  const CatalogSettings before = (*writer)->settings();
  EXPECT_EQ(before.code_schemes, Schemes());
  const Schemes two = {{"scheme1", "keywords.v1(n=8)"}, {"scheme2", "simhash64.v1(k=5)"}};
  const Schemes one = {{"scheme2", "simhash64.v1(k=5)"}};
  const Schemes named = {{"scheme2", "df=0a"}};
  for (const auto& [schemes, files] :
       {std::pair(two, named), std::pair(one, Schemes()), std::pair(Schemes(), Schemes())}) {
    ASSERT_TRUE((*writer)->SetCodeSchemes(schemes, files));
    EXPECT_EQ((*writer)->settings().code_schemes, schemes);
    const auto reader = SqliteCorpusStore::Open(path_, Access::kRead);
    ASSERT_TRUE(reader) << reader.error().message;
    EXPECT_EQ((*reader)->settings().code_schemes, schemes);
    EXPECT_EQ((*reader)->settings().code_files, files);
    EXPECT_EQ((*reader)->settings().id, before.id);
    EXPECT_EQ((*reader)->settings().near_scheme, "s");
    EXPECT_EQ(*(*reader)->Incarnation("scheme1"), 1U);
    EXPECT_TRUE(Problems().empty());
  }
  ASSERT_TRUE((*writer)->SetCodeSchemes(two, {}));
  Run("UPDATE setting SET value = 'keywords.v1(n=9)' WHERE name = 'code_scheme.scheme1'");
  EXPECT_EQ(SqliteCorpusStore::Open(path_, Access::kRead).error().code, ErrorCode::kUnreadable);
}

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

TEST_F(SqliteCatalog, RefusesAWorkThatWasChanged) {
  DocumentToStore document = TextDocument("c", "丙文");
  document.work = {.name = "书", .owner = "甲"};
  ASSERT_TRUE((*SqliteCorpusStore::Open(path_, Access::kWrite))->Add({&document, 1}, {}));
  for (const std::string change : {"UPDATE work SET owner = '乙'", "UPDATE work SET key = 7",
                                   "UPDATE document SET kind = 1 WHERE number = 3",
                                   "UPDATE document SET part = 'x' WHERE number = 3",
                                   "UPDATE document SET work = NULL WHERE number = 3"}) {
    const std::string whole = path_ + ".whole";
    std::filesystem::copy(path_, whole);
    Run(change);
    const auto store = SqliteCorpusStore::Open(path_, Access::kRead);
    ASSERT_TRUE(store);
    EXPECT_EQ((*store)->Find(3).error().code, ErrorCode::kUnreadable) << change;
    EXPECT_TRUE((*store)->Find(1)) << change;
    EXPECT_FALSE(Problems().empty()) << change;
    std::filesystem::rename(whole, path_);
  }
  EXPECT_TRUE(Problems().empty());
}

TEST_F(SqliteCatalog, RefusesASourceThatWasChanged) {
  DocumentToStore document = TextDocument("c", "丙文");
  document.source = {
      .member = "a.xml", .bytes = 4, .zstd = TextDocument("", "7 99").text.zstd, .picture = "keys"};
  ASSERT_TRUE((*SqliteCorpusStore::Open(path_, Access::kWrite))->Add({&document, 1}, {}));
  EXPECT_TRUE(Problems().empty());
  for (const std::string change :
       {"UPDATE source SET member = 'b.xml'", "UPDATE source SET bytes = 5",
        "UPDATE source SET places = (SELECT zstd FROM text WHERE key = 2)",
        "UPDATE source SET picture = CAST('kezs' AS BLOB)", "UPDATE source SET document = 2",
        "DELETE FROM source", "UPDATE document SET source = source + 1 WHERE number = 3"}) {
    const std::string whole = path_ + ".whole";
    std::filesystem::copy(path_, whole);
    Run(change);
    const auto store = SqliteCorpusStore::Open(path_, Access::kRead);
    ASSERT_TRUE(store);
    const auto source = (*store)->ReadSource(3);
    ASSERT_FALSE(source) << change;
    EXPECT_EQ(source.error().code, ErrorCode::kUnreadable) << change;
    EXPECT_NE(source.error().message.find("the source of document 3"), std::string::npos);
    EXPECT_FALSE(Problems().empty()) << change;
    std::filesystem::rename(whole, path_);
  }
  Run("UPDATE document SET source = NULL WHERE number = 3");
  const auto store = SqliteCorpusStore::Open(path_, Access::kRead);
  EXPECT_EQ((*store)->Find(3).error().code, ErrorCode::kUnreadable);
  EXPECT_EQ(Problems().size(), 2U);
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

// --- earlier schemas -----------------------------------------------------------------------------

std::string BytesOfFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A catalog as the program wrote it when an earlier schema was the newest.
class EarlierCatalog : public SqliteCatalog {
 protected:
  void Make(const std::string& name) {
    const std::string sql = BytesOfFile(SourceFolder() + "/src/store/sqlite/testdata/" + name);
    ASSERT_FALSE(sql.empty());
    ASSERT_TRUE((*Database::Open(path_, Database::Access::kCreate))->Run(sql));
  }

  // A catalog is the same whether it was made in the newest schema, or brought to it.
  void ExpectTablesOfANewCatalog() {
    ASSERT_TRUE(SqliteCorpusStore::Open(path_, Access::kWrite));
    const std::string other = folder_ / "other.sqlite";
    ASSERT_TRUE(
        SqliteCorpusStore::Create(other, {.id = "", .profile = "news", .near_scheme = "s"}));
    const auto database = *Database::Open(path_, Database::Access::kRead);
    const auto made = *Database::Open(other, Database::Access::kRead);
    EXPECT_EQ(*TablesOf(*database), *TablesOf(*made));
  }
};

class CatalogOfSchema1 : public EarlierCatalog {
 protected:
  void SetUp() override { Make("catalog_v1.sql"); }

  static void ExpectItsDocuments(const CorpusStore& store) {
    EXPECT_EQ(store.settings().id, "544b944ab543af73faf17e157e387606");
    EXPECT_EQ(*store.LastSequence(), 10U);
    EXPECT_EQ(*store.CountLive(), 4U);
    EXPECT_EQ(store.Facts()->works, 0U);
    const auto versions = *store.FindVersions("春晓");
    ASSERT_EQ(versions.size(), 2U);
    EXPECT_EQ(
        versions[1].labels,
        (DocumentLabels{
            .title = "春晓", .author = "孟浩然", .date = "730", .url = "https://example.org/1"}));
    EXPECT_EQ(versions[1].work_key, 0U);
    EXPECT_EQ(*store.ReadText(versions[0].text),
              "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少？");
    EXPECT_EQ(*store.ReadText(versions[1].text),
              "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。");
    EXPECT_EQ(store.FindVersions("静夜思")->front().text,
              store.FindVersions("静夜思抄")->front().text);
    EXPECT_EQ(store.FindVersions("登鹳雀楼")->front().state, DocumentState::kRemoved);
    EXPECT_EQ(store.FindVersions("鹿柴")->front().text, 0U);
    std::string changes;
    EXPECT_TRUE(store.VisitChanges(0, [&](const CatalogChange& change) -> Status {
      changes += (change.kind == CatalogChangeKind::kAdd ? "+" : "-");
      changes += std::to_string(change.document);
      return {};
    }));
    EXPECT_EQ(changes, "+1+2+3+4+5+6-1+7-4-5");
  }
};

TEST_F(CatalogOfSchema1, IsReadAsItIs) {
  const std::string before = BytesOfFile(path_);
  {
    const auto store = SqliteCorpusStore::Open(path_, Access::kRead);
    ASSERT_TRUE(store) << store.error().message;
    ExpectItsDocuments(**store);
    EXPECT_TRUE((*store)->FindParts("书")->empty());
    EXPECT_TRUE((*store)->VisitWorks([](const StoredWork&) -> Status { return {}; }));
  }
  EXPECT_TRUE(Problems().empty());
  EXPECT_EQ(BytesOfFile(path_), before);
}

TEST_F(CatalogOfSchema1, IsMadeOneOfTheNewestSchemaByAWriter) {
  {
    const auto store = SqliteCorpusStore::Open(path_, Access::kWrite);
    ASSERT_TRUE(store) << store.error().message;
    ExpectItsDocuments(**store);
    DocumentToStore document = TextDocument("新", "新的一章");
    document.work = {.name = "书", .owner = "甲"};
    ASSERT_TRUE((*store)->Add({&document, 1}, {}));
  }
  EXPECT_EQ(*SchemaOf(**Database::Open(path_, Database::Access::kRead)), NewestSchema());
  EXPECT_TRUE(Problems().empty());
  const auto store = SqliteCorpusStore::Open(path_, Access::kRead);
  EXPECT_EQ((*store)->FindParts("书")->size(), 1U);
  EXPECT_EQ((*store)->FindVersions("春晓")->size(), 2U);
}

TEST_F(CatalogOfSchema1, GetsTheTablesOfANewCatalog) { ExpectTablesOfANewCatalog(); }

TEST_F(CatalogOfSchema1, IsOpenedAgainByWhoReadItBeforeWorksWereAdded) {
  const auto reader = SqliteCorpusStore::Open(path_, Access::kRead);
  ASSERT_TRUE(reader);
  const auto writer = SqliteCorpusStore::Open(path_, Access::kWrite);
  ASSERT_TRUE(writer);
  ExpectItsDocuments(**reader);
  DocumentToStore document = TextDocument("新", "新的一章");
  document.work = {.name = "书"};
  ASSERT_TRUE((*writer)->Add({&document, 1}, {}));
  const auto found = (*reader)->FindVersions("新");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kConflict);
  EXPECT_NE(found.error().message.find("open it again"), std::string::npos);
}

class CatalogOfSchema2 : public EarlierCatalog {
 protected:
  void SetUp() override { Make("catalog_v2.sql"); }

  static void ExpectItsDocuments(const CorpusStore& store) {
    EXPECT_EQ(store.settings().id, "ce28ab0e57d9f0083f776d379d493fc7");
    EXPECT_EQ(*store.LastSequence(), 9U);
    EXPECT_EQ(*store.CountLive(), 3U);
    const auto versions = *store.FindVersions("春晓");
    ASSERT_EQ(versions.size(), 2U);
    EXPECT_EQ(versions[1].labels.date, "730");
    EXPECT_EQ(versions[0].work.owner, "甲社");
    EXPECT_EQ(*store.ReadText(versions[0].text),
              "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少？");
    EXPECT_EQ(store.FindVersions("诱饵")->front().labels.kind, DocumentKind::kDecoy);
    EXPECT_EQ(store.FindVersions("登鹳雀楼")->front().state, DocumentState::kRemoved);
    EXPECT_EQ(store.FindVersions("鹿柴")->front().text, 0U);
    EXPECT_EQ(store.FindParts("唐诗")->size(), 2U);
    EXPECT_FALSE(*store.ReadSource(1));
  }
};

TEST_F(CatalogOfSchema2, IsReadAsItIs) {
  const std::string before = BytesOfFile(path_);
  ExpectItsDocuments(**SqliteCorpusStore::Open(path_, Access::kRead));
  EXPECT_TRUE(Problems().empty());
  EXPECT_EQ(BytesOfFile(path_), before);
}

TEST_F(CatalogOfSchema2, GetsSourcesFromAWriter) {
  const auto reader = SqliteCorpusStore::Open(path_, Access::kRead);
  ASSERT_TRUE(reader);
  {
    const auto store = SqliteCorpusStore::Open(path_, Access::kWrite);
    ASSERT_TRUE(store) << store.error().message;
    ExpectItsDocuments(**store);
    ExpectItsDocuments(**reader);
    DocumentToStore document = TextDocument("新", "新的一章");
    document.source = {.bytes = 4, .zstd = TextDocument("", "7 99").text.zstd};
    ASSERT_TRUE((*store)->Add({&document, 1}, {}));
  }
  const auto found = (*reader)->FindVersions("新");
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("open it again"), std::string::npos);
  const auto store = SqliteCorpusStore::Open(path_, Access::kRead);
  ASSERT_TRUE(*(*store)->ReadSource(7));
  EXPECT_EQ((*(*store)->ReadSource(7))->places, "7 99");
  EXPECT_EQ((*store)->FindParts("唐诗")->size(), 2U);
  EXPECT_TRUE(Problems().empty());
}

TEST_F(CatalogOfSchema2, GetsTheTablesOfANewCatalog) { ExpectTablesOfANewCatalog(); }

class CatalogOfSchema3 : public EarlierCatalog {
 protected:
  void SetUp() override { Make("catalog_v3.sql"); }

  static void ExpectItsDocuments(const CorpusStore& store) {
    EXPECT_EQ(*store.CountLive(), 3U);
    EXPECT_EQ(store.FindVersions("春晓")->size(), 2U);
    EXPECT_EQ(store.FindVersions("诱饵")->front().labels,
              (DocumentLabels{.kind = DocumentKind::kDecoy}));
    EXPECT_EQ((*store.ReadSource(4))->places, "25 34 42 78 85 121");
  }
};

TEST_F(CatalogOfSchema3, IsReadAsItIs) {
  const std::string before = BytesOfFile(path_);
  ExpectItsDocuments(**SqliteCorpusStore::Open(path_, Access::kRead));
  EXPECT_TRUE(Problems().empty());
  EXPECT_EQ(BytesOfFile(path_), before);
}

TEST_F(CatalogOfSchema3, GetsExposuresOfDecoysFromAWriter) {
  const auto reader = SqliteCorpusStore::Open(path_, Access::kRead);
  ASSERT_TRUE(reader);
  {
    const auto store = SqliteCorpusStore::Open(path_, Access::kWrite);
    ASSERT_TRUE(store) << store.error().message;
    ExpectItsDocuments(**store);
    DocumentToStore decoy = TextDocument("新诱饵", "从未有人这样写过的一章");
    decoy.labels = {
        .kind = DocumentKind::kDecoy, .exposed_from = "2024-03-01", .exposed_until = "2024-03-05"};
    ASSERT_TRUE((*store)->Add({&decoy, 1}, {}));
  }
  const auto again = SqliteCorpusStore::Open(path_, Access::kRead);
  EXPECT_EQ((*again)->FindVersions("新诱饵")->front().labels.exposed_until, "2024-03-05");
  EXPECT_EQ((*again)->FindVersions("诱饵")->front().labels.exposed_from, "");
  const auto found = (*reader)->FindVersions("新诱饵");
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("open it again"), std::string::npos);
  EXPECT_TRUE(Problems().empty());
}

TEST_F(CatalogOfSchema3, GetsTheTablesOfANewCatalog) { ExpectTablesOfANewCatalog(); }

TEST_F(SqliteCatalog, KeepsWhenADecoyWasPublished) {
  const auto store = *SqliteCorpusStore::Open(path_, Access::kWrite);
  DocumentToStore decoy = TextDocument("诱饵", "从未有人这样写过的一章");
  decoy.labels = {.kind = DocumentKind::kDecoy, .exposed_from = "2024-03-01"};
  ASSERT_TRUE(store->Add({&decoy, 1}, {}));
  EXPECT_EQ(store->FindVersions("诱饵")->front().labels.exposed_from, "2024-03-01");
  EXPECT_EQ(store->FindVersions("诱饵")->front().labels.exposed_until, "");
  // Who adds it again without dates does not change them.
  decoy.labels.exposed_from.clear();
  decoy.unsaid = UnsaidLabels::kKeep;
  ASSERT_TRUE(store->Add({&decoy, 1}, {}));
  EXPECT_EQ(store->FindVersions("诱饵")->size(), 1U);
  // The day on which it was taken down makes a new version, which keeps the first day.
  decoy.labels.exposed_until = "2024-03-05";
  ASSERT_TRUE(store->Add({&decoy, 1}, {}));
  const StoredDocument newest = store->FindVersions("诱饵")->front();
  EXPECT_EQ(newest.version, 2U);
  EXPECT_EQ(newest.labels.exposed_from, "2024-03-01");
  EXPECT_EQ(newest.labels.exposed_until, "2024-03-05");
  EXPECT_TRUE(Problems().empty());
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
