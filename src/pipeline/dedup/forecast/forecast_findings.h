#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_FINDINGS_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_FINDINGS_H_

// What a run over a sample found, as a forecast needs it: which documents belong together, how far
// apart they stand, and how many bytes its rows take.
//
// In          the rows of a run and its decisions, before anything is written
// Cost        reads the rows once; sorts the keys of one band at a time. Memory: kFinderBytes a
//             document of the sample, 16 a pair of FindOptions::most_kept_pairs
// Threads     one caller

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/dedup/decide/run_data.h"
#include "pipeline/dedup/forecast/forecast_growth.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Of SampleFindings::rows.
inline constexpr std::string_view kLabelRows = "labels";

// Blocks that were read one after the other, up to some size.
struct SampledUnit {
  uint32_t file = 0;    // of the run
  uint64_t stream = 0;  // bytes, of Parquet rows
  uint64_t records = 0;
  uint64_t documents = 0;
};

struct SampleFindings {
  std::vector<SampledUnit> units;
  uint64_t documents = 0;

  ClusterSample equal;     // of equal texts
  ClusterSample decided;   // a kept document and those removed for it
  ClusterSample touching;  // of documents that share a bucket, or lie in one of those that do
  ClusterSample touching_decided;  // `decided`, of representatives that share a bucket
  bool has_buckets = false;

  uint64_t representatives_removed = 0;  // for another text: these pairs verified
  uint64_t removed = 0;
  uint64_t bucket_pairs = 0;       // two representatives in a bucket, once for each
  uint64_t near_bucket_pairs = 0;  // those of documents near each other
  // Kept documents that share a bucket, each pair once: all of these are looked at. By how many of
  // the two stand for a removed one: none, one, both.
  struct KeptPairs {
    uint64_t near = 0, far = 0;  // near each other, or not
  };
  std::array<KeptPairs, 3> kept_pairs;
  uint64_t members = 0;                                        // places in buckets of two or more
  uint64_t touching_documents = 0;                             // with a place in such a bucket
  uint64_t touching_shingles = 0;                              // of them
  uint64_t comparable_documents = 0, comparable_shingles = 0;  // with a shingle, one of equal ones
  uint64_t copies = 0, copy_shingles = 0;                      // equal ones but the first
  uint64_t copies_to_look_at = 0;                              // equal ones whose bytes differ
  // Comparable documents above kLargeSetShingles: those that touch, and the others.
  std::vector<uint32_t> large_touching, large_others;
  uint64_t largest_text_bytes = 0;  // of a block of one record, about

  // Bytes on scratch after the first pass, by kind.
  std::vector<std::pair<std::string, uint64_t>> rows;
  uint64_t rank_key_bytes = 0, label_bytes = 0;
  uint64_t band_bytes = 0, bands = 0;
};

inline constexpr uint64_t kFinderBytes = 56;

// A text with more shingles than this may be one whose set is mapped.
inline constexpr uint32_t kLargeSetShingles = 1 << 16;

struct FindOptions {
  uint64_t unit_bytes = uint64_t{2} << 20;  // of the stream of a file
  uint64_t unit_blocks = 8;                 // where that counts rows
  // Kept documents that share a bucket are told apart, near and far, up to so many pairs.
  size_t most_kept_pairs = size_t{16} << 20;
};

Result<SampleFindings> FindInSample(const RunData& run, const FindOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_FINDINGS_H_
