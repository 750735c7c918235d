// exact.v1 is NFC. A text is scanned with NFC_Quick_Check and combining classes; only stretches
// that may change, from the last boundary to the next, go through ICU.

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <string>

#include "base/utf8/utf8.h"
#include "text/ascii_word.h"
#include "text/explain.h"
#include "text/fold.h"
#include "text/fold_tables.h"
#include "text/symbol_buffer.h"

namespace zhiwen {
namespace {

const uint8_t* BytesOf(std::string_view utf8) {
  return reinterpret_cast<const uint8_t*>(utf8.data());
}

struct Stretch {
  const uint8_t* begin;
  const uint8_t* end;
};

// Returns where the character before `at` starts; `begin` must be < `at`.
const uint8_t* PreviousCharacter(const uint8_t* begin, const uint8_t* at) {
  do --at;
  while (at > begin && IsContinuation(*at));
  return at;
}

// Returns whether three bytes are a code point that NFC never changes. Invalid sequences are not.
bool IsPlainWide(const uint8_t* at) {
  if ((at[0] & 0xF0) != 0xE0 || !IsContinuation(at[1]) || !IsContinuation(at[2])) return false;
  if (IsHanLead(*at)) return true;
  const uint32_t code_point = (at[0] & 0xFU) << 12 | (at[1] & 0x3FU) << 6 | (at[2] & 0x3FU);
  return code_point >= 0x800 && (code_point & 0xF800) != 0xD800 && LookUpNfc(code_point) == 0;
}

// Returns the end of the run at `at` of ASCII and three-byte characters that NFC never changes.
const uint8_t* SkipPlain(const uint8_t* at, const uint8_t* end) {
  const uint8_t* const stop = end - at > 64 ? at + 64 : end;  // after which blocks are tried again
  while (at < stop) {
    if (*at < 0x80) {
      ++at;
    } else if (end - at >= 3 && IsPlainWide(at)) {
      at += 3;
    } else {
      break;
    }
  }
  return at;
}

constexpr ptrdiff_t kScanBlock = 64;

// Returns whether none of the kScanBlock bytes at `at` is a lead byte that may begin something NFC
// changes. Accepts ASCII, U+2002–U+203F, U+3000–U+3029, U+4000–U+9FFF and U+FF00–U+FF7F, which make
// up most of Chinese text. The compiler vectorizes the loop. Reads two bytes more.
bool IsPlainBlock(const uint8_t* at) {
  uint8_t suspects = 0;
  for (ptrdiff_t i = 0; i < kScanBlock; ++i) {
    const uint8_t a = at[i], b = at[i + 1], c = at[i + 2];
    const auto is = [](bool condition) { return static_cast<uint8_t>(condition ? 0xFF : 0); };
    const uint8_t han = is(static_cast<uint8_t>(a - 0xE4) < 6);
    const int full_width = is(a == 0xEF) & is((b & 0xFE) == 0xBC);
    const int ideographic = is(a == 0xE3) & is(b == 0x80) & is(c < 0xAA);
    const int general = is(a == 0xE2) & is(b == 0x80) & is(c >= 0x82);
    const int harmless = han | full_width | ideographic | general;
    suspects = static_cast<uint8_t>(suspects | (is(a >= 0xC0) & ~harmless));
  }
  return suspects == 0;
}

// Skips plain blocks. Returns the start of a character, or `at`.
const uint8_t* SkipPlainBlocks(const uint8_t* at, const uint8_t* end) {
  const uint8_t* const begin = at;
  while (end - at >= kScanBlock + 2 && IsPlainBlock(at)) at += kScanBlock;
  for (int i = 0; i < 2 && at > begin && IsContinuation(*at); ++i) --at;
  return at;
}

// Returns the first stretch from boundary to boundary, at or after the boundary `at`, that may not
// be NFC; {end, end} when there is none. A boundary is a code point that never composes with the
// text before it: NFC_Quick_Check=Yes, combining class 0.
Stretch FindStretch(const uint8_t* at, const uint8_t* end) {
  const uint8_t* boundary = at;
  uint8_t last_class = 0;
  bool is_suspect = false;
  while (at < end) {
    if (!is_suspect) {
      const uint8_t* const block_end = SkipPlainBlocks(at, end);
      const uint8_t* const plain_end = SkipPlain(block_end, end);
      if (plain_end != block_end) {
        boundary = plain_end[-1] < 0x80 ? plain_end - 1 : plain_end - 3;
      } else if (block_end != at) {
        boundary = PreviousCharacter(at, block_end);
      }
      if (plain_end != at) {
        last_class = 0;
        at = plain_end;
        continue;
      }
    }
    const DecodedCodePoint decoded = DecodeCodePoint(at, end);
    const uint32_t block = kNfcStage[decoded.code_point >> 6];
    const uint8_t value = block == 0 ? 0 : LookUpNfc(decoded.code_point);
    if (value == 0) {
      if (is_suspect) return {boundary, at};
      boundary = at;
    } else {
      is_suspect |= value == kNfcNotYes || value < last_class;
    }
    last_class = value;
    at += decoded.length;
  }
  return is_suspect ? Stretch{boundary, end} : Stretch{end, end};
}

void AppendUtf16(uint32_t code_point, std::u16string& text) {
  if (code_point >= 0x10000) {
    text += static_cast<char16_t>(U16_LEAD(code_point));
    text += static_cast<char16_t>(U16_TRAIL(code_point));
  } else {
    text += static_cast<char16_t>(code_point);
  }
}

// Calls on_code_point(code point) for the code points of a stretch.
template <typename Function>
void ForEachCodePoint(Stretch stretch, const Function& on_code_point) {
  for (const uint8_t* at = stretch.begin; at < stretch.end;) {
    const DecodedCodePoint decoded = DecodeCodePoint(at, stretch.end);
    on_code_point(decoded.code_point);
    at += decoded.length;
  }
}

// Replaces `parts` by the decomposed stretch with its marks in canonical order. The normalizer of
// ICU orders marks by insertion in quadratic time, which would hang on a text of a million marks.
void OrderMarks(const UNormalizer2* nfc, Stretch stretch, size_t code_points,
                std::vector<uint32_t>& parts) {
  parts.clear();
  parts.reserve(code_points);  // few stretches are longer when decomposed
  ForEachCodePoint(stretch, [&](uint32_t code_point) {
    char16_t buffer[32];
    UErrorCode status = U_ZERO_ERROR;
    const int32_t length =
        unorm2_getDecomposition(nfc, static_cast<UChar32>(code_point), buffer,
                                static_cast<int32_t>(std::size(buffer)), &status);
    if (length < 0 || U_FAILURE(status)) {
      parts.push_back(code_point);
      return;
    }
    for (int32_t i = 0; i < length;) {
      UChar32 part = 0;
      U16_NEXT(buffer, i, length, part);
      parts.push_back(static_cast<uint32_t>(part));
    }
  });
  const auto class_of = [](uint32_t c) { return u_getCombiningClass(static_cast<UChar32>(c)); };
  for (auto begin = parts.begin(); begin != parts.end();) {
    const auto starter =
        std::find_if(begin, parts.end(), [&](uint32_t c) { return class_of(c) == 0; });
    std::ranges::stable_sort(begin, starter, std::less<>(), class_of);
    begin = starter == parts.end() ? starter : starter + 1;
  }
}

// Replaces `out` by the code points of the stretch in NFC. A stretch may be as long as a text, so
// buffers are released as soon as they are not needed.
void NormalizeStretch(Stretch stretch, std::vector<uint32_t>& out) {
  size_t code_points = 0;
  ForEachCodePoint(stretch, [&](uint32_t) { ++code_points; });
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* nfc = unorm2_getNFCInstance(&status);
  constexpr size_t kLongStretch = 64;
  const bool is_long = code_points > kLongStretch && U_SUCCESS(status);
  if (is_long) {
    OrderMarks(nfc, stretch, code_points, out);
  } else {
    out.clear();
    ForEachCodePoint(stretch, [&](uint32_t code_point) { out.push_back(code_point); });
  }
  if (U_FAILURE(status)) return;
  std::u16string text;
  text.reserve(out.size());
  for (const uint32_t code_point : out) AppendUtf16(code_point, text);
  if (is_long) std::vector<uint32_t>().swap(out);
  // NFC is at most three times as long as the text, and never longer than its decomposition.
  std::u16string normal(text.size() * (is_long ? 1 : 4) + 16, u'\0');
  int32_t length = unorm2_normalize(nfc, text.data(), static_cast<int32_t>(text.size()),
                                    normal.data(), static_cast<int32_t>(normal.size()), &status);
  if (U_FAILURE(status)) {
    normal.swap(text);
    length = static_cast<int32_t>(normal.size());
  }
  text = {};
  out.clear();
  if (is_long) out.reserve(code_points);
  for (int32_t at = 0; at < length;) {
    UChar32 code_point = 0;
    U16_NEXT(normal.data(), at, length, code_point);
    out.push_back(static_cast<uint32_t>(code_point));
  }
}

// Calls on_code_point(code point, begin, end) for every symbol of exact.v1.
template <typename Function>
void ForEachExact(std::string_view utf8, const Function& on_code_point) {
  const uint8_t* at = BytesOf(utf8);
  const uint8_t* const end = at + utf8.size();
  std::vector<uint32_t> normal;
  while (at < end) {
    const Stretch stretch = FindStretch(at, end);
    while (at < stretch.begin) {
      const DecodedCodePoint decoded = DecodeCodePoint(at, end);
      on_code_point(decoded.code_point, at, at + decoded.length);
      at += decoded.length;
    }
    NormalizeStretch(stretch, normal);
    for (const uint32_t code_point : normal) on_code_point(code_point, stretch.begin, stretch.end);
    at = stretch.end;
  }
}

}  // namespace

Hash128 HashExactChannel(std::string_view utf8) {
  const uint8_t* at = BytesOf(utf8);
  const uint8_t* const end = at + utf8.size();
  Stretch stretch = FindStretch(at, end);
  if (stretch.begin == end) return HashBytes128(utf8);
  StreamHash128 hash;
  std::string text;
  std::vector<uint32_t> normal;
  while (at < end) {
    hash.Add({reinterpret_cast<const char*>(at), static_cast<size_t>(stretch.begin - at)});
    NormalizeStretch(stretch, normal);
    text.clear();
    for (const uint32_t code_point : normal) AppendUtf8(code_point, text);
    hash.Add(text);
    at = stretch.end;
    stretch = FindStretch(at, end);
  }
  return hash.Finish();
}

void ExactInto(std::string_view utf8, std::vector<uint32_t>& symbols) {
  ForEachExact(utf8, [&](uint32_t code_point, const uint8_t*, const uint8_t*) {
    symbols.push_back(code_point);
  });
}

void VisitExact(std::string_view utf8, size_t most, const SymbolVisitor& visit) {
  BasicSymbolBuffer<SymbolVisitor> buffer(visit, most);
  ForEachExact(
      utf8, [&](uint32_t code_point, const uint8_t*, const uint8_t*) { buffer.Add(code_point); });
  buffer.Flush();
}

SpannedSymbols ExplainExact(std::string_view utf8) {
  SpannedSymbols result;
  const uint8_t* const origin = BytesOf(utf8);
  ForEachExact(utf8, [&](uint32_t code_point, const uint8_t* begin, const uint8_t* end) {
    result.symbols.push_back(code_point);
    result.spans.push_back(
        {{static_cast<uint64_t>(begin - origin)}, {static_cast<uint64_t>(end - origin)}});
  });
  return result;
}

}  // namespace zhiwen
