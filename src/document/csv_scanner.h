#ifndef ZHIWEN_DOCUMENT_CSV_SCANNER_H_
#define ZHIWEN_DOCUMENT_CSV_SCANNER_H_

// Finds where CSV records end, without splitting them into fields.
//
// A quote opens a field only as its first byte. Anywhere else outside quotes it is a fault of that
// record alone (document/csv_record.h) and does not hide a line end, so that one stray quote costs
// one record, not the rest of the file. Inside quotes, only a quote that is not doubled closes.
//
// Cost        memchr from quote to quote: as fast as memory where quotes are rare
// Threads     one at a time

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace zhiwen {

// Returns the position of the first `wanted` from `at` on, or bytes.size().
size_t FindByte(std::string_view bytes, size_t at, char wanted);

// Scans bytes given piece by piece, the first of which begins a record.
class CsvScanner {
 public:
  static constexpr size_t kNone = SIZE_MAX;

  explicit CsvScanner(char separator) : separator_(separator) {}

  // Forgets everything; the next piece begins a record.
  void Restart();

  // Scans the whole piece. Returns where the last record ends (after the '
  // '), or kNone.
  size_t FindLastEnd(std::string_view piece);

  // Returns where the first record ends, or kNone. After it returns a position, the scanner must be
  // restarted.
  size_t FindFirstEnd(std::string_view piece);

  // Returns, after the last piece of a file, whether a quote was never closed; quote_offset()
  // counts its position from the first byte since Restart.
  bool inside_quotes() const { return state_ == State::kQuoted; }
  uint64_t quote_offset() const { return quote_offset_; }

 private:
  enum class State : uint8_t { kPlain, kQuoted, kMaybeClosed };
  enum class Wanted : uint8_t { kFirst, kLast };
  template <Wanted wanted>
  size_t Find(std::string_view piece);
  size_t PassQuoted(std::string_view piece, size_t at);
  bool IsFieldEnd(char c) const { return c == separator_ || c == '\n'; }

  char separator_;
  State state_ = State::kPlain;
  bool field_begins_ = true;  // the next byte of a plain state is the first of a field
  uint64_t scanned_ = 0;      // bytes of earlier pieces
  uint64_t quote_offset_ = 0;
};

// Cuts the records off the front of bytes that begin with one.
class CsvCutter {
 public:
  CsvCutter(std::string_view bytes, char separator) : bytes_(bytes), separator_(separator) {}

  // Returns the next record with its line end, which the last record may lack. A record may consist
  // of its line end alone. Returns an empty view at the end.
  std::string_view Next();

 private:
  size_t FindEnd();
  size_t PassQuoted(size_t at) const;

  std::string_view bytes_;
  char separator_;
  size_t begin_ = 0;
  size_t quote_ = 0;  // the first quote from the last search position on, or bytes_.size()
  bool quote_known_ = false;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_CSV_SCANNER_H_
