// The durable store of clusters gives what the one in memory gives, also after it was opened again;
// and what is particular to an SQLite file: damage, other settings, files of an earlier program.

#include "store/sqlite/sqlite_cluster_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "store/sqlite/database.h"
#include "store/sqlite/memory_vfs_test_support.h"
#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"
#include "support/temporary_folder.h"

namespace zhiwen {
namespace {

const ClusterSettings kSettings = {
    .scheme = "simhash64.v1(x)", .radius = 3, .window = "60 s by date", .verification = "0.8 on y"};

CompressedText TextOfDocument(uint64_t number) {
  return {.zstd = "frame " + std::to_string(number), .bytes = 100 + number};
}

// The n-th document of a stream in which a third of the documents are centres.
DocumentToCluster MakeDocument(uint64_t number, const std::string& id, const CompressedText* text) {
  DocumentToCluster document = {.id = id, .key = HashBytes128(id), .step = {.number = number}};
  ClusterStep& step = document.step;
  if (number > 4) step.date = static_cast<int64_t>(1000 + number);
  if (number % 5 == 0) return document;  // without a code
  step.code = {.bits = HashBytes64(id), .bytes = 8};
  const uint64_t centre = (number - 1) / 3 * 3 + 1;
  step.centre = centre % 5 == 0 ? number : centre;
  if (*step.centre == number) document.text = text;
  if (*step.centre != number) {
    step.distance = static_cast<uint32_t>(number % 3);
    step.resemblance = 0.875;
  }
  document.latest = step.date;
  return document;
}

class ClusterStores : public testing::Test {
 protected:
  std::unique_ptr<ClusterStore> Open() {
    auto store = OpenSqliteClusterStore(path_, kSettings);
    EXPECT_TRUE(store) << store.error().message;
    return store ? *std::move(store) : nullptr;
  }

  static void Fill(ClusterStore& store, uint64_t first, uint64_t last) {
    for (uint64_t number = first; number <= last; ++number) {
      const std::string id = "文" + std::to_string(number);
      const CompressedText text = TextOfDocument(number);
      ASSERT_TRUE(store.Add(MakeDocument(number, id, &text)));
      if (number == 12) {
        ASSERT_TRUE(store.Forget(4));
      }
    }
    ASSERT_TRUE(store.Commit());
  }

  using Clusters = std::vector<std::pair<StoredCentre, std::vector<std::string>>>;
  static Clusters ClustersOf(const ClusterStore& store) {
    Clusters clusters;
    EXPECT_TRUE(store.VisitClusters(
        [&](const StoredCentre& centre, std::span<const std::string> members) -> Status {
          clusters.emplace_back(centre, std::vector(members.begin(), members.end()));
          return {};
        }));
    return clusters;
  }

  // Changes the file behind the store's back.
  void Run(const std::string& sql) {
    const auto database = Database::Open(path_, Database::Access::kWrite);
    ASSERT_TRUE(database);
    ASSERT_TRUE((*database)->Run(sql)) << sql;
  }

  // Returns what reading everything says.
  std::string Damage() {
    const auto opened = OpenSqliteClusterStore(path_, kSettings);
    if (!opened) return opened.error().message;
    const ClusterStore& store = **opened;
    std::string message;
    const auto note = [&](const auto& result) {
      if (result || !message.empty()) return;
      EXPECT_EQ(result.error().code, ErrorCode::kUnreadable) << result.error().message;
      message = result.error().message;
    };
    std::vector<uint64_t> centres;
    note(store.VisitCentres([&](const StoredCentre& centre) -> Status {
      centres.push_back(centre.number);
      return {};
    }));
    for (const uint64_t centre : centres) note(store.TextOf(centre));
    for (uint64_t i = 1; i <= 30; ++i) note(store.Find(HashBytes128("文" + std::to_string(i))));
    note(store.VisitClusters(
        [](const StoredCentre&, std::span<const std::string>) -> Status { return {}; }));
    return message;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "clusters.sqlite";
};

TEST_F(ClusterStores, RememberTheSame) {
  const auto memory = MakeMemoryClusterStore(KeptMembers::kAll);
  Fill(*memory, 1, 30);
  Fill(*Open(), 1, 17);
  Fill(*Open(), 18, 30);  // in another life
  const auto durable = Open();
  const Clusters wanted = ClustersOf(*memory);
  EXPECT_GT(wanted.size(), 8u);
  EXPECT_TRUE(std::ranges::is_sorted(wanted, {},
                                     [](const auto& cluster) { return cluster.first.code.bits; }));
  EXPECT_EQ(ClustersOf(*durable), wanted);
  EXPECT_EQ(durable->Counts()->documents, 30u);
  EXPECT_EQ(durable->Counts()->clusters, memory->Counts()->clusters);
  EXPECT_EQ(durable->Counts()->largest, memory->Counts()->largest);
  EXPECT_EQ(*durable->LastDate(), 1030);
  EXPECT_EQ(*durable->LastDate(), *memory->LastDate());
  for (const auto& [centre, members] : wanted) {
    EXPECT_EQ(*durable->IdOf(centre.number), centre.id);
    const auto text = durable->TextOf(centre.number);
    ASSERT_EQ(text.has_value(), !centre.is_forgotten);
    if (text) {
      EXPECT_EQ(text->zstd, memory->TextOf(centre.number)->zstd);
    }
  }
}

TEST_F(ClusterStores, FindDocumentsAgain) {
  const auto store = Open();
  Fill(*store, 1, 20);
  for (uint64_t number = 1; number <= 20; ++number) {
    const std::string id = "文" + std::to_string(number);
    EXPECT_EQ(**store->Find(HashBytes128(id)), MakeDocument(number, id, nullptr).step);
  }
  EXPECT_FALSE(*store->Find(HashBytes128("文21")));
  EXPECT_FALSE(*MakeMemoryClusterStore(KeptMembers::kAll)->Find(HashBytes128("文1")));
}

TEST_F(ClusterStores, KeepNothingOfWhatWasNotCommitted) {
  Fill(*Open(), 1, 10);
  {
    const auto store = Open();
    const CompressedText text = TextOfDocument(11);
    ASSERT_TRUE(store->Add(MakeDocument(11, "文11", &text)));
    EXPECT_TRUE(*store->Find(HashBytes128("文11")));
  }
  EXPECT_EQ(Open()->Counts()->documents, 10u);
  EXPECT_FALSE(*Open()->Find(HashBytes128("文11")));
}

TEST_F(ClusterStores, ACentreFromBeforeTheFirstDateIsOfThatDate) {
  Fill(*Open(), 1, 2);
  const auto date_of_first = [&] {
    std::optional<int64_t> date;
    EXPECT_TRUE(Open()->VisitCentres([&](const StoredCentre& centre) -> Status {
      if (centre.number == 1) date = centre.date;
      return {};
    }));
    return date;
  };
  EXPECT_EQ(date_of_first(), std::nullopt);
  const DocumentToCluster dated = {
      .id = "x", .step = {.number = 3, .centre = 3, .code = {1, 8}, .date = 77}, .latest = 77};
  const auto store = Open();
  ASSERT_TRUE(store->Add(dated));
  ASSERT_TRUE(store->Commit());
  EXPECT_EQ(date_of_first(), 77);
}

TEST_F(ClusterStores, InMemoryForgetWhatNobodyWillAskFor) {
  const auto store = MakeMemoryClusterStore(KeptMembers::kNone);
  Fill(*store, 1, 30);
  EXPECT_TRUE(ClustersOf(*store).empty());
  EXPECT_FALSE(store->IdOf(4));
  EXPECT_TRUE(store->IdOf(1));
}

TEST_F(ClusterStores, SayWhatDamageThereIs) {
  Fill(*Open(), 1, 30);
  EXPECT_EQ(Damage(), "");
  for (const std::string change :
       {"UPDATE document SET id = 'x' WHERE number = 7",
        "UPDATE document SET centre = 1 WHERE number = 8",
        "UPDATE document SET code = x'00' WHERE number = 7",
        "UPDATE document SET code = zeroblob(99) WHERE number = 7",
        "UPDATE document SET distance = 9 WHERE number = 8",
        "UPDATE document SET resemblance = 0.9 WHERE number = 8",
        "UPDATE document SET date = 5 WHERE number = 8",
        "DELETE FROM document WHERE number = 7",
        "DELETE FROM document WHERE number = 8",
        "DELETE FROM document WHERE number = 30",
        "UPDATE centre SET documents = 1 WHERE number = 7",
        "UPDATE centre SET forgotten = 1 WHERE number = 7",
        "UPDATE centre SET date = 9999 WHERE number = 7",
        "DELETE FROM centre WHERE number = 7",
        "UPDATE text SET bytes = 1 WHERE centre = 7",
        "DELETE FROM text WHERE centre = 7",
        "UPDATE text SET zstd = (SELECT zstd FROM text WHERE centre = 1) WHERE centre = 7",
        "UPDATE total SET documents = 29",
        "DELETE FROM total",
        "UPDATE setting SET value = '5' WHERE name = 'radius'",
        "DELETE FROM setting"}) {
    TemporaryFolder other;
    path_ = other / "clusters.sqlite";
    std::filesystem::copy_file(folder_ / "clusters.sqlite", path_);
    Run(change);
    const std::string message = Damage();
    EXPECT_NE(message.find(path_), std::string::npos) << change << ": " << message;
    EXPECT_NE(message.find("is damaged"), std::string::npos) << change << ": " << message;
    EXPECT_NE(message.find("begin another state"), std::string::npos) << message;
  }
}

// Opening a state and visiting its centres is all that a run reads before its first answer.
TEST_F(ClusterStores, FindDamageThatChangesTheNextAnswer) {
  Fill(*Open(), 1, 29);
  for (const std::string change :
       {"UPDATE document SET date = date + 2592000 WHERE number = 29",
        "UPDATE document SET date = NULL WHERE number = 29",
        "UPDATE document SET date = date - 1 WHERE number = 5",  // the first with a date, no centre
        "UPDATE document SET date = NULL WHERE number = 5",
        "UPDATE centre SET forgotten = 1 WHERE number = 7", "DELETE FROM document WHERE number = 8",
        "DELETE FROM document WHERE number = 29"}) {
    TemporaryFolder other;
    path_ = other / "clusters.sqlite";
    std::filesystem::copy_file(folder_ / "clusters.sqlite", path_);
    Run(change);
    const auto store = OpenSqliteClusterStore(path_, kSettings);
    const Status visited =
        store ? (*store)->VisitCentres([](const StoredCentre&) -> Status { return {}; })
              : Status(tl::unexpected(store.error()));
    ASSERT_FALSE(visited) << change;
    EXPECT_EQ(visited.error().code, ErrorCode::kUnreadable) << change;
  }
}

TEST_F(ClusterStores, RefuseOtherSettingsAndOtherFiles) {
  Fill(*Open(), 1, 3);
  const auto message_of = [&](ClusterSettings settings) {
    const auto store = OpenSqliteClusterStore(path_, settings);
    EXPECT_FALSE(store);
    EXPECT_EQ(store.error().code, ErrorCode::kConflict);
    return store.error().message;
  };
  ClusterSettings other = kSettings;
  other.radius = 4;
  EXPECT_NE(message_of(other).find("radius \"3\", and \"4\" was asked for"), std::string::npos);
  other = kSettings;
  other.window = "";
  EXPECT_NE(message_of(other).find("and none was asked for"), std::string::npos);
  other = kSettings;
  other.verification = "0.9 on y";
  message_of(other);
  other = kSettings;
  other.scheme = "another";
  message_of(other);
  Run("PRAGMA user_version = 2");
  EXPECT_NE(message_of(kSettings).find("use a newer version"), std::string::npos);
  Run("PRAGMA application_id = 5");
  message_of(kSettings);
}

TEST_F(ClusterStores, TakeOtherSettingsBeforeTheFirstDocument) {
  ClusterSettings other = kSettings;
  other.radius = 4;
  const auto open_other = [&] { return OpenSqliteClusterStore(path_, other).has_value(); };
  ASSERT_TRUE(Open()->Commit());
  EXPECT_TRUE(open_other());
  {
    const auto store = Open();
    ASSERT_TRUE(store->Add({.id = "x", .step = {.number = 1}}));
  }
  EXPECT_TRUE(open_other());
  Fill(*Open(), 1, 1);
  EXPECT_FALSE(open_other());
  EXPECT_EQ(Open()->Counts()->documents, 1u);
}

// Adds documents 1 to 18 that are not there yet, three to a commit. Returns how many are committed.
uint64_t AddInBatches(FileSystem& files) {
  const auto store = OpenSqliteClusterStore("clusters.sqlite", kSettings);
  if (!store || !files.SyncDirectory("")) return 0;
  uint64_t committed = (*store)->Counts()->documents;
  for (uint64_t number = committed + 1; number <= 18; ++number) {
    const std::string id = "文" + std::to_string(number);
    const CompressedText text = TextOfDocument(number);
    if (!(*store)->Add(MakeDocument(number, id, &text))) return committed;
    if (number == 12 && !(*store)->Forget(4)) return committed;
    if (number % 3 != 0) continue;
    if (!(*store)->Commit()) return committed;
    committed = number;
  }
  return committed;
}

// The n-th operation fails and then the machine stops, for every n: what Commit took is there, the
// rest of its batch is not, and the stream goes on to the same clusters.
TEST_F(ClusterStores, LoseNothingWhereAnyOperationFails) {
  const auto memory = MakeMemoryClusterStore(KeptMembers::kAll);
  Fill(*memory, 1, 18);
  const Clusters wanted = ClustersOf(*memory);
  uint64_t stops = 0;
  for (uint64_t n = 1;; n += n < 40 ? 1 : 3) {
    InMemoryFileSystem disk, left;
    uint64_t committed = 0;
    {
      FaultyFileSystem faults(disk, {.at = n, .lasting = true});
      const MemoryVfs vfs(disk, faults);
      committed = AddInBatches(faults);
      if (!faults.fired()) break;
      disk.LoseUnsynced(InMemoryFileSystem::LostNames::kAll);
      left.CopyFrom(disk);
    }
    ++stops;
    FaultyFileSystem files(left);
    const MemoryVfs vfs(left, files);
    {
      const auto opened = OpenSqliteClusterStore("clusters.sqlite", kSettings);
      ASSERT_TRUE(opened) << n << ": " << opened.error().message;
      const uint64_t documents = (*opened)->Counts()->documents;
      ASSERT_GE(documents, committed) << n;
      ASSERT_EQ(documents % 3, 0u) << n;
    }
    ASSERT_EQ(AddInBatches(files), 18u) << n;
    const auto store = OpenSqliteClusterStore("clusters.sqlite", kSettings);
    ASSERT_TRUE(store);
    ASSERT_EQ(ClustersOf(**store), wanted) << n;
  }
  EXPECT_GT(stops, 20u);
}

// A file of schema 1 as the first program wrote it (docs/formats/cluster_state.md).
TEST_F(ClusterStores, OpenWhatSchema1Wrote) {
  const auto database = Database::Open(path_, Database::Access::kCreate);
  ASSERT_TRUE(database && (*database)->Run(R"(
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO setting VALUES('checksum','8fa63dc1');
INSERT INTO setting VALUES('radius','3');
INSERT INTO setting VALUES('scheme','simhash64.v1(x)');
INSERT INTO setting VALUES('verification','0.8 on y');
INSERT INTO setting VALUES('window','60 s by date');
CREATE TABLE document (
  number INTEGER PRIMARY KEY,
  key BLOB NOT NULL,
  id TEXT NOT NULL,
  centre INTEGER,
  code BLOB,
  distance INTEGER NOT NULL,
  resemblance REAL NOT NULL,
  date INTEGER,
  checksum INTEGER NOT NULL
) STRICT;
INSERT INTO document VALUES(1,X'011c6a9ad42b0f76f4cb7111ec519125',
 '文1',1,X'a8fcd28a1f5930bb',0,1.0,NULL,2848293974);
INSERT INTO document VALUES(2,X'9fbf19efa9cfb0029cc79c25df5ce71f',
 '文2',1,X'833b11b3acfef19e',2,0.875,NULL,2789702057);
INSERT INTO document VALUES(3,X'969a1d51c9d613957092e47fcf039f63',
 '文3',1,X'1214476e43e32301',0,0.875,NULL,3641066795);
INSERT INTO document VALUES(4,X'82ca133203de741f771372333b8ccec0',
 '文4',4,X'0733f5f84aa65920',0,1.0,NULL,1667975934);
INSERT INTO document VALUES(5,X'7f5b447db4cae640f7fd7ec86be10acc',
 '文5',NULL,NULL,0,1.0,1005,1968349440);
INSERT INTO document VALUES(6,X'd55150afed9f9c24ae72ac73db9b7484',
 '文6',4,X'7b9f86ace41f6261',0,0.875,1006,2253576086);
CREATE TABLE centre (
  number INTEGER PRIMARY KEY,
  documents INTEGER NOT NULL,
  date INTEGER,
  forgotten INTEGER NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
INSERT INTO centre VALUES(1,3,NULL,0,524390560);
INSERT INTO centre VALUES(4,2,1006,0,1983066884);
CREATE TABLE text (
  centre INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL,
  zstd BLOB NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
INSERT INTO text VALUES(1,101,X'6672616d652031',175459738);
INSERT INTO text VALUES(4,104,X'6672616d652034',1064285805);
CREATE TABLE total (
  documents INTEGER NOT NULL,
  centres INTEGER NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
INSERT INTO total VALUES(6,2,2039830039);
CREATE UNIQUE INDEX document_key ON document (key);
PRAGMA application_id = 2054644595;
PRAGMA user_version = 1;
)"));
  const auto store = Open();
  ASSERT_NE(store, nullptr);
  const auto memory = MakeMemoryClusterStore(KeptMembers::kAll);
  Fill(*memory, 1, 6);
  EXPECT_EQ(ClustersOf(*store), ClustersOf(*memory));
  EXPECT_EQ(store->TextOf(1)->zstd, "frame 1");
  EXPECT_EQ(Damage(), "");
}

}  // namespace
}  // namespace zhiwen
