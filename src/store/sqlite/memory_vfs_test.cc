// Databases in memory behave as on a disk: locks, logs, and what the machine loses when it stops.

#include "store/sqlite/memory_vfs_test_support.h"

#include <gtest/gtest.h>

#include <memory>

#include "store/sqlite/database.h"

namespace zhiwen {
namespace {

class DatabasesInMemory : public testing::Test {
 protected:
  static std::unique_ptr<Database> Open() {
    auto database = Database::Open("d", Database::Access::kCreate);
    EXPECT_TRUE(database);
    return *std::move(database);
  }

  static int64_t CountRows(const Database& database) {
    const auto count = database.ReadNumber("SELECT count(*) FROM t");
    EXPECT_TRUE(count) << count.error().message;
    return count.value_or(-1);
  }

  InMemoryFileSystem memory_;
  FaultyFileSystem files_{memory_};
  MemoryVfs vfs_{memory_, files_};
};

TEST_F(DatabasesInMemory, AreSharedByConnections) {
  const auto writer = Open(), reader = Open();
  ASSERT_TRUE(writer->Run("PRAGMA journal_mode = WAL; CREATE TABLE t (x)"));
  ASSERT_TRUE(writer->Run("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)"));
  EXPECT_EQ(CountRows(*reader), 0);
  ASSERT_TRUE(reader->Run("PRAGMA busy_timeout = 1"));
  EXPECT_EQ(reader->Run("BEGIN IMMEDIATE").error().code, ErrorCode::kConflict);
  ASSERT_TRUE(writer->Run("COMMIT"));
  EXPECT_EQ(CountRows(*reader), 1);
  // A reader that is at work keeps the log.
  ASSERT_TRUE(reader->Run("BEGIN"));
  EXPECT_EQ(CountRows(*reader), 1);
  ASSERT_TRUE(writer->Run("PRAGMA busy_timeout = 1; INSERT INTO t VALUES (2)"));
  EXPECT_EQ(*writer->ReadNumber("PRAGMA wal_checkpoint(TRUNCATE)"), 1);
  EXPECT_EQ(CountRows(*reader), 1);
  ASSERT_TRUE(reader->Run("COMMIT"));
  EXPECT_EQ(*writer->ReadNumber("PRAGMA wal_checkpoint(TRUNCATE)"), 0);
  EXPECT_TRUE(memory_.Files().at("d-wal").empty());
}

TEST_F(DatabasesInMemory, LoseWhatTheyDidNotSync) {
  for (const bool is_synced : {false, true}) {
    InMemoryFileSystem left;
    {
      const auto writer = Open();
      ASSERT_TRUE(writer->Run("PRAGMA journal_mode = WAL; DROP TABLE IF EXISTS t"));
      ASSERT_TRUE(writer->Run("PRAGMA synchronous = FULL; CREATE TABLE t (x)"));
      ASSERT_TRUE(memory_.SyncDirectory(""));
      ASSERT_TRUE(writer->Run(is_synced ? "INSERT INTO t VALUES (1)"
                                        : "PRAGMA synchronous = OFF; INSERT INTO t VALUES (1)"));
      memory_.LoseUnsynced(InMemoryFileSystem::LostNames::kAll);
      left.CopyFrom(memory_);
    }
    FaultyFileSystem files(left);
    const MemoryVfs vfs(left, files);
    EXPECT_EQ(CountRows(*Open()), is_synced ? 1 : 0);
  }
}

}  // namespace
}  // namespace zhiwen
