#ifndef ZHIWEN_CODE_FILES_H_
#define ZHIWEN_CODE_FILES_H_

// Changes and queries an index of codes (zhiwen/code_index.h) with the rows of files
// (zhiwen/code_reader.h), a batch of rows at a time.
//
// In          files of codes, and "-" for standard input
// Guarantees  rows come in the order of the files, which are all there before the first is read.
//             Rows that arrive over time are handed on as they come: no batch waits for more
// Cost        a batch of rows; a change holds a million rows, or 64 MB of changes, until it commits
// Threads     one; the visitors are called on the calling thread
// Fails       kInvalidArgument, kNotFound, kUnreadable: as zhiwen/code_reader.h, and when files
//             have codes of several schemes · as the index · as a visitor · kInterrupted,
//             kTerminated

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "zhiwen/code_index.h"
#include "zhiwen/code_reader.h"
#include "zhiwen/document_batches.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct CodeFileOptions {
  std::vector<std::string> paths = {};
  CodeReaderOptions reader = {};         // the index decides code_bits
  std::string scheme_option = "scheme";  // what messages call the option of reader.scheme
};

enum class CodeChange : uint8_t {
  kAdd,
  kRemove,       // the rows
  kRemoveCode,   // all rows with the code
  kRemoveLabel,  // all rows with the label; a line of a file is a label alone
};

struct CodeChangeOptions {
  std::string folder;  // of the index
  CodeFileOptions files = {};
  CodeChange change = CodeChange::kAdd;
  bool merges = true;  // merges segments as they come
  // Rows that arrive over time are committed when nothing more came for so long.
  std::chrono::milliseconds patience{1000};
  // Called after each commit with the number of rows that are safe by then; may be empty.
  std::function<Status(uint64_t rows)> committed = {};
};

struct CodeChangeSummary {
  uint64_t read = 0;  // rows, all of which are committed
  // So many fewer rows are in the index; nothing when that cannot be told.
  std::optional<uint64_t> removed;
  CodeIndexOptions kind;
  CodeIndexStats stats;
};

// Adds or removes the rows of the files. The message of a failure says how many rows were changed
// all the same, and for how many that is not known.
Result<CodeChangeSummary> ChangeCodeIndex(const CodeChangeOptions& options,
                                          const BatchEnvironment& environment);

struct CodeLookupOptions {
  std::string folder;  // of the index
  CodeFileOptions files = {};
  CodeQuery query = {};
  bool in_memory = false;  // reads all codes into memory first: CodeIndex::ReadIntoMemory
};

struct CodeLookupSummary {
  uint64_t queries = 0, truncated = 0;
};

// Receives the next queries and what they found; all of it lives until the visitor returns.
using CodeLookupVisitor =
    std::function<Status(std::span<const CodeQueryResult> queries, const CodeAnswer& answer,
                         const CodeIndexOptions& kind)>;

// Looks up the codes of the files. More are looked up at once while that takes less than a tenth of
// a second.
Result<CodeLookupSummary> LookUpCodes(const CodeLookupOptions& options,
                                      const CodeLookupVisitor& visit,
                                      const BatchEnvironment& environment);

}  // namespace zhiwen

#endif  // ZHIWEN_CODE_FILES_H_
