#ifndef ZHIWEN_TEXT_CLUSTER_NORMALIZER_H_
#define ZHIWEN_TEXT_CLUSTER_NORMALIZER_H_

// The slow path of folded.v1: computes NFKC, full case folding and NFKC again for a grapheme
// cluster of several code points. The few clusters that need it (marks that may compose, conjoining
// jamo) go through ICU.
//
// Cost        about a microsecond a cluster; quadratic in its length, which
//             kMaxClusterLength bounds

#include <cstdint>
#include <span>
#include <vector>

namespace zhiwen {

// Returns whether each code point may be mapped alone: nothing composes, decomposes or is
// reordered, and case folding changes nothing. True for nearly all emoji sequences, variation
// selectors, Thai and Devanagari clusters.
bool MapsCodePointByCodePoint(std::span<const uint32_t> cluster);

// Replaces `out` by NFKC(fold(NFKC(cluster))). The script table is not applied.
void NormalizeCluster(std::span<const uint32_t> cluster, std::vector<uint32_t>& out);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_CLUSTER_NORMALIZER_H_
