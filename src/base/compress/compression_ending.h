#ifndef ZHIWEN_BASE_COMPRESS_COMPRESSION_ENDING_H_
#define ZHIWEN_BASE_COMPRESS_COMPRESSION_ENDING_H_

#include <string_view>

#include "base/utf8/ascii.h"

namespace zhiwen {

// Takes .gz or .zst, in any case, off a path; returns whether one was there.
inline bool RemoveCompressionEnding(std::string_view& path) {
  for (const std::string_view ending : {".gz", ".zst"}) {
    if (!EndsInAnyCase(path, ending)) continue;
    path.remove_suffix(ending.size());
    return true;
  }
  return false;
}

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_COMPRESSION_ENDING_H_
