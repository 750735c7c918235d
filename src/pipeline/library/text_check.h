#ifndef ZHIWEN_PIPELINE_LIBRARY_TEXT_CHECK_H_
#define ZHIWEN_PIPELINE_LIBRARY_TEXT_CHECK_H_

// Checks one text against a library: candidates from hashes and from the index of near-duplicates,
// each compared with its stored text.

#include <string_view>

#include "index/minhash/minhash_index.h"
#include "store/corpus_store.h"
#include "zhiwen/check.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns the matches of `text`, which must be valid UTF-8. `near` may be null. The number of
// documents and the sequence are the caller's to fill in. Threads: any number at once.
Result<CheckedText> CheckText(const CorpusStore& store, const MinHashIndex* near,
                              std::string_view text, const TextCheckOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_TEXT_CHECK_H_
