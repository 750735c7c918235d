#include "store/sqlite/check_catalog.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/compress/zstd_frame.h"
#include "base/hash.h"
#include "store/sqlite/catalog_rows.h"
#include "store/sqlite/schema.h"

namespace zhiwen {
namespace {

constexpr uint64_t kRowsPerProgress = 256;

class CatalogCheck {
 public:
  // All must outlive the object.
  CatalogCheck(const Database& database, int64_t schema,
               const std::function<void(std::string problem)>& problem, ProgressSink& progress,
               const Cancellation& cancellation)
      : db_(database),
        schema_(schema),
        problem_(problem),
        progress_(progress),
        cancellation_(cancellation) {}

  Status Run() {
    ZHIWEN_RETURN_IF_ERROR(CheckPages());
    ZHIWEN_RETURN_IF_ERROR(CheckIndexes());
    ZHIWEN_RETURN_IF_ERROR(CheckTables());
    ZHIWEN_RETURN_IF_ERROR(CheckTexts());
    ZHIWEN_RETURN_IF_ERROR(CheckDocuments());
    if (schema_ >= kSchemaOfWorks) ZHIWEN_RETURN_IF_ERROR(CheckWorks());
    if (schema_ >= kSchemaOfSources) ZHIWEN_RETURN_IF_ERROR(CheckSources());
    return CheckRelations();
  }

 private:
  // Calls take(row) for all rows of a query.
  template <typename Take>
  Status ForEach(std::string_view sql, const Take& take) {
    Result<Statement> rows = db_.Prepare(sql);
    if (!rows) return Note(rows.error());
    for (;;) {
      const Result<bool> has_row = rows->Next();
      if (!has_row) return Note(has_row.error());
      if (!*has_row) return {};
      ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
      take(*rows);
    }
  }

  // Reports damage, and fails with what is none.
  Status Note(const Error& error) {
    if (error.code != ErrorCode::kUnreadable) return tl::unexpected(error);
    problem_(error.message);
    return {};
  }

  // Counts the rows of a query that are a fault, which `what` words.
  Status CheckNone(std::string_view sql, std::string_view what) {
    return ForEach(sql, [&](const Statement& row) {
      problem_(fmt::format("\"{}\": {} {}", db_.path(), what, row.Integer(0)));
    });
  }

  Status CheckPages() {
    return ForEach("PRAGMA integrity_check", [&](const Statement& row) {
      if (row.Text(0) != "ok") problem_(fmt::format("\"{}\": {}", db_.path(), row.Text(0)));
    });
  }

  // Reads which row each entry of an index leads to, which the check of pages does not.
  Status CheckIndexes() {
    std::vector<std::string> queries;
    ZHIWEN_RETURN_IF_ERROR(
        ForEach("SELECT name, tbl_name, CASE instr(sql, ' WHERE ') WHEN 0 THEN '' ELSE "
                "substr(sql, instr(sql, ' WHERE ')) END FROM sqlite_schema WHERE type = 'index'",
                [&](const Statement& row) {
                  queries.push_back(fmt::format("SELECT sum(rowid) FROM {} INDEXED BY {}{}",
                                                row.Text(1), row.Text(0), row.Text(2)));
                }));
    for (const std::string& query : queries) {
      ZHIWEN_RETURN_IF_ERROR(ForEach(query, [](const Statement&) {}));
    }
    return {};
  }

  // A table that refers to another one than it should is not found by reading rows.
  Status CheckTables() {
    ZHIWEN_ASSIGN_OR_RETURN(const auto wanted, TablesOfSchema(schema_));
    auto tables = TablesOf(db_);
    if (!tables) return Note(tables.error());
    for (const auto& [name, sql] : wanted) {
      const auto found = tables->find(name);
      if (found != tables->end() && found->second == sql) continue;
      problem_(fmt::format("\"{}\": the definition of \"{}\" is damaged", db_.path(), name));
    }
    return {};
  }

  void Advance() {
    if (++done_ % kRowsPerProgress == 0) progress_.Advance(Stage::kCheckRows, done_, 0);
  }

  Status CheckTexts() {
    return ForEach(SelectTexts("ORDER BY key"), [&](const Statement& row) {
      Advance();
      const Result<TextRow> read = ReadTextRow(db_, row);
      if (!read) return problem_(read.error().message);
      const std::string name = fmt::format("text {} of \"{}\"", read->key, db_.path());
      const auto text = DecompressZstdFrame(read->text.zstd, read->text.bytes, name);
      if (!text) return problem_(text.error().message);
      if (HashBytes128(*text) != read->text.content) {
        problem_(fmt::format("{} is not the text whose hash it has", name));
      }
    });
  }

  Status CheckDocuments() {
    std::string told;  // a damaged work is a fault of each of its documents
    return ForEach(SelectDocuments(schema_, "ORDER BY d.number"), [&](const Statement& row) {
      Advance();
      const Result<StoredDocument> read = ReadDocumentRow(db_, row);
      if (!read && read.error().message != told) problem_(told = read.error().message);
    });
  }

  Status CheckWorks() {
    ZHIWEN_RETURN_IF_ERROR(ForEach(SelectWorks("", "ORDER BY w.key"), [&](const Statement& row) {
      Advance();
      const Result<WorkRow> read = ReadWorkRow(db_, row);
      if (!read) problem_(read.error().message);
    }));
    return CheckNone(
        "SELECT key FROM work w WHERE NOT EXISTS "
        "(SELECT 1 FROM document d WHERE d.work = w.key)",
        "no document belongs to work");
  }

  Status CheckSources() {
    ZHIWEN_RETURN_IF_ERROR(ForEach(SelectSources("WHERE d.source IS NOT NULL ORDER BY d.number"),
                                   [&](const Statement& row) {
                                     Advance();
                                     const Result<DocumentSource> read = ReadSourceRow(db_, row);
                                     if (!read) problem_(read.error().message);
                                   }));
    return CheckNone(
        "SELECT document FROM source WHERE document NOT IN "
        "(SELECT number FROM document WHERE source IS NOT NULL AND text IS NOT NULL)",
        "there is a source without its text of document");
  }

  Status CheckRelations() {
    ZHIWEN_RETURN_IF_ERROR(ForEach("PRAGMA foreign_key_check", [&](const Statement& row) {
      problem_(fmt::format("\"{}\": there is no {} for {} {}", db_.path(), row.Text(2), row.Text(0),
                           row.Integer(1)));
    }));
    ZHIWEN_RETURN_IF_ERROR(
        CheckNone("SELECT key FROM text t WHERE users <> "
                  "(SELECT count(*) FROM document d WHERE d.text = t.key)",
                  "the number of documents is wrong of text"));
    ZHIWEN_RETURN_IF_ERROR(CheckNone(
        "SELECT max(number) FROM document WHERE state = 0 GROUP BY id HAVING count(*) > 1",
        "another live document has the id of document"));
    ZHIWEN_RETURN_IF_ERROR(CheckNone(
        "SELECT min(sequence) FROM change HAVING count(*) <> max(sequence) OR min(sequence) <> 1",
        "changes are missing, the first is"));
    // A live document was added and not removed; another one was added, and then removed.
    return CheckNone(
        "SELECT d.number FROM document d LEFT JOIN (SELECT document, sum(kind = 0) AS added, "
        "sum(kind = 1) AS removed FROM change GROUP BY document) c ON c.document = d.number "
        "WHERE c.added IS NOT 1 OR c.removed IS NOT (d.state <> 0)",
        "changes do not lead to the state of document");
  }

  const Database& db_;
  const int64_t schema_;
  const std::function<void(std::string problem)>& problem_;
  ProgressSink& progress_;
  const Cancellation& cancellation_;
  uint64_t done_ = 0;
};

}  // namespace

Status CheckCatalog(const Database& database, int64_t schema,
                    const std::function<void(std::string problem)>& problem, ProgressSink& progress,
                    const Cancellation& cancellation) {
  return CatalogCheck(database, schema, problem, progress, cancellation).Run();
}

}  // namespace zhiwen
