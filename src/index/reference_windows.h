#ifndef ZHIWEN_INDEX_REFERENCE_WINDOWS_H_
#define ZHIWEN_INDEX_REFERENCE_WINDOWS_H_

// The windows of kOverlap (index/reference_index.h): which symbols of a reference are indexed, and
// the key that both sides compute. Keys live for a run: they are not a stored format.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "feature/shingles.h"

namespace zhiwen {

struct ReferenceWindows {
  size_t length = 0;  // of a window, in symbols
  size_t stride = 0;  // from one window to the next

  // Of every `run` ≥ kShingleLength symbols, `stride` windows lie inside: one of them is indexed.
  // Half a run tells texts apart and leaves a stride of as much.
  static ReferenceWindows For(size_t run) {
    const size_t length = std::max(kShingleLength, run / 2);
    return {length, run - length + 1};
  }

  // Hashes the shingles at `shingles` that cover a window.
  uint64_t KeyAt(const uint64_t* shingles) const {
    uint64_t key = 0;
    for (size_t at = 0; at + kShingleLength < length; at += kShingleLength) {
      key = Add(key, shingles[at]);
    }
    return Add(key, shingles[length - kShingleLength]);
  }

 private:
  static uint64_t Add(uint64_t key, uint64_t shingle) {
    key = (key ^ shingle) * 0x9E3779B97F4A7C15;
    return key ^ (key >> 32);
  }
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_REFERENCE_WINDOWS_H_
