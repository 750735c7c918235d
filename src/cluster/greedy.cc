#include "cluster/greedy.h"

namespace zhiwen {

std::vector<uint32_t> DecideGreedily(
    uint32_t documents,
    const std::function<std::span<const uint32_t>(uint32_t document)>& candidates,
    const std::function<bool(uint32_t document, uint32_t kept)>& matches) {
  std::vector<uint32_t> keepers(documents, kKept);
  for (uint32_t document = 0; document < documents; ++document) {
    for (const uint32_t earlier : candidates(document)) {
      if (keepers[earlier] != kKept || !matches(document, earlier)) continue;
      keepers[document] = earlier;
      break;
    }
  }
  return keepers;
}

}  // namespace zhiwen
