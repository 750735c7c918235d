#include "text/utf8.h"

#include "kernels/kernels.h"

namespace zhiwen {

uint64_t CountCodePoints(std::string_view utf8) {
  return ActiveKernels().count_code_points(reinterpret_cast<const uint8_t*>(utf8.data()),
                                           utf8.size());
}

}  // namespace zhiwen
