#include "store/sqlite/text_table.h"

#include <fmt/format.h>

#include <string_view>

namespace zhiwen {

Status TextTable::Prepare(Database::Access access) {
  const auto prepare = [&](Statement& statement, std::string_view sql) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(statement, db_.Prepare(sql));
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(prepare(read_, SelectTexts("WHERE key = ?")));
  ZHIWEN_RETURN_IF_ERROR(prepare(find_, SelectTexts("WHERE content = ?")));
  if (access == Database::Access::kRead) return {};
  // The newest first: where many users of a text were removed, those that are live follow them.
  ZHIWEN_RETURN_IF_ERROR(
      prepare(live_user_,
              "SELECT 1 FROM document WHERE text = ? AND state = 0 ORDER BY number DESC LIMIT 1"));
  ZHIWEN_RETURN_IF_ERROR(
      prepare(insert_,
              "INSERT INTO text (content, exact, folded, units, bytes, users, zstd, "
              "checksum) VALUES (?, ?, ?, ?, ?, 1, ?, ?) RETURNING key"));
  ZHIWEN_RETURN_IF_ERROR(prepare(add_user_, "UPDATE text SET users = users + 1 WHERE key = ?"));
  ZHIWEN_RETURN_IF_ERROR(prepare(release_, "UPDATE text SET users = users - 1 WHERE key = ?"));
  return prepare(delete_, "DELETE FROM text WHERE key = ? AND users = 0");
}

Result<uint64_t> TextTable::Put(const TextToStore& text) {
  Statement& find = find_.Begin();
  const StatementReset reset(find);
  const std::string content = BlobOf(text.content);
  find.BindBlob(content);
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, find.Next());
    if (!has_row) break;
    ZHIWEN_ASSIGN_OR_RETURN(const TextRow row, ReadTextRow(db_, find));
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_same, IsSameText(row.text, text));
    if (!is_same) continue;
    ZHIWEN_RETURN_IF_ERROR(add_user_.Begin().Bind(static_cast<int64_t>(row.key)).Run());
    return row.key;
  }
  const std::string exact = BlobOf(text.exact), folded = BlobOf(text.folded);
  Statement& insert = insert_.Begin().BindBlob(content);
  text.exact == text.content ? insert.BindNull() : insert.BindBlob(exact);
  text.units == 0 ? insert.BindNull() : insert.BindBlob(folded);
  insert.Bind(static_cast<int64_t>(text.units)).Bind(static_cast<int64_t>(text.bytes));
  insert.BindBlob(text.zstd).Bind(ChecksumOf(text));
  ZHIWEN_ASSIGN_OR_RETURN(const bool has_key, insert.Next());
  if (!has_key) return db_.FailDamaged("a text was given no key");
  const auto key = static_cast<uint64_t>(insert.Integer(0));
  ZHIWEN_RETURN_IF_ERROR(insert.Run());
  return key;
}

Status TextTable::Release(uint64_t key) {
  const auto text = static_cast<int64_t>(key);
  ZHIWEN_RETURN_IF_ERROR(release_.Begin().Bind(text).Run());
  return delete_.Begin().Bind(text).Run();
}

Result<bool> TextTable::IsEqual(uint64_t key, const TextToStore& text) {
  const Result<TextRow> row = Read(key);
  if (!row && row.error().code == ErrorCode::kNotFound) return false;
  if (!row) return tl::unexpected(row.error());
  return IsSameText(row->text, text);
}

Result<bool> TextTable::HasLiveUser(uint64_t key) {
  live_user_.Begin().Bind(static_cast<int64_t>(key));
  const StatementReset reset(live_user_);
  return live_user_.Next();
}

Result<TextRow> TextTable::Read(uint64_t key) {
  read_.Begin().Bind(static_cast<int64_t>(key));
  const StatementReset reset(read_);
  ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, read_.Next());
  if (!has_row) {
    return Fail(ErrorCode::kNotFound, fmt::format("\"{}\" has no text {}", db_.path(), key));
  }
  return ReadTextRow(db_, read_);
}

}  // namespace zhiwen
