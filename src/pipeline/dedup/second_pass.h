#ifndef ZHIWEN_PIPELINE_DEDUP_SECOND_PASS_H_
#define ZHIWEN_PIPELINE_DEDUP_SECOND_PASS_H_

// The second pass reads again the documents that decisions need more of than the first pass kept:
// the shingle sets of those that may match, the exact channel of copies in other clothes.

#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/dedup/document_table.h"
#include "pipeline/dedup/inputs.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The hashes of the exact channel of some documents.
struct ExactHashes {
  std::vector<DocumentIndex> documents;  // ascending
  std::vector<Hash128> hashes;

  // `d` is one of documents.
  const Hash128& Of(DocumentIndex d) const;
};

struct SecondPass {
  std::vector<DocumentIndex> ranked;        // documents that may match, by rank
  std::vector<std::vector<uint64_t>> sets;  // of ranked[r]: ascending, distinct
  ExactHashes exact;                        // of copies that need a look, and their representatives
};

// True when only the texts tell whether `d` equals its representative on the exact channel: shorter
// texts were collapsed on that channel, and equal bytes are equal on it.
bool NeedsExactChannel(const DocumentTable& table, DocumentIndex d, DocumentIndex representative);

// Ranks `comparable` and reads what is needed, in the order of input.
Result<SecondPass> RunSecondPass(const DedupInputs& inputs, const RecordFields& fields,
                                 Channel channel, const DocumentTable& table,
                                 std::span<const DocumentIndex> representatives,
                                 std::vector<DocumentIndex> comparable,
                                 const DedupEnvironment& environment);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SECOND_PASS_H_
