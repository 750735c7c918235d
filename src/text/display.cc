#include "zhiwen/display.h"

#include <fmt/format.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";
constexpr std::string_view kLineEnd = "↵";
constexpr UChar32 kZeroWidthJoiner = 0x200D;
constexpr UChar32 kEmojiPresentation = 0xFE0F;

struct CloseBreaks {
  void operator()(UBreakIterator* breaks) const { ubrk_close(breaks); }
};
using Breaks = std::unique_ptr<UBreakIterator, CloseBreaks>;

bool IsAsciiText(char byte) { return byte >= 0x20 && byte < 0x7F; }

// Returns the columns of one code point as terminals count them. Ambiguous width is narrow.
size_t CodePointWidth(UChar32 code_point) {
  switch (u_charType(code_point)) {
    case U_CONTROL_CHAR:
    case U_NON_SPACING_MARK:
    case U_ENCLOSING_MARK:
    case U_LINE_SEPARATOR:
    case U_PARAGRAPH_SEPARATOR:
      return 0;
    case U_FORMAT_CHAR:
      return code_point == 0x00AD ? 1 : 0;  // a soft hyphen is visible
    default:
      break;
  }
  // The vowels and finals of a hangul syllable are drawn inside its first consonant.
  const int syllable = u_getIntPropertyValue(code_point, UCHAR_HANGUL_SYLLABLE_TYPE);
  if (syllable == U_HST_VOWEL_JAMO || syllable == U_HST_TRAILING_JAMO) return 0;
  if (u_hasBinaryProperty(code_point, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) return 0;
  const int width = u_getIntPropertyValue(code_point, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

// An emoji sequence is shown as one picture of two columns, however many code points it joins.
size_t ClusterWidth(std::string_view cluster) {
  size_t width = 0;
  bool picture = false;
  for (size_t at = 0; at < cluster.size();) {
    const auto code_point = static_cast<UChar32>(NextCodePoint(cluster, at));
    width += CodePointWidth(code_point);
    picture = picture || code_point == kEmojiPresentation ||
              (code_point == kZeroWidthJoiner && width >= 2) ||
              u_hasBinaryProperty(code_point, UCHAR_EMOJI_MODIFIER);
  }
  return picture ? 2 : width;
}

// Each thread keeps its own iterator, because opening the rules costs more than reading a line.
UBreakIterator* ThreadBreaks() {
  thread_local const Breaks breaks = [] {
    UErrorCode status = U_ZERO_ERROR;
    Breaks opened(ubrk_open(UBRK_CHARACTER, "", nullptr, 0, &status));
    return U_SUCCESS(status) ? std::move(opened) : Breaks();
  }();
  return breaks.get();
}

// Yields the grapheme clusters of a text in order, or its code points when ICU has no rules.
class Clusters {
 public:
  explicit Clusters(std::string_view utf8) : utf8_(utf8) {}
  ~Clusters() { utext_close(&source_); }
  Clusters(const Clusters&) = delete;
  Clusters& operator=(const Clusters&) = delete;

  // Returns the next cluster, or an empty view at the end.
  std::string_view Next() {
    if (at_ >= utf8_.size()) return {};
    const size_t begin = at_;
    const bool plain =
        IsAsciiText(utf8_[at_]) && (at_ + 1 == utf8_.size() || IsAsciiText(utf8_[at_ + 1]));
    at_ = plain ? at_ + 1 : FindBoundary(begin);
    return utf8_.substr(begin, at_ - begin);
  }

 private:
  size_t FindBoundary(size_t begin) {
    if (!opened_) Open();
    if (breaks_ != nullptr) {
      const int32_t end = ubrk_following(breaks_, static_cast<int32_t>(begin));
      if (end != UBRK_DONE && static_cast<size_t>(end) > begin) return static_cast<size_t>(end);
    }
    NextCodePoint(utf8_, begin);
    return begin;
  }

  void Open() {
    opened_ = true;
    UErrorCode status = U_ZERO_ERROR;
    utext_openUTF8(&source_, utf8_.data(), static_cast<int64_t>(utf8_.size()), &status);
    UBreakIterator* breaks = ThreadBreaks();
    if (breaks == nullptr) return;
    ubrk_setUText(breaks, &source_, &status);
    if (U_SUCCESS(status)) breaks_ = breaks;
  }

  std::string_view utf8_;
  size_t at_ = 0;
  bool opened_ = false;
  UText source_ = UTEXT_INITIALIZER;
  UBreakIterator* breaks_ = nullptr;
};

// Returns true for code points that change the direction or the shape of the text shown after them.
bool IsSteering(UChar32 code_point) {
  return (code_point >= 0x7F && code_point < 0xA0) ||
         (code_point >= 0x202A && code_point <= 0x202E) ||
         (code_point >= 0x2066 && code_point <= 0x2069);
}

void AppendPrintable(std::string& out, std::string_view source, UChar32 code_point) {
  if (code_point == '\n' || code_point == 0x2028 || code_point == 0x2029) {
    out += kLineEnd;
  } else if (code_point < 0x20) {
    // U+2400…U+241F are pictures of the control characters.
    out += "\xE2\x90";
    out += static_cast<char>(0x80 + code_point);
  } else if (code_point == 0x7F) {
    out += "␡";
  } else if (code_point == 0xFFFD || IsSteering(code_point)) {
    out += kReplacement;
  } else {
    out += source;
  }
}

}  // namespace

size_t DisplayWidth(std::string_view utf8) {
  size_t width = 0;
  Clusters clusters(utf8);
  for (std::string_view cluster = clusters.Next(); !cluster.empty(); cluster = clusters.Next()) {
    width += ClusterWidth(cluster);
  }
  return width;
}

std::string_view TruncateToWidth(std::string_view utf8, size_t columns) {
  size_t width = 0;
  size_t end = 0;
  Clusters clusters(utf8);
  for (std::string_view cluster = clusters.Next(); !cluster.empty(); cluster = clusters.Next()) {
    width += ClusterWidth(cluster);
    if (width > columns) break;
    end += cluster.size();
  }
  return utf8.substr(0, end);
}

std::string_view EndToWidth(std::string_view utf8, size_t columns) {
  for (size_t width = DisplayWidth(utf8); width > columns; width = DisplayWidth(utf8)) {
    // A wide character is dropped as a whole.
    const size_t dropped = TruncateToWidth(utf8, std::max<size_t>(2, width - columns)).size();
    if (dropped == 0) return {};
    utf8.remove_prefix(dropped);
  }
  return utf8;
}

std::string_view FirstBytes(std::string_view utf8, size_t bytes) {
  if (utf8.size() <= bytes) return utf8;
  while (bytes > 0 && IsContinuation(static_cast<uint8_t>(utf8[bytes]))) --bytes;
  return utf8.substr(0, bytes);
}

std::string_view LastBytes(std::string_view utf8, size_t bytes) {
  size_t begin = utf8.size() - std::min(utf8.size(), bytes);
  while (begin < utf8.size() && IsContinuation(static_cast<uint8_t>(utf8[begin]))) ++begin;
  return utf8.substr(begin);
}

uint32_t NextCodePoint(std::string_view utf8, size_t& at) {
  const DecodedCodePoint decoded = DecodeAt(utf8, at);
  at += decoded.is_valid() ? decoded.length : BrokenUtf8Length(utf8.substr(at));
  return decoded.code_point;
}

std::string FitToWidth(std::string_view utf8, size_t columns) {
  if (columns == 0) return {};
  const std::string_view whole = TruncateToWidth(utf8, columns);
  if (whole.size() == utf8.size()) {
    return std::string(utf8) + std::string(columns - DisplayWidth(utf8), ' ');
  }
  const std::string_view cut = TruncateToWidth(utf8, columns - 1);
  return std::string(cut) + "…" + std::string(columns - 1 - DisplayWidth(cut), ' ');
}

std::string MakePrintable(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size());
  for (size_t at = 0; at < utf8.size();) {
    const size_t begin = at;
    const auto code_point = static_cast<UChar32>(NextCodePoint(utf8, at));
    // CR LF is one line end.
    if (code_point == '\r' && at < utf8.size() && utf8[at] == '\n') continue;
    AppendPrintable(out, utf8.substr(begin, at - begin), code_point);
  }
  return out;
}

std::string NameCodePoints(std::string_view utf8) {
  std::string names;
  for (size_t at = 0; at < utf8.size();) {
    names += fmt::format("{}U+{:04X}", names.empty() ? "" : " ", NextCodePoint(utf8, at));
  }
  return names;
}

}  // namespace zhiwen
