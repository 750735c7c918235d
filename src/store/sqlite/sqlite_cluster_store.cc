#include "store/sqlite/sqlite_cluster_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/coding.h"
#include "store/sqlite/catalog_rows.h"
#include "store/sqlite/database.h"

namespace zhiwen {
namespace {

constexpr int64_t kClustersApplication = 0x7A776373;  // "zwcs", PRAGMA application_id
constexpr int64_t kClustersSchema = 1;                // PRAGMA user_version

constexpr const char* kClusterTables = R"(
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

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
CREATE UNIQUE INDEX document_key ON document (key);

CREATE TABLE centre (
  number INTEGER PRIMARY KEY,
  documents INTEGER NOT NULL,
  date INTEGER,
  forgotten INTEGER NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE text (
  centre INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL,
  zstd BLOB NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;

-- One row: how many rows there are of the other tables.
CREATE TABLE total (
  documents INTEGER NOT NULL,
  centres INTEGER NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
)";

constexpr std::string_view kSelectDocuments =
    "SELECT d.number, d.key, d.id, d.centre, d.code, d.distance, d.resemblance, d.date, d.checksum";

struct DocumentRow {
  std::string key, id;
  ClusterStep step;
};

struct CentreRow {
  uint64_t number = 0, documents = 1;
  std::optional<int64_t> date = {};
  bool is_forgotten = false;
};

// A value that may be missing, as two numbers of a checksum.
void AppendOptional(std::string& bytes, const std::optional<uint64_t>& value) {
  AppendVarint(bytes, value ? 1 : 0);
  AppendVarint(bytes, value.value_or(0));
}

std::optional<uint64_t> BitsOf(const std::optional<int64_t>& date) {
  return date ? std::optional(static_cast<uint64_t>(*date)) : std::nullopt;
}

// The bytes of a code, the highest first, so that they sort as codes do.
std::string CodeBlob(const StoredCode& code) {
  std::string blob;
  for (uint32_t left = code.bytes; left > 0; --left) {
    blob += static_cast<char>(code.bits >> (8 * (left - 1)));
  }
  return blob;
}

StoredCode CodeOfBlob(std::string_view blob) {
  StoredCode code;
  if (blob.size() > sizeof(code.bits)) return code;  // the checksum will be wrong
  for (const char byte : blob) code.bits = code.bits << 8 | static_cast<uint8_t>(byte);
  code.bytes = static_cast<uint32_t>(blob.size());
  return code;
}

int64_t RowChecksum(const DocumentRow& row) {
  std::string bytes;
  AppendVarint(bytes, row.step.number);
  AppendString(bytes, row.key);
  AppendString(bytes, row.id);
  AppendOptional(bytes, row.step.centre);
  AppendString(bytes, CodeBlob(row.step.code));
  AppendVarint(bytes, row.step.distance);
  AppendFixed64(bytes, std::bit_cast<uint64_t>(row.step.resemblance));
  AppendOptional(bytes, BitsOf(row.step.date));
  return Crc32c(bytes);
}

int64_t RowChecksum(const CentreRow& row) {
  std::string bytes;
  AppendVarint(bytes, row.number);
  AppendVarint(bytes, row.documents);
  AppendOptional(bytes, BitsOf(row.date));
  AppendVarint(bytes, row.is_forgotten ? 1 : 0);
  return Crc32c(bytes);
}

int64_t RowChecksum(uint64_t centre, const CompressedText& text) {
  std::string bytes;
  AppendVarint(bytes, centre);
  AppendVarint(bytes, text.bytes);
  return Crc32c(text.zstd, Crc32c(bytes));
}

int64_t ChecksumOfTotal(uint64_t documents, uint64_t centres) {
  std::string bytes;
  AppendVarint(bytes, documents);
  AppendVarint(bytes, centres);
  return Crc32c(bytes);
}

Statement& BindOptional(Statement& statement, const std::optional<int64_t>& value) {
  return value ? statement.Bind(*value) : statement.BindNull();
}

std::optional<int64_t> OptionalOf(const Statement& row, int column) {
  return row.IsNull(column) ? std::nullopt : std::optional(row.Integer(column));
}

// Reads a row of kSelectDocuments.
Result<DocumentRow> ReadDocument(const Database& database, const Statement& row) {
  DocumentRow read;
  read.step.number = static_cast<uint64_t>(row.Integer(0));
  read.key = row.Blob(1);
  read.id = row.Text(2);
  if (!row.IsNull(3)) read.step.centre = static_cast<uint64_t>(row.Integer(3));
  read.step.code = CodeOfBlob(row.Blob(4));
  read.step.distance = static_cast<uint32_t>(row.Integer(5));
  read.step.resemblance = row.Real(6);
  read.step.date = OptionalOf(row, 7);
  if (row.Integer(8) == RowChecksum(read)) return read;
  return database.FailDamaged(fmt::format("the row of document {}", row.Integer(0)));
}

// Reads number, documents, date, forgotten and checksum from `column` on.
Result<CentreRow> ReadCentre(const Database& database, const Statement& row, int column) {
  const CentreRow read = {.number = static_cast<uint64_t>(row.Integer(column)),
                          .documents = static_cast<uint64_t>(row.Integer(column + 1)),
                          .date = OptionalOf(row, column + 2),
                          .is_forgotten = row.Integer(column + 3) != 0};
  if (!row.IsNull(column) && row.Integer(column + 4) == RowChecksum(read)) return read;
  return database.FailDamaged(fmt::format("the row of centre {}", row.Integer(column)));
}

StoredCentre CentreOf(const DocumentRow& document, const CentreRow& centre) {
  return {.number = centre.number,
          .id = document.id,
          .code = document.step.code,
          .documents = centre.documents,
          .date = centre.date,
          .is_forgotten = centre.is_forgotten};
}

class SqliteClusterStore final : public ClusterStore {
 public:
  // `creation` has made the tables, unless they were there.
  SqliteClusterStore(std::unique_ptr<Database> database, std::optional<Transaction> creation)
      : db_(std::move(database)), transaction_(std::move(creation)) {}

  // Reads how many rows there are, and prepares the statements.
  Status Prepare();

  Result<ClusterCounts> Counts() const override;
  Result<std::optional<ClusterStep>> Find(const Hash128& key) const override;
  Status Add(const DocumentToCluster& document) override;
  Status Forget(uint64_t centre) override;
  Status Commit() override;
  Result<std::string> IdOf(uint64_t centre) const override;
  Result<CompressedText> TextOf(uint64_t centre) const override;
  Status VisitCentres(
      const std::function<Status(const StoredCentre& centre)>& visit) const override;
  Result<std::optional<int64_t>> LastDate() const override;
  Status VisitClusters(
      const std::function<Status(const StoredCentre& centre, std::span<const std::string> members)>&
          visit) const override;

 private:
  struct Statements {
    Statement find, find_number, find_centre, find_text;
    Statement insert_document, put_centre, insert_text, delete_text, set_total;
  };

  Status Begin();
  Status PutCentre(const CentreRow& row);
  Result<CentreRow> FindCentre(uint64_t number) const;
  Result<std::optional<DocumentRow>> ReadFound(Statement& find) const;
  Result<std::optional<int64_t>> FirstDate() const;

  std::unique_ptr<Database> db_;
  mutable Statements statements_;
  std::optional<Transaction> transaction_;  // since the first change after a Commit
  uint64_t documents_ = 0, centres_ = 0;
};

Status SqliteClusterStore::Prepare() {
  Statements& s = statements_;
  const auto prepare = [&](Statement& statement, std::string_view sql) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(statement, db_->Prepare(sql));
    return {};
  };
  const std::string select(kSelectDocuments);
  ZHIWEN_RETURN_IF_ERROR(prepare(s.find, select + " FROM document d WHERE d.key = ?"));
  ZHIWEN_RETURN_IF_ERROR(prepare(s.find_number, select + " FROM document d WHERE d.number = ?"));
  ZHIWEN_RETURN_IF_ERROR(
      prepare(s.find_centre,
              "SELECT number, documents, date, forgotten, checksum FROM centre WHERE number = ?"));
  ZHIWEN_RETURN_IF_ERROR(
      prepare(s.find_text, "SELECT bytes, zstd, checksum FROM text WHERE centre = ?"));
  ZHIWEN_RETURN_IF_ERROR(
      prepare(s.insert_document,
              "INSERT INTO document (number, key, id, centre, code, distance, resemblance, date, "
              "checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  ZHIWEN_RETURN_IF_ERROR(prepare(s.put_centre,
                                 "INSERT OR REPLACE INTO centre (number, documents, date, "
                                 "forgotten, checksum) VALUES (?, ?, ?, ?, ?)"));
  ZHIWEN_RETURN_IF_ERROR(prepare(
      s.insert_text, "INSERT INTO text (centre, bytes, zstd, checksum) VALUES (?, ?, ?, ?)"));
  ZHIWEN_RETURN_IF_ERROR(prepare(s.delete_text, "DELETE FROM text WHERE centre = ?"));
  ZHIWEN_RETURN_IF_ERROR(
      prepare(s.set_total, "UPDATE total SET documents = ?, centres = ?, checksum = ?"));
  ZHIWEN_ASSIGN_OR_RETURN(Statement total,
                          db_->Prepare("SELECT documents, centres, checksum FROM total"));
  ZHIWEN_ASSIGN_OR_RETURN(const bool has_total, total.Next());
  documents_ = has_total ? static_cast<uint64_t>(total.Integer(0)) : 0;
  centres_ = has_total ? static_cast<uint64_t>(total.Integer(1)) : 0;
  if (!has_total || total.Integer(2) != ChecksumOfTotal(documents_, centres_)) {
    return db_->FailDamaged("the row of totals");
  }
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t last, db_->ReadNumber("SELECT max(number) FROM document"));
  // Counted in the index of keys, which is small: 0.4 s for 10^7 documents in the page cache.
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t there, db_->ReadNumber("SELECT count(*) FROM document"));
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t centres, db_->ReadNumber("SELECT count(*) FROM centre"));
  const auto wanted = static_cast<int64_t>(documents_);
  if (there == wanted && last == wanted && centres == static_cast<int64_t>(centres_)) return {};
  return db_->FailDamaged(
      fmt::format("{} documents up to number {} and {} centres are there, {} and {} should be",
                  there, last, centres, documents_, centres_));
}

Status SqliteClusterStore::Begin() {
  if (transaction_) return {};
  ZHIWEN_ASSIGN_OR_RETURN(Transaction begun, Transaction::Begin(*db_));
  transaction_.emplace(std::move(begun));
  return {};
}

Result<ClusterCounts> SqliteClusterStore::Counts() const {
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t largest,
                          db_->ReadNumber("SELECT max(documents) FROM centre"));
  return ClusterCounts{
      .documents = documents_, .clusters = centres_, .largest = static_cast<uint64_t>(largest)};
}

Result<std::optional<DocumentRow>> SqliteClusterStore::ReadFound(Statement& find) const {
  const StatementReset reset(find);
  ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, find.Next());
  if (!has_row) return std::optional<DocumentRow>();
  ZHIWEN_ASSIGN_OR_RETURN(DocumentRow row, ReadDocument(*db_, find));
  return std::optional(std::move(row));
}

Result<std::optional<ClusterStep>> SqliteClusterStore::Find(const Hash128& key) const {
  const std::string blob = BlobOf(key);
  ZHIWEN_ASSIGN_OR_RETURN(const auto row, ReadFound(statements_.find.Begin().BindBlob(blob)));
  return row ? std::optional(row->step) : std::nullopt;
}

Status SqliteClusterStore::Add(const DocumentToCluster& document) {
  ZHIWEN_RETURN_IF_ERROR(Begin());
  const ClusterStep& step = document.step;
  const DocumentRow row = {
      .key = BlobOf(document.key), .id = std::string(document.id), .step = step};
  Statement& insert = statements_.insert_document.Begin();
  insert.Bind(static_cast<int64_t>(step.number)).BindBlob(row.key).Bind(std::string_view(row.id));
  BindOptional(insert,
               step.centre ? std::optional(static_cast<int64_t>(*step.centre)) : std::nullopt);
  const std::string code = CodeBlob(step.code);
  step.centre ? insert.BindBlob(code) : insert.BindNull();
  insert.Bind(int64_t{step.distance}).BindReal(step.resemblance);
  ZHIWEN_RETURN_IF_ERROR(BindOptional(insert, step.date).Bind(RowChecksum(row)).Run());
  documents_ = step.number;
  if (!step.centre) return {};
  if (*step.centre == step.number) {
    ++centres_;
    ZHIWEN_RETURN_IF_ERROR(PutCentre({.number = step.number, .date = document.latest}));
    if (document.text == nullptr) return {};
    return statements_.insert_text.Begin()
        .Bind(static_cast<int64_t>(step.number))
        .Bind(static_cast<int64_t>(document.text->bytes))
        .BindBlob(document.text->zstd)
        .Bind(RowChecksum(step.number, *document.text))
        .Run();
  }
  ZHIWEN_ASSIGN_OR_RETURN(CentreRow centre, FindCentre(*step.centre));
  ++centre.documents;
  centre.date = document.latest;
  return PutCentre(centre);
}

Status SqliteClusterStore::PutCentre(const CentreRow& row) {
  Statement& put = statements_.put_centre.Begin();
  put.Bind(static_cast<int64_t>(row.number)).Bind(static_cast<int64_t>(row.documents));
  BindOptional(put, row.date).Bind(int64_t{row.is_forgotten ? 1 : 0});
  return put.Bind(RowChecksum(row)).Run();
}

Result<CentreRow> SqliteClusterStore::FindCentre(uint64_t number) const {
  Statement& find = statements_.find_centre.Begin().Bind(static_cast<int64_t>(number));
  const StatementReset reset(find);
  ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, find.Next());
  if (!has_row) return db_->FailDamaged(fmt::format("centre {} is missing", number));
  return ReadCentre(*db_, find, 0);
}

Status SqliteClusterStore::Forget(uint64_t centre) {
  ZHIWEN_RETURN_IF_ERROR(Begin());
  ZHIWEN_ASSIGN_OR_RETURN(CentreRow row, FindCentre(centre));
  row.is_forgotten = true;
  ZHIWEN_RETURN_IF_ERROR(PutCentre(row));
  return statements_.delete_text.Begin().Bind(static_cast<int64_t>(centre)).Run();
}

Status SqliteClusterStore::Commit() {
  if (!transaction_ || documents_ == 0) return {};  // settings stay open until there is a document
  ZHIWEN_RETURN_IF_ERROR(statements_.set_total.Begin()
                             .Bind(static_cast<int64_t>(documents_))
                             .Bind(static_cast<int64_t>(centres_))
                             .Bind(ChecksumOfTotal(documents_, centres_))
                             .Run());
  const Status committed = transaction_->Commit();
  transaction_.reset();
  return committed;
}

Result<std::string> SqliteClusterStore::IdOf(uint64_t centre) const {
  Statement& find = statements_.find_number.Begin().Bind(static_cast<int64_t>(centre));
  ZHIWEN_ASSIGN_OR_RETURN(const auto row, ReadFound(find));
  if (!row) return db_->FailDamaged(fmt::format("document {} is missing", centre));
  return row->id;
}

Result<CompressedText> SqliteClusterStore::TextOf(uint64_t centre) const {
  Statement& find = statements_.find_text.Begin().Bind(static_cast<int64_t>(centre));
  const StatementReset reset(find);
  ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, find.Next());
  CompressedText text;
  if (has_row) text = {std::string(find.Blob(1)), static_cast<uint64_t>(find.Integer(0))};
  if (has_row && find.Integer(2) == RowChecksum(centre, text)) return text;
  return db_->FailDamaged(fmt::format("the text of centre {}", centre));
}

Result<std::optional<int64_t>> SqliteClusterStore::LastDate() const {
  ZHIWEN_ASSIGN_OR_RETURN(Statement last,
                          db_->Prepare(std::string(kSelectDocuments) +
                                       " FROM document d ORDER BY d.number DESC LIMIT 1"));
  ZHIWEN_ASSIGN_OR_RETURN(const auto row, ReadFound(last));
  return row ? row->step.date : std::nullopt;
}

// Returns the date of the first document that has one.
Result<std::optional<int64_t>> SqliteClusterStore::FirstDate() const {
  ZHIWEN_ASSIGN_OR_RETURN(Statement rows, db_->Prepare(std::string(kSelectDocuments) +
                                                       " FROM document d ORDER BY d.number"));
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, rows.Next());
    if (!has_row) return std::optional<int64_t>();
    ZHIWEN_ASSIGN_OR_RETURN(const DocumentRow document, ReadDocument(*db_, rows));
    if (document.step.date) return document.step.date;
  }
}

Status SqliteClusterStore::VisitCentres(
    const std::function<Status(const StoredCentre& centre)>& visit) const {
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<int64_t> last, LastDate());
  std::optional<int64_t> first;
  if (last) {  // otherwise there is none to look for
    ZHIWEN_ASSIGN_OR_RETURN(first, FirstDate());
  }
  ZHIWEN_ASSIGN_OR_RETURN(
      Statement rows,
      db_->Prepare(std::string(kSelectDocuments) +
                   ", c.number, c.documents, c.date, c.forgotten, c.checksum FROM centre c "
                   "LEFT JOIN document d ON d.number = c.number AND c.forgotten = 0"));
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, rows.Next());
    if (!has_row) return {};
    ZHIWEN_ASSIGN_OR_RETURN(const CentreRow centre, ReadCentre(*db_, rows, 9));
    if (centre.is_forgotten) continue;  // a row that says so wrongly is found, too
    ZHIWEN_ASSIGN_OR_RETURN(const DocumentRow document, ReadDocument(*db_, rows));
    StoredCentre stored = CentreOf(document, centre);
    if (!stored.date) stored.date = first;
    ZHIWEN_RETURN_IF_ERROR(visit(stored));
  }
}

Status SqliteClusterStore::VisitClusters(
    const std::function<Status(const StoredCentre& centre, std::span<const std::string> members)>&
        visit) const {
  // A centre is the first document of its cluster.
  ZHIWEN_ASSIGN_OR_RETURN(
      Statement rows,
      db_->Prepare(std::string(kSelectDocuments) +
                   ", c.number, c.documents, c.date, c.forgotten, c.checksum FROM document d "
                   "JOIN document o ON o.number = d.centre LEFT JOIN centre c ON c.number = "
                   "d.centre ORDER BY o.code, o.number, d.number"));
  StoredCentre centre;
  std::vector<std::string> members;
  const auto finish = [&]() -> Status {
    if (centre.number == 0) return {};
    if (members.size() + 1 == centre.documents) return visit(centre, members);
    return db_->FailDamaged(
        fmt::format("the members of centre {} are not all there", centre.number));
  };
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, rows.Next());
    if (!has_row) return finish();
    ZHIWEN_ASSIGN_OR_RETURN(const DocumentRow document, ReadDocument(*db_, rows));
    if (document.step.number != document.step.centre) {
      members.push_back(document.id);
      continue;
    }
    ZHIWEN_RETURN_IF_ERROR(finish());
    ZHIWEN_ASSIGN_OR_RETURN(const CentreRow row, ReadCentre(*db_, rows, 9));
    centre = CentreOf(document, row);
    members.clear();
  }
}

// --- opening -------------------------------------------------------------------------------------

std::map<std::string, std::string> ValuesOf(const ClusterSettings& settings) {
  return {{"radius", fmt::format("{}", settings.radius)},
          {"scheme", settings.scheme},
          {"verification", settings.verification},
          {"window", settings.window}};
}

std::string ChecksumOfValues(const std::map<std::string, std::string>& values) {
  std::string bytes;
  for (const auto& [name, value] : values) {
    AppendString(bytes, name);
    AppendString(bytes, value);
  }
  return fmt::format("{:08x}", Crc32c(bytes));
}

// Returns the transaction that makes the tables, which the first document commits: a run that fails
// before leaves no settings.
Result<Transaction> CreateTables(Database& database, const ClusterSettings& settings) {
  ZHIWEN_RETURN_IF_ERROR(database.Run("PRAGMA journal_mode = WAL"));
  ZHIWEN_ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database));
  ZHIWEN_RETURN_IF_ERROR(database.Run(kClusterTables));
  std::map<std::string, std::string> values = ValuesOf(settings);
  values["checksum"] = ChecksumOfValues(values);
  {
    ZHIWEN_ASSIGN_OR_RETURN(Statement insert,
                            database.Prepare("INSERT INTO setting (name, value) VALUES (?, ?)"));
    for (const auto& [name, value] : values) {
      ZHIWEN_RETURN_IF_ERROR(
          insert.Begin().Bind(std::string_view(name)).Bind(std::string_view(value)).Run());
    }
  }
  ZHIWEN_RETURN_IF_ERROR(
      database.Run(fmt::format("INSERT INTO total (documents, centres, checksum) VALUES (0, 0, {});"
                               "PRAGMA application_id = {}; PRAGMA user_version = {}",
                               ChecksumOfTotal(0, 0), kClustersApplication, kClustersSchema)));
  return transaction;
}

Status CheckSettings(const Database& database, const ClusterSettings& settings) {
  std::map<std::string, std::string> stored;
  ZHIWEN_ASSIGN_OR_RETURN(Statement rows, database.Prepare("SELECT name, value FROM setting"));
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, rows.Next());
    if (!has_row) break;
    stored.emplace(rows.Text(0), rows.Text(1));
  }
  const std::string checksum = std::exchange(stored["checksum"], "");
  stored.erase("checksum");
  if (checksum != ChecksumOfValues(stored)) return database.FailDamaged("its settings");
  for (const auto& [name, value] : ValuesOf(settings)) {
    const auto of = [](std::string_view text) {
      return text.empty() ? std::string("none") : fmt::format("\"{}\"", text);
    };
    if (stored[name] == value) continue;
    return Fail(ErrorCode::kConflict,
                fmt::format("\"{}\" goes on with {} {}, and {} was asked for; choose the same, or "
                            "begin another state",
                            database.path(), name, of(stored[name]), of(value)));
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<ClusterStore>> OpenSqliteClusterStore(const std::string& path,
                                                             const ClusterSettings& settings) {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<Database> database,
                          Database::Open(path, Database::Access::kCreate));
  database->AdviseOnDamage("restore the folder from a copy, or begin another state");
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t application, database->ReadNumber("PRAGMA application_id"));
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t schema, database->ReadNumber("PRAGMA user_version"));
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t tables,
                          database->ReadNumber("SELECT count(*) FROM sqlite_schema"));
  ZHIWEN_RETURN_IF_ERROR(database->Run(
      "PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4096"));
  std::optional<Transaction> creation;
  if (application == 0 && schema == 0 && tables == 0) {
    ZHIWEN_ASSIGN_OR_RETURN(Transaction begun, CreateTables(*database, settings));
    creation.emplace(std::move(begun));
  } else if (application != kClustersApplication || schema != kClustersSchema) {
    return Fail(
        ErrorCode::kConflict,
        fmt::format("\"{}\" is no state of clusters that this version of zhiwen knows{}", path,
                    application == kClustersApplication ? "; use a newer version" : ""));
  }
  ZHIWEN_RETURN_IF_ERROR(CheckSettings(*database, settings));
  auto store = std::make_unique<SqliteClusterStore>(std::move(database), std::move(creation));
  ZHIWEN_RETURN_IF_ERROR(store->Prepare());
  return std::unique_ptr<ClusterStore>(std::move(store));
}

}  // namespace zhiwen
