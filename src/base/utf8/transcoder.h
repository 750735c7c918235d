#ifndef ZHIWEN_BASE_UTF8_TRANSCODER_H_
#define ZHIWEN_BASE_UTF8_TRANSCODER_H_

// Converts between UTF-8 and other encodings by iconv of the C library, and detects the encoding of
// bytes.
//
// Guarantees  what Decode appends is valid UTF-8; nothing is made up for bytes that cannot be
//             decoded
// Cost        Decode: about 150 MB/s
// Threads     one decoder a thread
// Fails       kUnavailable: the C library cannot convert (its gconv modules are not installed)

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "zhiwen/result.h"
#include "zhiwen/text_encoding.h"

namespace zhiwen {

class TextDecoder {
 public:
  static Result<TextDecoder> Create(TextEncoding encoding);

  // A decoder of another alphabet of single bytes, by a name such as "koi8-r", "windows-1251" or
  // "iso-8859-2", in any case, that KnowsAlphabet. Its encoding() is kWindows1252, which has single
  // bytes, too.
  static Result<TextDecoder> CreateAlphabet(std::string_view name);
  static bool KnowsAlphabet(std::string_view name);

  ~TextDecoder();
  TextDecoder(TextDecoder&&) noexcept;
  TextDecoder& operator=(TextDecoder&&) noexcept;

  // Appends `bytes` to `out` as UTF-8. Stops at the first byte that cannot be decoded. Returns its
  // position, or bytes.size(). UTF-8 itself is copied as far as it is valid.
  size_t Decode(std::string_view bytes, std::string& out);

  TextEncoding encoding() const;

 private:
  struct State;
  explicit TextDecoder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Decodes texts in code pages of Windows: 1250 to 1258, 874, 932, 936, 949, 950 and so on.
class CodePageDecoder {
 public:
  CodePageDecoder();
  ~CodePageDecoder();

  // Appends `bytes` to `out` as UTF-8, with U+FFFD for those without meaning. A page that the C
  // library does not know is read as 1252.
  void Decode(uint32_t page, std::string_view bytes, std::string& out);

  uint64_t errors() const { return errors_; }  // how often U+FFFD was appended

 private:
  struct State;
  std::unique_ptr<State> state_;
  uint64_t errors_ = 0;
};

// Returns `text`, which is UTF-8, in another encoding. Fails also: kInvalidArgument when the
// encoding lacks one of its characters.
Result<std::string> EncodeText(std::string_view text, TextEncoding encoding);

// Returns of the characters that `bytes` encode those of `rest`, in the bytes that they have there:
// `rest` is what is left of the text when some are taken out. Fails also: kInternal when it is not.
Result<std::string> EncodeRest(std::string_view bytes, TextEncoding encoding,
                               std::string_view rest);

// Returns whether a character takes two or four bytes, so that not every byte '
// ' is a line end.
constexpr bool IsUtf16(TextEncoding encoding) {
  return encoding == TextEncoding::kUtf16Le || encoding == TextEncoding::kUtf16Be;
}

// Returns whether `byte` begins a character whose second byte may look like ASCII: a bracket, a
// quote, a backslash or a letter.
constexpr bool BeforeAsciiByte(TextEncoding encoding, uint8_t byte) {
  switch (encoding) {
    case TextEncoding::kGb18030:
    case TextEncoding::kBig5:
    case TextEncoding::kEucKr:
      return byte > 0x80;
    case TextEncoding::kShiftJis:  // whose katakana of one byte are A1 to DF
      return (byte > 0x80 && byte < 0xA0) || (byte >= 0xE0 && byte <= 0xFC);
    default:
      return false;
  }
}

// Returns the smallest number of bytes of a character.
constexpr size_t UnitBytes(TextEncoding encoding) { return IsUtf16(encoding) ? 2 : 1; }

// Replaces `out` by one byte for every two of UTF-16: the ASCII character they encode, or 0x80 for
// any other. A single last byte also becomes 0x80.
void ProjectUtf16(std::string_view bytes, TextEncoding encoding, std::string& out);

// Returns the byte order mark at the beginning of `bytes`, or an empty view when there is none.
std::string_view LeadingMark(std::string_view bytes);

// Whether the first bytes of a file are the whole file.
enum class HeadEnd : uint8_t { kFile, kCut };

// Detects the encoding of a file from its first bytes.
//
// A byte order mark decides. Valid UTF-8 is UTF-8, and so is mostly valid UTF-8, because a few
// wrong bytes are bad records. Other bytes have the encoding in which a text is the shortest
// (base/utf8/encoding_bits.h): GB18030, Big5, UTF-16, EUC-TW, Shift_JIS, EUC-JP or EUC-KR. If they
// are shorter as bytes of no text, or as Windows-1252, UTF-8 remains: the encoding is not clear.
// `./zw eval encodings` says how many short texts are detected correctly. A text of a few
// characters may be taken for another encoding.
TextEncoding DetectTextEncoding(std::string_view head, HeadEnd end);

// Detects the encoding of a whole document that has no byte order mark and is not valid UTF-8, and
// that says it is `declared`; nothing where it says UTF-8 or what is not known. The bytes overrule
// that only where they clearly tell another encoding. Windows-1252 is found, too, and what is not
// clear is GB18030 where that is possible, or UTF-8.
TextEncoding DetectDocumentEncoding(std::string_view bytes, std::optional<TextEncoding> declared);

// Returns how a file that begins with `head` is read, which is never kUtf16: as its byte order mark
// says; without one as `asked`; where nothing was asked, as DetectTextEncoding finds.
TextEncoding ChooseTextEncoding(std::string_view head, HeadEnd end,
                                std::optional<TextEncoding> asked);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_UTF8_TRANSCODER_H_
