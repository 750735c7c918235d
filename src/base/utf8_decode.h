#ifndef ZHIWEN_BASE_UTF8_DECODE_H_
#define ZHIWEN_BASE_UTF8_DECODE_H_

// Code points of UTF-8, strictly (Unicode 15.0, table 3-7): overlong forms, surrogates and
// values above U+10FFFF are broken. A broken byte reads as U+FFFD of length 1.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace zhiwen {

inline constexpr uint32_t kReplacementCharacter = 0xFFFD;

struct DecodedCodePoint {
  uint32_t code_point;
  uint32_t length;  // in bytes; 1 with U+FFFD: broken

  bool is_valid() const { return code_point != kReplacementCharacter || length != 1; }
};

// Decodes the non-ASCII sequence at `at`; `at` < `end` and *at ≥ 0x80.
[[gnu::always_inline]] inline DecodedCodePoint DecodeMultiByte(const uint8_t* at,
                                                               const uint8_t* end) {
  const uint32_t lead = at[0];
  const auto left = end - at;
  const auto tail = [at](int i) { return at[i] & 0x3FU; };
  const auto is_tail = [at](int i) { return (at[i] & 0xC0U) == 0x80; };
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

// Whether a sequence with this lead byte is one of U+4000–U+9FFF, or broken: Han and hexagrams, all
// units by themselves, none of which joins what stands before it or is changed by NFC.
inline bool IsHanLead(uint8_t lead) { return static_cast<uint8_t>(lead - 0xE4) < 6; }

// Decodes the code point at `at`; `at` < `end`.
[[gnu::always_inline]] inline DecodedCodePoint DecodeCodePoint(const uint8_t* at,
                                                               const uint8_t* end) {
  if (*at < 0x80) return {*at, 1};
  return DecodeMultiByte(at, end);
}

// Calls visit(DecodedCodePoint, where its bytes begin) for each code point of `utf8`, until it
// returns false; it may return nothing. Returns whether all were visited.
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

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_UTF8_DECODE_H_
