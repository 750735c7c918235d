#include "store/sqlite/source_table.h"

#include <string_view>
#include <utility>

#include "store/sqlite/catalog_rows.h"

namespace zhiwen {

Status SourceTable::Prepare(Database::Access access) {
  is_prepared_ = true;
  ZHIWEN_ASSIGN_OR_RETURN(read_, db_.Prepare(SelectSources("WHERE d.number = ?")));
  // Columns of SelectSources. A document that is lost is damage.
  ZHIWEN_ASSIGN_OR_RETURN(
      pictures_, db_.Prepare("SELECT s.document, d.source, s.member, s.bytes, s.places, s.picture "
                             "FROM source s LEFT JOIN document d ON d.number = s.document "
                             "WHERE s.picture <> x'' ORDER BY s.document"));
  if (access == Database::Access::kRead) return {};
  ZHIWEN_ASSIGN_OR_RETURN(
      insert_, db_.Prepare("INSERT INTO source (document, member, bytes, places, picture) "
                           "VALUES (?, ?, ?, ?, ?)"));
  ZHIWEN_ASSIGN_OR_RETURN(
      set_, db_.Prepare("UPDATE document SET source = ?, checksum = ? WHERE number = ?"));
  ZHIWEN_ASSIGN_OR_RETURN(delete_, db_.Prepare("DELETE FROM source WHERE document = ?"));
  return {};
}

Status SourceTable::Put(StoredDocument document, const SourceToStore& source) {
  if (document.source || source.is_empty()) return {};
  document.source = ChecksumOf(document.number, source);
  ZHIWEN_RETURN_IF_ERROR(insert_.Begin()
                             .Bind(int64_t{document.number})
                             .Bind(std::string_view(source.member))
                             .Bind(static_cast<int64_t>(source.bytes))
                             .BindBlob(source.zstd)
                             .BindBlob(source.picture)
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

Result<bool> SourceTable::IsPicture(const StoredDocument& document, std::string_view picture) {
  if (!document.is_picture()) return picture.empty();
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<DocumentSource> source, Read(document.number));
  return source && source->picture == picture;
}

Result<std::vector<StoredPicture>> SourceTable::ReadPictures() {
  std::vector<StoredPicture> pictures;
  if (!is_prepared_) return pictures;
  const StatementReset reset(pictures_.Begin());
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, pictures_.Next());
    if (!has_row) return pictures;
    ZHIWEN_ASSIGN_OR_RETURN(DocumentSource source, ReadSourceRow(db_, pictures_));
    pictures.push_back({.document = static_cast<uint32_t>(pictures_.Integer(0)),
                        .picture = std::move(source.picture)});
  }
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
