#ifndef ZHIWEN_PIPELINE_LIBRARY_CHECK_CONTENTS_H_
#define ZHIWEN_PIPELINE_LIBRARY_CHECK_CONTENTS_H_

// Compares what the indexes of a library have of its documents with the stored texts: each document
// finds itself by the signature, by all selected blocks, and by all keys of granules of its text.
//
// Cost        as to add the documents, without writing

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "pipeline/library/derived_index.h"
#include "store/corpus_store.h"
#include "zhiwen/document_batches.h"
#include "zhiwen/result.h"

namespace zhiwen {

// An index whose files are whole, and which has the right documents.
struct IndexToCompare {
  DerivedIndex index;
  std::string folder;
  std::unordered_set<uint64_t> documents = {};  // numbers
};

// Appends to `problems` what is wrong. Documents whose texts are damaged are left out, and all when
// the language data of the library is not there: that is a warning. Fails: as the environment's
// cancellation says, and as opening an index does.
Status CheckContents(const std::string& library, const CorpusStore& store,
                     std::vector<IndexToCompare> indexes, const BatchEnvironment& environment,
                     std::vector<std::string>& problems);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_CHECK_CONTENTS_H_
