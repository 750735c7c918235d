#ifndef ZHIWEN_DOCUMENTS_H_
#define ZHIWEN_DOCUMENTS_H_

// Documents of files, one after another: records of JSON Lines, or whole text files.
//
// In          files and folders, or an open file such as standard input
// Out         SourceDocument: text, id, where it came from; or why a record is not a document
// Guarantees  documents come in the order of the files; a bad record is an item of its own, never
//             the end of the stream and never skipped
// Cost        one buffer of a record and a read-ahead; a text file is held whole
// Threads     one reader a thread
// Fails       see the functions
// Not for     deduplication, which streams its inputs itself (zhiwen/dedup.h)

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

enum class DocumentFormat : uint8_t {
  kJsonLines,  // one JSON object a line
  kText,       // the whole file is one document
};

// A row of `zhiwen formats`.
struct FormatDescription {
  std::string name;        // "jsonl"
  std::string extensions;  // ".jsonl .ndjson"
  std::string documents;   // what one document is
  std::string read_by;     // commands
  std::string written_by;
};

std::vector<FormatDescription> DescribeFormats();

// The format of a path by its extension: .jsonl and .ndjson are JSON Lines, all others text.
DocumentFormat FormatOfPath(std::string_view path);

struct DocumentFile {
  std::string path;       // as given, or found below a given folder
  size_t input = 0;       // the index of what was given
  FileIdentity identity;  // what the file looks like now
};

struct DocumentFiles {
  std::vector<DocumentFile> files;
  std::vector<std::string> warnings;  // for people: for each folder with files passed over, one
};

// Returns the files to read for `inputs`, in their order: a file as it is, whatever its name; a
// folder as the regular files of `format` at any depth, sorted by path. Those are *.jsonl and
// *.ndjson, for kText *.txt. Links to folders are not followed. Opens each file once. Fails:
// kNotFound, naming what is not there or the folder without such a file; kInvalidArgument when two
// paths lead to one file, naming both; kUnreadable when a file cannot be read, or its first bytes
// show compressed data, Parquet or UTF-16.
Result<DocumentFiles> ListDocumentFiles(FileSystem& files, const std::vector<std::string>& inputs,
                                        DocumentFormat format);

struct DocumentOptions {
  std::vector<std::string> text_fields = {"text"};  // dotted; several are joined by a line end
  std::optional<std::string> id_field;              // not given: "id" where a record has it
  uint64_t max_record_bytes = uint64_t{1} << 30;
};

// One document, or one record that is not a document.
struct SourceDocument {
  std::string text;
  std::string id;            // the id field, or "file:record" without one; a text file: its path
  uint64_t record = 0;       // from 1; 0 for a text file
  std::string fault;         // "invalid_json"; empty for a document
  std::string fault_detail;  // for people
};

// Streams the documents of one file.
class DocumentReader {
 public:
  // `name` is what ids and messages call the file. Fails: kInvalidArgument for a malformed field.
  static Result<DocumentReader> Create(std::unique_ptr<ReadableFile> file, std::string name,
                                       DocumentFormat format, const DocumentOptions& options);
  ~DocumentReader();
  DocumentReader(DocumentReader&&) noexcept;
  DocumentReader& operator=(DocumentReader&&) noexcept;

  // Returns the next item; nothing at the end. Blank lines are passed over. Fails: kUnreadable when
  // the file cannot be read.
  Result<std::optional<SourceDocument>> Next();

  // Bytes taken from the file so far.
  uint64_t bytes_read() const;

 private:
  struct State;
  explicit DocumentReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENTS_H_
