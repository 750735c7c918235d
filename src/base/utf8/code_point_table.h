#ifndef ZHIWEN_BASE_UTF8_CODE_POINT_TABLE_H_
#define ZHIWEN_BASE_UTF8_CODE_POINT_TABLE_H_

// Turns bytes of a text into code points, in any order.
//
// Cost        of a table: the text is read once; of an offset: a kilobyte is read

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/utf8/utf8.h"
#include "zhiwen/offsets.h"

namespace zhiwen {

class CodePointTable {
 public:
  explicit CodePointTable(std::string_view utf8) : utf8_(utf8) {
    for (size_t begin = 0; begin < utf8.size(); begin += kStep) {
      before_.push_back(before_.empty() ? 0 : before_.back() + CountStarts(begin - kStep, begin));
    }
  }

  CodePointOffset At(ByteOffset byte) const {
    if (utf8_.empty()) return {0};
    const size_t step = std::min<size_t>(byte.value / kStep, before_.size() - 1);
    return {before_[step] + CountStarts(step * kStep, byte.value)};
  }
  Span<CodePointOffset> Of(const ByteSpan& bytes) const { return {At(bytes.begin), At(bytes.end)}; }

 private:
  static constexpr size_t kStep = 1024;  // bytes

  // Returns how many code points start in [begin, end).
  uint64_t CountStarts(size_t begin, size_t end) const {
    return static_cast<uint64_t>(
        std::ranges::count_if(utf8_.substr(begin, end - begin),
                              [](char c) { return !IsContinuation(static_cast<uint8_t>(c)); }));
  }

  std::string_view utf8_;
  std::vector<uint64_t> before_;  // code points that start before each step
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_UTF8_CODE_POINT_TABLE_H_
