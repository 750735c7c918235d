#ifndef ZHIWEN_PIPELINE_LIBRARY_EVERY_DOCUMENT_H_
#define ZHIWEN_PIPELINE_LIBRARY_EVERY_DOCUMENT_H_

// Ranks the documents of a library by their resemblance with a text by comparing it with all of
// them: the definition of what similar_documents.h finds by indexes.

#include <string_view>

#include "store/corpus_store.h"
#include "zhiwen/document_batches.h"
#include "zhiwen/library_query.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns the documents that resemble `text`, which must be valid UTF-8. The number of documents
// searched and the sequence are the caller's to fill in. Fails: as `cancellation` says.
Result<SimilarDocuments> CompareWithEvery(const CorpusStore& store, std::string_view text,
                                          const SimilarityOptions& options,
                                          const PhonemePrefilter* prefilter,
                                          const BatchEnvironment& environment);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_EVERY_DOCUMENT_H_
