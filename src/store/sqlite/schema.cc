#include "store/sqlite/schema.h"

#include <array>
#include <cstddef>

#include <fmt/format.h>

namespace zhiwen {
namespace {

// A migration is never changed once it was released.
constexpr std::array<const char*, 4> kMigrations = {
    R"(
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- `exact` is null where it equals `content`. `users` counts the documents that have the text.
CREATE TABLE text (
  key INTEGER PRIMARY KEY,
  content BLOB NOT NULL,
  exact BLOB,
  folded BLOB,
  units INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  users INTEGER NOT NULL,
  zstd BLOB NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
CREATE INDEX text_content ON text (content);
CREATE INDEX text_exact ON text (exact) WHERE exact IS NOT NULL;
CREATE INDEX text_folded ON text (folded) WHERE folded IS NOT NULL;

CREATE TABLE document (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  state INTEGER NOT NULL,
  text INTEGER REFERENCES text (key),
  title TEXT NOT NULL,
  author TEXT NOT NULL,
  date TEXT NOT NULL,
  url TEXT NOT NULL,
  added INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  UNIQUE (id, version)
) STRICT;
CREATE INDEX document_text ON document (text);
CREATE INDEX document_state ON document (state) WHERE state <> 0;

CREATE TABLE change (
  sequence INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  document INTEGER NOT NULL REFERENCES document (number)
) STRICT;
)",
    // Rows of documents keep their checksums: ChecksumOf leaves out what is as it is here.
    R"(
CREATE TABLE work (
  key INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  author TEXT NOT NULL,
  owner TEXT NOT NULL,
  licence TEXT NOT NULL,
  first_publication TEXT NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX work_name ON work (name) WHERE name <> '';
CREATE UNIQUE INDEX work_owner ON work (owner) WHERE name = '';

ALTER TABLE document ADD COLUMN work INTEGER REFERENCES work (key);
ALTER TABLE document ADD COLUMN part TEXT NOT NULL DEFAULT '';
ALTER TABLE document ADD COLUMN kind INTEGER NOT NULL DEFAULT 0;
CREATE INDEX document_work ON document (work) WHERE work IS NOT NULL;
)",
    // Likewise. The checksum of a row of `source` is in its document, so that a row that is lost is
    // noticed; `bytes` is the size of `places`, which is compressed.
    R"(
CREATE TABLE source (
  document INTEGER PRIMARY KEY REFERENCES document (number),
  member TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  places BLOB NOT NULL,
  picture BLOB NOT NULL
) STRICT;
CREATE INDEX source_picture ON source (document) WHERE picture <> x'';

ALTER TABLE document ADD COLUMN source INTEGER;
)",
    // Likewise.
    R"(
ALTER TABLE document ADD COLUMN exposed_from TEXT NOT NULL DEFAULT '';
ALTER TABLE document ADD COLUMN exposed_until TEXT NOT NULL DEFAULT '';
)"};

Status RunMigrations(const Database& database, int64_t from, int64_t to) {
  for (int64_t i = from; i < to; ++i) {
    ZHIWEN_RETURN_IF_ERROR(database.Run(kMigrations[static_cast<size_t>(i)]));
  }
  return {};
}

}  // namespace

int64_t NewestSchema() { return std::ssize(kMigrations); }

Result<int64_t> SchemaOf(const Database& database) {
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t application, database.ReadNumber("PRAGMA application_id"));
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t schema, database.ReadNumber("PRAGMA user_version"));
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t tables,
                          database.ReadNumber("SELECT count(*) FROM sqlite_schema"));
  if (application == 0 && schema == 0 && tables == 0) return 0;
  if (application != kCatalogApplication) {
    return Fail(ErrorCode::kConflict,
                fmt::format("\"{}\" is no catalog of zhiwen, but a database of another program",
                            database.path()));
  }
  if (schema > NewestSchema()) {
    return Fail(ErrorCode::kConflict,
                fmt::format("\"{}\" has schema {}, and this version of zhiwen knows schemas up to "
                            "{}; use a newer version",
                            database.path(), schema, NewestSchema()));
  }
  return schema;
}

Status Migrate(Database& database) {
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t schema, SchemaOf(database));
  ZHIWEN_RETURN_IF_ERROR(RunMigrations(database, schema, NewestSchema()));
  return database.Run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                  kCatalogApplication, NewestSchema()));
}

Result<std::map<std::string, std::string>> TablesOfSchema(int64_t schema) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto empty, Database::Open(":memory:", Database::Access::kCreate));
  ZHIWEN_RETURN_IF_ERROR(RunMigrations(*empty, 0, schema));
  return TablesOf(*empty);
}

Result<std::map<std::string, std::string>> TablesOf(const Database& database) {
  ZHIWEN_ASSIGN_OR_RETURN(Statement rows, database.Prepare("SELECT name, sql FROM sqlite_schema"));
  std::map<std::string, std::string> tables;
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, rows.Next());
    if (!has_row) return tables;
    tables.emplace(rows.Text(0), rows.Text(1));
  }
}

}  // namespace zhiwen
