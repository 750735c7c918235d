#ifndef ZHIWEN_DOCUMENTS_H_
#define ZHIWEN_DOCUMENTS_H_

// Documents of files, one after another: records of JSON Lines, JSON arrays, CSV, TSV or Parquet,
// whole text files, files whose text is extracted (zhiwen/extract.h), captures of crawls, or files
// in archives; plain, gzip or zstd; in any encoding of zhiwen/text_encoding.h.
//
// In          files and folders, or an open file such as standard input
// Out         SourceDocument: text, id, where it came from; or why a record is not a document
// Guarantees  documents come in the order of the files; a bad record is an item of its own, never
//             the end of the stream and never skipped
// Cost        one block of records and what they say; a text file is held whole,
//             or with TextFiles::kLines some lines of it
// Threads     one reader a thread
// Fails       see the functions
// Not for     deduplication, which streams its inputs itself (zhiwen/dedup.h)

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/extract.h"
#include "zhiwen/file_system.h"
#include "zhiwen/offsets.h"
#include "zhiwen/result.h"
#include "zhiwen/text_encoding.h"

namespace zhiwen {

enum class DocumentFormat : uint8_t {
  kJsonLines,  // one JSON object a line
  kCsv,        // RFC 4180, the first line names the fields
  kTsv,        // the same with tabs, quotes included
  kText,       // the whole file is one document
  kParquet,    // one row a document
  kJsonArray,  // one element of an array a document
  kDocument,   // the whole file is one document of a type that zhiwen/extract.h reads
  kWarc,       // a crawl archive (WARC, WET): one capture a document
  kArchive,    // zip, tar, 7z: one file in it a document of a type that zhiwen/extract.h reads
};

// Whether a file is one document.
constexpr bool IsWholeFile(DocumentFormat format) {
  return format == DocumentFormat::kText || format == DocumentFormat::kDocument;
}

enum class DocumentCompression : uint8_t { kNone, kGzip, kZstd };

// The path that stands for standard input.
inline constexpr std::string_view kStandardInput = "-";

// Standard input whose bytes arrive over time, from a pipe or a terminal.
struct ArrivingInput {
  // Returns how many bytes can be read now without waiting.
  std::function<size_t()> ready;
  // Waits until bytes or the end can be read. Returns false when nothing came for `patience`.
  std::function<Result<bool>(std::chrono::milliseconds patience)> await;
};

// How records are written where neither the name of a file nor its bytes say so.
struct FileSyntax {
  // Between the fields of CSV; TSV has tabs. Not given: a comma, or the semicolon, tab or bar that
  // the first line has instead where it so names a text field.
  std::optional<char> separator = {};
  // Of texts, CSV, TSV, JSON Lines and JSON arrays; not given: by the first bytes. A byte order
  // mark says more than either. Texts are UTF-8 for whoever reads them.
  std::optional<TextEncoding> encoding = {};
};

// Returns the separator that a user names: one ASCII character, or "tab". Fails: kInvalidArgument
// for a quote, a line end, a letter, a digit and anything else.
Result<char> ParseSeparator(std::string_view text);

// Fails: kInvalidArgument where inputs of these formats have no use for what was asked: a separator
// without CSV, an encoding of Parquet alone.
Status CheckSyntaxIsUsed(const FileSyntax& asked, std::span<const DocumentFormat> formats);

// Returns a separator as ParseSeparator takes it: "tab", or the character itself.
std::string SeparatorName(char separator);

// A row of `zhiwen formats`.
struct FormatDescription {
  std::string name;        // "jsonl"
  std::string extensions;  // ".jsonl .ndjson"
  std::string documents;   // what one document is
  std::string read_by;     // commands
  std::string written_by;
  std::string codes;  // what one row of codes is, for index add, remove and query
};

std::vector<FormatDescription> DescribeFormats();

// The format that the ending of a path names, in capitals too: .jsonl, .ndjson, .csv, .tsv, .txt,
// .parquet, with .gz or .zst behind. Nothing for any other.
std::optional<DocumentFormat> FormatOfPath(std::string_view path);

// Returns the name of a format, as in FormatDescription.
std::string_view DocumentFormatName(DocumentFormat format);

// The format of a name as in FormatDescription. Fails: kInvalidArgument, naming those there are.
Result<DocumentFormat> ParseDocumentFormat(std::string_view name);

struct DocumentFile {
  std::string path;            // as given, or found below a given folder
  size_t input = 0;            // the index of what was given
  FileIdentity identity = {};  // what the file looks like now
  DocumentFormat format = DocumentFormat::kJsonLines;
  DocumentCompression compression = DocumentCompression::kNone;  // as the first bytes say
  FileSyntax syntax = {};  // its encoding is given, but for Parquet; that of CSV has a separator
};

// A file that is no document of any format here (DamagedBeginning::kList).
struct LeftOutFile {
  std::string path;
  std::string why;  // a sentence that names it
};

struct DocumentFiles {
  std::vector<DocumentFile> files;
  std::vector<LeftOutFile> left_out;
  // For people: what was passed over below each folder, by reason.
  std::vector<std::string> warnings;
};

enum class DamagedBeginning : uint8_t {
  kRefuse,
  // A Parquet file that does not begin as one is listed: reading it will tell. Others that hold no
  // documents (archives, UTF-16) are left out.
  kList,
};

// Says what is taken of a folder that has files of records and files that are one document each.
enum class FolderTaking : uint8_t {
  kRecordsOrFiles,   // the files of records; where there is none, the others
  kRecordsAndFiles,  // all
};

// Says which pictures (zhiwen/picture.h) are documents.
enum class PictureTaking : uint8_t {
  kNone,
  kNamed,  // those that are given; none below a folder
  kAlone,  // those below folders, too, of which nothing else is listed unless the format is given
};

struct ListOptions {
  std::optional<DocumentFormat> format = {};  // of every file; not given: each as its ending says
  DocumentFormat otherwise = DocumentFormat::kJsonLines;  // of a given file without known ending
  DamagedBeginning damaged = DamagedBeginning::kRefuse;
  FileSyntax syntax = {};                           // of every file
  std::vector<std::string> text_fields = {"text"};  // a separator that shows one of them is found
  // A file that is used otherwise: below a folder it is not listed, and counts as nothing.
  std::string leave_out = {};
  FolderTaking folders = FolderTaking::kRecordsOrFiles;
  PictureTaking pictures = PictureTaking::kNone;
};

// Returns the files to read for `inputs`, in their order: a file as it is, whatever its name; a
// folder as regular files at any depth, sorted by path: with options.format those with an ending of
// that format (texts: also those with no known ending), without it the files of records (*.jsonl
// *.ndjson *.csv *.tsv *.parquet, *.json that are arrays) or, where there is none, texts (*.txt)
// and documents (DocumentEndings), or all of these (options.folders). A file whose first bytes are
// those of an array of objects is a JSON array whatever its name, unless options.format says
// another one. All but Parquet may be compressed (*.gz *.zst). Below a folder, names that begin
// with a dot are passed over, and links to folders are not followed. Opens each file once. Fails:
// kNotFound, naming what is not there or the folder without such a file; kInvalidArgument when two
// paths lead to one file, naming both; kUnreadable when a file cannot be read, or its first bytes
// show another format: without a known ending those of JSON Lines are expected, where
// options.otherwise says them.
Result<DocumentFiles> ListDocumentFiles(FileSystem& files, const std::vector<std::string>& inputs,
                                        const ListOptions& options = {});

// Returns what gzip or zstd bytes hold, others as they are; `name` is what messages call them.
// Fails: kUnreadable for damaged ones; kExhausted when they hold more than `limit` bytes.
Result<std::string> DecompressBytes(std::string bytes, const std::string& name, uint64_t limit);

// Returns a text as UTF-8 from its decompressed bytes, which are in `encoding`; not given: in the
// one that the first bytes show. A byte order mark says more than either. What is UTF-8 comes back
// as it is. Fails: kUnreadable, naming the byte that the encoding does not have.
Result<std::string> DecodeText(std::string bytes, const std::string& name,
                               std::optional<TextEncoding> encoding);

enum class TextFiles : uint8_t {
  // A text file is one document. Of one with no more than one byte in 100 characters that cannot be
  // decoded, and without NUL bytes, U+FFFD stands for these bytes; others are faults.
  kWhole,
  // Pieces of whole lines, one after another, all with the id of the file. Where a byte is no
  // UTF-8, the lines before its own are a piece, and the fault begins with its own.
  kLines,
};

struct DocumentOptions {
  std::vector<std::string> text_fields = {"text"};  // dotted; several are joined by a line end
  // The text fields hold documents of this type, whose texts are extracted. Not given: texts.
  std::optional<DocumentType> text_type = {};
  std::optional<std::string> id_field = {};    // not given: "id" where a record has it
  std::vector<std::string> value_fields = {};  // dotted; whose values come along
  uint64_t max_record_bytes = uint64_t{1} << 30;
  TextFiles text_files = TextFiles::kWhole;
  // The first bytes of an open file that is taken as JSON Lines or as a text may say that it is a
  // JSON array, or a document whose text is extracted.
  bool may_be_other = false;
  FileSyntax syntax = {};  // of an open file; a listed one brings its own
};

// One document, or one record that is not a document.
struct SourceDocument {
  std::string text;
  std::string id;  // the id field, or "file:record" without one; of one document: its path
  // Of DocumentOptions::value_fields: strings, numbers, bools, and lists of strings, one a line;
  // empty where the record has no such value.
  std::vector<std::string> values = {};
  uint64_t record = 0;       // from 1; 0 where the file is one document
  ByteOffset begin = {0};    // of a text file: where this stands in it, decompressed; 3 behind a
                             // byte order mark
  std::string fault;         // "invalid_json"; empty for a document
  std::string fault_detail;  // for people
};

// How many records may fail: the larger of `count` and `share` of the records read, but no more
// than `most_share` of them.
struct FailureLimit {
  uint64_t count = 100;
  double share = 0.01;
  double most_share = 0.5;  // 1 where somebody chose the limit

  uint64_t Allowed(uint64_t records) const {
    const auto of = [&](double part) {
      return static_cast<uint64_t>(part * static_cast<double>(records));
    };
    const uint64_t chosen = of(share) < count ? count : of(share);
    return chosen < of(most_share) ? chosen : of(most_share);
  }
};

// How many captures of crawls and members of archives are no documents, by what they are: "a
// redirect to another address".
using PassedOverCaptures = std::map<std::string, uint64_t>;

// "passed over 12 records that are no documents: a picture (10), a redirect (2)"; empty where
// there are none.
std::string WarningOfPassedOver(const PassedOverCaptures& passed_over);

// How many texts have places that could not be decoded, where U+FFFD stands.
struct DecodingErrors {
  uint64_t texts = 0, places = 0;
};

// Returns the warning that is due for them; empty where there are none.
std::string WarningOfDecodingErrors(const DecodingErrors& errors);

// What the documents that were read have of the fields that options name.
struct FoundFields {
  uint64_t documents = 0;             // of records: texts have no fields
  uint64_t ids = 0;                   // of these, with an id
  std::vector<uint64_t> texts = {};   // of these, by text field; empty when one is named
  std::vector<uint64_t> values = {};  // of these, with a value, by value field
  std::vector<uint64_t> fields = {};  // of these, with the field, be it null or empty; likewise
  uint64_t looked_at = 0;  // documents, texts too, that were looked at for HTML: the first
  uint64_t html = 0;       // of these, those that look like HTML
  PassedOverCaptures passed_over = {};
  DecodingErrors decoding_errors = {};
};

// Returns the warning that is due for texts that look like HTML; empty where few or none do.
std::string WarningOfHtml(const FoundFields& found);

// Whether the first line of a text is an object of JSON, as in a file of records.
bool LooksLikeRecords(std::string_view text);

// Streams the documents of one file.
class DocumentReader {
 public:
  // Of a listed file; `files` must outlive the reader. Fails: kInvalidArgument for a malformed
  // field; kUnreadable when the file is not what it was when it was listed; kUnavailable when built
  // without Parquet.
  static Result<DocumentReader> Open(FileSystem& files, const DocumentFile& file,
                                     const DocumentOptions& options);

  // Of an open file, which is read once from front to back and may change meanwhile; `name` is what
  // ids and messages call it. Where its bytes arrive over time, a record that has come is returned
  // without waiting for the next one, and await is called before any wait; what the encoding is,
  // and whether records are an array, is then decided by the bytes before the first pause. Fails:
  // kInvalidArgument for a malformed field; kUnreadable; kUnavailable for Parquet.
  static Result<DocumentReader> Create(std::unique_ptr<ReadableFile> file, std::string name,
                                       DocumentFormat format, const DocumentOptions& options,
                                       const std::optional<ArrivingInput>& arriving = {});
  ~DocumentReader();
  DocumentReader(DocumentReader&&) noexcept;
  DocumentReader& operator=(DocumentReader&&) noexcept;

  // Returns the next item; nothing at the end. Blank lines are passed over, and so are captures
  // of a crawl that are no documents: pictures, redirects. Fails: kUnreadable when
  // the file cannot be read, its compressed data are damaged, or a listed file changed.
  Result<std::optional<SourceDocument>> Next();

  // Bytes taken from the file so far, compressed ones.
  uint64_t bytes_read() const;

  // Of the documents that Next returned, and of those that follow them soon.
  const FoundFields& found_fields() const;

  // Returns what a message says of the fields of records, after Next returned one: "; the first
  // record has \"id\", \"body\"". The record is the one that Next returned, or one before it. Empty
  // for texts.
  std::string DescribeFields() const;

 private:
  struct State;
  explicit DocumentReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENTS_H_
