#include "store/sqlite/catalog_statements.h"

#include <initializer_list>
#include <string_view>
#include <utility>

#include "store/sqlite/catalog_rows.h"
#include "store/sqlite/schema.h"

namespace zhiwen {

Status CatalogStatements::Prepare(const Database& database, int64_t schema,
                                  Database::Access access) {
  const auto prepare = [&](Statement& statement, std::string_view sql) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(statement, database.Prepare(sql));
    return {};
  };
  for (const auto& [statement, rest] : std::initializer_list<std::pair<Statement*, const char*>>{
           {&find, "WHERE d.number = ?"},
           {&find_versions, "WHERE d.id = ? ORDER BY d.version DESC"},
           {&find_exact,
            "WHERE d.state = 0 AND d.text IN (SELECT key FROM text WHERE content = ?1 OR "
            "exact = ?1) ORDER BY d.number"},
           {&find_folded,
            "WHERE d.state = 0 AND d.text IN (SELECT key FROM text WHERE folded = ?1) "
            "ORDER BY d.number"},
           {&visit_live, "WHERE d.number > ? AND d.state = 0 ORDER BY d.number"},
           {&visit_all, "WHERE d.number > ? ORDER BY d.number"}}) {
    ZHIWEN_RETURN_IF_ERROR(prepare(*statement, SelectDocuments(schema, rest)));
  }
  ZHIWEN_RETURN_IF_ERROR(prepare(changes,
                                 "SELECT sequence, kind, document FROM change WHERE sequence > ? "
                                 "ORDER BY sequence LIMIT ?"));
  ZHIWEN_RETURN_IF_ERROR(
      prepare(incarnation, "SELECT CAST(value AS INTEGER) FROM setting WHERE name = ?"));
  if (schema >= kSchemaOfWorks) {
    ZHIWEN_RETURN_IF_ERROR(prepare(
        find_parts, SelectDocuments(schema, "WHERE d.state = 0 AND w.name = ? AND w.name <> ''")));
  }
  if (access == Database::Access::kRead) return {};
  ZHIWEN_RETURN_IF_ERROR(
      prepare(begin_incarnation,
              "INSERT INTO setting (name, value) VALUES (?, '1') ON CONFLICT (name) DO UPDATE SET "
              "value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)"));
  ZHIWEN_RETURN_IF_ERROR(
      prepare(insert_document,
              "INSERT INTO document (number, id, version, state, text, title, author, "
              "date, url, added, work, part, kind, exposed_from, exposed_until, checksum) "
              "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  ZHIWEN_RETURN_IF_ERROR(
      prepare(set_state, "UPDATE document SET state = ?, checksum = ? WHERE number = ?"));
  ZHIWEN_RETURN_IF_ERROR(
      prepare(empty_document,
              "UPDATE document SET text = NULL, title = '', author = '', date = '', "
              "url = '', work = NULL, part = '', kind = 0, source = NULL, exposed_from = '', "
              "exposed_until = '', checksum = ? WHERE number = ?"));
  return prepare(insert_change, "INSERT INTO change (sequence, kind, document) VALUES (?, ?, ?)");
}

}  // namespace zhiwen
