#ifndef ZHIWEN_INDEX_POSTINGS_OVERLAP_INDEX_H_
#define ZHIWEN_INDEX_POSTINGS_OVERLAP_INDEX_H_

// The contract of indexes that return the documents of a feature, and the documents that share the
// most features with a query. A feature is any 64-bit number: a selected shingle, the hash of a
// sentence or of a string, a code. This folder has the implementations, and
// overlap_conformance_test.cc compares all of them with BruteForceOverlap.

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
  uint32_t position = 0;  // in the document; ignored by an index without positions

  friend auto operator<=>(const FeatureAt&, const FeatureAt&) = default;
};

enum class PostingsContent { kDocuments, kPositions };

// The frequency of a feature is the number of documents that have it. In an index of segments,
// deleted documents count until a merge (postings_parts.h).
struct PostingsStatistics {
  uint64_t documents = 0;
  uint64_t features = 0;   // number of distinct features
  uint64_t postings = 0;   // the sum of all frequencies
  uint64_t positions = 0;  // 0 when none are kept
  // The number of features whose frequency has b binary digits.
  std::array<uint64_t, 33> features_by_frequency = {};

  friend bool operator==(const PostingsStatistics&, const PostingsStatistics&) = default;
};

struct OverlapOptions {
  size_t count = 10;  // of documents
  // Features with a higher frequency are not counted.
  uint64_t max_frequency = ~uint64_t{0};
  // Of the other features, the least frequent ones are counted (equally frequent ones by value), as
  // long as their frequencies sum up to at most this.
  uint64_t max_postings = ~uint64_t{0};
};

struct OverlapMatch {
  uint32_t document = 0;
  uint32_t overlap = 0;  // number of counted features that it has, at least 1

  friend bool operator==(const OverlapMatch&, const OverlapMatch&) = default;
};

struct OverlapAnswer {
  // The documents with the greatest overlap, in descending order, equal ones by number. The list
  // and the overlaps are exact.
  std::vector<OverlapMatch> matches;
  size_t features = 0;  // distinct features of the query
  size_t cut = 0;       // of these, not counted because of max_frequency
  size_t left_out = 0;  // of these, not counted because of max_postings

  bool truncated() const { return left_out > 0; }
  // Returns whether every feature of the query was counted. If not, a document may share up to cut
  // + left_out more.
  bool is_exact() const { return cut == 0 && left_out == 0; }

  friend bool operator==(const OverlapAnswer&, const OverlapAnswer&) = default;
};

// Threads: const functions from any number at once, while nothing is inserted or removed. Fails:
// kUnreadable when a mapped file is damaged, instead of giving a wrong answer.
class OverlapIndex {
 public:
  virtual ~OverlapIndex() = default;

  virtual PostingsStatistics statistics() const = 0;
  virtual PostingsContent content() const = 0;
  // Returns all memory, including mapped files.
  virtual uint64_t bytes() const = 0;

  // Appends the documents that have a feature, ascending.
  virtual Status FindDocuments(uint64_t feature, std::vector<uint32_t>& documents) const = 0;

  // Appends the positions of a feature in a document, ascending. Appends nothing when the document
  // lacks the feature, or no positions are kept.
  virtual Status FindPositions(uint64_t feature, uint32_t document,
                               std::vector<uint32_t>& positions) const = 0;

  // Returns the documents that share the most of `features`, each of which counts once.
  virtual Result<OverlapAnswer> Query(std::span<const uint64_t> features,
                                      const OverlapOptions& options) const = 0;
};

// An index that can be changed. Threads: changes must run alone.
class MutableOverlapIndex : public OverlapIndex {
 public:
  // Adds a document with its features in any order; a feature with several positions is given once
  // for each. Returns whether the number was free; otherwise nothing changes.
  virtual bool Insert(uint32_t document, std::span<const FeatureAt> features) = 0;
  // Removes a document. Returns whether it was there.
  virtual bool Remove(uint32_t document) = 0;
};

// Returns the distinct features, ascending.
std::vector<uint64_t> DistinctFeatures(std::span<const uint64_t> features);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_OVERLAP_INDEX_H_
