#include "store/sqlite/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <utility>

namespace zhiwen {
namespace {

constexpr int kPatienceMilliseconds = 5000;

ErrorCode CodeOf(int result) {
  switch (result & 0xFF) {
    case SQLITE_FULL:
    case SQLITE_NOMEM:
    case SQLITE_TOOBIG:
      return ErrorCode::kExhausted;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return ErrorCode::kConflict;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_FORMAT:
      return ErrorCode::kUnreadable;
    default:
      return ErrorCode::kInternal;
  }
}

}  // namespace

Result<std::unique_ptr<Database>> Database::Open(const std::string& path, Access access) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= access == Access::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (access == Access::kCreate) flags |= SQLITE_OPEN_CREATE;
  sqlite3* connection = nullptr;
  const int result = sqlite3_open_v2(path.c_str(), &connection, flags, nullptr);
  std::unique_ptr<Database> database(new Database(path, connection));
  if (connection == nullptr) return Fail(ErrorCode::kExhausted, "not enough memory for SQLite");
  if (result != SQLITE_OK) return database->FailWith(result);
  sqlite3_busy_timeout(connection, kPatienceMilliseconds);
  return database;
}

Result<std::unique_ptr<Database>> Database::OpenForReading(const std::string& path) {
  auto opened = Open(path, Access::kRead);
  if (!opened) return opened;
  const Result<int64_t> tables = (*opened)->ReadNumber("SELECT count(*) FROM sqlite_schema");
  if (tables) return opened;
  // Whoever uses it gets any other error, and also this one when there is a log that is not empty.
  const int why = sqlite3_extended_errcode((*opened)->db_) & 0xFF;
  if (why != SQLITE_CANTOPEN && why != SQLITE_READONLY) return opened;
  sqlite3_vfs* const vfs = sqlite3_vfs_find(nullptr);
  int has_log = 1;
  const int looked = vfs->xAccess(vfs, (path + "-wal").c_str(), SQLITE_ACCESS_EXISTS, &has_log);
  if (looked != SQLITE_OK || has_log != 0) return opened;
  std::string uri = "file:";
  for (const char c : path) {
    uri += c == '?' || c == '#' || c == '%' ? fmt::format("%{:02X}", static_cast<uint8_t>(c))
                                            : std::string(1, c);
  }
  sqlite3* connection = nullptr;
  const int result = sqlite3_open_v2(
      (uri + "?immutable=1").c_str(), &connection,
      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
      nullptr);
  std::unique_ptr<Database> database(new Database(path, connection));
  if (connection == nullptr || result != SQLITE_OK) return opened;
  return database;
}

Database::~Database() { sqlite3_close(db_); }

tl::unexpected<Error> Database::FailWith(int result) const {
  const ErrorCode code = CodeOf(result);
  std::string why = sqlite3_errmsg(db_);
  if (code == ErrorCode::kConflict && (result & 0xFF) == SQLITE_BUSY) {
    why = "another process has been writing it for five seconds";
  }
  return Fail(code, fmt::format("cannot use \"{}\": {}", path_, why));
}

tl::unexpected<Error> Database::FailDamaged(std::string_view what) const {
  return Fail(ErrorCode::kUnreadable,
              fmt::format("\"{}\" is damaged: {}; {}", path_, what, damage_advice_));
}

Status Database::Run(const std::string& sql) const {
  const int result = sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) return FailWith(result);
  return {};
}

Result<Statement> Database::Prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  const int result = sqlite3_prepare_v3(db_, sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (result == SQLITE_ERROR) return FailDamaged(sqlite3_errmsg(db_));  // tables are others
  if (result != SQLITE_OK) return FailWith(result);
  return Statement(*this, statement);
}

Result<int64_t> Database::ReadNumber(std::string_view sql) const {
  ZHIWEN_ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
  ZHIWEN_ASSIGN_OR_RETURN(const bool has_row, statement.Next());
  return has_row ? statement.Integer(0) : 0;
}

Statement& Statement::operator=(Statement&& other) noexcept {
  std::swap(database_, other.database_);
  std::swap(statement_, other.statement_);
  std::swap(place_, other.place_);
  std::swap(failed_, other.failed_);
  return *this;
}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::Begin() {
  sqlite3_reset(statement_);
  place_ = 0;
  failed_ = SQLITE_OK;
  return *this;
}

void Statement::Note(int result) {
  if (failed_ == SQLITE_OK) failed_ = result;
}

Statement& Statement::Bind(int64_t value) {
  Note(sqlite3_bind_int64(statement_, ++place_, value));
  return *this;
}

Statement& Statement::Bind(std::string_view text) {
  Note(sqlite3_bind_text64(statement_, ++place_, text.data() == nullptr ? "" : text.data(),
                           text.size(), SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}

Statement& Statement::BindBlob(std::string_view bytes) {
  Note(sqlite3_bind_blob64(statement_, ++place_, bytes.data() == nullptr ? "" : bytes.data(),
                           bytes.size(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::BindReal(double value) {
  Note(sqlite3_bind_double(statement_, ++place_, value));
  return *this;
}

Statement& Statement::BindNull() {
  Note(sqlite3_bind_null(statement_, ++place_));
  return *this;
}

Result<bool> Statement::Next() {
  if (failed_ != SQLITE_OK) return database_->FailWith(failed_);
  const int result = sqlite3_step(statement_);
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) {
    sqlite3_reset(statement_);
    return false;
  }
  auto failed = database_->FailWith(result);
  sqlite3_reset(statement_);
  return failed;
}

Status Statement::Run() {
  ZHIWEN_ASSIGN_OR_RETURN(bool has_row, Next());
  while (has_row) {
    ZHIWEN_ASSIGN_OR_RETURN(has_row, Next());
  }
  return {};
}

int64_t Statement::Integer(int column) const { return sqlite3_column_int64(statement_, column); }

double Statement::Real(int column) const { return sqlite3_column_double(statement_, column); }

std::string_view Statement::Text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

std::string_view Statement::Blob(int column) const {
  const void* blob = sqlite3_column_blob(statement_, column);
  if (blob == nullptr) return {};
  return {static_cast<const char*>(blob),
          static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

bool Statement::IsNull(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

Result<Transaction> Transaction::Begin(Database& database) {
  ZHIWEN_RETURN_IF_ERROR(database.Run("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Result<Transaction> Transaction::BeginReading(const Database& database) {
  ZHIWEN_RETURN_IF_ERROR(database.Run("BEGIN"));
  return Transaction(database);
}

Transaction::~Transaction() {
  if (database_ != nullptr) (void)database_->Run("ROLLBACK");
}

Status Transaction::Commit() {
  ZHIWEN_RETURN_IF_ERROR(database_->Run("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace zhiwen
