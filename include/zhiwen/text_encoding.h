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
  kEucTw,
  kShiftJis,     // with the characters of Windows (CP932, Windows-31J)
  kEucJp,        // with the same
  kEucKr,        // with all syllables (CP949)
  kWindows1252,  // and what it contains: ISO 8859-1
};

// Returns "utf-8", "gb18030", "big5", "utf-16le", "utf-16be", "utf-16", "euc-tw", "shift_jis",
// "euc-jp", "euc-kr" or "windows-1252".
std::string_view TextEncodingName(TextEncoding encoding);

// The encoding that a user or a document names, in any case: one of TextEncodingName, or another
// name of one, such as gbk, gb2312, cp936, big5-hkscs, sjis, cp949, latin1; nothing for "auto".
// Fails: kInvalidArgument, naming what there is.
Result<std::optional<TextEncoding>> ParseTextEncoding(std::string_view text);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_ENCODING_H_
