#ifndef ZHIWEN_BASE_UTF8_SEQUENCE_H_
#define ZHIWEN_BASE_UTF8_SEQUENCE_H_

// One UTF-8 sequence at a time, for paths where speed does not matter (messages, broken input).

#include <cstddef>
#include <string_view>

namespace zhiwen {

struct Utf8Sequence {
  size_t length = 0;  // bytes; of a broken one those of its longest sound beginning, at least 1
  bool valid = false;
};

// Examines the sequence that `bytes`, not empty, starts with (Unicode 15, table 3-7).
Utf8Sequence FirstUtf8Sequence(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_UTF8_SEQUENCE_H_
