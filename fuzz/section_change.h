#ifndef ZHIWEN_FUZZ_SECTION_CHANGE_H_
#define ZHIWEN_FUZZ_SECTION_CHANGE_H_

// What an input says of a section that is forged: other bytes, another size, or bytes written over
// those that were there.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace zhiwen {

// Takes four bytes off `rest`, or what there is.
inline uint32_t TakeNumber(std::string_view& rest) {
  uint32_t number = 0;
  const size_t size = std::min(rest.size(), sizeof(number));
  std::memcpy(&number, rest.data(), size);
  rest.remove_prefix(size);
  return number;
}

// Places and what is written there, each behind its size.
inline void Overwrite(std::string& bytes, std::string_view rest) {
  while (rest.size() > 5 && !bytes.empty()) {
    const size_t at = TakeNumber(rest) % bytes.size();
    const size_t size = std::min<size_t>(static_cast<uint8_t>(rest[0]) % 32, rest.size() - 1);
    rest.remove_prefix(1);
    std::memcpy(bytes.data() + at, rest.data(), std::min(size, bytes.size() - at));
    rest.remove_prefix(size);
  }
}

// The section with `rest` instead (how 0), of another size (1), or as large as it is.
inline std::string ChangeSection(std::string bytes, unsigned how, std::string_view rest) {
  if (how == 0) return std::string(rest);
  if (how == 1) bytes.resize(TakeNumber(rest) % (bytes.size() + 64));
  Overwrite(bytes, rest);
  return bytes;
}

}  // namespace zhiwen

#endif  // ZHIWEN_FUZZ_SECTION_CHANGE_H_
