#ifndef ZHIWEN_VERSION_H_
#define ZHIWEN_VERSION_H_

#include <string_view>

namespace zhiwen {

// "0.1.0".
std::string_view Version();

// The Unicode version of the channel tables and the OpenCC data they were made from: "15.0.0",
// "1.1.6".
std::string_view UnicodeVersion();
std::string_view OpenccVersion();

}  // namespace zhiwen

#endif  // ZHIWEN_VERSION_H_
