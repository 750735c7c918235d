#include "index/postings/joined_lists.h"

#include <algorithm>
#include <array>
#include <utility>

namespace zhiwen {
namespace {

class JoinedLists final : public QueryLists {
 public:
  explicit JoinedLists(std::vector<ListsOfPart> parts) {
    for (ListsOfPart& part : parts) {
      if (part.deleted != nullptr && part.deleted->count() == 0) part.deleted = nullptr;
      const uint64_t rows = part.found.source->documents_end();
      parts_.push_back({std::move(part.found.source), part.deleted, end_, end_ + rows});
      end_ += rows;
    }
  }

  uint64_t documents_end() const override { return end_; }

  Status Visit(size_t list, const Take& take) const override {
    for (size_t i = starts_[list]; i < starts_[list + 1]; ++i) {
      const Part& part = parts_[pieces_[i].part];
      ZHIWEN_RETURN_IF_ERROR(part.begin == 0 && part.deleted == nullptr
                                 ? part.lists->Visit(pieces_[i].list, take)
                                 : VisitMoved(part, pieces_[i].list, take));
    }
    return {};
  }

  Status FindAmong(size_t list, std::span<const uint32_t> among,
                   std::vector<uint32_t>& places) const override {
    std::vector<uint32_t> rows;
    for (size_t i = starts_[list]; i < starts_[list + 1]; ++i) {
      const Part& part = parts_[pieces_[i].part];
      const auto first = std::ranges::lower_bound(among, part.begin);
      const auto last = std::ranges::lower_bound(first, among.end(), part.end);
      rows.clear();
      for (auto at = first; at != last; ++at) {
        rows.push_back(static_cast<uint32_t>(*at - part.begin));
      }
      const size_t before = places.size();
      ZHIWEN_RETURN_IF_ERROR(part.lists->FindAmong(pieces_[i].list, rows, places));
      const auto skipped = static_cast<uint32_t>(first - among.begin());
      for (size_t k = before; k < places.size(); ++k) places[k] += skipped;
    }
    return {};
  }

  Status NumberDocuments(std::span<OverlapMatch> matches) const override {
    if (!std::ranges::is_sorted(matches, {}, &OverlapMatch::document)) {
      std::ranges::sort(matches, {}, &OverlapMatch::document);
    }
    auto first = matches.begin();
    for (const Part& part : parts_) {
      const auto last =
          std::ranges::lower_bound(first, matches.end(), part.end, {}, &OverlapMatch::document);
      for (auto at = first; at != last; ++at) {
        at->document -= static_cast<uint32_t>(part.begin);
      }
      ZHIWEN_RETURN_IF_ERROR(part.lists->NumberDocuments({first, last}));
      first = last;
    }
    return {};
  }

  // Starts a list, to which the pieces added until the next start belong.
  void StartList() { starts_.push_back(pieces_.size()); }
  void AddPiece(uint32_t part, size_t list) { pieces_.push_back({part, list}); }

 private:
  struct Part {
    std::unique_ptr<QueryLists> lists;
    const RowBitmap* deleted;  // null when no row is deleted
    uint64_t begin, end;       // the numbers of its rows
  };
  struct Piece {
    uint32_t part;
    size_t list;
  };

  static Status VisitMoved(const Part& part, size_t list, const Take& take) {
    std::array<uint32_t, 256> moved;
    return part.lists->Visit(list, [&](std::span<const uint32_t> rows) -> Status {
      for (size_t i = 0; i < rows.size(); i += moved.size()) {
        size_t count = 0;
        for (const uint32_t row : rows.subspan(i, std::min(moved.size(), rows.size() - i))) {
          moved[count] = row + static_cast<uint32_t>(part.begin);
          count += part.deleted == nullptr || !part.deleted->Has(row) ? 1 : 0;
        }
        ZHIWEN_RETURN_IF_ERROR(take(std::span(moved).first(count)));
      }
      return {};
    });
  }

  std::vector<Part> parts_;
  uint64_t end_ = 0;
  std::vector<Piece> pieces_;  // by list, then by part
  std::vector<size_t> starts_;
};

}  // namespace

Result<FoundLists> JoinLists(std::span<const uint64_t> features, std::vector<ListsOfPart> parts) {
  std::vector<std::vector<ListOfFeature>> lists;  // lists of each part, by feature
  lists.reserve(parts.size());
  for (ListsOfPart& part : parts) lists.push_back(std::move(part.found.lists));
  auto source = std::make_unique<JoinedLists>(std::move(parts));
  if (source->documents_end() > UINT32_MAX) {
    return Fail(ErrorCode::kExhausted,
                "cannot search an index of 2^32 documents, deleted ones included; merge it");
  }
  FoundLists joined;
  std::vector<size_t> next(lists.size());
  for (size_t place = 0; place < features.size(); ++place) {
    ListOfFeature all = {0, features[place], place};
    source->StartList();
    for (uint32_t i = 0; i < lists.size(); ++i) {
      if (next[i] == lists[i].size() || lists[i][next[i]].feature != all.feature) continue;
      const ListOfFeature& list = lists[i][next[i]++];
      all.frequency += list.frequency;
      source->AddPiece(i, list.list);
    }
    if (all.frequency > 0) joined.lists.push_back(all);
  }
  source->StartList();
  joined.source = std::move(source);
  return joined;
}

}  // namespace zhiwen
