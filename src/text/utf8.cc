#include "text/utf8.h"

#include "kernels/kernels.h"

namespace zhiwen {

uint64_t CountCodePoints(std::string_view utf8) {
  return ActiveKernels().count_code_points(reinterpret_cast<const uint8_t*>(utf8.data()),
                                           utf8.size());
}

void AppendUtf8(uint32_t code_point, std::string& text) {
  const auto append = [&](uint32_t byte) { text += static_cast<char>(byte); };
  if (code_point < 0x80) return append(code_point);
  if (code_point < 0x800) {
    append(0xC0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    append(0xE0 | code_point >> 12);
    append(0x80 | (code_point >> 6 & 0x3F));
  } else {
    append(0xF0 | code_point >> 18);
    append(0x80 | (code_point >> 12 & 0x3F));
    append(0x80 | (code_point >> 6 & 0x3F));
  }
  append(0x80 | (code_point & 0x3F));
}

}  // namespace zhiwen
