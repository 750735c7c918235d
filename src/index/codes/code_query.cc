#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/large_memory.h"
#include "base/radix_sort.h"
#include "index/codes/code_state.h"
#include "index/codes/merged_rows.h"
#include "index/hamming/hamming_join.h"

namespace zhiwen {
namespace {

void AddMatch(const HammingMatch& match, std::string_view label, CodeAnswer& answer) {
  answer.matches.push_back({.query = match.query,
                            .distance = match.distance,
                            .code = match.code,
                            .label_begin = answer.labels.size(),
                            .label_size = static_cast<uint32_t>(label.size())});
  answer.labels += label;
}

// Puts what was added since there were `begin` matches in order, each row once.
void SortRows(CodeAnswer& answer, size_t begin) {
  const auto key = [&](const CodeMatch& match) {
    return std::tuple(match.query, match.distance, match.code, answer.LabelOf(match));
  };
  const auto less = [&](const CodeMatch& a, const CodeMatch& b) { return key(a) < key(b); };
  const auto first = answer.matches.begin() + static_cast<ptrdiff_t>(begin);
  if (!std::is_sorted(first, answer.matches.end(), less)) {
    std::sort(first, answer.matches.end(), less);
  }
  const auto equal = [&](const CodeMatch& a, const CodeMatch& b) { return key(a) == key(b); };
  answer.matches.erase(std::unique(first, answer.matches.end(), equal), answer.matches.end());
}

void SortTruncated(CodeAnswer& answer, size_t begin) {
  const auto first = answer.truncated.begin() + static_cast<ptrdiff_t>(begin);
  std::sort(first, answer.truncated.end());
  answer.truncated.erase(std::unique(first, answer.truncated.end()), answer.truncated.end());
}

}  // namespace

Status CodeState::CheckQuery(std::span<const uint64_t> queries, uint32_t radius) const {
  if (radius > kMostRadius) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("a radius of {} is out of range: 0 to {}", radius, kMostRadius));
  }
  if (options_.code_bits == 64) return {};
  const auto is_large = [](uint64_t code) { return code > UINT32_MAX; };
  const auto large = std::ranges::find_if(queries, is_large);
  if (large == queries.end()) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("the code {:x} has more bits than the index, which is of 32", *large));
}

Status CodeState::AddRows(const StateSegment& segment, const HammingMatch& match,
                          CodeAnswer& answer) const {
  const CodeSegment& codes = *segment.segment;
  if (!codes.has_labels() && segment.deleted.count() == 0) {
    AddMatch(match, {}, answer);
    return {};
  }
  ZHIWEN_ASSIGN_OR_RETURN(const CodeSegment::RowRange rows, codes.RowsOfCode(match.code));
  for (uint32_t row = rows.begin; row < rows.end; ++row) {
    if (segment.deleted.Has(row)) continue;
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view label, codes.LabelOf(row));
    AddMatch(match, label, answer);
  }
  return {};
}

Status CodeState::QueryWithin(std::span<const uint64_t> queries, uint32_t radius,
                              CodeAnswer& answer) const {
  const size_t matches = answer.matches.size(), truncated = answer.truncated.size();
  HammingAnswer found;
  const auto note_truncated = [&] {
    answer.truncated.insert(answer.truncated.end(), found.truncated.begin(), found.truncated.end());
  };
  for (const StateSegment& segment : segments_) {
    found = {};
    ZHIWEN_RETURN_IF_ERROR(segment.segment->hamming().Query(queries, radius, found));
    for (const HammingMatch& match : found.matches) {
      ZHIWEN_RETURN_IF_ERROR(AddRows(segment, match, answer));
    }
    note_truncated();
  }
  found = {};
  ZHIWEN_RETURN_IF_ERROR(memory_->hamming().Query(queries, radius, found));
  for (const HammingMatch& match : found.matches) {
    memory_->VisitLabels(match.code,
                         [&](std::string_view label) { AddMatch(match, label, answer); });
  }
  note_truncated();
  SortRows(answer, matches);
  SortTruncated(answer, truncated);
  return {};
}

// With one radius after another, until a query has as many codes as it wants.
Status CodeState::QueryNearest(std::span<const uint64_t> queries, const CodeQuery& query,
                               CodeAnswer& answer) const {
  const size_t matches = answer.matches.size(), truncated = answer.truncated.size();
  std::vector<uint32_t> places(queries.size());
  for (uint32_t i = 0; i < places.size(); ++i) places[i] = i;
  std::vector<uint64_t> codes(queries.begin(), queries.end());
  for (uint32_t radius = 0; radius <= query.radius && !places.empty(); ++radius) {
    CodeAnswer found;
    ZHIWEN_RETURN_IF_ERROR(QueryWithin(codes, radius, found));
    std::vector<uint32_t> left;
    std::vector<uint64_t> left_codes;
    auto at = found.matches.begin();
    for (uint32_t i = 0; i < places.size(); ++i) {
      const auto first = at;
      auto end = at;  // of the rows of so many codes
      uint32_t nearest = 0;
      for (; at != found.matches.end() && at->query == i; ++at) {
        if (at == first || std::prev(at)->code != at->code) ++nearest;
        if (nearest <= query.nearest) end = std::next(at);
      }
      if (nearest < query.nearest && radius < query.radius) {
        left.push_back(places[i]);
        left_codes.push_back(codes[i]);
        continue;
      }
      for (auto match = first; match != end; ++match) {
        AddMatch({places[i], match->distance, match->code}, found.LabelOf(*match), answer);
      }
      if (std::ranges::binary_search(found.truncated, i)) answer.truncated.push_back(places[i]);
    }
    places = std::move(left);
    codes = std::move(left_codes);
  }
  SortRows(answer, matches);
  SortTruncated(answer, truncated);
  return {};
}

Status CodeState::Query(std::span<const uint64_t> queries, const CodeQuery& query,
                        CodeAnswer& answer) const {
  ZHIWEN_RETURN_IF_ERROR(CheckQuery(queries, query.radius));
  const std::shared_lock lock(mutex_);
  return query.nearest == 0 ? QueryWithin(queries, query.radius, answer)
                            : QueryNearest(queries, query, answer);
}

bool CodeState::has_labels() const {
  const auto has = [](const StateSegment& segment) { return segment.segment->has_labels(); };
  return memory_->has_labels() || std::ranges::any_of(segments_, has);
}

Status CodeState::VisitLabels(uint64_t code,
                              const std::function<Status(std::string_view label)>& visit) const {
  for (const StateSegment& segment : segments_) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto rows, segment.segment->RowsOfCode(code));
    for (uint32_t row = rows.begin; row < rows.end; ++row) {
      if (segment.deleted.Has(row)) continue;
      ZHIWEN_ASSIGN_OR_RETURN(const std::string_view label, segment.segment->LabelOf(row));
      ZHIWEN_RETURN_IF_ERROR(visit(label));
    }
  }
  Status visited;
  memory_->VisitLabels(code, [&](std::string_view label) {
    if (visited) visited = visit(label);
  });
  return visited;
}

}  // namespace zhiwen
