#ifndef ZHIWEN_INDEX_REFERENCES_REFERENCE_WINDOWS_H_
#define ZHIWEN_INDEX_REFERENCES_REFERENCE_WINDOWS_H_

// The windows of kOverlap (index/references/reference_index.h): says which symbols of a reference
// are indexed, and computes the key of a window for both sides. Keys are never stored.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "feature/shingles.h"
#include "kernels/kernels.h"

namespace zhiwen {

struct ReferenceWindows {
  size_t length = 0;  // of a window, in symbols
  size_t stride = 0;  // from one window to the next

  // A run of `run` ≥ kShingleLength symbols holds `stride` windows, of which one is indexed.
  // Windows of half a run tell texts apart well, and leave a stride of half a run.
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

  // Calls visit(begin, key) for the windows at every symbol, until it returns false.
  template <typename Visit>
  void VisitAll(std::span<const uint32_t> symbols, const Visit& visit) const {
    const size_t piece = std::max(kPiece, length);
    std::vector<uint64_t> shingles;
    for (size_t begin = 0; begin + length <= symbols.size(); begin += piece) {
      const auto part =
          symbols.subspan(begin, std::min(piece + length - 1, symbols.size() - begin));
      ComputeShingles(part, shingles);
      for (size_t i = 0; i + length <= part.size(); ++i) {
        if (!visit(uint64_t{begin + i}, KeyAt(&shingles[i]))) return;
      }
    }
  }

  // Computes the key from the symbols of a window.
  uint64_t KeyOf(const uint32_t* symbols) const {
    const auto shingle = [&](size_t at) {
      uint64_t hash;
      ActiveKernels().shingle_hashes(symbols + at, 1, &hash);
      return hash;
    };
    uint64_t key = 0;
    for (size_t at = 0; at + kShingleLength < length; at += kShingleLength) {
      key = Add(key, shingle(at));
    }
    return Add(key, shingle(length - kShingleLength));
  }

 private:
  static constexpr size_t kPiece = 2048;

  static uint64_t Add(uint64_t key, uint64_t shingle) {
    key = (key ^ shingle) * 0x9E3779B97F4A7C15;
    return key ^ (key >> 32);
  }
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_REFERENCES_REFERENCE_WINDOWS_H_
