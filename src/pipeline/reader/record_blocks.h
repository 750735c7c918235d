#ifndef ZHIWEN_PIPELINE_READER_RECORD_BLOCKS_H_
#define ZHIWEN_PIPELINE_READER_RECORD_BLOCKS_H_

// Inputs of every format as blocks of whole records, for several workers and several passes.
//
// Reading is sequential and belongs to one thread at a time (FileBlocks); cutting a block into
// records and parsing them is work of all cores (BlockParser).
//
// In          a file of JSON Lines, a JSON array, CSV, TSV or Parquet, or one text; plain, gzip or
// zstd Out         blocks by ascending offset that together cover every byte between head and tail
// once;
//             documents or faults by record
// Guarantees  the bytes of blocks and records are those of the file in its own encoding; documents
//             are UTF-8
//             a block ends where a record ends. Blocks depend on the bytes and on the options
//             alone: a reader that skips to the offset of a block gives the same block again.
//             Of a damaged file every whole record before the damage is in a block; the failure
//             comes after them (Parquet: after the row groups before it)
//             A record above max_record_bytes is never held in memory: it is a block of its own,
//             marked oversized, without bytes
// Cost        one copy or decompression; memory of a block and of one record above it
// Threads     FileBlocks: one at a time. BlockParser: one object a worker
// Fails       kUnreadable: a read failed, compressed data are damaged (naming the byte), a quote of
//             CSV or TSV is never closed (naming its line), its first line has another separator
//             and no text field, a JSON array is never closed or something follows it, the file is
//             not what it was when the run began · kUnavailable: built without Parquet

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/compress/byte_source.h"
#include "document/array_scanner.h"
#include "document/record.h"
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
};

// A file of a run, with what it looked like when the run began. Files are opened when their turn
// comes, so that a run can have more of them than the system lets a process hold open.
struct InputFile {
  std::string path;
  FileIdentity identity;
  RecordFormat format = RecordFormat::kJsonLines;
  Compression compression = Compression::kNone;
  char separator = ',';  // of CSV
  // JSON Lines from a stream: the first bytes may say that it is a JSON array.
  bool may_be_array = false;
  // Not given: of a stream, whose first bytes will say it; of Parquet.
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
  std::string separator_option =
      "--separator";  // what messages call the option of InputFile::separator
  // Parquet: what the columns that are read of one row group may be when decompressed; 0: no limit.
  uint64_t max_row_group_bytes = 0;
  RowGroupCheck row_group_check = RowGroupCheck::kNothing;
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

// Opens `input`, which must be what it was when the run began; `files` must outlive the blocks.
// `file` is the index that blocks carry.
Result<std::unique_ptr<FileBlocks>> OpenFileBlocks(FileSystem& files, const InputFile& input,
                                                   uint32_t file, const BlockOptions& options);

// The same for a file that is open, such as standard input, which is read once from front to back
// and may change meanwhile: nothing is compared with input.identity. Fails: kUnavailable for
// Parquet, which is not read from front to back.
Result<std::unique_ptr<FileBlocks>> OpenStreamBlocks(std::unique_ptr<ReadableFile> open,
                                                     const InputFile& input,
                                                     const BlockOptions& options);

// One record of a block.
struct BlockRecord {
  uint32_t index = 0;      // in the block; blank lines are no records
  uint64_t offset = 0;     // in the stream; Parquet: its row
  uint64_t length = 0;     // with its line end; Parquet: 1
  std::string_view bytes;  // with its line end; empty for Parquet and for an oversized record
};

// Calls `visit` for every record of `block`, in order, without parsing it; returns the bytes of the
// block that belong to no record (blank lines; CSV: lines without a character; JSON arrays: commas
// and white space). An oversized block is one record without bytes. Not for Parquet, whose rows are
// counted by block.length.
uint64_t SplitRecords(const RecordBlock& block,
                      const std::function<void(const BlockRecord&)>& visit);

// Views live until the next record.
using ParsedRecord = std::variant<Document, RecordFault>;
using RecordVisitor = std::function<void(const BlockRecord&, ParsedRecord&&)>;

// Parses records of any format.
class BlockParser {
 public:
  // Fails: kInvalidArgument for an empty or malformed field name.
  static Result<BlockParser> Create(const RecordFields& fields);
  ~BlockParser();
  BlockParser(BlockParser&&) noexcept;
  BlockParser& operator=(BlockParser&&) noexcept;

  // Calls `visit` for every record, in order. Returns the bytes that belong to no record.
  uint64_t ParseAll(const RecordBlock& block, const RecordVisitor& visit);

  // The same for the records with these indices (ascending).
  void ParseChosen(const RecordBlock& block, std::span<const uint32_t> chosen,
                   const RecordVisitor& visit);

  // Parses one record, or some whole lines of a text, of `block`.
  ParsedRecord Parse(const RecordBlock& block, const BlockRecord& record);

  // Returns where the first byte of `bytes` is that the encoding of `block` does not have; the size
  // where there is none.
  size_t FindUndecodable(const RecordBlock& block, std::string_view bytes);

  // Gives back what a record of megabytes took; the views of documents go.
  void Shrink();

  // A record as text for failed.jsonl.zst: its bytes without the line end; Parquet: the row as
  // JSON.
  std::string RecordText(const RecordBlock& block, const BlockRecord& record);

 private:
  struct State;
  explicit BlockParser(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Opens `input` again. Fails: kUnreadable when it is not what it was when the run began.
Result<std::unique_ptr<ReadableFile>> OpenUnchanged(FileSystem& files, const InputFile& input);

// Fails: kUnreadable when the open file is not what it was when the run began.
Status CheckUnchanged(const ReadableFile& file, const InputFile& input);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_READER_RECORD_BLOCKS_H_
