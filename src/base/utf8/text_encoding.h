#ifndef ZHIWEN_BASE_UTF8_TEXT_ENCODING_H_
#define ZHIWEN_BASE_UTF8_TEXT_ENCODING_H_

// Guesses the encoding of bytes that are not valid UTF-8, for messages. Nothing is converted.

#include <cstdint>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

// U+FEFF in UTF-8, which some programs write at the start of a file.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Returns whether `bytes`, which may be truncated, can be GB18030 (and so GBK or GB2312) and do not
// look like damaged UTF-8. Big5 passes too.
bool LooksLikeGb18030(std::string_view bytes);

// Returns whether `bytes` begin with the byte order mark of UTF-16.
bool BeginsAsUtf16(std::string_view bytes);

inline constexpr std::string_view kUtf16Advice =
    "UTF-16 text; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)";
inline constexpr std::string_view kGb18030Advice =
    "no UTF-8 but, as it looks, GB18030 (GBK) or Big5; convert it first (iconv -f GB18030 -t "
    "UTF-8, or -f BIG5)";

// Returns what to do about bytes that are not valid UTF-8, for the end of a message: "; it looks
// like GB18030 …". It is empty when the encoding is unknown.
std::string_view EncodingAdvice(std::string_view bytes);

// Returns the error kUnreadable: "cannot read NAME", the byte `at`, and what to do about the bytes
// around it.
Status FailNotUtf8(std::string_view name, uint64_t at, std::string_view around);

// Fails: kUnreadable when `bytes` are not valid UTF-8: "cannot read NAME", the byte, the advice.
Status CheckUtf8(std::string_view bytes, std::string_view name);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_UTF8_TEXT_ENCODING_H_
