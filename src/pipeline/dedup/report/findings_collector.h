#ifndef ZHIWEN_PIPELINE_DEDUP_REPORT_FINDINGS_COLLECTOR_H_
#define ZHIWEN_PIPELINE_DEDUP_REPORT_FINDINGS_COLLECTOR_H_

// Sees every decision of a run once, as plain values, and remembers what report.html shows:
// distributions, the largest clusters, examples of each reason, and which source copies which.
//
// In          kept and removed documents, in any order
// Out         histograms and matrix; the removals to show, whose texts the caller then reads
// Guarantees  the same for the same decisions in any order, but for the matrix of a run with more
//             than kMaxSourcePairs pairs of files
// Cost        some megabytes at most, and 8 bytes an input file; a few comparisons a document
// Threads     one at a time

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "zhiwen/dedup_findings.h"

namespace zhiwen {

// Further pairs of files count for "all others" in the matrix.
inline constexpr size_t kMaxSourcePairs = size_t{1} << 16;

struct RemovalFact {
  uint64_t document = 0, keeper = 0;     // as the caller finds them again; unique
  uint32_t source = 0, kept_source = 0;  // input files
  uint64_t code_points = 0;
  uint64_t draw = 0;             // a hash of the removed document: examples have the smallest
  std::string_view reason = {};  // of static storage
  double similarity = 1;         // by which the mode decides
  bool is_compared = true;       // false: removed for its key, it has no similarity
  // How equal both texts are: 0 not at all, 1 on the channel, 2 on the exact channel,
  // 4 where they were not compared.
  int sameness = 0;
  // Documents, the kept one included; 0: the keeper is none of them, but a reference.
  uint64_t cluster_size = 2;
};

struct ChosenCluster {
  uint64_t keeper = 0, documents = 0;
  std::vector<RemovalFact> removals;  // of the lowest similarity
};

struct ChosenReason {
  std::vector<RemovalFact> lowest;  // of the lowest similarity, below 1
  std::vector<RemovalFact> drawn;   // none of them in `lowest`
};

struct ChosenExamples {
  std::vector<ChosenCluster> clusters;  // descending by size
  std::map<std::string, ChosenReason> reasons;
  // A few for the terminal, each of another text: near ones first, which say more, then by draw.
  std::vector<RemovalFact> examples;

  // The documents whose texts are shown, ascending, each once.
  std::vector<uint64_t> Documents() const;
};

class FindingsCollector {
 public:
  explicit FindingsCollector(size_t sources);

  void AddKept(uint64_t code_points);
  void AddRemoved(const RemovalFact& removal);
  // Adds a removed document that is the keeper of others: it is no example beside itself.
  void AddRepresentative(uint64_t code_points);

  ChosenExamples Choose() const;
  std::vector<SizeBin> Sizes() const { return sizes_; }
  SimilarityHistogram Similarities() const { return similarities_; }
  // `names`, one a source.
  SourceMatrix Matrix(const std::vector<std::string>& names) const;

 private:
  // The removals with the smallest keys, one for each key.
  class Smallest {
   public:
    using Key = std::tuple<double, uint64_t, uint64_t>;
    explicit Smallest(size_t limit) : limit_(limit) {}
    void Add(const Key& key, const RemovalFact& removal);
    const std::map<Key, RemovalFact>& removals() const { return removals_; }

   private:
    size_t limit_;
    std::map<Key, RemovalFact> removals_;
  };

  struct ReasonPool {
    Smallest lowest, drawn;
  };

  // Descending by size, then by keeper, so that a cluster that was pushed out never comes back.
  using ClusterKey = std::pair<uint64_t, uint64_t>;  // ~size, keeper

  SizeBin& BinOf(uint64_t code_points);
  void AddToCluster(const RemovalFact& removal);
  void AddExample(const RemovalFact& removal);
  std::vector<uint32_t> LargestSources() const;

  std::vector<SizeBin> sizes_;
  SimilarityHistogram similarities_;
  std::map<ClusterKey, Smallest> clusters_;
  std::map<std::string_view, ReasonPool> reasons_;
  std::map<Smallest::Key, RemovalFact> examples_;  // as ChosenExamples::examples
  std::vector<uint64_t> weights_;                  // of each source: removals from it and for it
  std::unordered_map<uint64_t, uint64_t> pairs_;   // source << 32 | kept source → removals
  uint64_t removals_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_REPORT_FINDINGS_COLLECTOR_H_
