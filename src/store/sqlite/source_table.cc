#include "store/sqlite/source_table.h"

#include <string_view>
#include <utility>

#include "store/sqlite/catalog_rows.h"

namespace zhiwen {

Status SourceTable::Prepare(Database::Access access) {
  is_prepared_ = true;
  ZHIWEN_ASSIGN_OR_RETURN(read_, db_.Prepare(SelectSources("WHERE d.number = ?")));
  if (access == Database::Access::kRead) return {};
  ZHIWEN_ASSIGN_OR_RETURN(
      insert_,
      db_.Prepare("INSERT INTO source (document, member, bytes, places) VALUES (?, ?, ?, ?)"));
  ZHIWEN_ASSIGN_OR_RETURN(
      set_, db_.Prepare("UPDATE document SET source = ?, checksum = ? WHERE number = ?"));
  ZHIWEN_ASSIGN_OR_RETURN(delete_, db_.Prepare("DELETE FROM source WHERE document = ?"));
  return {};
}

Status SourceTable::Put(StoredDocument document, const SourceToStore& source) {
  if (document.source || source.zstd.empty()) return {};
  document.source = ChecksumOf(document.number, source);
  ZHIWEN_RETURN_IF_ERROR(insert_.Begin()
                             .Bind(int64_t{document.number})
                             .Bind(std::string_view(source.member))
                             .Bind(static_cast<int64_t>(source.bytes))
                             .BindBlob(source.zstd)
                             .Run());
  return set_.Begin()
      .Bind(int64_t{*document.source})
      .Bind(ChecksumOf(document))
      .Bind(int64_t{document.number})
      .Run();
}

Status SourceTable::Delete(uint32_t document) {
  return delete_.Begin().Bind(int64_t{document}).Run();
}

Result<std::optional<DocumentSource>> SourceTable::Read(uint32_t document) {
  if (!is_prepared_) return std::optional<DocumentSource>();
  read_.Begin().Bind(int64_t{document});
  const StatementReset reset(read_);
  ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, read_.Next());
  if (!has_row || read_.IsNull(1)) return std::optional<DocumentSource>();
  ZHIWEN_ASSIGN_OR_RETURN(DocumentSource source, ReadSourceRow(db_, read_));
  return std::optional(std::move(source));
}

}  // namespace zhiwen
