#ifndef ZHIWEN_PIPELINE_LIBRARY_SCHEME_MATCHES_H_
#define ZHIWEN_PIPELINE_LIBRARY_SCHEME_MATCHES_H_

// Finds the documents of a library whose value of a scheme equals that of a text, or is near it.

#include <string_view>

#include "pipeline/library/code_schemes.h"
#include "store/corpus_store.h"
#include "zhiwen/code_index.h"
#include "zhiwen/library_query.h"
#include "zhiwen/result.h"

namespace zhiwen {

// `index` has the codes of `scheme`, and is null while it was never begun. The sequence is the
// caller's to fill in. Threads: any number at once.
Result<SchemeMatches> FindSchemeMatches(const CorpusStore& store, const CodeScheme& scheme,
                                        const CodeIndex* index, std::string_view text,
                                        const SchemeQuery& query);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_SCHEME_MATCHES_H_
