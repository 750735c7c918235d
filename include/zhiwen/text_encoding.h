#ifndef ZHIWEN_TEXT_ENCODING_H_
#define ZHIWEN_TEXT_ENCODING_H_

// The character encodings in which documents are read.

#include <cstdint>
#include <optional>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

enum class TextEncoding : uint8_t {
  kUtf8,
  kGb18030,  // and what it contains: GBK, GB2312
  kBig5,     // with the characters of Hong Kong (HKSCS)
  kUtf16Le,
  kUtf16Be,
  kUtf16,  // as users name it: by the byte order mark, little-endian without one
};

// Returns "utf-8", "gb18030", "big5", "utf-16le", "utf-16be" or "utf-16".
std::string_view TextEncodingName(TextEncoding encoding);

// The encoding that a user names, in any case: one of TextEncodingName, gbk, gb2312, cp936, cp950,
// big5-hkscs; nothing for "auto". Fails: kInvalidArgument, naming what there is.
Result<std::optional<TextEncoding>> ParseTextEncoding(std::string_view text);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_ENCODING_H_
