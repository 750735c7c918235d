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
// Out         how many documents of all are not the first of their cluster, and how many clusters
//             have more than the first
// Guarantees  a sample that is everything gives what it holds, exactly
// Cost        sorting; some million steps an estimate
// Threads     free functions

#include <cstdint>
#include <span>
#include <vector>

#include "zhiwen/dedup_forecast.h"

namespace zhiwen {

struct ClusterSample {
  double documents = 0;
  double local = 0;               // documents beyond the first of their group
  std::vector<double> by_groups;  // clusters by how many groups they have; [0] is 0
  double local_clusters = 0;      // of by_groups[1]: those of two documents or more
  // The independent observations behind these counts: pairs of places that share clusters, however
  // many, and places with documents beyond the first of their group. Neighbours of a text often
  // have copies where it has one.
  double meetings = 0;
};

// `unit_of`: by document the place; places that differ by at most one are near each other. Both
// are by document.
ClusterSample CountClusters(std::span<const uint32_t> cluster_of,
                            std::span<const uint32_t> unit_of);

// A sample of small share says little about how many clusters it holds nothing or one document of.
// Among what is likely, kFew assumes few of them, kMany many, and kUsual something between. kAlike
// is the least number of documents beyond the first that explains how often two and three documents
// of a cluster met; it holds when all clusters are of one size (1/s is convex: Jensen's
// inequality).
enum class UnseenClusters : uint8_t { kFew, kUsual, kMany, kAlike };

struct GrownClusters {
  double copies = 0;    // documents that are not the first of their cluster
  double clusters = 0;  // of two documents or more
};

// Returns what there is in a corpus of which `sample` is the share, in (0, 1].
GrownClusters GrowClusters(const ClusterSample& sample, double share, UnseenClusters unseen);

// Which documents of a cluster of two or more are removed.
enum class ClusterRemoval : uint8_t { kAllButFirst, kAll };

// Returns how many are removed, in a range that holds the truth with 95 %, of `documents` at most.
ForecastRange EstimateRemoved(const ClusterSample& sample, double share, double documents,
                              ClusterRemoval removal);

// A count in a part of the sample, and in all of it.
struct TwoCounts {
  double part = 0, whole = 0;
};

// Returns the exponent with which a count grows when more documents are read: between 1, as they
// do, and 2, as their pairs do. Counts of nothing tell nothing: 2.
double GrowthExponent(const TwoCounts& documents, const TwoCounts& counted);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_GROWTH_H_
