#ifndef ZHIWEN_INDEX_POSTINGS_OVERLAP_INDEX_H_
#define ZHIWEN_INDEX_POSTINGS_OVERLAP_INDEX_H_

// Which documents have a feature, and which share the most features with a query: one contract, and
// the implementations of this folder. A feature is any 64 bits: a selected shingle, the hash of a
// sentence or of a string, a code. overlap_conformance_test.cc holds all of them against
// BruteForceOverlap.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

struct FeatureAt {
  uint64_t feature = 0;
  uint32_t position = 0;  // in the document; not looked at by an index that keeps none

  friend auto operator<=>(const FeatureAt&, const FeatureAt&) = default;
};

enum class PostingsContent { kDocuments, kPositions };

// The frequency of a feature is the number of documents that have it; in an index of segments also
// of those that are deleted, until a merge (postings_parts.h).
struct PostingsStatistics {
  uint64_t documents = 0;
  uint64_t features = 0;   // distinct ones
  uint64_t postings = 0;   // the sum of all frequencies
  uint64_t positions = 0;  // 0 where none are kept
  // How many features have a frequency of b binary digits.
  std::array<uint64_t, 33> features_by_frequency = {};

  friend bool operator==(const PostingsStatistics&, const PostingsStatistics&) = default;
};

struct OverlapOptions {
  size_t count = 10;  // of documents
  // Features of a higher frequency are not counted.
  uint64_t max_frequency = ~uint64_t{0};
  // The rest is counted in order of frequency, and equally frequent ones of value, as long as the
  // frequencies sum up to at most this.
  uint64_t max_postings = ~uint64_t{0};
};

struct OverlapMatch {
  uint32_t document = 0;
  uint32_t overlap = 0;  // how many of the features that are counted it has, at least 1

  friend bool operator==(const OverlapMatch&, const OverlapMatch&) = default;
};

struct OverlapAnswer {
  // The documents of greatest overlap, by overlap, equal ones by number: those that come first in
  // this order of all, and their overlap, without exception.
  std::vector<OverlapMatch> matches;
  size_t features = 0;  // distinct ones of the query
  size_t cut = 0;       // of these, not counted for their frequency
  size_t left_out = 0;  // of these, not counted for the sum

  bool truncated() const { return left_out > 0; }
  // Whether every feature of the query was counted. A document may share up to cut + left_out more.
  bool is_exact() const { return cut == 0 && left_out == 0; }

  friend bool operator==(const OverlapAnswer&, const OverlapAnswer&) = default;
};

// Threads: const functions from any number at once, while nothing is inserted or removed.
// Fails: kUnreadable, when what is mapped from disk is damaged; nothing wrong is given for it.
class OverlapIndex {
 public:
  virtual ~OverlapIndex() = default;

  virtual PostingsStatistics statistics() const = 0;
  virtual PostingsContent content() const = 0;
  // All memory, and what is mapped.
  virtual uint64_t bytes() const = 0;

  // Appends the documents that have a feature, ascending.
  virtual Status FindDocuments(uint64_t feature, std::vector<uint32_t>& documents) const = 0;

  // Appends where a document has a feature, ascending: nothing if it has it not, or no positions
  // are kept.
  virtual Status FindPositions(uint64_t feature, uint32_t document,
                               std::vector<uint32_t>& positions) const = 0;

  // The documents that share the most of `features`, each of which counts once.
  virtual Result<OverlapAnswer> Query(std::span<const uint64_t> features,
                                      const OverlapOptions& options) const = 0;
};

// One that can be changed. Threads: whoever changes is alone.
class MutableOverlapIndex : public OverlapIndex {
 public:
  // Adds a document with its features, in any order, those that come several times at their
  // different positions. Returns whether its number was free; otherwise nothing changes.
  virtual bool Insert(uint32_t document, std::span<const FeatureAt> features) = 0;
  // Returns whether the document was there.
  virtual bool Remove(uint32_t document) = 0;
};

// The distinct ones, ascending.
std::vector<uint64_t> DistinctFeatures(std::span<const uint64_t> features);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_OVERLAP_INDEX_H_
