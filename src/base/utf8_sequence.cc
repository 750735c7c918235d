#include "base/utf8_sequence.h"

namespace zhiwen {
namespace {

// What a lead byte asks for: the length, and the range of the second byte, which excludes
// overlong forms, surrogates and what lies beyond U+10FFFF.
struct Lead {
  size_t length;  // 0: not a lead byte
  unsigned char lowest, highest;
};

Lead LeadOf(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xc2) return {0, 0, 0};
  if (byte < 0xe0) return {2, 0x80, 0xbf};
  if (byte == 0xe0) return {3, 0xa0, 0xbf};
  if (byte == 0xed) return {3, 0x80, 0x9f};
  if (byte < 0xf0) return {3, 0x80, 0xbf};
  if (byte == 0xf0) return {4, 0x90, 0xbf};
  if (byte < 0xf4) return {4, 0x80, 0xbf};
  if (byte == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

}  // namespace

Utf8Sequence FirstUtf8Sequence(std::string_view bytes) {
  const auto at = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const Lead lead = LeadOf(at(0));
  if (lead.length == 0) return {.length = 1, .valid = false};
  for (size_t i = 1; i < lead.length; ++i) {
    const unsigned char lowest = i == 1 ? lead.lowest : 0x80;
    const unsigned char highest = i == 1 ? lead.highest : 0xbf;
    if (i == bytes.size() || at(i) < lowest || at(i) > highest)
      return {.length = i, .valid = false};
  }
  return {.length = lead.length, .valid = true};
}

}  // namespace zhiwen
