#include "index/lsh/containment_ensemble.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "index/containment_threshold.h"

namespace zhiwen {
namespace {

constexpr size_t kSteps = 1024;  // of resemblances for which equal values are counted in advance

double ResemblanceOf(double shared, double query_size, double document_size) {
  return shared / (query_size + document_size - shared);
}

bool IsAscending(const std::vector<uint32_t>& values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

Status Check(const ContainmentEnsembleOptions& options) {
  const auto refuse = [](std::string message) {
    return Fail(ErrorCode::kInvalidArgument, std::move(message));
  };
  if (!(options.threshold > 0 && options.threshold <= 1)) {
    return refuse(
        fmt::format("cannot index containment: threshold {} is outside (0, 1]", options.threshold));
  }
  if (!(options.recall > 0 && options.recall < 1)) {
    return refuse(
        fmt::format("cannot index containment: recall {} is outside (0, 1)", options.recall));
  }
  ZHIWEN_RETURN_IF_ERROR(CheckLimits(options.filter_miss, options.bucket_limit));
  if (options.rows.empty() || options.rows.front() == 0 || !IsAscending(options.rows) ||
      options.rows.back() > options.signature_size) {
    return refuse(
        fmt::format("cannot band signatures of {} values: rows are to ascend from 1 up "
                    "to that many",
                    options.signature_size));
  }
  if (options.estimates.values > options.signature_size) {
    return refuse(fmt::format("cannot keep bits of {} values: signatures have {}",
                              options.estimates.values, options.signature_size));
  }
  if (!IsAscending(options.bounds)) {
    return refuse("cannot partition by size: the bounds of partitions do not ascend");
  }
  return {};
}

}  // namespace

std::vector<uint32_t> EquiDepthBounds(std::vector<uint32_t> sizes, size_t partitions) {
  std::sort(sizes.begin(), sizes.end());
  std::vector<uint32_t> bounds;
  for (size_t i = 1; i <= partitions && !sizes.empty(); ++i) {
    const uint32_t bound = sizes[(sizes.size() * i + partitions - 1) / partitions - 1];
    if (bounds.empty() || bound > bounds.back()) bounds.push_back(bound);
  }
  return bounds;
}

Result<ContainmentEnsemble> ContainmentEnsemble::Create(const ContainmentEnsembleOptions& options) {
  ZHIWEN_RETURN_IF_ERROR(Check(options));
  ZHIWEN_ASSIGN_OR_RETURN(const BbitSignatures bbit, BbitSignatures::Create(options.estimates));
  return ContainmentEnsemble(options, bbit);
}

ContainmentEnsemble::ContainmentEnsemble(const ContainmentEnsembleOptions& options,
                                         const BbitSignatures& bbit)
    : options_(options), bbit_(bbit) {
  for (const uint32_t rows : options.rows) {
    depths_.push_back({options.signature_size / rows, rows});
  }
  for (size_t i = 0; i <= kSteps; ++i) {
    const double resemblance = static_cast<double>(i) / kSteps;
    least_equal_.push_back(bbit.LeastEqual(resemblance, options.filter_miss));
  }
  if (options_.bounds.empty()) {
    for (uint32_t bound = 1; bound != 0; bound *= 2) options_.bounds.push_back(bound);
  }
  for (size_t i = 0; i <= options_.bounds.size(); ++i) {
    partitions_.push_back({0, BandedDocuments(depths_, bbit, options.bucket_limit)});
  }
}

uint64_t ContainmentEnsemble::size() const {
  uint64_t size = 0;
  for (const Partition& partition : partitions_) size += partition.documents.size();
  return size;
}

uint64_t ContainmentEnsemble::bytes() const {
  uint64_t bytes = 0;
  for (const Partition& partition : partitions_) bytes += partition.documents.bytes();
  return bytes;
}

size_t ContainmentEnsemble::PartitionOf(uint32_t size) const {
  const auto bound = std::lower_bound(options_.bounds.begin(), options_.bounds.end(), size);
  return static_cast<size_t>(bound - options_.bounds.begin());
}

uint64_t ContainmentEnsemble::Insert(std::span<const uint64_t> documents,
                                     const SizedSignatures& sets) {
  uint64_t added = 0;
  for (size_t i = 0; i < documents.size(); ++i) {
    const bool is_there = std::any_of(
        partitions_.begin(), partitions_.end(),
        [&](const Partition& partition) { return partition.documents.Contains(documents[i]); });
    if (is_there) continue;
    Partition& partition = partitions_[PartitionOf(sets.sizes[i])];
    partition.documents.Insert(documents[i], sets.rows[i]);
    partition.largest = std::max(partition.largest, sets.sizes[i]);
    ++added;
  }
  return added;
}

uint64_t ContainmentEnsemble::Remove(std::span<const uint64_t> documents,
                                     const SizedSignatures& sets) {
  uint64_t removed = 0;
  for (size_t i = 0; i < documents.size(); ++i) {
    Partition& partition = partitions_[PartitionOf(sets.sizes[i])];
    if (partition.documents.Remove(documents[i], sets.rows[i])) ++removed;
  }
  return removed;
}

// No more can be shared than the documents have.
bool ContainmentEnsemble::CanContain(uint32_t query_size, const Partition& partition) const {
  const uint32_t shared = std::min(query_size, partition.largest);
  return partition.documents.size() > 0 &&
         ContainmentReaches(shared, query_size, options_.threshold);
}

// The most rows with which the bands reach the recall in the largest documents of the partition.
BandedQuery ContainmentEnsemble::Choose(uint32_t query_size, const Partition& partition) const {
  const double shared = options_.threshold * query_size;
  const double least =
      ResemblanceOf(shared, query_size, std::max<double>(shared, partition.largest));
  BandedQuery chosen;
  for (uint32_t depth = 0; depth < depths_.size(); ++depth) {
    if (CandidateProbability(depths_[depth], least) >= options_.recall) chosen.depth = depth;
  }
  chosen.least_equal = least_equal_[static_cast<size_t>(least * kSteps)];
  return chosen;
}

double ContainmentEnsemble::ExpectedRecall(const Pair& pair) const {
  const Partition& partition = partitions_[PartitionOf(pair.document_size)];
  if (!CanContain(pair.query_size, partition)) return 0;
  const BandedQuery chosen = Choose(pair.query_size, partition);
  const double resemblance = ResemblanceOf(pair.shared, pair.query_size, pair.document_size);
  // A product, as in MinHashIndex::ExpectedRecall.
  return CandidateProbability(depths_[chosen.depth], resemblance) *
         bbit_.ReachProbability(chosen.least_equal, resemblance);
}

SimilarityAnswer ContainmentEnsemble::QueryVerified(const SizedSignatures& queries,
                                                    const SimilarityOf& similarity_of) const {
  SimilarityAnswer answer;
  std::vector<uint32_t> cut(queries.rows.size());
  std::vector<BandedQuery> banded;
  for (const Partition& partition : partitions_) {
    banded.clear();
    for (uint32_t i = 0; i < queries.rows.size(); ++i) {
      if (!CanContain(queries.sizes[i], partition)) continue;
      banded.push_back(Choose(queries.sizes[i], partition));
      banded.back().row = i;
    }
    BandedAnswer found;
    partition.documents.Query(queries.rows, banded, found);
    AppendVerified(found.candidates, options_.threshold, similarity_of, answer);
    for (const TruncatedQuery& truncated : found.truncated) cut[truncated.query] += truncated.bands;
  }
  for (uint32_t i = 0; i < cut.size(); ++i) {
    if (cut[i] > 0) answer.truncated.push_back({i, cut[i]});
  }
  SortDocuments(answer);
  return answer;
}

}  // namespace zhiwen
