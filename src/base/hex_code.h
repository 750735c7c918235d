#ifndef ZHIWEN_BASE_HEX_CODE_H_
#define ZHIWEN_BASE_HEX_CODE_H_

// Parses codes of 64 bits as people write them.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace zhiwen {

inline constexpr size_t kMostHexDigits = 16;

// Reads 1 to 16 hex digits, optionally after 0x. Returns false for anything else, with `code`
// unchanged.
inline bool ParseHexCode(std::string_view text, uint64_t& code) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  if (text.empty() || text.size() > kMostHexDigits) return false;
  uint64_t parsed = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, parsed, 16);
  if (error != std::errc() || at != end) return false;
  code = parsed;
  return true;
}

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_HEX_CODE_H_
