#ifndef ZHIWEN_INDEX_JOINS_CONTAINMENT_PAIRS_H_
#define ZHIWEN_INDEX_JOINS_CONTAINMENT_PAIRS_H_

// Turns sampled shingles into candidate pairs (contained d, container k), in steps between which
// rows may lie in external memory:
//
//   rows (shingle, document, part)   sorted by shingle, then document
//     → ContainmentJoin              one partition of the shingles at a time
//   pairs (d, k), one a shared ask   sorted: CountPairs makes runs of (d, k, count)
//     → CandidateSelector            merged runs, ascending
//   d and its candidates, ascending
//
// Documents are numbered by rank, and rank falls with the number of shingles, so that a container
// has the smaller number and at least as many shingles.
//
// A shingle of more than `max_frequency` documents is *hot*, and its pairs are not enumerated: each
// of its asks yields pairs with its first `hot_containers` documents by rank, the largest, and one
// pair of d with itself, which counts the hot asks of d. The selector requires the
// RequiredAnswers(d) of index/joins/sampled_shingles.h, less the hot asks, but at least 1.
//
// Guarantees  a document whose hot asks are fewer than its RequiredAnswers loses no candidate to
//             the cut: a container that answers as required answers the rest with shingles that are
//             not hot. The others, whose text is mostly common to more than max_frequency
//             documents, keep every candidate that shares one other ask or is among the first of a
//             hot shingle; they are counted (saturated_documents). The result depends neither on
//             how rows are divided into partitions nor on how pairs are divided into runs
// Volume      rows: as ShingleSampling says. Pairs of a shingle in f documents, all asking: at most
//             f·(f − 1)/2, or f·(hot_containers + 1) when hot; so of a document at most
//             asks · max(max_frequency / 2, hot_containers + 1), 8 bytes each. Shingles of one
//             document, nearly all, yield nothing. Measured on 75,000 documents of 66 M shingles
//             (news, papers, manuals, classics, crops of a fifth of them): 17.4 M rows, 6.9 M
//             pairs, 93,000 candidates, 71,000 checks, 161 saturated documents, no removal lost to
//             the cut; without it 21.5 M pairs, with max_frequency 32 twice the checks and 2 losses
// Cost        a pass over rows; a sort of pairs. Memory: the rows of one shingle, at most
//             max_frequency; one document's candidates
// Threads     one caller an object; partitions can be joined at once, an object each
// Fails       what `emit` fails with

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

enum class SamplePart : uint8_t { kAnswers, kAsks };

// One sampled shingle of one document. A document answers with every shingle that it asks with. A
// row takes 13 bytes of scratch.
struct SampleRow {
  uint64_t shingle = 0;
  uint32_t document = 0;
  SamplePart part = SamplePart::kAnswers;

  friend auto operator<=>(const SampleRow&, const SampleRow&) = default;
};

// A document and an earlier one that answers one of its asks; or one document twice, for a hot ask.
struct ContainmentPair {
  uint32_t contained = 0;
  uint32_t container = 0;

  friend auto operator<=>(const ContainmentPair&, const ContainmentPair&) = default;
};

struct CountedPair {
  uint32_t contained = 0;
  uint32_t container = 0;
  uint32_t asks = 0;  // number of answered asks

  friend auto operator<=>(const CountedPair&, const CountedPair&) = default;
};

struct ContainmentJoinOptions {
  uint32_t max_frequency = 256;  // at least 1
  uint32_t hot_containers = 16;
};

struct ContainmentJoinCounts {
  uint64_t rows = 0;
  uint64_t shared_shingles = 0;  // shingles of two or more documents
  uint64_t hot_shingles = 0;
  uint64_t pairs = 0;  // emitted
};

class ContainmentJoin {
 public:
  // Receives pairs in any order, some thousands at a time. The view ends with the call.
  using Emit = std::function<Status(std::span<const ContainmentPair>)>;

  ContainmentJoin(const ContainmentJoinOptions& options, Emit emit);

  // Joins rows that continue the order of those added before.
  Status Add(std::span<const SampleRow> rows);

  // Joins the last shingle and emits the remaining pairs.
  Status Finish();

  const ContainmentJoinCounts& counts() const { return counts_; }

 private:
  void AddToGroup(const SampleRow& row);
  void JoinHot(const SampleRow& row);
  Status CloseGroup();
  Status Flush();

  const ContainmentJoinOptions options_;
  const Emit emit_;
  ContainmentJoinCounts counts_;
  uint64_t group_size_ = 0;       // number of documents of the current shingle
  std::vector<SampleRow> group_;  // the first of these documents
  std::vector<ContainmentPair> pairs_;
};

// Sorts `pairs`, and fills `counted` with each distinct pair, ascending, and its number of
// occurrences.
void CountPairs(std::vector<ContainmentPair>& pairs, std::vector<CountedPair>& counted);

struct CandidateCounts {
  uint64_t candidate_pairs = 0;
  // Documents that may miss their container: see Guarantees.
  uint64_t saturated_documents = 0;
};

class CandidateSelector {
 public:
  // Returns the RequiredAnswers of a document that asks.
  using Required = std::function<uint32_t(uint32_t document)>;
  // Takes the candidates of a document, ascending, at least one; documents ascend.
  using Emit = std::function<Status(uint32_t contained, std::span<const uint32_t> containers)>;

  CandidateSelector(Required required, Emit emit);

  // Takes pairs in ascending order of (contained, container). Equal pairs may follow each other, in
  // one call or several; their counts are added.
  Status Add(std::span<const CountedPair> pairs);

  // Emits the last document.
  Status Finish();

  const CandidateCounts& counts() const { return counts_; }

 private:
  Status CloseDocument();

  const Required required_;
  const Emit emit_;
  CandidateCounts counts_;
  std::vector<CountedPair> pairs_;  // pairs of the current document
  std::vector<uint32_t> containers_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_JOINS_CONTAINMENT_PAIRS_H_
