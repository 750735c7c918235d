#include "base/utf8/utf8.h"

#include <array>
#include <cstring>

#include "kernels/kernels.h"

namespace zhiwen {

uint64_t CountCodePoints(std::string_view utf8) {
  return ActiveKernels().count_code_points(reinterpret_cast<const uint8_t*>(utf8.data()),
                                           utf8.size());
}

void AppendUtf8(uint32_t code_point, std::string& text) {
  ForEachUtf8Byte(code_point, [&](uint32_t byte) { text += static_cast<char>(byte); });
}

size_t FindInvalidUtf8(std::string_view bytes) {
  // For fewer bytes the loop below is as fast.
  constexpr size_t kShort = 64;
  if (bytes.size() >= kShort && IsValidUtf8(bytes)) return bytes.size();
  const auto* begin = reinterpret_cast<const uint8_t*>(bytes.data());
  const uint8_t* end = begin + bytes.size();
  const uint8_t* at = begin;
  while (at < end) {
    if (*at < 0x80) {
      uint64_t word = 0;
      while (end - at >= 8 && (std::memcpy(&word, at, 8), (word & 0x8080808080808080) == 0)) {
        at += 8;
      }
      while (at < end && *at < 0x80) ++at;
      continue;
    }
    const DecodedCodePoint decoded = DecodeMultiByte(at, end);
    if (!decoded.is_valid()) break;
    at += decoded.length;
  }
  return static_cast<size_t>(at - begin);
}

size_t BrokenUtf8Length(std::string_view bytes) {
  // If any continuation bytes complete a beginning, the lowest or the highest ones do.
  const auto can_be_completed = [&](size_t length) {
    for (const uint8_t later : {uint8_t{0x80}, uint8_t{0xBF}}) {
      std::array<uint8_t, 4> sequence;
      sequence.fill(later);
      std::memcpy(sequence.data(), bytes.data(), length);
      const auto decoded = DecodeCodePoint(sequence.data(), sequence.data() + sequence.size());
      if (decoded.is_valid() && decoded.length > length) return true;
    }
    return false;
  };
  size_t length = 1;
  while (length < 3 && length < bytes.size() && can_be_completed(length + 1)) ++length;
  return length;
}

std::string ReplaceBrokenUtf8(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const DecodedCodePoint decoded = DecodeAt(bytes, 0);
    AppendUtf8(decoded.code_point, text);
    bytes.remove_prefix(decoded.is_valid() ? decoded.length : BrokenUtf8Length(bytes));
  }
  return text;
}

}  // namespace zhiwen
