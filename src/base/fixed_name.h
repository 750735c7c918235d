#ifndef ZHIWEN_BASE_FIXED_NAME_H_
#define ZHIWEN_BASE_FIXED_NAME_H_

// Copies names to and from fixed-size fields of persisted structs, filled with zeros.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace zhiwen {

// Copies a name, truncated to the size of the field.
template <size_t kSize>
void CopyName(std::string_view name, char (&out)[kSize]) {
  std::memset(out, 0, kSize);
  std::memcpy(out, name.data(), std::min(name.size(), kSize));
}

template <size_t kSize>
std::string_view NameIn(const char (&bytes)[kSize]) {
  return {bytes, static_cast<size_t>(std::find(bytes, bytes + kSize, '\0') - bytes)};
}

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_FIXED_NAME_H_
