#ifndef ZHIWEN_PIPELINE_LIBRARY_SIMILAR_DOCUMENTS_H_
#define ZHIWEN_PIPELINE_LIBRARY_SIMILAR_DOCUMENTS_H_

// Ranks the documents of a library by their resemblance with a text: candidates from hashes, from
// the index of near-duplicates and from the index of passages, each compared with its stored text.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "match/similarity.h"
#include "pipeline/library/text_check.h"
#include "pipeline/library/text_sketcher.h"
#include "store/corpus_store.h"
#include "zhiwen/library_query.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns the documents that resemble `text`, which must be valid UTF-8. The number of documents
// searched and the sequence are the caller's to fill in. Threads: any number at once.
Result<SimilarDocuments> FindSimilarDocuments(const CorpusStore& store, const IndexReaders& indexes,
                                              std::string_view text,
                                              const SimilarityOptions& options);

// A text that is compared with others. Its views are no longer those of the sketcher.
struct ComparedText {
  std::string_view text;
  std::span<const uint64_t> shingles;  // the set of them
  std::span<const uint32_t> symbols;
};

// Returns what another text shares with `text`. A text under a shingle resembles those that equal
// it, and no others. The views of `sketcher` change.
SetOverlap CompareTexts(const ComparedText& text, std::string_view other, TextSketcher& sketcher);

// Returns a document with what a text has in common with it.
SimilarDocumentOfText SimilarBy(const SetOverlap& overlap, StoredDocument document);

// Puts documents in their order, and leaves the first `count`.
void RankSimilar(size_t count, SimilarDocuments& similar);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_SIMILAR_DOCUMENTS_H_
