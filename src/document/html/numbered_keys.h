#ifndef ZHIWEN_DOCUMENT_HTML_NUMBERED_KEYS_H_
#define ZHIWEN_DOCUMENT_HTML_NUMBERED_KEYS_H_

// Numbers distinct 64-bit keys from 0 on, in the order in which they come.
//
// Cost        12 bytes a key that may come, twice; constant time a key for keys that are hashes
// Threads     one at a time

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace zhiwen {

class NumberedKeys {
 public:
  // At most `most` distinct keys will come.
  explicit NumberedKeys(size_t most)
      : keys_(std::bit_ceil(2 * most + 2)), numbers_(keys_.size(), kFree) {}

  uint32_t NumberOf(uint64_t key) {
    const size_t mask = keys_.size() - 1;
    size_t slot = (key * 0x9E3779B97F4A7C15U >> 20) & mask;
    while (numbers_[slot] != kFree && keys_[slot] != key) slot = (slot + 1) & mask;
    if (numbers_[slot] == kFree) {
      keys_[slot] = key;
      numbers_[slot] = count_++;
    }
    return numbers_[slot];
  }

 private:
  static constexpr uint32_t kFree = UINT32_MAX;
  std::vector<uint64_t> keys_;
  std::vector<uint32_t> numbers_;
  uint32_t count_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_NUMBERED_KEYS_H_
