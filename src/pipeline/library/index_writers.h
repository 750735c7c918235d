#ifndef ZHIWEN_PIPELINE_LIBRARY_INDEX_WRITERS_H_
#define ZHIWEN_PIPELINE_LIBRARY_INDEX_WRITERS_H_

// Keeps all indexes of a library at the state of its catalog. An index that is missing, damaged, or
// ahead of its catalog (which was restored from a copy) is begun anew, in a folder of its own that
// the catalog names.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/library/derived_index.h"
#include "pipeline/library/text_sketcher.h"
#include "store/corpus_store.h"
#include "zhiwen/document_batches.h"
#include "zhiwen/result.h"

namespace zhiwen {

class IndexWriters {
 public:
  // Opens the indexes and applies what they lack. All must outlive the object; there is a sketcher
  // for each worker of the executor.
  static Result<std::unique_ptr<IndexWriters>> Open(const std::string& library, CorpusStore& store,
                                                    std::vector<TextSketcher>& sketchers,
                                                    const BatchEnvironment& environment);

  // Applies changes, which the catalog has, up to `sequence`.
  Status Apply(std::span<const IndexChange> changes, uint64_t sequence);

  // Reads each index, begins damaged ones anew, and merges each into one segment.
  Status Compact();
  Status Close();

 private:
  struct Index {
    DerivedIndex derived;
    std::string folder = {};
    std::unique_ptr<DerivedIndexWriter> writer = nullptr;
    uint64_t sequence = 0;  // of the last change applied
  };

  IndexWriters(std::string library, CorpusStore& store, std::vector<TextSketcher>& sketchers,
               const BatchEnvironment& environment)
      : library_(std::move(library)),
        store_(store),
        sketchers_(sketchers),
        environment_(environment) {}

  Result<Index> OpenOrBegin(const DerivedIndex& derived);
  Result<Index> Begin(const DerivedIndex& derived);
  Status Replay();
  Result<std::vector<TextSketch>> SketchAdded(std::span<const CatalogChange> changes);
  Status ReplaySome(std::span<const CatalogChange> changes);
  Status ApplyTo(Index& index, std::span<const IndexChange> changes, uint64_t sequence);
  Status Flush();
  Result<bool> IsWhole(const Index& index);

  const std::string library_;
  CorpusStore& store_;
  std::vector<TextSketcher>& sketchers_;
  const BatchEnvironment& environment_;
  std::vector<Index> indexes_;
  uint64_t unflushed_ = 0;  // changes since the last Flush
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_INDEX_WRITERS_H_
