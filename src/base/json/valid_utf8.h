#ifndef ZHIWEN_BASE_JSON_VALID_UTF8_H_
#define ZHIWEN_BASE_JSON_VALID_UTF8_H_

#include <string_view>

namespace zhiwen {

// Whether `bytes` is valid UTF-8: the answer of FindInvalidUtf8 (base/utf8.h) at the speed of
// simdjson, for input that is mostly valid.
bool IsValidUtf8(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_JSON_VALID_UTF8_H_
