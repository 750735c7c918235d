#ifndef ZHIWEN_BASE_UTF8_UTF8_H_
#define ZHIWEN_BASE_UTF8_UTF8_H_

// Strict UTF-8 (Unicode 15.0, table 3-7): overlong forms, surrogates and values above U+10FFFF are
// invalid. Decoders read an invalid byte as U+FFFD of length 1.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace zhiwen {

inline constexpr uint32_t kReplacementCharacter = 0xFFFD;

struct DecodedCodePoint {
  uint32_t code_point;
  // Length in bytes. U+FFFD of length 1 stands for an invalid byte.
  uint32_t length;

  bool is_valid() const { return code_point != kReplacementCharacter || length != 1; }
};

// Returns whether a byte is a continuation byte.
constexpr bool IsContinuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

// Decodes the sequence at `at`, which must not be ASCII; `at` must be < `end`.
[[gnu::always_inline]] inline DecodedCodePoint DecodeMultiByte(const uint8_t* at,
                                                               const uint8_t* end) {
  const uint32_t lead = at[0];
  const auto left = end - at;
  const auto tail = [at](int i) { return at[i] & 0x3FU; };
  const auto is_tail = [at](int i) { return IsContinuation(at[i]); };
  if (lead >= 0xE0 && lead < 0xF0) {
    if (left >= 3 && is_tail(1) && is_tail(2)) {
      const uint32_t code_point = (lead & 0xF) << 12 | tail(1) << 6 | tail(2);
      if (code_point >= 0x800 && (code_point & 0xF800) != 0xD800) return {code_point, 3};
    }
  } else if (lead >= 0xC2 && lead < 0xE0) {
    if (left >= 2 && is_tail(1)) return {(lead & 0x1F) << 6 | tail(1), 2};
  } else if (lead >= 0xF0 && lead < 0xF5) {
    if (left >= 4 && is_tail(1) && is_tail(2) && is_tail(3)) {
      const uint32_t code_point = (lead & 7) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3);
      if (code_point >= 0x10000 && code_point < 0x110000) return {code_point, 4};
    }
  }
  return {kReplacementCharacter, 1};
}

// Decodes the code point at `at`; `at` must be < `end`.
[[gnu::always_inline]] inline DecodedCodePoint DecodeCodePoint(const uint8_t* at,
                                                               const uint8_t* end) {
  if (*at < 0x80) return {*at, 1};
  return DecodeMultiByte(at, end);
}

// Decodes the code point at byte `at` of `utf8`; `at` must be < utf8.size().
inline DecodedCodePoint DecodeAt(std::string_view utf8, size_t at) {
  const auto* const bytes = reinterpret_cast<const uint8_t*>(utf8.data());
  return DecodeCodePoint(bytes + at, bytes + utf8.size());
}

// Calls visit(code point, position of its first byte) for each code point of `utf8`, until visit
// returns false; visit may return nothing. Returns whether all were visited.
template <typename Visit>
[[gnu::always_inline]] inline bool VisitCodePoints(std::string_view utf8, const Visit& visit) {
  const auto* const bytes = reinterpret_cast<const uint8_t*>(utf8.data());
  for (size_t at = 0; at < utf8.size();) {
    const DecodedCodePoint decoded = DecodeCodePoint(bytes + at, bytes + utf8.size());
    if constexpr (std::is_void_v<std::invoke_result_t<const Visit&, DecodedCodePoint, size_t>>) {
      visit(decoded, at);
    } else {
      if (!visit(decoded, at)) return false;
    }
    at += decoded.length;
  }
  return true;
}

// Returns whether a sequence with this lead byte is one of U+4000–U+9FFF, or invalid. These are Han
// characters and hexagrams: each is a unit by itself, joins nothing before it, and is not changed
// by NFC.
inline bool IsHanLead(uint8_t lead) { return static_cast<uint8_t>(lead - 0xE4) < 6; }

// Returns the number of code points of `utf8`, which must be valid.
uint64_t CountCodePoints(std::string_view utf8);

// Calls take(byte) for each UTF-8 byte of `code_point` (below 0x110000).
template <typename Take>
[[gnu::always_inline]] inline void ForEachUtf8Byte(uint32_t code_point, const Take& take) {
  if (code_point < 0x80) return take(code_point);
  if (code_point < 0x800) {
    take(0xC0 | code_point >> 6);
  } else {
    if (code_point < 0x10000) {
      take(0xE0 | code_point >> 12);
    } else {
      take(0xF0 | code_point >> 18);
      take(0x80 | (code_point >> 12 & 0x3F));
    }
    take(0x80 | (code_point >> 6 & 0x3F));
  }
  take(0x80 | (code_point & 0x3F));
}

// Appends `code_point` (below 0x110000) to `text`.
void AppendUtf8(uint32_t code_point, std::string& text);

// Returns whether `bytes` are valid UTF-8. Defined in base/json/, the folder that uses simdjson.
bool IsValidUtf8(std::string_view bytes);

// Returns the byte where `bytes` stops being valid UTF-8 (the first byte of the invalid sequence),
// or bytes.size() when all is valid. As fast as IsValidUtf8 when all is valid.
size_t FindInvalidUtf8(std::string_view bytes);

// Returns the length of the invalid sequence at the front of `bytes`: its longest beginning that
// some other bytes would complete, at least 1 (Unicode 15.0, section 3.9, "maximal subpart"). One
// U+FFFD stands for the whole sequence. Slow.
size_t BrokenUtf8Length(std::string_view bytes);

// Returns `bytes` with U+FFFD in place of each invalid sequence. Slow.
std::string ReplaceBrokenUtf8(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_UTF8_UTF8_H_
