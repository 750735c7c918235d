#ifndef ZHIWEN_TEXT_GB2312_H_
#define ZHIWEN_TEXT_GB2312_H_

// The 6763 Chinese characters of GB 2312-80, in its order: 3755 common ones by reading, then 3008
// by radical.

#include <cstdint>
#include <optional>

namespace zhiwen {

inline constexpr uint32_t kCommonCharacters = 3755;

// Returns the number of a character, from 0, or nothing for a code point outside GB 2312.
std::optional<uint32_t> Gb2312Number(uint32_t code_point);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_GB2312_H_
