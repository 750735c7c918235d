#ifndef ZHIWEN_BASE_BASE64_H_
#define ZHIWEN_BASE_BASE64_H_

#include <string>
#include <string_view>

namespace zhiwen {

// Encodes by RFC 4648 §4, with padding.
std::string EncodeBase64(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_BASE64_H_
