#include "pipeline/dedup/shingle_sets.h"

#include <algorithm>
#include <numeric>

#include "pipeline/dedup/text_features.h"
#include "pipeline/dedup/text_pass.h"

namespace zhiwen {

Result<RankedSets> ReadRankedSets(const DedupInputs& inputs, const RecordFields& fields,
                                  Channel channel, const DocumentTable& table,
                                  std::vector<DocumentIndex> documents,
                                  const DedupEnvironment& environment) {
  std::sort(documents.begin(), documents.end(),
            [&](DocumentIndex a, DocumentIndex b) { return table.RanksBefore(a, b); });
  // Texts come in the order of input; order[i] is the rank of the i-th of them.
  std::vector<uint32_t> order(documents.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return documents[a] < documents[b]; });
  std::vector<DocumentIndex> in_order;
  in_order.reserve(order.size());
  for (const uint32_t rank : order) in_order.push_back(documents[rank]);

  RankedSets ranked;
  ranked.sets.resize(documents.size());
  std::vector<TextFeatures> features(environment.executor.concurrency(), TextFeatures(channel));
  ZHIWEN_RETURN_IF_ERROR(VisitTexts(inputs, fields, table, in_order, "shingle sets", environment,
                                    [&](size_t worker, size_t chosen, std::string_view text) {
                                      features[worker].Read(text);
                                      features[worker].TakeShingleSet(ranked.sets[order[chosen]]);
                                    }));
  ranked.documents = std::move(documents);
  return ranked;
}

}  // namespace zhiwen
