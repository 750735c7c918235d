#include "index/postings/merged_postings.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "index/line_table/mix_key.h"

namespace zhiwen {
namespace {

constexpr uint32_t kDeleted = UINT32_MAX;

}  // namespace

MergedPostings::MergedPostings(std::vector<PostingsMergeInput> inputs, ProgressSink& progress,
                               const Cancellation& cancellation)
    : inputs_(std::move(inputs)), progress_(progress), cancellation_(cancellation) {}

Result<std::unique_ptr<MergedPostings>> MergedPostings::Create(
    std::vector<PostingsMergeInput> inputs, ProgressSink& progress,
    const Cancellation& cancellation) {
  std::unique_ptr<MergedPostings> merged(
      new MergedPostings(std::move(inputs), progress, cancellation));
  ZHIWEN_RETURN_IF_ERROR(merged->NumberRows());
  return merged;
}

Status MergedPostings::NumberRows() {
  for (const PostingsMergeInput& input : inputs_) {
    new_rows_.emplace_back(input.segment->rows(), kDeleted);
    // Features are visited twice, and twice more for their positions.
    const uint64_t visits = content() == PostingsContent::kPositions ? 4 : 2;
    steps_ += input.segment->postings().statistics().features * visits;
  }
  return VisitRows([&](uint32_t /*document*/, size_t input, uint64_t row) -> Status {
    new_rows_[input][row] = static_cast<uint32_t>(rows_++);
    return {};
  });
}

// Visits the rows by document.
Status MergedPostings::VisitRows(const VisitRow& visit) const {
  using Next = std::pair<uint32_t, size_t>;  // the current document of an input
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  std::vector<uint64_t> rows(inputs_.size());
  const auto push = [&](size_t input) -> Status {
    const auto& [segment, deleted] = inputs_[input];
    uint64_t& row = rows[input];
    while (row < segment->rows() && deleted->Has(row)) ++row;
    if (row == segment->rows()) return {};
    ZHIWEN_ASSIGN_OR_RETURN(const uint32_t document, segment->DocumentOf(row));
    next.emplace(document, input);
    return {};
  };
  for (size_t i = 0; i < inputs_.size(); ++i) ZHIWEN_RETURN_IF_ERROR(push(i));
  uint64_t least = 0;
  while (!next.empty()) {
    const auto [document, input] = next.top();
    next.pop();
    if (document < least)
      return inputs_[input].segment->Impossible(
          "its documents are not in order, or in another segment");
    least = uint64_t{document} + 1;
    ZHIWEN_RETURN_IF_ERROR(visit(document, input, rows[input]));
    ++rows[input];
    ZHIWEN_RETURN_IF_ERROR(push(input));
  }
  return {};
}

Status MergedPostings::Step() const {
  constexpr uint64_t kSteps = uint64_t{1} << 16;
  if (++step_ % kSteps != 0) return {};
  progress_.Advance(Stage::kMergeFeatures, std::min(step_, steps_), steps_);
  return cancellation_.Check();
}

Status MergedPostings::VisitDocuments(const VisitDocument& visit) const {
  return VisitRows([&](uint32_t document, size_t /*input*/, uint64_t /*row*/) -> Status {
    return visit(document);
  });
}

// Iterates over the features of all inputs, with the postings of each.
class MergedPostings::FeatureMerge {
 public:
  explicit FeatureMerge(const MergedPostings& merged) : merged_(merged) {
    for (const PostingsMergeInput& input : merged.inputs_) {
      cursors_.emplace_back(input.segment->postings());
    }
  }

  Status Run(const FeatureTake& take) {
    for (size_t i = 0; i < cursors_.size(); ++i) ZHIWEN_RETURN_IF_ERROR(Push(i));
    while (!next_.empty()) {
      const uint64_t key = next_.top().first;
      Clear();
      while (!next_.empty() && next_.top().first == key) {
        const size_t input = next_.top().second;
        next_.pop();
        ZHIWEN_RETURN_IF_ERROR(merged_.Step());
        ZHIWEN_RETURN_IF_ERROR(Add(input));
        ZHIWEN_RETURN_IF_ERROR(Push(input));
      }
      if (places_.empty()) continue;
      ZHIWEN_RETURN_IF_ERROR(take(InOrder(UnmixKey64(key))));
    }
    return {};
  }

 private:
  struct Place {
    uint32_t row = 0;             // the new row
    uint64_t begin = 0, end = 0;  // bounds of its positions
  };

  Status Push(size_t input) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_there, cursors_[input].Next());
    if (is_there) next_.emplace(cursors_[input].key(), input);
    return {};
  }

  void Clear() {
    places_.clear();
    documents_.clear();
    positions_.clear();
    ends_.clear();
  }

  // Adds the postings that an input has for its current feature.
  Status Add(size_t input) {
    ZHIWEN_ASSIGN_OR_RETURN(const FeaturePostings postings, cursors_[input].Read());
    const std::vector<uint32_t>& new_rows = merged_.new_rows_[input];
    uint64_t begin = 0;
    for (size_t i = 0; i < postings.documents.size(); ++i) {
      const uint64_t end = postings.ends.empty() ? 0 : postings.ends[i];
      const auto positions = postings.positions.subspan(begin, end - begin);
      begin = end;
      const uint32_t row = new_rows[postings.documents[i]];
      if (row == kDeleted) continue;
      places_.push_back({row, positions_.size(), positions_.size() + positions.size()});
      positions_.insert(positions_.end(), positions.begin(), positions.end());
    }
    return {};
  }

  FeaturePostings InOrder(uint64_t feature) {
    const bool was_in_order = std::ranges::is_sorted(places_, {}, &Place::row);
    if (!was_in_order) std::ranges::sort(places_, {}, &Place::row);
    sorted_.clear();
    for (const Place& place : places_) {
      documents_.push_back(place.row);
      if (merged_.content() == PostingsContent::kDocuments) continue;
      if (was_in_order) {
        ends_.push_back(place.end);
        continue;
      }
      sorted_.insert(sorted_.end(), positions_.begin() + static_cast<ptrdiff_t>(place.begin),
                     positions_.begin() + static_cast<ptrdiff_t>(place.end));
      ends_.push_back(sorted_.size());
    }
    return {feature, documents_, ends_, was_in_order ? positions_ : sorted_};
  }

  const MergedPostings& merged_;
  std::vector<PostingsCursor> cursors_;
  using Next = std::pair<uint64_t, size_t>;  // the current key of an input
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next_;
  std::vector<Place> places_;
  std::vector<uint32_t> documents_, positions_, sorted_;
  std::vector<uint64_t> ends_;
};

Status MergedPostings::VisitFeatures(const FeatureTake& take) const {
  return FeatureMerge(*this).Run(take);
}

}  // namespace zhiwen
