#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_GROWTH_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_GROWTH_H_

// How clusters of a sample grow when all of a corpus is read.
//
// Two kinds of copies grow apart. Those that stand near each other fall into a sample together:
// they grow as the corpus does. Of those anywhere else a sample of share p holds both with p²:
// their number grows between the square (clusters that are small against 1/p) and the corpus (large
// ones, of which every sample holds some). So documents of a cluster that are near each other are
// one group, and the sizes of clusters in groups are what makes the sizes of the sample likeliest,
// by expectation maximisation over a grid of sizes. B. Efron, R. Thisted, "Estimating the number of
// unseen species", 1976, §3; A. Dempster, N. Laird, D. Rubin, "Maximum likelihood from incomplete
// data via the EM algorithm", 1977.
//
// In          a cluster and a place for each document of a sample
// Out         how many documents of all are not the first of their cluster
// Guarantees  a sample that is everything gives what it holds, exactly
// Cost        sorting; some million steps an estimate
// Threads     free functions

#include <cstdint>
#include <span>
#include <vector>

namespace zhiwen {

struct ClusterSample {
  double documents = 0;
  double local = 0;               // documents beyond the first of their group
  double alone = 0;               // clusters of one document
  std::vector<double> by_groups;  // clusters by how many groups they have; [0] is 0
  // How often chance had its say: pairs of places that share clusters, however many, and places
  // with documents beyond the first of their group. Neighbours of a text often have copies where it
  // has one.
  double meetings = 0;
};

// `unit_of`: by document the place; places that differ by at most one are near each other.
// Both by document.
ClusterSample CountClusters(std::span<const uint32_t> cluster_of,
                            std::span<const uint32_t> unit_of);

struct ClusterGrowth {
  double beyond_first = 0;  // documents that are not the first of their cluster
  double together = 0;      // documents in clusters of two or more
};

// A sample of small share says little about how many clusters it holds nothing or one document of:
// of all that is likely, few of them, many, or something between. kAlike: of all that explains how
// often two and three documents of a cluster met the fewest are beyond the first, which is when all
// clusters are of one size (1/s is convex: Jensen's inequality).
enum class UnseenClusters : uint8_t { kFew, kUsual, kMany, kAlike };

// Of a corpus of which `sample` is the share, in (0, 1].
ClusterGrowth GrowClusters(const ClusterSample& sample, double share,
                           UnseenClusters unseen = UnseenClusters::kUsual);

// The standard deviation, as a share, of what kAlike gives because of how few met twice and thrice.
double AlikeError(const ClusterSample& sample, double share);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_GROWTH_H_
