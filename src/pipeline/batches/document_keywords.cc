#include <vector>

#include "zhiwen/document_results.h"

namespace zhiwen {
namespace {

constexpr size_t kRankedAtOnce = 4;  // documents

}  // namespace

Status RankDocumentKeywords(const DocumentKeywordsOptions& options,
                            const std::function<Status(const DocumentKeywords& ranked)>& visit,
                            const BatchEnvironment& environment) {
  if (options.snapshot != nullptr) {
    ZHIWEN_RETURN_IF_ERROR(options.snapshot->CheckMadeWith(*options.extractor));
  }
  DocumentBatches batches(options.inputs,
                          {.stage = Stage::kCountTerms, .outcome = "text", .done = "printed"},
                          environment);
  return batches.ForEach([&](std::span<const SourceDocument> batch) -> Status {
    std::vector<std::vector<Keyword>> ranked(batch.size());
    ParallelFor(environment.executor, batch.size(), kRankedAtOnce, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        ranked[i] = RankKeywords(options.extractor->Count(batch[i].text, &environment.cancellation),
                                 options.snapshot.get(), options.keywords);
      }
    });
    // After a cancellation some keywords are those of half a text.
    ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
    for (size_t i = 0; i < batch.size(); ++i) {
      ZHIWEN_RETURN_IF_ERROR(visit({batch[i], ranked[i], batches.files() == 1}));
    }
    return {};
  });
}

}  // namespace zhiwen
