#include "store/sqlite/sqlite_corpus_store.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <utility>

#include "base/coding.h"
#include "base/compress/zstd_frame.h"
#include "store/part_order.h"
#include "store/sqlite/catalog_rows.h"
#include "store/sqlite/catalog_statements.h"
#include "store/sqlite/check_catalog.h"
#include "store/sqlite/database.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/source_table.h"
#include "store/sqlite/text_table.h"
#include "store/sqlite/work_table.h"

namespace zhiwen {
namespace {

constexpr size_t kRowsAtOnce = 1000;  // that a visit reads before it calls the visitor
constexpr uint64_t kMostNumber = UINT32_MAX;

// Returns the setting that counts the incarnations of an index.
std::string NameOfIncarnation(std::string_view index) {
  return fmt::format("{}{}", kIncarnationOf, index);
}

class Catalog final : public CorpusStore {
 public:
  Catalog(std::unique_ptr<Database> database, int64_t schema, CatalogSettings settings)
      : db_(std::move(database)),
        texts_(*db_),
        works_(*db_),
        sources_(*db_),
        schema_(schema),
        settings_(std::move(settings)) {}

  Status Prepare(SqliteCorpusStore::Access access);

  const CatalogSettings& settings() const override { return settings_; }
  Result<CatalogFacts> Facts() const override {
    const std::scoped_lock lock(mutex_);
    return ReadFacts(*db_, schema_);
  }
  Result<uint64_t> CountLive() const override { return ReadNumber(kCountLive); }
  Result<uint64_t> LastSequence() const override { return ReadNumber(kLastSequence); }
  Result<uint64_t> CountWorks() const override { return ReadNumber(kCountWorks, kSchemaOfWorks); }
  Result<uint64_t> CountOwners() const override { return ReadNumber(kCountOwners, kSchemaOfWorks); }
  Result<uint64_t> Incarnation(std::string_view index) const override;
  Result<uint64_t> BeginIncarnation(std::string_view index) override;
  Status SetCodeSchemes(const std::map<std::string, std::string>& schemes,
                        const std::map<std::string, std::string>& files) override;
  Result<std::vector<StoredChange>> Add(std::span<const DocumentToStore> documents,
                                        std::chrono::sys_seconds now) override;
  Result<std::vector<uint32_t>> Remove(std::span<const std::string> ids) override;
  Result<std::vector<Purged>> Purge(std::span<const std::string> ids) override;
  Status CutLog() override;
  Status VisitChanges(uint64_t sequence,
                      const std::function<Status(const CatalogChange&)>& visit) const override;
  Status VisitDocuments(Which which, uint64_t number,
                        const std::function<Status(const StoredDocument&)>& visit) const override;
  Result<std::optional<StoredDocument>> Find(uint32_t number) const override {
    const std::scoped_lock lock(mutex_);
    return FindOne(number);
  }
  Result<std::vector<std::optional<StoredDocument>>> FindAll(
      std::span<const uint32_t> numbers) const override;
  Result<std::vector<StoredDocument>> FindVersions(std::string_view id) const override;
  Result<std::vector<StoredDocument>> FindEqual(TextHash kind, const Hash128& hash) const override;
  Result<std::optional<WorkLabels>> FindWork(std::string_view work) const override;
  Result<std::vector<StoredDocument>> FindParts(std::string_view work) const override;
  Status VisitWorks(const std::function<Status(const StoredWork& work)>& visit) const override;
  Result<std::string> ReadText(uint64_t key) const override;
  Status ReadTexts(std::span<const uint64_t> keys,
                   const std::function<void(uint64_t key, std::string text)>& take) const override;
  Result<std::optional<DocumentSource>> ReadSource(uint32_t number) const override {
    const std::scoped_lock lock(mutex_);
    return sources_.Read(number);
  }
  Result<std::vector<StoredPicture>> ReadPictures() const override {
    const std::scoped_lock lock(mutex_);
    return sources_.ReadPictures();
  }
  Status Check(const std::function<void(std::string problem)>& problem, ProgressSink& progress,
               const Cancellation& cancellation) const override {
    const std::scoped_lock lock(mutex_);
    return CheckCatalog(*db_, schema_, problem, progress, cancellation);
  }

 private:
  Result<std::string> Decompress(const TextRow& row) const;
  // Returns 0 in a catalog of a schema before `since`.
  Result<uint64_t> ReadNumber(std::string_view sql, int64_t since = 0) const;

  // These need the mutex.
  Result<std::optional<StoredDocument>> FindOne(uint32_t number) const;
  Result<std::vector<StoredDocument>> ReadDocuments(Statement& rows, size_t most) const;
  tl::unexpected<Error> FailRow(Error error) const;
  Result<StoredChange> AddOne(const DocumentToStore& said, std::chrono::sys_seconds now);
  Status InsertDocument(const StoredDocument& document);
  Status SetState(StoredDocument document, DocumentState state);
  Status Empty(StoredDocument document);
  Result<Purged> PurgeOne(const std::string& id);
  Status AppendChange(CatalogChangeKind kind, uint32_t document);

  std::unique_ptr<Database> db_;
  mutable TextTable texts_;  // this and the next two under the mutex
  mutable WorkTable works_;
  mutable SourceTable sources_;
  const int64_t schema_;
  CatalogSettings settings_;
  mutable std::mutex mutex_;
  mutable CatalogStatements statements_;
  uint64_t next_number_ = 0, next_sequence_ = 0;  // in a transaction
};

Status Catalog::Prepare(SqliteCorpusStore::Access access) {
  const bool writes = access == SqliteCorpusStore::Access::kWrite;
  const auto tables = writes ? Database::Access::kWrite : Database::Access::kRead;
  ZHIWEN_RETURN_IF_ERROR(statements_.Prepare(*db_, schema_, tables));
  ZHIWEN_RETURN_IF_ERROR(texts_.Prepare(tables));
  if (schema_ >= kSchemaOfWorks) ZHIWEN_RETURN_IF_ERROR(works_.Prepare(tables));
  if (schema_ >= kSchemaOfSources) ZHIWEN_RETURN_IF_ERROR(sources_.Prepare(tables));
  return {};
}

Result<uint64_t> Catalog::ReadNumber(std::string_view sql, int64_t since) const {
  if (schema_ < since) return 0;
  const std::scoped_lock lock(mutex_);
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t number, db_->ReadNumber(sql));
  return static_cast<uint64_t>(number);
}

Result<uint64_t> Catalog::Incarnation(std::string_view index) const {
  const std::scoped_lock lock(mutex_);
  const std::string name = NameOfIncarnation(index);
  Statement& read = statements_.incarnation.Begin().Bind(std::string_view(name));
  const StatementReset reset(read);
  ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, read.Next());
  return has_row ? static_cast<uint64_t>(read.Integer(0)) : 0;
}

Result<uint64_t> Catalog::BeginIncarnation(std::string_view index) {
  {
    const std::scoped_lock lock(mutex_);
    const std::string name = NameOfIncarnation(index);
    ZHIWEN_RETURN_IF_ERROR(
        statements_.begin_incarnation.Begin().Bind(std::string_view(name)).Run());
  }
  return Incarnation(index);
}

// Returns the error of a row. A reader of an earlier schema cannot read what a writer adds after it
// brought the catalog to the newest one.
tl::unexpected<Error> Catalog::FailRow(Error error) const {
  const Result<int64_t> schema = SchemaOf(*db_);
  if (!schema || *schema == schema_) return tl::unexpected(std::move(error));
  return Fail(ErrorCode::kConflict,
              fmt::format("\"{}\" was brought to schema {} by another program since it was opened; "
                          "open it again",
                          db_->path(), *schema));
}

Status Catalog::SetCodeSchemes(const std::map<std::string, std::string>& schemes,
                               const std::map<std::string, std::string>& files) {
  const std::scoped_lock lock(mutex_);
  ZHIWEN_ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(*db_));
  ZHIWEN_RETURN_IF_ERROR(WriteCodeSchemes(*db_, schemes, files));
  ZHIWEN_RETURN_IF_ERROR(transaction.Commit());
  settings_.code_schemes = schemes;
  settings_.code_files = files;
  return {};
}

Result<std::vector<StoredDocument>> Catalog::ReadDocuments(Statement& rows, size_t most) const {
  const StatementReset reset(rows);
  std::vector<StoredDocument> documents;
  while (documents.size() < most) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, rows.Next());
    if (!has_row) return documents;
    Result<StoredDocument> document = ReadDocumentRow(*db_, rows);
    if (!document) return FailRow(std::move(document).error());
    documents.push_back(*std::move(document));
  }
  return documents;
}

// --- changes -------------------------------------------------------------------------------------

Status Catalog::SetState(StoredDocument document, DocumentState state) {
  document.state = state;
  return statements_.set_state.Begin()
      .Bind(static_cast<int64_t>(state))
      .Bind(ChecksumOf(document))
      .Bind(int64_t{document.number})
      .Run();
}

Status Catalog::AppendChange(CatalogChangeKind kind, uint32_t document) {
  return statements_.insert_change.Begin()
      .Bind(static_cast<int64_t>(next_sequence_++))
      .Bind(static_cast<int64_t>(kind))
      .Bind(int64_t{document})
      .Run();
}

Status Catalog::InsertDocument(const StoredDocument& document) {
  const DocumentLabels& labels = document.labels;
  Statement& insert = statements_.insert_document.Begin()
                          .Bind(int64_t{document.number})
                          .Bind(std::string_view(document.id))
                          .Bind(int64_t{document.version})
                          .Bind(static_cast<int64_t>(document.state))
                          .Bind(static_cast<int64_t>(document.text))
                          .Bind(std::string_view(labels.title))
                          .Bind(std::string_view(labels.author))
                          .Bind(std::string_view(labels.date))
                          .Bind(std::string_view(labels.url))
                          .Bind(int64_t{document.added.time_since_epoch().count()});
  const auto work = static_cast<int64_t>(document.work_key);
  work == 0 ? insert.BindNull() : insert.Bind(work);
  return insert.Bind(std::string_view(labels.part))
      .Bind(static_cast<int64_t>(labels.kind))
      .Bind(std::string_view(labels.exposed_from))
      .Bind(std::string_view(labels.exposed_until))
      .Bind(ChecksumOf(document))
      .Run();
}

Result<StoredChange> Catalog::AddOne(const DocumentToStore& said, std::chrono::sys_seconds now) {
  Statement& versions = statements_.find_versions.Begin().Bind(std::string_view(said.id));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<StoredDocument> newest, ReadDocuments(versions, 1));
  const bool completes = said.unsaid == UnsaidLabels::kKeep && !newest.empty() &&
                         newest.front().state == DocumentState::kLive;
  std::optional<DocumentToStore> whole;
  if (completes) whole = CompleteFrom(newest.front(), said);
  const DocumentToStore& document = whole ? *whole : said;
  StoredChange change;
  StoredDocument made = {.id = document.id, .labels = document.labels, .added = now};
  ZHIWEN_ASSIGN_OR_RETURN(made.work_key, works_.Put(document.work, change.work));
  change.has_work = made.work_key != 0;
  change.has_named_work = !document.work.name.empty();
  if (!newest.empty()) {
    const StoredDocument& before = newest.front();
    made.version = before.version + 1;
    if (before.state == DocumentState::kLive) {
      ZHIWEN_ASSIGN_OR_RETURN(const bool has_text, texts_.IsEqual(before.text, document.text));
      ZHIWEN_ASSIGN_OR_RETURN(const bool has_picture,
                              sources_.IsPicture(before, document.source.picture));
      const bool is_labelled = before.labels == document.labels;
      if (has_text && has_picture && is_labelled && before.work_key == made.work_key) {
        change.outcome = StoreOutcome::kUnchanged;
        change.number = before.number;
        ZHIWEN_RETURN_IF_ERROR(sources_.Put(before, document.source));
        return change;
      }
      change.outcome = StoreOutcome::kUpdated;
      change.superseded = before.number;
      ZHIWEN_RETURN_IF_ERROR(SetState(before, DocumentState::kSuperseded));
      ZHIWEN_RETURN_IF_ERROR(AppendChange(CatalogChangeKind::kRemove, before.number));
    }
  }
  if (next_number_ > kMostNumber) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("\"{}\" has given all its 4,294,967,295 numbers to documents; make "
                            "another library for more",
                            db_->path()));
  }
  made.number = static_cast<uint32_t>(next_number_++);
  ZHIWEN_ASSIGN_OR_RETURN(made.text, texts_.Put(document.text));
  ZHIWEN_ASSIGN_OR_RETURN(change.has_equal_text, texts_.HasLiveUser(made.text));
  ZHIWEN_RETURN_IF_ERROR(InsertDocument(made));
  ZHIWEN_RETURN_IF_ERROR(sources_.Put(made, document.source));
  ZHIWEN_RETURN_IF_ERROR(AppendChange(CatalogChangeKind::kAdd, made.number));
  change.number = made.number;
  return change;
}

Result<std::vector<StoredChange>> Catalog::Add(std::span<const DocumentToStore> documents,
                                               std::chrono::sys_seconds now) {
  const std::scoped_lock lock(mutex_);
  ZHIWEN_ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(*db_));
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t sequence, db_->ReadNumber(kLastSequence));
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t number, db_->ReadNumber(kLastDocument));
  next_sequence_ = static_cast<uint64_t>(sequence) + 1;
  next_number_ = static_cast<uint64_t>(number) + 1;
  std::vector<StoredChange> changes;
  changes.reserve(documents.size());
  for (const DocumentToStore& document : documents) {
    ZHIWEN_ASSIGN_OR_RETURN(const StoredChange change, AddOne(document, now));
    changes.push_back(change);
  }
  ZHIWEN_RETURN_IF_ERROR(transaction.Commit());
  return changes;
}

Result<std::vector<uint32_t>> Catalog::Remove(std::span<const std::string> ids) {
  const std::scoped_lock lock(mutex_);
  ZHIWEN_ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(*db_));
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t sequence, db_->ReadNumber(kLastSequence));
  next_sequence_ = static_cast<uint64_t>(sequence) + 1;
  std::vector<uint32_t> numbers;
  numbers.reserve(ids.size());
  for (const std::string& id : ids) {
    Statement& versions = statements_.find_versions.Begin().Bind(std::string_view(id));
    ZHIWEN_ASSIGN_OR_RETURN(const std::vector<StoredDocument> newest, ReadDocuments(versions, 1));
    if (newest.empty() || newest.front().state != DocumentState::kLive) {
      numbers.push_back(0);
      continue;
    }
    ZHIWEN_RETURN_IF_ERROR(SetState(newest.front(), DocumentState::kRemoved));
    ZHIWEN_RETURN_IF_ERROR(AppendChange(CatalogChangeKind::kRemove, newest.front().number));
    numbers.push_back(newest.front().number);
  }
  ZHIWEN_RETURN_IF_ERROR(transaction.Commit());
  return numbers;
}

// Takes text, labels, work and source out of a document that is not live.
Status Catalog::Empty(StoredDocument document) {
  const uint64_t text = std::exchange(document.text, 0);
  const uint64_t work = std::exchange(document.work_key, 0);
  document.source = {};
  document.labels = {};
  ZHIWEN_RETURN_IF_ERROR(statements_.empty_document.Begin()
                             .Bind(ChecksumOf(document))
                             .Bind(int64_t{document.number})
                             .Run());
  if (work != 0) ZHIWEN_RETURN_IF_ERROR(works_.DeleteUnused(work));
  ZHIWEN_RETURN_IF_ERROR(sources_.Delete(document.number));
  return text == 0 ? Status() : texts_.Release(text);
}

Result<CorpusStore::Purged> Catalog::PurgeOne(const std::string& id) {
  Purged purged;
  Statement& rows = statements_.find_versions.Begin().Bind(std::string_view(id));
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<StoredDocument> versions, ReadDocuments(rows, SIZE_MAX));
  purged.existed = !versions.empty();
  for (StoredDocument& version : versions) {
    if (version.state == DocumentState::kLive) {
      ZHIWEN_RETURN_IF_ERROR(SetState(version, DocumentState::kRemoved));
      version.state = DocumentState::kRemoved;
      ZHIWEN_RETURN_IF_ERROR(AppendChange(CatalogChangeKind::kRemove, version.number));
      purged.live = version.number;
    }
    ZHIWEN_RETURN_IF_ERROR(Empty(std::move(version)));
  }
  return purged;
}

// Deleted cells are overwritten (secure_delete). The log, which has old pages, is cut later.
Result<std::vector<CorpusStore::Purged>> Catalog::Purge(std::span<const std::string> ids) {
  const std::scoped_lock lock(mutex_);
  std::vector<Purged> purged;
  {
    ZHIWEN_ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(*db_));
    ZHIWEN_ASSIGN_OR_RETURN(const int64_t sequence, db_->ReadNumber(kLastSequence));
    next_sequence_ = static_cast<uint64_t>(sequence) + 1;
    for (const std::string& id : ids) {
      ZHIWEN_ASSIGN_OR_RETURN(const Purged one, PurgeOne(id));
      purged.push_back(one);
    }
    ZHIWEN_RETURN_IF_ERROR(transaction.Commit());
  }
  return purged;
}

Status Catalog::CutLog() {
  const std::scoped_lock lock(mutex_);
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t busy, db_->ReadNumber("PRAGMA wal_checkpoint(TRUNCATE)"));
  if (busy == 0) return {};
  return Fail(ErrorCode::kConflict,
              fmt::format("what was asked for is removed, but \"{}-wal\" still has it, because "
                          "another process is reading; remove it again when nobody does",
                          db_->path()));
}

// --- questions -----------------------------------------------------------------------------------

Status Catalog::VisitChanges(uint64_t sequence,
                             const std::function<Status(const CatalogChange&)>& visit) const {
  std::vector<CatalogChange> changes;
  do {
    changes.clear();
    {
      const std::scoped_lock lock(mutex_);
      Statement& rows = statements_.changes.Begin()
                            .Bind(static_cast<int64_t>(sequence))
                            .Bind(static_cast<int64_t>(kRowsAtOnce));
      const StatementReset reset(rows);
      for (;;) {
        ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, rows.Next());
        if (!has_row) break;
        changes.push_back({.sequence = static_cast<uint64_t>(rows.Integer(0)),
                           .kind = static_cast<CatalogChangeKind>(rows.Integer(1)),
                           .document = static_cast<uint32_t>(rows.Integer(2))});
        if (changes.back().sequence != ++sequence || rows.Integer(1) > 1) {
          return db_->FailDamaged(fmt::format("the row of change {}", sequence));
        }
      }
    }
    for (const CatalogChange& change : changes) ZHIWEN_RETURN_IF_ERROR(visit(change));
  } while (!changes.empty());
  return {};
}

Status Catalog::VisitDocuments(Which which, uint64_t number,
                               const std::function<Status(const StoredDocument&)>& visit) const {
  std::vector<StoredDocument> documents;
  do {
    {
      const std::scoped_lock lock(mutex_);
      Statement& rows = which == Which::kLive ? statements_.visit_live : statements_.visit_all;
      rows.Begin().Bind(static_cast<int64_t>(number));
      ZHIWEN_ASSIGN_OR_RETURN(documents, ReadDocuments(rows, kRowsAtOnce));
    }
    for (const StoredDocument& document : documents) {
      if (which == Which::kAll && document.number != number + 1) {
        return db_->FailDamaged(fmt::format("there is no row of document {}", number + 1));
      }
      ZHIWEN_RETURN_IF_ERROR(visit(document));
      number = document.number;
    }
  } while (documents.size() == kRowsAtOnce);
  return {};
}

Result<std::vector<std::optional<StoredDocument>>> Catalog::FindAll(
    std::span<const uint32_t> numbers) const {
  const std::scoped_lock lock(mutex_);
  ZHIWEN_ASSIGN_OR_RETURN(Transaction transaction, Transaction::BeginReading(*db_));
  std::vector<std::optional<StoredDocument>> found;
  found.reserve(numbers.size());
  for (const uint32_t number : numbers) {
    ZHIWEN_ASSIGN_OR_RETURN(found.emplace_back(), FindOne(number));
  }
  ZHIWEN_RETURN_IF_ERROR(transaction.Commit());
  return found;
}

Result<std::optional<StoredDocument>> Catalog::FindOne(uint32_t number) const {
  Statement& find = statements_.find.Begin().Bind(int64_t{number});
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<StoredDocument> found, ReadDocuments(find, 1));
  if (!found.empty()) return std::optional<StoredDocument>(std::move(found.front()));
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t last, db_->ReadNumber(kLastDocument));
  if (number == 0 || number > last) return std::optional<StoredDocument>();
  return db_->FailDamaged(fmt::format("there is no row of document {}", number));
}

Result<std::vector<StoredDocument>> Catalog::FindVersions(std::string_view id) const {
  const std::scoped_lock lock(mutex_);
  Statement& rows = statements_.find_versions.Begin().Bind(id);
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<StoredDocument> versions, ReadDocuments(rows, SIZE_MAX));
  if (versions.empty() || (versions.front().version == versions.size() &&
                           versions.front().state != DocumentState::kSuperseded)) {
    return versions;
  }
  return db_->FailDamaged(fmt::format("versions of document \"{}\" are missing", id));
}

Result<std::vector<StoredDocument>> Catalog::FindEqual(TextHash kind, const Hash128& hash) const {
  const std::scoped_lock lock(mutex_);
  const std::string blob = BlobOf(hash);
  Statement& find = kind == TextHash::kExact ? statements_.find_exact : statements_.find_folded;
  return ReadDocuments(find.Begin().BindBlob(blob), SIZE_MAX);
}

Result<std::optional<WorkLabels>> Catalog::FindWork(std::string_view work) const {
  if (schema_ < kSchemaOfWorks) return std::optional<WorkLabels>();
  const std::scoped_lock lock(mutex_);
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<StoredDocument> parts,
                          ReadDocuments(statements_.find_parts.Begin().Bind(work), 1));
  if (parts.empty()) return std::optional<WorkLabels>();
  return std::optional<WorkLabels>(std::move(parts.front().work));
}

Result<std::vector<StoredDocument>> Catalog::FindParts(std::string_view work) const {
  std::vector<StoredDocument> parts;
  if (schema_ < kSchemaOfWorks) return parts;
  {
    const std::scoped_lock lock(mutex_);
    ZHIWEN_ASSIGN_OR_RETURN(parts,
                            ReadDocuments(statements_.find_parts.Begin().Bind(work), SIZE_MAX));
  }
  SortParts(parts);
  return parts;
}

Status Catalog::VisitWorks(const std::function<Status(const StoredWork&)>& visit) const {
  std::vector<StoredWork> works;
  uint64_t after = 0;
  do {
    {
      const std::scoped_lock lock(mutex_);
      ZHIWEN_ASSIGN_OR_RETURN(works, works_.Read(after, kRowsAtOnce));
    }
    for (const StoredWork& work : works) ZHIWEN_RETURN_IF_ERROR(visit(work));
  } while (works.size() == kRowsAtOnce);
  return {};
}

Result<std::string> Catalog::ReadText(uint64_t key) const {
  TextRow row;
  {
    const std::scoped_lock lock(mutex_);
    ZHIWEN_ASSIGN_OR_RETURN(row, texts_.Read(key));
  }
  return Decompress(row);
}

Result<std::string> Catalog::Decompress(const TextRow& row) const {
  return DecompressZstdFrame(row.text.zstd, row.text.bytes,
                             fmt::format("text {} of \"{}\"", row.key, db_->path()));
}

Status Catalog::ReadTexts(std::span<const uint64_t> keys,
                          const std::function<void(uint64_t key, std::string text)>& take) const {
  std::vector<TextRow> rows;
  {
    const std::scoped_lock lock(mutex_);
    ZHIWEN_ASSIGN_OR_RETURN(Transaction transaction, Transaction::BeginReading(*db_));
    for (const uint64_t key : keys) {
      Result<TextRow> row = texts_.Read(key);
      if (!row && row.error().code == ErrorCode::kNotFound) continue;
      if (!row) return Fail(std::move(row));
      rows.push_back(*std::move(row));
    }
    ZHIWEN_RETURN_IF_ERROR(transaction.Commit());
  }
  for (const TextRow& row : rows) {
    ZHIWEN_ASSIGN_OR_RETURN(std::string text, Decompress(row));
    take(row.key, std::move(text));
  }
  return {};
}

}  // namespace

Status SqliteCorpusStore::Create(const std::string& path, const CatalogSettings& settings) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto database, Database::Open(path, Database::Access::kCreate));
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t schema, SchemaOf(*database));
  if (schema != 0) {
    return Fail(ErrorCode::kConflict, fmt::format("\"{}\" is a catalog already", path));
  }
  ZHIWEN_RETURN_IF_ERROR(database->Run(
      "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL"));
  ZHIWEN_ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(*database));
  ZHIWEN_RETURN_IF_ERROR(Migrate(*database));
  ZHIWEN_RETURN_IF_ERROR(WriteNewSettings(*database, settings));
  return transaction.Commit();
}

bool SqliteCorpusStore::IsUnfinished(const std::string& path) {
  // To undo what was begun, SQLite writes.
  const auto database = Database::Open(path, Database::Access::kWrite);
  if (!database) return false;
  const Result<int64_t> schema = SchemaOf(**database);
  return schema && *schema == 0;
}

Result<std::unique_ptr<CorpusStore>> SqliteCorpusStore::Open(const std::string& path,
                                                             Access access) {
  const bool writes = access == Access::kWrite;
  ZHIWEN_ASSIGN_OR_RETURN(
      std::unique_ptr<Database> database,
      writes ? Database::Open(path, Database::Access::kWrite) : Database::OpenForReading(path));
  ZHIWEN_ASSIGN_OR_RETURN(const int64_t schema, SchemaOf(*database));
  if (schema == 0) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("\"{}\" is no catalog: its creation was cut short; create the library "
                            "again",
                            path));
  }
  if (writes && schema != NewestSchema()) {
    ZHIWEN_ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(*database));
    ZHIWEN_RETURN_IF_ERROR(Migrate(*database));
    ZHIWEN_RETURN_IF_ERROR(transaction.Commit());
  }
  if (writes) {
    ZHIWEN_RETURN_IF_ERROR(database->Run(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; "
        "PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4096"));
  }
  if (!writes) ZHIWEN_RETURN_IF_ERROR(database->Run("PRAGMA cache_size = -16384"));
  ZHIWEN_ASSIGN_OR_RETURN(CatalogSettings settings, ReadSettings(*database));
  auto catalog = std::make_unique<Catalog>(std::move(database), writes ? NewestSchema() : schema,
                                           std::move(settings));
  ZHIWEN_RETURN_IF_ERROR(catalog->Prepare(access));
  return std::unique_ptr<CorpusStore>(std::move(catalog));
}

}  // namespace zhiwen
