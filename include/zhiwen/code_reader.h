#ifndef ZHIWEN_CODE_READER_H_
#define ZHIWEN_CODE_READER_H_

// Codes with labels, from the files that people have of them; for an index of them
// (zhiwen/code_index.h).
//
// In          text: a line for each, 1 to 16 hex digits, perhaps behind 0x, and perhaps a tab and a
//             label behind them · binary: little-endian numbers of 8 bytes, of 4 for codes of 32
//             bits · JSON Lines and Parquet: a field with the code, one with the label, as zhiwen
//             fingerprint writes them, or others. All but Parquet also gzip or zstd
// Out         rows in the order of the file, some at a time
// Guarantees  what cannot be read is an error that names its line or row, and no row is passed over
//             in silence: blank lines are no rows, and those without a code are counted
// Cost        a row of text: 50 to 70 ns; a number: 10 ns; of JSON Lines: 0.5 µs. A few megabytes
// Threads     one reader a thread
// Fails       see the functions

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

enum class CodeFormat : uint8_t { kText, kBinary, kJsonLines, kParquet };

// What of a row is read.
enum class CodeRows : uint8_t {
  kCodes,   // its code, and its label where it has one
  kLabels,  // its label alone: of a text the whole line; binary files have none
};

struct CodeReaderOptions {
  // Not given: as the name ends (.bin, .jsonl, .ndjson, .parquet; .gz or .zst behind); other files
  // are JSON Lines when they begin with {, else text.
  std::optional<CodeFormat> format = {};
  CodeRows rows = CodeRows::kCodes;
  uint32_t code_bits = 64;  // or 32
  // JSON Lines and Parquet. The fields are dotted names.
  //
  // A code is a string of hex digits, bytes (the most significant first), or a whole number,
  // written without a point or an exponent and no column of floats: its bits, also of a negative
  // one. Of rows with a field "scheme" those count that have this one: a canonical name or its
  // beginning ("simhash64"); not given: all, which then must have the same.
  std::string scheme = {};
  std::string code_field = "value";
  std::optional<std::string> id_field = {};  // not given: "id" where a row has it
  // See LineReaderOptions (base/files/line_reader.h); then a batch may be without rows. Of text,
  // JSON Lines and binary.
  std::function<size_t()> available = {};
};

struct CodeBatch {
  std::vector<uint64_t> codes;  // none with CodeRows::kLabels
  // As many, empty where there is none. They live until the next batch is read.
  std::vector<std::string_view> labels;
};

class CodeSource;

class CodeReader {
 public:
  // Opens a file; `files` must outlive the reader. Fails: kInvalidArgument for options that cannot
  // be, and for Parquet in what is read from front to back; kUnavailable for Parquet in a program
  // without it; kNotFound; kUnreadable.
  static Result<CodeReader> Open(FileSystem& files, const std::string& path,
                                 const CodeReaderOptions& options);
  // The same for a file that is open and read once from front to back; `name` is what messages call
  // it.
  static Result<CodeReader> Create(std::unique_ptr<ReadableFile> file, const std::string& name,
                                   const CodeReaderOptions& options);
  CodeReader(CodeReader&&) noexcept;
  CodeReader& operator=(CodeReader&&) noexcept;
  ~CodeReader();

  // Reads the next rows, 65,536 at most; false at the end. Fails: kUnreadable, naming the line or
  // row; kNotFound for a field that a row must have, and where no row is of the scheme.
  Result<bool> Next(CodeBatch& batch);

  // Rows so far that have null for a code, texts that were too short for one; and, where a scheme
  // is chosen, those that have none.
  uint64_t rows_without_code() const;
  // Of the rows so far; empty where they have none.
  std::string_view scheme() const;
  // Taken from the file so far, compressed ones.
  uint64_t bytes_read() const;
  // The size of the file; 0 where that is not known, as of a pipe.
  uint64_t file_bytes() const { return file_bytes_; }

 private:
  CodeReader(std::unique_ptr<CodeSource> source, uint64_t file_bytes);
  std::unique_ptr<CodeSource> source_;
  uint64_t file_bytes_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_CODE_READER_H_
