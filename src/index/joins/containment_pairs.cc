#include "index/joins/containment_pairs.h"

#include <algorithm>
#include <utility>

namespace zhiwen {
namespace {

constexpr size_t kPairsPerCall = 8192;

}  // namespace

ContainmentJoin::ContainmentJoin(const ContainmentJoinOptions& options, Emit emit)
    : options_(options), emit_(std::move(emit)) {}

Status ContainmentJoin::Add(std::span<const SampleRow> rows) {
  counts_.rows += rows.size();
  for (const SampleRow& row : rows) {
    if (group_size_ > 0 && row.shingle != group_.front().shingle) {
      ZHIWEN_RETURN_IF_ERROR(CloseGroup());
    }
    AddToGroup(row);
    if (pairs_.size() >= kPairsPerCall) ZHIWEN_RETURN_IF_ERROR(Flush());
  }
  return {};
}

Status ContainmentJoin::Finish() {
  ZHIWEN_RETURN_IF_ERROR(CloseGroup());
  return Flush();
}

void ContainmentJoin::AddToGroup(const SampleRow& row) {
  ++group_size_;
  if (group_size_ <= options_.max_frequency || group_.empty()) {
    group_.push_back(row);
    return;
  }
  if (group_size_ == options_.max_frequency + uint64_t{1}) {
    ++counts_.hot_shingles;
    for (const SampleRow& earlier : group_) JoinHot(earlier);
  }
  JoinHot(row);
}

void ContainmentJoin::JoinHot(const SampleRow& row) {
  if (row.part != SamplePart::kAsks) return;
  const size_t count = std::min<size_t>(options_.hot_containers, group_.size());
  for (size_t i = 0; i < count && group_[i].document < row.document; ++i) {
    pairs_.push_back({row.document, group_[i].document});
  }
  pairs_.push_back({row.document, row.document});
}

Status ContainmentJoin::CloseGroup() {
  if (group_size_ > 1) ++counts_.shared_shingles;
  if (group_size_ <= options_.max_frequency) {
    for (size_t i = 1; i < group_.size(); ++i) {
      if (group_[i].part != SamplePart::kAsks) continue;
      for (size_t j = 0; j < i; ++j) {
        pairs_.push_back({group_[i].document, group_[j].document});
        if (pairs_.size() >= kPairsPerCall) ZHIWEN_RETURN_IF_ERROR(Flush());
      }
    }
  }
  group_.clear();
  group_size_ = 0;
  return {};
}

Status ContainmentJoin::Flush() {
  if (pairs_.empty()) return {};
  counts_.pairs += pairs_.size();
  ZHIWEN_RETURN_IF_ERROR(emit_(pairs_));
  pairs_.clear();
  return {};
}

void CountPairs(std::vector<ContainmentPair>& pairs, std::vector<CountedPair>& counted) {
  std::sort(pairs.begin(), pairs.end());
  counted.clear();
  for (size_t begin = 0; begin < pairs.size();) {
    size_t end = begin + 1;
    while (end < pairs.size() && pairs[end] == pairs[begin]) ++end;
    counted.push_back(
        {pairs[begin].contained, pairs[begin].container, static_cast<uint32_t>(end - begin)});
    begin = end;
  }
}

CandidateSelector::CandidateSelector(Required required, Emit emit)
    : required_(std::move(required)), emit_(std::move(emit)) {}

Status CandidateSelector::Add(std::span<const CountedPair> pairs) {
  for (const CountedPair& pair : pairs) {
    if (!pairs_.empty() && pair.contained != pairs_.back().contained) {
      ZHIWEN_RETURN_IF_ERROR(CloseDocument());
    }
    if (!pairs_.empty() && pair.container == pairs_.back().container) {
      pairs_.back().asks += pair.asks;
    } else {
      pairs_.push_back(pair);
    }
  }
  return {};
}

Status CandidateSelector::Finish() { return CloseDocument(); }

Status CandidateSelector::CloseDocument() {
  if (pairs_.empty()) return {};
  const uint32_t document = pairs_.back().contained;
  uint32_t hot = 0;
  if (pairs_.back().container == document) {  // greater than every container, and therefore last
    hot = pairs_.back().asks;
    pairs_.pop_back();
  }
  const uint32_t required = required_(document);
  if (hot >= required) ++counts_.saturated_documents;
  const uint32_t least = hot < required ? required - hot : 1;
  containers_.clear();
  for (const CountedPair& pair : pairs_) {
    if (pair.asks >= least) containers_.push_back(pair.container);
  }
  pairs_.clear();
  counts_.candidate_pairs += containers_.size();
  if (containers_.empty()) return {};
  return emit_(document, containers_);
}

}  // namespace zhiwen
