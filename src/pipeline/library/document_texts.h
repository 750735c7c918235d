#ifndef ZHIWEN_PIPELINE_LIBRARY_DOCUMENT_TEXTS_H_
#define ZHIWEN_PIPELINE_LIBRARY_DOCUMENT_TEXTS_H_

// The texts of the documents that one check compares with, read once.
//
// Cost        at most 65 MB, and the largest text
// Threads     one at a time
// Fails       as CorpusStore::ReadText

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "store/corpus_store.h"
#include "zhiwen/result.h"

namespace zhiwen {

class DocumentTexts {
 public:
  // `store` must outlive the object.
  explicit DocumentTexts(const CorpusStore& store) : store_(store) {}

  // Reads the texts of the first documents together, which are all there.
  Status ReadAhead(std::span<const std::optional<StoredDocument>> documents);

  // Returns the text of a document, valid until the next call of either function; null when it was
  // purged meanwhile.
  Result<const std::string*> Of(const StoredDocument& document);

 private:
  const std::string* Keep(uint64_t key, std::string text);

  const CorpusStore& store_;
  std::unordered_map<uint64_t, std::string> texts_;  // by key
  size_t bytes_ = 0;                                 // of these
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_DOCUMENT_TEXTS_H_
