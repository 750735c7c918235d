#include <algorithm>
#include <vector>

#include "pipeline/dedup/decide_near.h"
#include "pipeline/dedup/text_pass.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

// True when only reading the texts tells whether `d` equals its representative on the exact
// channel: shorter texts were collapsed on that channel, and equal bytes are equal on it.
bool NeedsText(const DocumentTable& table, DocumentIndex d, DocumentIndex representative) {
  return d != representative && table.entries[d].has_shingles &&
         table.entries[d].raw != table.entries[representative].raw;
}

// The hashes of the exact channel of chosen documents.
struct ExactHashes {
  std::vector<DocumentIndex> documents;  // ascending
  std::vector<Hash128> hashes;

  const Hash128& Of(DocumentIndex d) const {
    const auto at = std::lower_bound(documents.begin(), documents.end(), d);
    return hashes[static_cast<size_t>(at - documents.begin())];
  }
};

Result<ExactHashes> ReadExactHashes(const DedupInputs& inputs, const RecordFields& fields,
                                    std::span<const DocumentIndex> representatives,
                                    const DocumentTable& table,
                                    const DedupEnvironment& environment) {
  ExactHashes exact;
  for (DocumentIndex d = 0; d < representatives.size(); ++d) {
    if (!NeedsText(table, d, representatives[d])) continue;
    exact.documents.push_back(d);
    exact.documents.push_back(representatives[d]);
  }
  std::sort(exact.documents.begin(), exact.documents.end());
  exact.documents.erase(std::unique(exact.documents.begin(), exact.documents.end()),
                        exact.documents.end());
  exact.hashes.resize(exact.documents.size());
  ZHIWEN_RETURN_IF_ERROR(VisitTexts(inputs, fields, table, exact.documents, "compare copies",
                                    environment, [&](size_t, size_t chosen, std::string_view text) {
                                      exact.hashes[chosen] = HashExactChannel(text);
                                    }));
  return exact;
}

}  // namespace

Status DecideCopies(const DedupInputs& inputs, const RecordFields& fields,
                    std::span<const DocumentIndex> representatives, const DocumentTable& table,
                    const DedupEnvironment& environment, Decisions& decisions) {
  ZHIWEN_ASSIGN_OR_RETURN(const ExactHashes exact,
                          ReadExactHashes(inputs, fields, representatives, table, environment));
  for (DocumentIndex d = 0; d < representatives.size(); ++d) {
    const DocumentIndex representative = representatives[d];
    if (d == representative) continue;
    Decision& decision = decisions.documents[d];
    decision = decisions.documents[representative];
    if (decision.removed()) continue;
    decision.keeper = representative;
    decision.equal_channel = true;
    decision.equal_exact =
        !NeedsText(table, d, representative) || exact.Of(d) == exact.Of(representative);
  }
  return {};
}

}  // namespace zhiwen
