// exact.v1: NFC. A text is scanned with NFC_Quick_Check and combining classes; only stretches that
// may change, from the last boundary to the next, go through ICU.

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <string>

#include "text/ascii_word.h"
#include "text/explain.h"
#include "text/fold.h"
#include "text/fold_tables.h"
#include "text/utf8_decode.h"

namespace zhiwen {
namespace {

const uint8_t* BytesOf(std::string_view utf8) {
  return reinterpret_cast<const uint8_t*>(utf8.data());
}

struct Stretch {
  const uint8_t* begin;
  const uint8_t* end;
};

// Returns the end of the ASCII and U+4000–U+9FFF that stand at `at`, which NFC never changes.
const uint8_t* SkipPlain(const uint8_t* at, const uint8_t* end) {
  while (at < end) {
    if (*at < 0x80) {
      ++at;
    } else if (IsHanLead(*at) && end - at >= 3 && (at[1] & 0xC0) == 0x80 &&
               (at[2] & 0xC0) == 0x80) {
      at += 3;
    } else {
      break;
    }
  }
  return at;
}

// Returns the first stretch at or after the boundary `at` that may not be NFC, from boundary to
// boundary; {end, end} when there is none. A boundary is a code point that never composes with what
// stands before it: NFC_Quick_Check=Yes, combining class 0.
Stretch FindStretch(const uint8_t* at, const uint8_t* end) {
  const uint8_t* boundary = at;
  uint8_t last_class = 0;
  bool is_suspect = false;
  while (at < end) {
    const uint8_t* const plain_end = is_suspect ? at : SkipPlain(at, end);
    if (plain_end != at) {
      boundary = plain_end[-1] < 0x80 ? plain_end - 1 : plain_end - 3;
      last_class = 0;
      at = plain_end;
      continue;
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

// Decomposes and puts marks in canonical order. The normaliser orders marks by insertion, in
// quadratic time; a text of a million marks must not hang.
void OrderMarks(const UNormalizer2* nfc, std::vector<uint32_t>& code_points) {
  std::vector<uint32_t> parts;
  for (const uint32_t code_point : code_points) {
    char16_t buffer[32];
    UErrorCode status = U_ZERO_ERROR;
    const int32_t length =
        unorm2_getDecomposition(nfc, static_cast<UChar32>(code_point), buffer,
                                static_cast<int32_t>(std::size(buffer)), &status);
    if (length < 0 || U_FAILURE(status)) {
      parts.push_back(code_point);
      continue;
    }
    for (int32_t i = 0; i < length;) {
      UChar32 part = 0;
      U16_NEXT(buffer, i, length, part);
      parts.push_back(static_cast<uint32_t>(part));
    }
  }
  const auto class_of = [](uint32_t c) { return u_getCombiningClass(static_cast<UChar32>(c)); };
  for (auto begin = parts.begin(); begin != parts.end();) {
    const auto starter =
        std::find_if(begin, parts.end(), [&](uint32_t c) { return class_of(c) == 0; });
    std::ranges::stable_sort(begin, starter, std::less<>(), class_of);
    begin = starter == parts.end() ? starter : starter + 1;
  }
  code_points.swap(parts);
}

// Replaces `out` by the code points of the stretch in NFC.
void NormalizeStretch(Stretch stretch, std::vector<uint32_t>& out) {
  out.clear();
  for (const uint8_t* at = stretch.begin; at < stretch.end;) {
    const DecodedCodePoint decoded = DecodeCodePoint(at, stretch.end);
    out.push_back(decoded.code_point);
    at += decoded.length;
  }
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* nfc = unorm2_getNFCInstance(&status);
  if (U_FAILURE(status)) return;
  constexpr size_t kLongStretch = 64;
  if (out.size() > kLongStretch) OrderMarks(nfc, out);
  std::u16string text;
  for (const uint32_t code_point : out) AppendUtf16(code_point, text);
  std::u16string normal(text.size() * 4 + 16, u'\0');  // NFC is at most three times as long
  const int32_t length =
      unorm2_normalize(nfc, text.data(), static_cast<int32_t>(text.size()), normal.data(),
                       static_cast<int32_t>(normal.size()), &status);
  if (U_FAILURE(status)) return;
  out.clear();
  for (int32_t at = 0; at < length;) {
    UChar32 code_point = 0;
    U16_NEXT(normal.data(), at, length, code_point);
    out.push_back(static_cast<uint32_t>(code_point));
  }
}

void AppendUtf8(uint32_t code_point, std::string& text) {
  const auto append = [&](uint32_t byte) { text += static_cast<char>(byte); };
  if (code_point < 0x80) return append(code_point);
  if (code_point < 0x800) {
    append(0xC0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    append(0xE0 | code_point >> 12);
    append(0x80 | (code_point >> 6 & 0x3F));
  } else {
    append(0xF0 | code_point >> 18);
    append(0x80 | (code_point >> 12 & 0x3F));
    append(0x80 | (code_point >> 6 & 0x3F));
  }
  append(0x80 | (code_point & 0x3F));
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
  std::string text;
  text.reserve(utf8.size());
  std::vector<uint32_t> normal;
  while (at < end) {
    text.append(reinterpret_cast<const char*>(at), static_cast<size_t>(stretch.begin - at));
    NormalizeStretch(stretch, normal);
    for (const uint32_t code_point : normal) AppendUtf8(code_point, text);
    at = stretch.end;
    stretch = FindStretch(at, end);
  }
  return HashBytes128(text);
}

void ExactInto(std::string_view utf8, std::vector<uint32_t>& symbols) {
  ForEachExact(utf8, [&](uint32_t code_point, const uint8_t*, const uint8_t*) {
    symbols.push_back(code_point);
  });
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
