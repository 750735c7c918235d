#ifndef ZHIWEN_PIPELINE_RECORDS_RECORD_BLOCK_H_
#define ZHIWEN_PIPELINE_RECORDS_RECORD_BLOCK_H_

// The records of a file as blocks: what readers of every format give, and what parsers take.
//
// Guarantees  a block ends where a record ends. Blocks depend on the bytes and on the options
//             alone: a reader that skips to the offset of a block gives the same block again
// Threads     FileBlocks: one at a time
// Fails       kUnreadable: the file is not what it was when the run began

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/compress/byte_source.h"
#include "document/array_scanner.h"
#include "document/record.h"
#include "zhiwen/documents.h"
#include "zhiwen/extract.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"
#include "zhiwen/text_encoding.h"

namespace zhiwen {

enum class RecordFormat : uint8_t {
  kJsonLines,  // one JSON object a line
  kCsv,        // RFC 4180 (document/csv_record.h); the first line names the fields
  kTsv,        // the same with tabs, quotes included
  kText,       // the whole file is one record
  kParquet,    // one row a record
  kJsonArray,  // one element of an array a record
  kDocument,   // the whole file is one record, whose text is extracted (zhiwen/extract.h)
  kWarc,       // a capture group of a WARC file (document/warc/warc_scanner.h), likewise
  kArchive,    // a member of an archive as a tar entry (document/archive/tar_entry.h), likewise
};

// Whether a file is one record.
constexpr bool IsWholeFile(RecordFormat format) {
  return format == RecordFormat::kText || format == RecordFormat::kDocument;
}

// Whether the text of a record is not in its bytes as it is: bytes are not decoded, and no passage
// is taken out of them.
constexpr bool IsExtracted(RecordFormat format) {
  using enum RecordFormat;
  return format == kDocument || format == kWarc || format == kArchive;
}

// A file of a run, with what it looked like when the run began. Files are opened when their turn
// comes, so that a run can have more of them than the system lets a process hold open.
struct InputFile {
  std::string path;
  FileIdentity identity;
  std::string name = {};  // that ids of members of an archive begin with
  RecordFormat format = RecordFormat::kJsonLines;
  Compression compression = Compression::kNone;
  char separator = ',';          // of CSV
  bool finds_separator = false;  // of a stream: the first line may show another one than a comma
  // JSON Lines or a text from a stream: the first bytes may say that it is a document whose text is
  // extracted; and of JSON Lines that it is a JSON array.
  bool may_be_other = false;
  // Not given: of a stream, whose first bytes will say it; of Parquet; of what is extracted, but
  // where a user named it.
  std::optional<TextEncoding> encoding = TextEncoding::kUtf8;
};

// Returns what stands between the fields of a CSV or TSV file.
inline char SeparatorOf(const InputFile& input) {
  return input.format == RecordFormat::kTsv ? '\t' : input.separator;
}

// What stands before the first record and belongs to none: a byte order mark, the line with the
// names of CSV fields, the opening bracket of an array. Copied into every file that takes records
// of this one.
struct RecordHead {
  std::string bytes;
  std::vector<std::string> fields;  // CSV and TSV: names in order
  char separator = ',';             // CSV and TSV: between them
  TextEncoding encoding = TextEncoding::kUtf8;
  DocumentHints hints = {};  // of a file whose text is extracted
  std::string name = {};     // InputFile::name
};

struct ColumnBlock;  // rows of Parquet (pipeline/columnar)

struct RecordBlock {
  uint32_t file = 0;  // index into the files of the run
  RecordFormat format = RecordFormat::kJsonLines;
  uint64_t offset = 0;     // in the decompressed stream, head included; Parquet: rows before it
  uint64_t length = 0;     // bytes of the stream; Parquet: rows
  bool oversized = false;  // one record above max_record_bytes; bytes is empty
  std::string_view bytes;  // in buffer; kBlockPadding readable bytes follow
  std::vector<char> buffer;
  std::vector<RecordSpan> spans;           // JSON array: of `length` bytes, those of its elements
  std::shared_ptr<const RecordHead> head;  // of the file; not of Parquet
  std::shared_ptr<const ColumnBlock> columns;  // Parquet
  uint64_t column_bytes = 0;                   // Parquet: what the columns take

  // Of memory, for the records.
  uint64_t held_bytes() const { return columns == nullptr ? bytes.size() : column_bytes; }
};

inline constexpr size_t kBlockPadding = 64;

// What is made sure of before a row of a Parquet row group is given out.
enum class RowGroupCheck : uint8_t {
  kNothing,
  kAllColumns,  // every page of every column can be read: damage is met before the group's rows
};

struct BlockOptions {
  size_t block_bytes = size_t{256} << 10;
  uint64_t max_record_bytes = uint64_t{1} << 30;
  bool texts_by_lines = false;  // a record of a text is a block of whole lines, not the file
  RecordFields fields = {};     // Parquet reads these columns only
  // Parquet: what the columns that are read of one row group may be when decompressed; 0: no limit.
  uint64_t max_row_group_bytes = 0;
  RowGroupCheck row_group_check = RowGroupCheck::kNothing;
  // Of a stream that is not compressed: a block ends with the last record that has arrived.
  std::optional<ArrivingInput> arriving = {};
};

// The blocks of one file.
class FileBlocks {
 public:
  virtual ~FileBlocks() = default;

  // Reads the next block; its buffer is used again. False at the end, after making sure that the
  // file did not change.
  virtual Result<bool> Next(RecordBlock& block) = 0;

  // Passes over blocks, so that Next gives the block at `offset`, which is one of an earlier
  // reader. Never goes back.
  virtual Status SkipTo(uint64_t offset) = 0;

  // Bytes of the file taken so far, compressed ones, for progress.
  virtual uint64_t file_bytes_read() const = 0;

  // What stands behind the last record and belongs to none: the closing bracket of an array, white
  // space around it. Known once Next returned false; empty for other formats.
  virtual std::string_view tail() const { return {}; }

  // Known once Next was called, or SkipTo.
  virtual std::shared_ptr<const RecordHead> head() const = 0;
};

// One record of a block.
struct BlockRecord {
  uint32_t index = 0;      // in the block; blank lines are no records
  uint64_t offset = 0;     // in the stream; Parquet: its row
  uint64_t length = 0;     // with its line end; Parquet: 1
  std::string_view bytes;  // with its line end; empty for Parquet and for an oversized record
};

// Views live until the next record.
using ParsedRecord = std::variant<Document, RecordFault>;

// Opens `input` again. Fails: kUnreadable when it is not what it was when the run began.
Result<std::unique_ptr<ReadableFile>> OpenUnchanged(FileSystem& files, const InputFile& input);

// Fails: kUnreadable when the open file is not what it was when the run began.
Status CheckUnchanged(const ReadableFile& file, const InputFile& input);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_RECORDS_RECORD_BLOCK_H_
