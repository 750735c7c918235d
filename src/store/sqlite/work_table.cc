#include "store/sqlite/work_table.h"

#include <string_view>
#include <utility>

namespace zhiwen {

Status WorkTable::Prepare(Database::Access access) {
  is_prepared_ = true;
  const auto prepare = [&](Statement& statement, std::string_view sql) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(statement, db_.Prepare(sql));
    return {};
  };
  // A CROSS JOIN keeps the order of the tables, so that a page of works reads their documents
  // alone.
  ZHIWEN_RETURN_IF_ERROR(
      prepare(read_, SelectWorks("count(*), sum(t.units)",
                                 "CROSS JOIN document d ON d.work = w.key AND d.state = 0 "
                                 "CROSS JOIN text t ON t.key = d.text WHERE w.key > ? GROUP BY "
                                 "w.key ORDER BY w.key LIMIT ?")));
  if (access == Database::Access::kRead) return {};
  ZHIWEN_RETURN_IF_ERROR(prepare(find_, SelectWorks("", "WHERE w.name = ? AND w.name <> ''")));
  ZHIWEN_RETURN_IF_ERROR(
      prepare(find_owner_, SelectWorks("", "WHERE w.owner = ? AND w.name = ''")));
  ZHIWEN_RETURN_IF_ERROR(prepare(last_, "SELECT max(key) FROM work"));
  ZHIWEN_RETURN_IF_ERROR(
      prepare(put_,
              "INSERT INTO work (key, name, title, author, owner, licence, first_publication, "
              "checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET "
              "title = excluded.title, author = excluded.author, owner = excluded.owner, "
              "licence = excluded.licence, first_publication = excluded.first_publication, "
              "checksum = excluded.checksum"));
  return prepare(delete_,
                 "DELETE FROM work WHERE key = ?1 AND NOT EXISTS "
                 "(SELECT 1 FROM document WHERE work = ?1)");
}

// Returns the row of the work that labels name; of labels without a name, that of their owner.
Result<std::optional<WorkRow>> WorkTable::Find(const WorkLabels& labels) {
  Statement& find = labels.name.empty() ? find_owner_.Begin().Bind(std::string_view(labels.owner))
                                        : find_.Begin().Bind(std::string_view(labels.name));
  const StatementReset reset(find);
  ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, find.Next());
  if (!has_row) return std::optional<WorkRow>();
  ZHIWEN_ASSIGN_OR_RETURN(WorkRow work, ReadWorkRow(db_, find));
  return std::optional<WorkRow>(std::move(work));
}

Result<uint64_t> WorkTable::Put(const WorkLabels& labels, StoreOutcome& outcome) {
  if (labels.name.empty() && labels.owner.empty()) return 0;
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<WorkRow> found, Find(labels));
  WorkRow work = found.value_or(WorkRow{.key = 0, .labels = {.name = labels.name}});
  for (const auto label : {&WorkLabels::title, &WorkLabels::author, &WorkLabels::owner,
                           &WorkLabels::licence, &WorkLabels::first_publication}) {
    if (!(labels.*label).empty()) work.labels.*label = labels.*label;
  }
  if (found && work.labels == found->labels) return work.key;
  if (!labels.name.empty()) outcome = found ? StoreOutcome::kUpdated : StoreOutcome::kAdded;
  if (!found) {
    Statement& last = last_.Begin();
    const StatementReset reset(last);
    ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, last.Next());
    work.key = has_row ? static_cast<uint64_t>(last.Integer(0)) + 1 : 1;
  }
  ZHIWEN_RETURN_IF_ERROR(put_.Begin()
                             .Bind(static_cast<int64_t>(work.key))
                             .Bind(std::string_view(work.labels.name))
                             .Bind(std::string_view(work.labels.title))
                             .Bind(std::string_view(work.labels.author))
                             .Bind(std::string_view(work.labels.owner))
                             .Bind(std::string_view(work.labels.licence))
                             .Bind(std::string_view(work.labels.first_publication))
                             .Bind(ChecksumOf(work.key, work.labels))
                             .Run());
  return work.key;
}

Status WorkTable::DeleteUnused(uint64_t key) {
  return delete_.Begin().Bind(static_cast<int64_t>(key)).Run();
}

Result<std::vector<StoredWork>> WorkTable::Read(uint64_t& after, size_t most) {
  std::vector<StoredWork> works;
  if (!is_prepared_) return works;
  read_.Begin().Bind(static_cast<int64_t>(after)).Bind(static_cast<int64_t>(most));
  const StatementReset reset(read_);
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, read_.Next());
    if (!has_row) return works;
    ZHIWEN_ASSIGN_OR_RETURN(WorkRow row, ReadWorkRow(db_, read_));
    after = row.key;
    works.push_back({.labels = std::move(row.labels),
                     .documents = static_cast<uint64_t>(read_.Integer(kMoreOfWork)),
                     .units = static_cast<uint64_t>(read_.Integer(kMoreOfWork + 1))});
  }
}

}  // namespace zhiwen
