#ifndef ZHIWEN_STORE_SQLITE_DATABASE_H_
#define ZHIWEN_STORE_SQLITE_DATABASE_H_

// SQLite as Results: a connection, its statements, a transaction. This folder alone knows SQLite.
//
// Threads     a connection and its statements: one at a time
// Fails       kUnreadable: not a database, damaged, an I/O error · kExhausted: disk full, no memory
//             · kConflict: locked by another process for longer than five seconds, or read-only ·
//             kNotFound: no such file · kInternal: anything else

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "zhiwen/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace zhiwen {

class Statement;

class Database {
 public:
  enum class Access : uint8_t { kRead, kWrite, kCreate };

  static Result<std::unique_ptr<Database>> Open(const std::string& path, Access access);
  // Opens a database for reading, also where its folder cannot be written to: then as a file that
  // does not change, if no log belongs to it.
  static Result<std::unique_ptr<Database>> OpenForReading(const std::string& path);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& path() const { return path_; }

  // Runs statements without values.
  Status Run(const std::string& sql) const;
  // Prepares one statement, to be used many times. It must not outlive the connection.
  Result<Statement> Prepare(std::string_view sql) const;
  // Returns the value of the first column of the first row.
  Result<int64_t> ReadNumber(std::string_view sql) const;

  // Returns the failure with SQLite's code `result`.
  tl::unexpected<Error> FailWith(int result) const;
  // Says what helps where damage is found; before that, what helps a library.
  void AdviseOnDamage(std::string advice) { damage_advice_ = std::move(advice); }
  // Returns the failure of damage that we found ourselves.
  tl::unexpected<Error> FailDamaged(std::string_view what) const;

 private:
  Database(std::string path, sqlite3* connection) : path_(std::move(path)), db_(connection) {}

  std::string path_;
  sqlite3* db_;
  std::string damage_advice_ =
      "zhiwen library fsck reports all of it, and a copy of the library has to be restored";
};

// A prepared statement. Begin, then Bind values in order, then Next until it returns false, or Run.
class Statement {
 public:
  Statement() = default;
  Statement(Statement&& other) noexcept { *this = std::move(other); }
  Statement& operator=(Statement&& other) noexcept;
  ~Statement();

  // Makes the statement ready for new values.
  Statement& Begin();
  // Text and blobs must live until the statement has run.
  Statement& Bind(int64_t value);
  Statement& Bind(std::string_view text);
  Statement& BindBlob(std::string_view bytes);
  Statement& BindReal(double value);
  Statement& BindNull();

  // Moves to the next row. Returns false behind the last one.
  Result<bool> Next();
  // Runs a statement without rows.
  Status Run();

  // Return a column of the row, from 0; views live until Next or Begin.
  int64_t Integer(int column) const;
  double Real(int column) const;
  std::string_view Text(int column) const;
  std::string_view Blob(int column) const;
  bool IsNull(int column) const;

 private:
  friend class Database;
  Statement(const Database& database, sqlite3_stmt* statement)
      : database_(&database), statement_(statement) {}

  void Note(int result);

  const Database* database_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
  int place_ = 0;   // of the last value
  int failed_ = 0;  // result of the first Bind that failed
};

// Resets a statement at the end of a scope, so that it leaves no reading transaction open.
class StatementReset {
 public:
  explicit StatementReset(Statement& statement) : statement_(statement) {}
  ~StatementReset() { statement_.Begin(); }
  StatementReset(const StatementReset&) = delete;
  StatementReset& operator=(const StatementReset&) = delete;

 private:
  Statement& statement_;
};

// A transaction that is undone unless Commit succeeds.
class Transaction {
 public:
  // `database` must outlive the object.
  static Result<Transaction> Begin(Database& database);
  // A transaction of statements that see one state.
  static Result<Transaction> BeginReading(const Database& database);
  Transaction(Transaction&& other) noexcept : database_(other.database_) {
    other.database_ = nullptr;
  }
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Status Commit();

 private:
  explicit Transaction(const Database& database) : database_(&database) {}

  const Database* database_;  // null: committed
};

}  // namespace zhiwen

#endif  // ZHIWEN_STORE_SQLITE_DATABASE_H_
