#ifndef ZHIWEN_DOCUMENT_CSV_SCANNER_H_
#define ZHIWEN_DOCUMENT_CSV_SCANNER_H_

// Where records of CSV end, without taking them apart.
//
// A quote opens a field only as its first byte; anywhere else outside quotes it is a fault of that
// record alone (document/csv_record.h) and hides no line end, so that one stray quote costs one
// record, not the rest of the file. Inside quotes only a quote that is not doubled closes.
//
// Cost        memchr from quote to quote: as fast as memory where there are few
// Threads     one at a time

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace zhiwen {

// Returns where the first `wanted` from `at` on is, or bytes.size().
size_t FindByte(std::string_view bytes, size_t at, char wanted);

// Scans bytes given piece by piece, the first of which begins a record.
class CsvScanner {
 public:
  static constexpr size_t kNone = SIZE_MAX;

  explicit CsvScanner(char separator) : separator_(separator) {}

  // Forgets everything: the next piece begins a record.
  void Restart();

  // Scans the whole piece; returns where in it the last record ends (behind the '\n'), or kNone.
  size_t FindLastEnd(std::string_view piece);

  // The same for the first record; the scanner must be restarted when it returns one.
  size_t FindFirstEnd(std::string_view piece);

  // After the last piece of a file: whether a quote was never closed, and where it stands, counted
  // from the first byte since Restart.
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

  // The next record with its line end, perhaps nothing but that; nothing at all at the end. The
  // last may lack a line end.
  std::string_view Next();

 private:
  size_t FindEnd();
  size_t PassQuoted(size_t at) const;

  std::string_view bytes_;
  char separator_;
  size_t begin_ = 0;
  size_t quote_ = 0;  // the first quote from where was looked last, or bytes_.size()
  bool quote_known_ = false;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_CSV_SCANNER_H_
