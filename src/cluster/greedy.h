#ifndef ZHIWEN_CLUSTER_GREEDY_H_
#define ZHIWEN_CLUSTER_GREEDY_H_

// The rule of dedup: in rank order, a document is removed exactly when its resemblance with a kept
// document is ≥ threshold; its keeper is the first such document by rank. This is the sequential
// definition; cluster/parallel_greedy.h has the form that runs on all cores, and equals it.
//
// Guarantees  Theorem A: every removed document matches its keeper, which is kept. Theorem B: no
//             two kept documents match, when every match is among the candidates

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace zhiwen {

inline constexpr uint32_t kKept = UINT32_MAX;

// `candidates(d)` returns the earlier documents that may match d, ascending and distinct;
// `matches(d, k)` verifies a pair. Returns the keeper of each document, or kKept.
std::vector<uint32_t> DecideGreedily(
    uint32_t documents,
    const std::function<std::span<const uint32_t>(uint32_t document)>& candidates,
    const std::function<bool(uint32_t document, uint32_t kept)>& matches);

}  // namespace zhiwen

#endif  // ZHIWEN_CLUSTER_GREEDY_H_
