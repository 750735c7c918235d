#include "index/postings/top_overlap.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "index/postings/document_counts.h"

namespace zhiwen {
namespace {

// Asking a list for one document costs as much as counting this many of its documents.
constexpr uint64_t kAskingCost = 16;

// Filling an array with zeros for this many documents, and searching it, takes as long as counting
// one more document in a table.
constexpr uint64_t kDensity = 64;
constexpr uint64_t kMostDense = uint64_t{1} << 28;

class Search {
 public:
  Search(std::span<const ListOfFeature> lists, const QueryLists& source, size_t count)
      : lists_(lists), source_(source), count_(count), met_at_least_(lists.size() + 2) {}

  Result<std::vector<OverlapMatch>> Run() {
    uint64_t postings = 0;
    for (const ListOfFeature& list : lists_) postings += list.frequency;
    const uint64_t end = source_.documents_end();
    if (end <= kMostDense && end / kDensity <= postings &&
        lists_.size() <= DenseCounts::kMostLists) {
      return RunWith(DenseCounts(end));
    }
    return RunWith(SparseCounts());
  }

 private:
  template <typename Counts>
  Result<std::vector<OverlapMatch>> RunWith(Counts counts) {
    size_t next = 0;
    const auto met = [&](uint32_t count) { ++met_at_least_[count]; };
    for (; next < lists_.size() && !IsAskingLess(next); ++next) {
      const bool is_closed = LeastToStay(next) > 0;
      const auto take = [&](std::span<const uint32_t> documents) -> Status {
        if (is_closed) {
          counts.CountAgain(documents, met);
        } else {
          counts.Count(documents, met);
        }
        return {};
      };
      ZHIWEN_RETURN_IF_ERROR(source_.Visit(lists_[next].list, take));
      RaiseLeast();
    }
    std::vector<OverlapMatch> left = counts.MetAtLeast(LeastToStay(next));
    if (next < lists_.size()) std::ranges::sort(left, {}, &OverlapMatch::document);
    for (; next < lists_.size(); ++next) ZHIWEN_RETURN_IF_ERROR(Ask(next, left));
    return left;
  }

  // Returns the least number of lists of a document that can still be among the best, when the
  // lists from `next` on are not counted. A document that can only become equal is kept, because it
  // may have a lower number.
  uint32_t LeastToStay(size_t next) const {
    const size_t uncounted = lists_.size() - next;
    return least_ > uncounted ? static_cast<uint32_t>(least_ - uncounted) : 0;
  }

  // Returns whether it is cheaper to ask the other lists for the documents that can still be among
  // the best: no other document can, and these are few.
  bool IsAskingLess(size_t next) const {
    const uint32_t least = LeastToStay(next);
    return least > 0 && met_at_least_[least] * kAskingCost < lists_[next].frequency;
  }

  void RaiseLeast() {
    while (met_at_least_[least_ + 1] >= count_) ++least_;
  }

  Status Ask(size_t next, std::vector<OverlapMatch>& left) {
    asked_.clear();
    for (const OverlapMatch& match : left) asked_.push_back(match.document);
    places_.clear();
    ZHIWEN_RETURN_IF_ERROR(source_.FindAmong(lists_[next].list, asked_, places_));
    for (const uint32_t place : places_) ++met_at_least_[++left[place].overlap];
    RaiseLeast();
    const uint32_t least = LeastToStay(next + 1);
    std::erase_if(left, [&](const OverlapMatch& match) { return match.overlap < least; });
    return {};
  }

  const std::span<const ListOfFeature> lists_;
  const QueryLists& source_;
  const size_t count_;
  std::vector<uint64_t> met_at_least_;  // by count: number of documents met at least so often
  // The largest count that at least `count_` documents reached.
  size_t least_ = 0;
  std::vector<uint32_t> asked_, places_;
};

bool IsBefore(const OverlapMatch& a, const OverlapMatch& b) {
  return a.overlap != b.overlap ? a.overlap > b.overlap : a.document < b.document;
}

}  // namespace

Result<OverlapAnswer> FindTopOverlap(size_t features, std::vector<ListOfFeature> lists,
                                     const QueryLists& source, const OverlapOptions& options) {
  std::sort(lists.begin(), lists.end(), [](const ListOfFeature& a, const ListOfFeature& b) {
    return std::tie(a.frequency, a.feature) < std::tie(b.frequency, b.feature);
  });
  OverlapAnswer answer;
  answer.features = features;
  size_t counted = 0;
  for (uint64_t postings = 0; counted < lists.size(); ++counted) {
    const uint64_t frequency = lists[counted].frequency;
    if (frequency > options.max_frequency || frequency > options.max_postings - postings) break;
    postings += frequency;
  }
  for (size_t i = counted; i < lists.size(); ++i) {
    ++(lists[i].frequency > options.max_frequency ? answer.cut : answer.left_out);
  }
  if (options.count == 0) return answer;
  lists.resize(counted);
  Search search(lists, source, options.count);
  ZHIWEN_ASSIGN_OR_RETURN(answer.matches, search.Run());
  ZHIWEN_RETURN_IF_ERROR(source.NumberDocuments(answer.matches));
  const size_t kept = std::min(options.count, answer.matches.size());
  std::partial_sort(answer.matches.begin(), answer.matches.begin() + static_cast<ptrdiff_t>(kept),
                    answer.matches.end(), IsBefore);
  answer.matches.resize(kept);
  return answer;
}

}  // namespace zhiwen
