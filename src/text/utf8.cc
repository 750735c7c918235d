#include "text/utf8.h"

#include "kernels/kernels.h"

namespace zhiwen {

uint64_t CountCodePoints(std::string_view utf8) {
  return ActiveKernels().count_code_points(reinterpret_cast<const uint8_t*>(utf8.data()),
                                           utf8.size());
}

void AppendUtf8(uint32_t code_point, std::string& text) {
  ForEachUtf8Byte(code_point, [&](uint32_t byte) { text += static_cast<char>(byte); });
}

}  // namespace zhiwen
