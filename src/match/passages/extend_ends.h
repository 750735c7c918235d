#ifndef ZHIWEN_MATCH_PASSAGES_EXTEND_ENDS_H_
#define ZHIWEN_MATCH_PASSAGES_EXTEND_ENDS_H_

// Extends an alignment beyond its ends through edited text, until it gets worse: the X-drop of
// Z. Zhang, S. Schwartz, L. Wagner, W. Miller, "A greedy algorithm for aligning DNA sequences",
// 2000, in a band.
//
// In          symbols of both texts from the end of an alignment on
// Out         how many symbols of each belong to the best extension; none where nothing follows
//             that is worth it
// Guarantees  an equal symbol counts 1, any other −1; the extension ends where its score falls 6
//             below the best, and has at most 400 symbols
// Cost        21 cells a symbol
// Threads     free functions

#include <cstddef>
#include <cstdint>
#include <span>

namespace zhiwen {

inline constexpr size_t kLongestExtension = 400;
inline constexpr int kBandOfExtension = 10;  // places by which the texts may shift

struct Extension {
  uint32_t a = 0, b = 0;

  friend bool operator==(const Extension&, const Extension&) = default;
};

// Both texts begin where the alignment ends.
Extension ExtendAfter(std::span<const uint32_t> a, std::span<const uint32_t> b);

// Both texts end where the alignment begins.
Extension ExtendBefore(std::span<const uint32_t> a, std::span<const uint32_t> b);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_PASSAGES_EXTEND_ENDS_H_
