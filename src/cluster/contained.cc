#include "cluster/contained.h"

#include <algorithm>
#include <utility>

#include "cluster/kept_candidates.h"
#include "index/thresholds/containment_threshold.h"
#include "match/similarity.h"

namespace zhiwen {
namespace {

constexpr size_t kLikelyKeepers = 4;

// A document here is an index into the list of documents that occur in some list.
class ListCandidates : public KeptCandidates {
 public:
  explicit ListCandidates(uint32_t places) : starts_(places + size_t{1}, 0), states_(places, 0) {}

  // Must be called with ascending places.
  void SetContainers(uint32_t place, std::span<const uint32_t> places) {
    FillStarts(place);
    containers_.insert(containers_.end(), places.begin(), places.end());
    next_ = place + 1;
    starts_[next_] = containers_.size();
  }
  void EndContainers() { FillStarts(static_cast<uint32_t>(states_.size())); }

  void AppendCandidates(size_t, uint32_t document, uint32_t first,
                        std::vector<uint32_t>& candidates) override {
    for (const uint32_t container : ContainersFrom(document, first)) {
      if (states_[container] == kInserted) candidates.push_back(container);
    }
  }

  void Insert(uint32_t document) override { states_[document] = kInserted; }

  void PrepareBlock(std::span<const uint32_t> undecided) override {
    if (undecided.empty()) return;
    block_begin_ = undecided.front();
    for (const uint32_t document : undecided) states_[document] = kUndecided;
  }

  // Appends the first containers in the block: the larger a container, the likelier it is kept.
  void AppendLikely(size_t, uint32_t document, std::vector<uint32_t>& candidates) override {
    size_t count = 0;
    for (const uint32_t container : ContainersFrom(document, block_begin_)) {
      if (states_[container] != kUndecided) continue;
      candidates.push_back(container);
      if (++count == kLikelyKeepers) break;
    }
  }

 private:
  enum State : uint8_t { kUnknown, kUndecided, kInserted };

  std::span<const uint32_t> ContainersFrom(uint32_t document, uint32_t first) const {
    const auto all = std::span(containers_)
                         .subspan(starts_[document], starts_[document + 1] - starts_[document]);
    const auto begin = std::lower_bound(all.begin(), all.end(), first);
    return all.subspan(static_cast<size_t>(begin - all.begin()));
  }

  void FillStarts(uint32_t place) {
    for (; next_ < place; ++next_) starts_[next_ + 1] = containers_.size();
  }

  std::vector<uint64_t> starts_;  // by place, with one entry more at the end
  std::vector<uint32_t> containers_;
  std::vector<uint8_t> states_;  // by place
  uint32_t next_ = 0;
  uint32_t block_begin_ = 0;
};

// Returns the documents that occur in some list, ascending.
std::vector<uint32_t> InvolvedDocuments(const ContainerLists& lists, uint32_t documents) {
  std::vector<bool> involved(documents, false);
  for (size_t i = 0; i < lists.size(); ++i) {
    involved[lists.document(i)] = true;
    for (const uint32_t container : lists.containers(i)) involved[container] = true;
  }
  std::vector<uint32_t> members;
  for (uint32_t document = 0; document < documents; ++document) {
    if (involved[document]) members.push_back(document);
  }
  return members;
}

}  // namespace

std::vector<uint32_t> DecideContained(std::span<const std::span<const uint64_t>> sets,
                                      double threshold) {
  std::vector<uint32_t> keepers(sets.size(), kKept);
  for (uint32_t document = 0; document < sets.size(); ++document) {
    if (sets[document].size() < kLeastContainedSize) continue;
    for (uint32_t earlier = 0; earlier < document; ++earlier) {
      if (keepers[earlier] != kKept) continue;
      const SetOverlap overlap = ComputeOverlap(sets[document], sets[earlier]);
      if (!ContainmentReaches(overlap.shared, overlap.a, threshold)) continue;
      keepers[document] = earlier;
      break;
    }
  }
  return keepers;
}

void ContainerLists::Append(uint32_t document, std::span<const uint32_t> containers) {
  documents_.push_back(document);
  containers_.insert(containers_.end(), containers.begin(), containers.end());
  starts_.push_back(containers_.size());
}

GreedyDecision DecideContainedByLists(const ContainerLists& lists, uint32_t documents,
                                      const MatchCheck& matches, Executor& executor,
                                      const DecisionProgress& progress) {
  const std::vector<uint32_t> members = InvolvedDocuments(lists, documents);
  std::vector<uint32_t> keepers(documents, kKept);  // for a document of some list, first its place
  for (uint32_t place = 0; place < members.size(); ++place) keepers[members[place]] = place;
  ListCandidates candidates(static_cast<uint32_t>(members.size()));
  std::vector<uint32_t> places;
  for (size_t i = 0; i < lists.size(); ++i) {
    places.clear();
    for (const uint32_t container : lists.containers(i)) places.push_back(keepers[container]);
    candidates.SetContainers(keepers[lists.document(i)], places);
  }
  candidates.EndContainers();
  GreedyDecision decision = DecideInBlocks(
      static_cast<uint32_t>(members.size()), 0, candidates,
      [&](size_t worker, uint32_t place, uint32_t kept) {
        return matches(worker, members[place], members[kept]);
      },
      executor, progress);
  for (size_t place = 0; place < members.size(); ++place) {
    const uint32_t keeper = decision.keepers[place];
    keepers[members[place]] = keeper == kKept ? kKept : members[keeper];
  }
  decision.keepers = std::move(keepers);
  return decision;
}

}  // namespace zhiwen
