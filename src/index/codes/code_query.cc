#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "index/codes/code_state.h"

namespace zhiwen {
namespace {

// A segment is asked for some queries at a time, and for no more once so many codes are found: the
// codes near all of these queries are in memory. Few queries at first, twice as many each time.
constexpr size_t kFirstTogether = 32, kMostTogether = 1024;
constexpr size_t kManyCodes = size_t{1} << 16;  // of queries asked together: then fewer are
constexpr uint64_t kMostCodes = uint64_t{1} << 20;
constexpr size_t kNearestTogether = 16384;

// Appends to `answer` what is near the first of `queries`, as many as find most_codes together.
// Returns how many these are.
Result<size_t> AskSome(const HammingIndex& index, std::span<const uint64_t> queries,
                       uint32_t radius, uint64_t most_codes, HammingAnswer& answer) {
  size_t asked = 0;
  for (size_t together = kFirstTogether; asked < queries.size();) {
    if (answer.matches.size() >= most_codes) break;
    const auto some = queries.subspan(asked, std::min(together, queries.size() - asked));
    const size_t matches = answer.matches.size(), truncated = answer.truncated.size();
    ZHIWEN_RETURN_IF_ERROR(index.Query(some, radius, answer));
    for (size_t i = matches; i < answer.matches.size(); ++i) {
      answer.matches[i].query += static_cast<uint32_t>(asked);
    }
    for (size_t i = truncated; i < answer.truncated.size(); ++i) {
      answer.truncated[i] += static_cast<uint32_t>(asked);
    }
    asked += some.size();
    const size_t found = answer.matches.size() - matches;
    together = found > kManyCodes ? std::max<size_t>(some.size() * kManyCodes / found, 1)
                                  : std::min(2 * together, kMostTogether);
  }
  return asked;
}

void AddMatch(const HammingMatch& match, std::string_view label, CodeAnswer& answer) {
  answer.matches.push_back({.query = match.query,
                            .distance = match.distance,
                            .code = match.code,
                            .label_begin = answer.labels.size(),
                            .label_size = static_cast<uint32_t>(label.size())});
  answer.labels += label;
}

template <typename Values>
void SortEachOnce(Values& values) {
  std::ranges::sort(values);
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
}

auto OrderOf(const HammingMatch& match) {
  return std::tuple(match.query, match.distance, match.code);
}

}  // namespace

Status CodeState::CheckQuery(std::span<const uint64_t> queries, uint32_t radius) const {
  if (radius > kMostRadius) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("a radius of {} is out of range: 0 to {}", radius, kMostRadius));
  }
  if (options().code_bits == 64) return {};
  const auto is_large = [](uint64_t code) { return code > UINT32_MAX; };
  const auto large = std::ranges::find_if(queries, is_large);
  if (large == queries.end()) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("the code {:x} has more bits than the index, which is of 32", *large));
}

Result<CodeState::FoundCodes> CodeState::FindWithin(std::span<const uint64_t> queries,
                                                    uint32_t radius, uint64_t most_codes) const {
  FoundCodes found;
  if (tables_ != nullptr) {
    HammingAnswer answer;
    ZHIWEN_ASSIGN_OR_RETURN(found.queries, AskSome(*tables_, queries, radius, most_codes, answer));
    found.codes.reserve(answer.matches.size());
    for (const HammingMatch& match : answer.matches) found.codes.push_back({match, kAnyPlace});
    found.truncated = std::move(answer.truncated);
    return found;
  }
  found.queries = queries.size();
  for (size_t place = 0; place <= segments().size(); ++place) {
    const HammingIndex& index =
        place < segments().size()
            ? static_cast<const HammingIndex&>(segments()[place].segment->hamming())
            : memory().hamming();
    HammingAnswer answer;
    ZHIWEN_ASSIGN_OR_RETURN(
        found.queries, AskSome(index, queries.first(found.queries), radius, most_codes, answer));
    for (const HammingMatch& match : answer.matches) found.codes.push_back({match, place});
    found.truncated.insert(found.truncated.end(), answer.truncated.begin(), answer.truncated.end());
  }
  // A later place may have been asked for fewer queries.
  std::erase_if(found.codes,
                [&](const FoundCode& code) { return code.match.query >= found.queries; });
  std::erase_if(found.truncated, [&](uint32_t query) { return query >= found.queries; });
  const auto is_before = [](const FoundCode& a, const FoundCode& b) {
    return std::tuple_cat(OrderOf(a.match), std::tuple(a.place)) <
           std::tuple_cat(OrderOf(b.match), std::tuple(b.place));
  };
  if (!std::ranges::is_sorted(found.codes, is_before)) std::ranges::sort(found.codes, is_before);
  SortEachOnce(found.truncated);
  return found;
}

Result<bool> CodeState::IsLive(const FoundCode& found) const {
  if (found.place >= segments().size() || segments()[found.place].deleted.count() == 0) return true;
  const auto& segment = segments()[found.place];
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, segment.segment->RowsOfCode(found.match.code));
  for (uint32_t row = rows.begin; row < rows.end; ++row) {
    if (!segment.deleted.Has(row)) return true;
  }
  return false;
}

// Searches with growing radius until every query has as many codes as it wants.
Result<CodeState::FoundCodes> CodeState::FindNearest(std::span<const uint64_t> queries,
                                                     const CodeQuery& query) const {
  FoundCodes nearest;
  nearest.queries = queries.size();
  std::vector<uint32_t> places(queries.size());
  for (uint32_t i = 0; i < places.size(); ++i) places[i] = i;
  std::vector<uint64_t> codes(queries.begin(), queries.end());
  for (uint32_t radius = 0; radius <= query.radius && !places.empty(); ++radius) {
    ZHIWEN_ASSIGN_OR_RETURN(const FoundCodes found, FindWithin(codes, radius, UINT64_MAX));
    std::vector<uint32_t> left;
    std::vector<uint64_t> left_codes;
    auto at = found.codes.begin();
    for (uint32_t i = 0; i < places.size(); ++i) {
      std::vector<FoundCode> its;  // live codes that this query wants
      uint32_t count = 0;
      for (; at != found.codes.end() && at->match.query == i; ++at) {
        ZHIWEN_ASSIGN_OR_RETURN(const bool is_live, IsLive(*at));
        if (!is_live) continue;
        if (its.empty() || its.back().match.code != at->match.code) ++count;
        if (count > query.nearest) break;
        its.push_back(*at);
        its.back().match.query = places[i];
      }
      while (at != found.codes.end() && at->match.query == i) ++at;
      if (count < query.nearest && radius < query.radius) {
        left.push_back(places[i]);
        left_codes.push_back(codes[i]);
        continue;
      }
      nearest.codes.insert(nearest.codes.end(), its.begin(), its.end());
      if (std::ranges::binary_search(found.truncated, i)) nearest.truncated.push_back(places[i]);
    }
    places = std::move(left);
    codes = std::move(left_codes);
  }
  // The codes of one query are in order already.
  std::ranges::stable_sort(nearest.codes, {},
                           [](const FoundCode& code) { return code.match.query; });
  SortEachOnce(nearest.truncated);
  return nearest;
}

Status CodeState::VisitLabelsAt(size_t place, uint64_t code,
                                const std::function<Status(std::string_view label)>& visit) const {
  if (place == segments().size()) {
    Status visited;
    memory().VisitLabels(code, [&](std::string_view label) {
      if (visited) visited = visit(label);
    });
    return visited;
  }
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, segments()[place].segment->RowsOfCode(code));
  return VisitLiveRows(place, rows, visit);
}

Status CodeState::VisitLiveRows(size_t place, const CodeSegment::RowRange& rows,
                                const std::function<Status(std::string_view label)>& visit) const {
  const auto& segment = segments()[place];
  for (uint32_t row = rows.begin; row < rows.end; ++row) {
    if (segment.deleted.Has(row)) continue;
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view label, segment.segment->LabelOf(row));
    ZHIWEN_RETURN_IF_ERROR(visit(label));
  }
  return {};
}

// Adds the rows of one code, which may be in several places.
Status CodeState::AddRows(std::span<const FoundCode> same, CodeAnswer& answer) const {
  const HammingMatch& match = same.front().match;
  const size_t place = same.front().place;
  const bool has_one_row = place < segments().size() && !segments()[place].segment->has_labels() &&
                           segments()[place].deleted.count() == 0;
  if (same.size() == 1 && has_one_row) {
    AddMatch(match, {}, answer);
    return {};
  }
  std::vector<std::string_view> labels;
  for (const FoundCode& found : same) {
    ZHIWEN_RETURN_IF_ERROR(
        VisitLabelsAt(found.place, match.code, [&](std::string_view label) -> Status {
          labels.push_back(label);
          return {};
        }));
  }
  if (same.size() > 1) SortEachOnce(labels);
  for (const std::string_view label : labels) AddMatch(match, label, answer);
  return {};
}

// Finds the rows of codes in every segment. Each step is made for all codes, and what it reads was
// asked for before, so that cache lines are waited for together.
Result<CodeState::RowRanges> CodeState::RowsInSegments(std::span<const FoundCode> codes) const {
  constexpr size_t kStarts = 16, kLines = 8;  // codes ahead
  RowRanges rows;
  rows.codes = codes.size();
  rows.of.resize(codes.size() * segments().size());
  std::vector<uint64_t> entries(codes.size());
  for (size_t i = 0; i < codes.size(); ++i) {
    entries[i] = EntryBy(0, codes[i].match.code, options().code_bits);
  }
  for (size_t place = 0; place < segments().size(); ++place) {
    const CodeSegment& segment = *segments()[place].segment;
    const PackedTable& table = segment.hamming().table(0);
    const std::span its = std::span(rows.of).subspan(place * codes.size(), codes.size());
    for (size_t i = 0; i < its.size() + kStarts; ++i) {
      if (i < its.size()) table.PrefetchStart(entries[i]);
      if (i >= kLines && i - kLines < its.size()) table.PrefetchLines(entries[i - kLines]);
      if (i < kStarts) continue;
      ZHIWEN_ASSIGN_OR_RETURN(const auto number, table.Find(entries[i - kStarts]));
      if (!number.has_value()) continue;
      its[i - kStarts] = {*number, *number + 1};
      segment.PrefetchRows(*number);
    }
    for (CodeSegment::RowRange& range : its) {
      if (range.size() == 0) continue;
      ZHIWEN_ASSIGN_OR_RETURN(range, segment.RowsOf(range.begin));
      segment.PrefetchLabelPlace(range.begin);
    }
    for (const CodeSegment::RowRange& range : its) {
      if (range.size() != 0) segment.PrefetchLabel(range.begin);
    }
  }
  return rows;
}

// Adds the rows of the first of `codes`, each of which is there once. `next` has the rows of some
// of them.
Status CodeState::AddRowsAnywhere(std::span<const FoundCode> codes, RowRanges& next,
                                  CodeAnswer& answer) const {
  constexpr size_t kCodesAtOnce = 128;
  const HammingMatch& match = codes.front().match;
  if (!has_labels()) {
    AddMatch(match, {}, answer);
    return {};
  }
  if (next.first == next.codes) {
    ZHIWEN_ASSIGN_OR_RETURN(next,
                            RowsInSegments(codes.first(std::min(codes.size(), kCodesAtOnce))));
  }
  std::vector<std::string_view> labels;
  const auto add = [&](std::string_view label) -> Status {
    labels.push_back(label);
    return {};
  };
  for (size_t place = 0; place < segments().size(); ++place) {
    const auto& rows = next.of[place * next.codes + next.first];
    ZHIWEN_RETURN_IF_ERROR(VisitLiveRows(place, rows, add));
  }
  ++next.first;
  ZHIWEN_RETURN_IF_ERROR(VisitLabelsAt(segments().size(), match.code, add));
  SortEachOnce(labels);
  for (const std::string_view label : labels) AddMatch(match, label, answer);
  return {};
}

Status CodeState::Query(std::span<const uint64_t> queries, const CodeQuery& query,
                        CodeAnswer& answer) const {
  ZHIWEN_RETURN_IF_ERROR(CheckQuery(queries, query.radius));
  ZHIWEN_ASSIGN_OR_RETURN(const ReadLock lock, ReadWhole());
  const size_t before = answer.matches.size();
  answer.answered = 0;
  while (answer.answered < queries.size()) {
    const uint32_t first = answer.answered;
    const uint64_t left = query.most_rows - (answer.matches.size() - before);
    const auto rest = queries.subspan(first);
    const auto some = rest.first(std::min(kNearestTogether, rest.size()));
    ZHIWEN_ASSIGN_OR_RETURN(
        FoundCodes found, query.nearest == 0 ? FindWithin(rest, query.radius,
                                                          std::clamp<uint64_t>(left, 1, kMostCodes))
                                             : FindNearest(some, query));
    for (FoundCode& code : found.codes) code.match.query += first;
    for (uint32_t& truncated : found.truncated) truncated += first;
    ZHIWEN_RETURN_IF_ERROR(
        AddFound(found, first + static_cast<uint32_t>(found.queries), left, answer));
    if (answer.matches.size() - before >= query.most_rows) break;
  }
  return {};
}

Status CodeState::AddFound(const FoundCodes& found, uint32_t queries, uint64_t most_rows,
                           CodeAnswer& answer) const {
  RowRanges next_rows;
  const size_t before = answer.matches.size();
  answer.answered = queries;
  for (auto at = found.codes.begin(); at != found.codes.end();) {
    const auto is_other = [&](const FoundCode& other) {
      return OrderOf(other.match) != OrderOf(at->match);
    };
    const auto end = std::find_if(at, found.codes.end(), is_other);
    if (at->place == kAnyPlace) {
      ZHIWEN_RETURN_IF_ERROR(AddRowsAnywhere(std::span(at, found.codes.end()), next_rows, answer));
    } else {
      ZHIWEN_RETURN_IF_ERROR(AddRows(std::span(at, end), answer));
    }
    const uint32_t its_query = at->match.query;
    at = end;
    const bool is_last = at == found.codes.end() || at->match.query != its_query;
    if (is_last && answer.matches.size() - before >= most_rows) {
      answer.answered = its_query + 1;
      break;
    }
  }
  const auto end = std::ranges::lower_bound(found.truncated, answer.answered);
  answer.truncated.insert(answer.truncated.end(), found.truncated.begin(), end);
  return {};
}

bool CodeState::has_labels() const {
  const auto has = [](const auto& segment) { return segment.segment->has_labels(); };
  return memory().has_labels() || std::ranges::any_of(segments(), has);
}

Status CodeState::VisitLabels(uint64_t code,
                              const std::function<Status(std::string_view label)>& visit) const {
  for (size_t place = 0; place <= segments().size(); ++place) {
    ZHIWEN_RETURN_IF_ERROR(VisitLabelsAt(place, code, visit));
  }
  return {};
}

Result<std::string_view> CodeState::LeastLabel(uint64_t code) const {
  std::optional<std::string_view> least;
  const auto take = [&](std::string_view label) {
    if (!least.has_value() || label < *least) least = label;
  };
  for (const auto& segment : segments()) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto rows, segment.segment->RowsOfCode(code));
    uint32_t row = rows.begin;
    while (row < rows.end && segment.deleted.Has(row)) ++row;
    if (row == rows.end) continue;
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view label, segment.segment->LabelOf(row));
    take(label);
  }
  memory().VisitLabels(code, take);
  return least.value_or(std::string_view());
}

}  // namespace zhiwen
