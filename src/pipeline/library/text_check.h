#ifndef ZHIWEN_PIPELINE_LIBRARY_TEXT_CHECK_H_
#define ZHIWEN_PIPELINE_LIBRARY_TEXT_CHECK_H_

// Checks one text against a library: candidates from hashes, from the index of near-duplicates,
// from the indexes of passages and from those of granules, each compared with its stored text.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "index/minhash/minhash_index.h"
#include "index/postings/postings_index.h"
#include "pipeline/library/code_schemes.h"
#include "pipeline/library/text_sketcher.h"
#include "store/corpus_store.h"
#include "zhiwen/check.h"
#include "zhiwen/code_index.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The indexes of a library open for reading; null while nothing was added yet.
struct IndexReaders {
  std::unique_ptr<MinHashIndex> near;
  std::vector<std::unique_ptr<PostingsIndex>> selected;  // by channel
  std::vector<std::unique_ptr<CodeIndex>> codes;         // by scheme
  std::vector<std::unique_ptr<PostingsIndex>> granules;  // likewise
};

// A scheme of granules by which passages are found, too.
struct GranuleChannel {
  const CodeScheme* scheme;
  const PostingsIndex* index;
};

// Whether a document is live, and of another owner than the suspect, where that is given.
bool MayMatch(const StoredDocument& document, const TextCheckOptions& options);

// Returns the matches of `text`, which must be valid UTF-8. The number of documents and the
// sequences are the caller's to fill in. Threads: any number at once.
Result<CheckedText> CheckText(const CorpusStore& store, std::span<const PassageChannel> channels,
                              std::span<const GranuleChannel> granules, const IndexReaders& indexes,
                              std::string_view text, const TextCheckOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_TEXT_CHECK_H_
