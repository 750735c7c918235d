#ifndef ZHIWEN_BASE_UTF8_H_
#define ZHIWEN_BASE_UTF8_H_

#include <cstddef>
#include <string_view>

namespace zhiwen {

// Returns the byte where `bytes` stops being valid UTF-8 (the first byte of the broken sequence),
// or bytes.size() when all is valid.
size_t FindInvalidUtf8(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_UTF8_H_
