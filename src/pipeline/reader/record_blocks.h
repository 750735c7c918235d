#ifndef ZHIWEN_PIPELINE_READER_RECORD_BLOCKS_H_
#define ZHIWEN_PIPELINE_READER_RECORD_BLOCKS_H_

// Inputs of every format as blocks of whole records, for several workers and several passes.
//
// Reading is sequential and belongs to one thread at a time (FileBlocks); cutting a block into
// records and parsing them is work of all cores (BlockParser).
//
// In          a file of JSON Lines, a JSON array, CSV, TSV or Parquet, or one text; plain, gzip or
//             zstd
// Out         blocks by ascending offset that together cover every byte between head and tail once;
//             documents or faults by record
// Guarantees  the bytes of blocks and records are those of the file in its own encoding; documents
//             are UTF-8. A text with no more than one byte in 100 characters that cannot be
//             decoded, and without NUL bytes, is a document, in which U+FFFD stands for these bytes
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
#include <span>
#include <string>

#include "pipeline/records/record_block.h"

namespace zhiwen {

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

// Calls `visit` for every record of `block`, in order, without parsing it; returns the bytes of the
// block that belong to no record (blank lines; CSV: lines without a character; JSON arrays: commas
// and white space). An oversized block is one record without bytes. Not for Parquet, whose rows are
// counted by block.length.
uint64_t SplitRecords(const RecordBlock& block,
                      const std::function<void(const BlockRecord&)>& visit);

// Returns what a message says of the fields of a block: "; the first record has \"id\", \"body\"",
// "; the header names …", "; the file has the columns …"; empty where there are none.
std::string DescribeFields(const RecordBlock& block);

// Views live until the next record.
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

  // Returns the names of the fields of a record, in order; of a text or a bad record none.
  std::vector<std::string> FieldNames(const RecordBlock& block, const BlockRecord& record);

 private:
  struct State;
  explicit BlockParser(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_READER_RECORD_BLOCKS_H_
