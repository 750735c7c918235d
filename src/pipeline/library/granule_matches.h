#ifndef ZHIWEN_PIPELINE_LIBRARY_GRANULE_MATCHES_H_
#define ZHIWEN_PIPELINE_LIBRARY_GRANULE_MATCHES_H_

// Finds the documents of a library that share passages with a text by the granules of a scheme
// (match/granule_passages.h). Candidates share the most keys (index/postings/granule_keys.h) with a
// section of 2,000 characters of the text; the granules of their stored texts are computed and
// compared.
//
// Cost        of a text of a thousand characters, some 6,000 keys are looked up; each candidate is
//             read, and its granules are compared with all of the text
// Threads     any number at once

#include <functional>
#include <string_view>
#include <vector>

#include "index/postings/postings_index.h"
#include "match/granule_passages.h"
#include "pipeline/library/code_schemes.h"
#include "store/corpus_store.h"
#include "zhiwen/library_query.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A document by the passages that it shares with a text.
struct GranuleCandidates {
  std::vector<SchemeMatch> documents;  // in the order of SchemeMatches
  uint64_t common_keys = 0;            // of the text, that propose no document
  bool truncated = false;              // more may match: of the last compared one does
};

struct GranuleSearch {
  GranuleMatchOptions match;
  uint32_t least_keys = 1;     // that a document shares with the text
  size_t most_compared = 200;  // documents
  size_t most_passed_over =
      1;  // of the documents that share the most keys, those that may not match
  // Whether a document may be an answer.
  std::function<bool(const StoredDocument&)> may_match;
};

// Returns the largest L1 distance of two codes.
uint32_t LargestGranuleDistance(const CodeSequence& codes);

// Returns the options for a radius and a number of granules.
GranuleMatchOptions GranuleOptions(uint32_t radius, size_t least_granules);

Result<GranuleCandidates> FindGranuleCandidates(const CorpusStore& store, const CodeScheme& scheme,
                                                const PostingsIndex& index, std::string_view text,
                                                const GranuleSearch& search);

// `index` is null while it was never begun. The sequence is the caller's to fill in.
Result<SchemeMatches> FindGranuleMatches(const CorpusStore& store, const CodeScheme& scheme,
                                         const PostingsIndex* index, std::string_view text,
                                         const SchemeQuery& query);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_GRANULE_MATCHES_H_
