#ifndef ZHIWEN_INDEX_MINHASH_SKETCH_SEARCH_H_
#define ZHIWEN_INDEX_MINHASH_SKETCH_SEARCH_H_

// Looks up sketches in a segment or in memory. A candidate shares a bucket with the query, has
// enough equal bits, and is not deleted.
//
// Cost        buckets of many queries are read together, then the bits of their documents
// Threads     const functions from many threads
// Fails       kUnreadable when a segment is damaged

#include <cstdint>
#include <span>
#include <vector>

#include "index/durable/row_bitmap.h"
#include "index/minhash/memory_sketches.h"
#include "index/minhash/signature_rows.h"
#include "index/minhash/sketch_segment.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The sketches of some queries of a batch.
class SketchQueries {
 public:
  SketchQueries(const MinHashPlan& plan, const SignatureRows& rows, uint32_t begin, uint32_t end);

  uint32_t size() const { return static_cast<uint32_t>(bits_.size() / words_); }
  // Returns the keys of a band, without those that mean "no key"; query_of() gives the query of
  // each.
  std::span<const uint32_t> keys(uint32_t band) const { return bands_[band].keys; }
  uint32_t query_of(uint32_t band, size_t place) const { return bands_[band].query_of[place]; }
  const uint64_t* bits(uint32_t query) const { return bits_.data() + query * words_; }

 private:
  struct Band {
    std::vector<uint32_t> keys, query_of;
  };
  size_t words_;
  std::vector<Band> bands_;
  std::vector<uint64_t> bits_;
};

struct FoundSketch {
  uint32_t query = 0;  // index of the query
  uint32_t equal = 0;  // values whose bits are equal
  uint64_t document = 0;
};

struct CutBand {
  uint32_t query = 0, band = 0;

  friend auto operator<=>(const CutBand&, const CutBand&) = default;
};

struct FoundSketches {
  std::vector<FoundSketch> found;  // by source, in the order of queries
  std::vector<CutBand> cut;        // by source and band
};

struct SketchSearch {
  const MinHashPlan& plan;
  const SketchQueries& queries;
  uint32_t least_equal = 0;

  Status In(const SketchSegment& segment, const RowBitmap& deleted, FoundSketches& found) const;
  void In(const MemorySketches& memory, FoundSketches& found) const;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_MINHASH_SKETCH_SEARCH_H_
