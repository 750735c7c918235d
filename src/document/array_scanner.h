#ifndef ZHIWEN_DOCUMENT_ARRAY_SCANNER_H_
#define ZHIWEN_DOCUMENT_ARRAY_SCANNER_H_

// Finds the elements of a JSON array without parsing them.
//
// In          the bytes after the opening bracket, piece by piece
// Out         elements from their first byte to their last, without the white space around them
// Guarantees  only a comma or a bracket outside of strings and of nested containers ends an
//             element, so that an element which is not valid JSON is found like any other. Between
//             two commas, or a comma and the closing bracket, lies an element without bytes
// Cost        reads every byte outside of strings; inside strings, as fast as memory
// Threads     one at a time

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "zhiwen/text_encoding.h"

namespace zhiwen {

// Returns whether `head`, the first bytes of a file without a byte order mark, can only begin an
// array of objects: a bracket, a brace, and a name or another brace.
bool BeginsAsArrayOfObjects(std::string_view head);

// The bytes of one record in a block.
struct RecordSpan {
  uint64_t begin = 0, end = 0;
};

class ArrayScanner {
 public:
  static constexpr size_t kNone = SIZE_MAX;

  // What the next piece follows: the opening bracket, or an element.
  enum class Before : uint8_t { kBracket, kElement };

  // Sets the encoding of the bytes, in which the second byte of a character may look like a
  // bracket, a quote or a backslash. Not UTF-16; UTF-8 is the default.
  void SetEncoding(TextEncoding encoding);

  // Forgets everything; offsets then count from the next piece.
  void Restart(Before before);

  // Scans the piece up to the closing bracket. Returns the position of the last comma or bracket
  // that ends an element, or that closes the array; kNone when there is none.
  size_t FindLastEnd(std::string_view piece);

  // Returns the first such position; the rest of the piece is not scanned.
  size_t FindFirstEnd(std::string_view piece);

  // Ends the input: a complete object is an element, though nothing follows it. Returns whether
  // there was one.
  bool EndInput();

  // Returns the elements that have ended since Restart, in order.
  const std::vector<RecordSpan>& elements() const { return elements_; }

  // Returns whether the closing bracket was found.
  bool closed() const { return state_ == State::kClosed; }
  // Returns whether an element has begun and not ended; element_offset() is its first byte.
  bool inside_element() const { return state_ == State::kElement || state_ == State::kString; }
  uint64_t element_offset() const { return element_.begin; }

 private:
  // kFirst: after the opening bracket; kNext: after a comma; kEnded: after an element.
  enum class State : uint8_t { kFirst, kNext, kEnded, kElement, kString, kClosed };
  enum class Wanted : uint8_t { kFirst, kLast };
  template <Wanted wanted>
  size_t Find(std::string_view piece);
  bool IsLead(char c) const { return is_lead_[static_cast<unsigned char>(c)]; }
  size_t PassString(std::string_view piece, size_t at);
  bool TakeByte(char c, uint64_t offset);
  bool TakeBetween(char c, uint64_t offset);

  State state_ = State::kFirst;
  std::array<bool, 256> is_lead_{};  // of a character whose second byte may look like ASCII
  // The next byte is skipped, because it is escaped by a backslash or ends a character.
  bool is_passed_ = false;
  uint64_t depth_ = 0;       // number of open containers of the element
  bool ends_whole_ = false;  // the element's last byte closed its object
  RecordSpan element_;
  uint64_t scanned_ = 0;  // bytes of earlier pieces
  std::vector<RecordSpan> elements_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_ARRAY_SCANNER_H_
