#ifndef ZHIWEN_PIPELINE_LIBRARY_NEAR_INDEX_H_
#define ZHIWEN_PIPELINE_LIBRARY_NEAR_INDEX_H_

// The index of near-duplicates of a library: a MinHash index of its live documents, derived from
// the catalog. It keeps no log: it says which change of the catalog it has, and the writer applies
// the later ones again. An index that is missing, damaged, or ahead of its catalog (which was
// restored from a copy) is begun anew, in a folder of its own that the catalog names.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/minhash/minhash_index.h"
#include "pipeline/library/text_sketcher.h"
#include "store/corpus_store.h"
#include "zhiwen/document_batches.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A change of one document; the signature is of an addition.
struct NearChange {
  CatalogChangeKind kind = CatalogChangeKind::kAdd;
  uint32_t document = 0;
  std::vector<uint32_t> signature = {};
};

// Returns the folder of the index of a library.
std::string NearIndexFolder(const std::string& library, uint64_t incarnation);

class NearIndexWriter {
 public:
  // Opens the index and applies what it lacks. All must outlive the object.
  static Result<std::unique_ptr<NearIndexWriter>> Open(const std::string& library,
                                                       CorpusStore& store,
                                                       std::vector<TextSketcher>& sketchers,
                                                       const BatchEnvironment& environment);

  // Applies changes, which the catalog has, up to `sequence`.
  Status Apply(std::span<const NearChange> changes, uint64_t sequence);

  // Merges everything into one segment.
  Status Compact();
  Status Close();

 private:
  NearIndexWriter(std::string library, CorpusStore& store, std::vector<TextSketcher>& sketchers,
                  const BatchEnvironment& environment)
      : library_(std::move(library)),
        store_(store),
        sketchers_(sketchers),
        environment_(environment) {}

  Status OpenOrBegin();
  Status Begin();
  Status Replay();
  Result<std::vector<NearChange>> ReadChanges(const std::vector<CatalogChange>& changes);
  Status Flush();

  const std::string library_;
  CorpusStore& store_;
  std::vector<TextSketcher>& sketchers_;  // one a worker
  const BatchEnvironment& environment_;
  std::unique_ptr<MinHashIndexWriter> index_;
  uint64_t sequence_ = 0;   // of the last change applied
  uint64_t unflushed_ = 0;  // changes since the last Flush
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_NEAR_INDEX_H_
