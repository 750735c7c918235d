#include "pipeline/dedup/decide_near.h"

namespace zhiwen {

void DecideCopies(const DocumentTable& table, std::span<const DocumentIndex> representatives,
                  const ExactHashes& exact, Decisions& decisions) {
  for (DocumentIndex d = 0; d < representatives.size(); ++d) {
    const DocumentIndex representative = representatives[d];
    if (d == representative) continue;
    Decision& decision = decisions.documents[d];
    decision = decisions.documents[representative];
    if (decision.removed()) continue;
    decision.keeper = representative;
    decision.equal_channel = true;
    decision.equal_exact =
        !NeedsExactChannel(table, d, representative) || exact.Of(d) == exact.Of(representative);
  }
}

}  // namespace zhiwen
