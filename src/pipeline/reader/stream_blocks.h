#ifndef ZHIWEN_PIPELINE_READER_STREAM_BLOCKS_H_
#define ZHIWEN_PIPELINE_READER_STREAM_BLOCKS_H_

// FileBlocks of formats that are read from front to back: JSON Lines, JSON arrays, CSV, TSV, WARC,
// archives, texts and documents whose text is extracted. The stream of an archive is that of its
// members as tar entries (document/archive/archive_source.h).
//
// A window of block_bytes from the first unread byte on is taken from the stream; the block is what
// of it ends with a record. What stands behind is carried over to the next block. Without a record
// end another block_bytes are taken, up to max_record_bytes and one byte: then the record is passed
// over.
//
// Where bytes arrive over time, the window is what has arrived: a block never waits for more than
// its first record.
//
// Where the stream fails, what it gave before is read like a file that ends there, but for a record
// that the failure cut. A quote or an array that is never closed is such a failure, at the end of
// the file; so is what follows an array, and a crawl archive that ends inside a record.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/compress/byte_source.h"
#include "document/archive/archive_source.h"
#include "document/archive/tar_entry.h"
#include "document/array_scanner.h"
#include "document/csv_scanner.h"
#include "document/warc/warc_scanner.h"
#include "pipeline/reader/record_blocks.h"

namespace zhiwen {

class StreamBlocks final : public FileBlocks {
 public:
  // Of a file of a run; `files` must outlive the object.
  static Result<std::unique_ptr<FileBlocks>> Open(FileSystem& files, const InputFile& input,
                                                  uint32_t file, const BlockOptions& options);
  // Of a file that is compared with nothing.
  static Result<std::unique_ptr<FileBlocks>> Open(std::unique_ptr<ReadableFile> open,
                                                  const InputFile& input,
                                                  const BlockOptions& options);

  Result<bool> Next(RecordBlock& block) override;
  Status SkipTo(uint64_t offset) override;
  uint64_t file_bytes_read() const override { return source_->file_bytes_read(); }
  std::string_view tail() const override { return tail_; }
  std::shared_ptr<const RecordHead> head() const override { return head_; }

 private:
  StreamBlocks(const InputFile& input, uint32_t file, const BlockOptions& options);
  Status Attach(std::unique_ptr<ReadableFile> open);

  // Takes bytes from the stream; less than asked for only at its end.
  Result<size_t> Take(std::span<char> out);
  Result<size_t> ReadSource(std::span<char> out);
  struct Taken {
    size_t count = 0;
    bool at_end = false;
  };
  // Takes what of it has arrived, one unit at least.
  Result<Taken> TakeArrived(std::span<char> out);
  Result<size_t> EndAtDamage(Error error);
  // Whether the end of the stream, where it is reached, cuts a record.
  bool is_cut() const { return damage_.has_value() && !damage_ends_whole_; }
  tl::unexpected<Error> FailDamaged() const { return tl::unexpected(*damage_); }
  void PutBack(std::string_view bytes);
  Status CheckFile() const;

  Status ReadHead();
  Status ReadEncoding();
  Result<std::string> TakeFirst(size_t most);
  Status ReadMark(RecordHead& head);
  Status ReadNames(RecordHead& head);
  Status DetectDocument();
  Status DetectArray();
  Status ReadBracket(RecordHead& head);
  Status ReadTail();
  Status DecodeNames(std::string_view line, RecordHead& head) const;
  Status ParseNames(std::string_view line, RecordHead& head) const;
  Status CheckSeparator(std::string_view line, char used,
                        const std::vector<std::string>& names) const;

  // Pieces are cut between characters of UTF-16. Ends count from the piece; those of capture groups
  // from the beginning of the block.
  size_t FindLastEnd(std::string_view piece);
  size_t FindFirstEnd(std::string_view piece);
  size_t FindLastEndIn(std::string_view piece);
  size_t FindFirstEndIn(std::string_view piece);
  // `piece`, or its ASCII characters by unit of UTF-16, until the next call.
  std::string_view UnitsOf(std::string_view piece);
  uint64_t CountLines(std::string_view piece);
  uint64_t quote_offset() const { return scanner_.quote_offset() * unit_; }
  bool HoldsRecord(size_t length) const;
  void PutBackBehind(uint64_t end, uint64_t piece_begin, std::string_view piece);
  Status PassOversized(RecordBlock& block, size_t have);
  Status EndAtQuote(uint64_t lines);
  Status EndInArray();
  Status EndInRecord();
  Result<uint64_t> LinesBefore(uint64_t offset);
  void Describe(RecordBlock& block, uint64_t length);
  bool is_separated() const {
    return format_ == RecordFormat::kCsv || format_ == RecordFormat::kTsv;
  }
  bool is_warc() const { return format_ == RecordFormat::kWarc; }
  bool is_archive() const { return format_ == RecordFormat::kArchive; }
  bool is_array() const { return format_ == RecordFormat::kJsonArray; }
  // Whether all bytes are one record; is_text: or some whole lines of a text are one.
  bool is_whole() const { return is_text() && !(by_lines_ && format_ == RecordFormat::kText); }
  bool is_text() const { return IsWholeFile(format_); }

  const InputFile input_;
  const uint32_t file_;
  RecordFormat format_;
  uint64_t largest_;  // window: a record of max_record_bytes and its line end
  size_t window_;
  const bool by_lines_;
  const std::vector<std::string> text_fields_;
  std::optional<ArrivingInput> arriving_;
  const uint64_t max_member_bytes_;

  FileSystem* files_ = nullptr;  // nothing: the file is compared with nothing
  std::unique_ptr<ByteSource> source_;
  const ReadableFile* open_ = nullptr;  // owned by source_
  uint64_t taken_ = 0;                  // from source_
  bool source_at_end_ = false;
  std::optional<Error> damage_;     // where the stream ends, when that is not its own end
  bool damage_ends_whole_ = false;  // behind frames that are whole
  std::vector<char> carry_;         // from carry_begin_ on: taken from source_ and put back
  size_t carry_begin_ = 0;

  std::shared_ptr<const RecordHead> head_;
  uint64_t offset_ = 0;  // of the next block
  uint64_t lines_ = 0;   // line ends before it; counted of streams only
  bool text_done_ = false;
  CsvScanner scanner_;
  ArrayScanner array_;
  WarcScanner warc_;
  TarScanner entries_;  // of an archive
  TextEncoding encoding_ = TextEncoding::kUtf8;
  size_t unit_ = 1;    // bytes of a unit of the encoding
  std::string units_;  // of UTF-16
  std::string tail_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_READER_STREAM_BLOCKS_H_
