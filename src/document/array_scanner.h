#ifndef ZHIWEN_DOCUMENT_ARRAY_SCANNER_H_
#define ZHIWEN_DOCUMENT_ARRAY_SCANNER_H_

// Where the elements of a JSON array are, without parsing them.
//
// In          what stands behind the opening bracket, piece by piece
// Out         elements from their first byte to their last, without the white space around them
// Guarantees  only a comma or a bracket outside of strings and of nested containers ends an
// element,
//             so that one that is no valid JSON is an element like others. Two commas, or one
//             before the closing bracket, have an element without bytes between them
// Cost        a look at every byte outside of strings, memory's speed inside
// Threads     one at a time

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace zhiwen {

// Returns whether `head`, the first bytes of a file without a byte order mark, can only begin an
// array of objects: a bracket, a brace, and a name or another brace.
bool BeginsAsArrayOfObjects(std::string_view head);

// Bytes of a block that are a record.
struct RecordSpan {
  uint64_t begin = 0, end = 0;
};

class ArrayScanner {
 public:
  static constexpr size_t kNone = SIZE_MAX;

  // What stands before the next piece.
  enum class Before : uint8_t { kBracket, kElement };

  // Whether the second byte of a character may look like a bracket, a quote or a backslash.
  enum class SecondBytes : uint8_t { kNever, kAscii };

  void SetSecondBytes(SecondBytes second) { second_ = second; }

  // Forgets everything; offsets count from the next piece.
  void Restart(Before before);

  // Scans the piece up to the closing bracket. Returns where in it the last comma or bracket is
  // that ends an element, or that closes the array; kNone when there is none.
  size_t FindLastEnd(std::string_view piece);

  // The same for the first; the rest of the piece is not scanned.
  size_t FindFirstEnd(std::string_view piece);

  // The input ends here: an object that is whole is an element, though nothing follows. Returns
  // whether there was one.
  bool EndInput();

  // Of those that have ended since Restart, in order.
  const std::vector<RecordSpan>& elements() const { return elements_; }

  // Whether the closing bracket was met.
  bool closed() const { return state_ == State::kClosed; }
  // Of the element that has begun and not ended.
  bool inside_element() const { return state_ == State::kElement || state_ == State::kString; }
  uint64_t element_offset() const { return element_.begin; }

 private:
  // kFirst: behind the opening bracket; kNext: behind a comma; kEnded: behind an element.
  enum class State : uint8_t { kFirst, kNext, kEnded, kElement, kString, kClosed };
  enum class Wanted : uint8_t { kFirst, kLast };
  template <Wanted wanted>
  size_t Find(std::string_view piece);
  bool IsLead(char c) const {
    return second_ == SecondBytes::kAscii && static_cast<unsigned char>(c) > 0x80;
  }
  size_t PassString(std::string_view piece, size_t at);
  bool TakeByte(char c, uint64_t offset);
  bool TakeBetween(char c, uint64_t offset);

  State state_ = State::kFirst;
  SecondBytes second_ = SecondBytes::kNever;
  bool is_passed_ = false;   // the next byte: a backslash escapes it, or it ends a character
  uint64_t depth_ = 0;       // open containers of the element
  bool ends_whole_ = false;  // the element's last byte closed its object
  RecordSpan element_;
  uint64_t scanned_ = 0;  // bytes of earlier pieces
  std::vector<RecordSpan> elements_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_ARRAY_SCANNER_H_
