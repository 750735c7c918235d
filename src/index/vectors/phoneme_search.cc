#include "index/vectors/phoneme_search.h"

#include <algorithm>
#include <tuple>

#include "fingerprint/phoneme_model.h"

namespace zhiwen {
namespace {

using Row = std::span<const uint8_t, kPhonemeCount>;

PhonemeCounts CountsOf(Row row) {
  std::array<uint64_t, kPhonemeCount> counts;
  std::ranges::copy(row, counts.begin());
  return PhonemeCounts::Of(counts);
}

// Returns whether `a` is the better match, which is the one that comes first.
bool IsBetter(const PhonemeMatch& a, const PhonemeMatch& b) {
  return std::tie(a.query, b.similarity, a.row) < std::tie(b.query, a.similarity, b.row);
}

// Adds the match of a row, if it is one, to those of a query.
void AddMatch(const PhonemeMatch& match, const PhonemeTriple& cosines, const PhonemeRule& rule,
              PhonemeMatches& matches) {
  if (rule.kind != PhonemeRule::Kind::kNearest) {
    const bool is_match = rule.kind == PhonemeRule::Kind::kThresholds ? rule.model.Model1(cosines)
                                                                      : rule.model.Model2(cosines);
    if (is_match) matches.push_back(match);
    return;
  }
  if (matches.size() == rule.count) {
    if (!IsBetter(match, matches.front())) return;
    std::ranges::pop_heap(matches, IsBetter);
    matches.pop_back();
  }
  matches.push_back(match);
  std::ranges::push_heap(matches, IsBetter);
}

}  // namespace

// --- the quantised scan --------------------------------------------------------------------------

PhonemeSearch::PhonemeSearch(const PhonemeRows& queries, const PhonemeRule& rule)
    : rule_(rule), matches_(queries.size()) {
  for (size_t i = 0; i < queries.size(); ++i) {
    queries_.push_back(CountsOf(queries[i]));
    bounds_.emplace_back(queries[i], rule.model, rule.kind);
  }
}

void PhonemeSearch::Look(size_t query, const PhonemeRows& rows, size_t place) {
  const PhonemeTriple cosines = ComputeCosines(queries_[query], CountsOf(rows[place]));
  PhonemeMatches& matches = matches_[query];
  AddMatch({.query = static_cast<uint32_t>(query),
            .row = rows.first + place,
            .similarity = rule_.model.Similarity(cosines)},
           cosines, rule_, matches);
  if (rule_.kind == PhonemeRule::Kind::kNearest && matches.size() == rule_.count) {
    bounds_[query].Raise(matches.front().similarity);
  }
}

void PhonemeSearch::Scan(const PhonemeRows& rows) {
  if (rule_.kind == PhonemeRule::Kind::kNearest && rule_.count == 0) return;
  SelectRows(rows, bounds_, [&](size_t query, size_t place) { Look(query, rows, place); });
}

PhonemeMatches PhonemeSearch::Finish() {
  PhonemeMatches all;
  for (PhonemeMatches& matches : matches_) {
    std::ranges::sort(matches, IsBetter);
    all.insert(all.end(), matches.begin(), matches.end());
    matches.clear();
  }
  return all;
}

// --- rows in memory ------------------------------------------------------------------------------

PhonemeMatches ScannedPhonemes::Query(const PhonemeRows& queries, const PhonemeRule& rule) const {
  PhonemeSearch search(queries, rule);
  search.Scan(rows());
  return search.Finish();
}

uint64_t ScannedPhonemes::Insert(std::span<const uint8_t> rows) {
  const uint64_t first = this->rows().size();
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  removed_.resize(this->rows().size() / 64 + 1);
  size_ += rows.size() / kPhonemeCount;
  return first;
}

uint64_t ScannedPhonemes::Remove(std::span<const uint64_t> numbers) {
  const uint64_t before = size_;
  for (const uint64_t number : numbers) {
    if (number >= rows().size() || rows().is_removed(number)) continue;
    removed_[number / 64] |= uint64_t{1} << number % 64;
    --size_;
  }
  return before - size_;
}

// --- the definition ------------------------------------------------------------------------------

uint64_t BruteForcePhonemes::size() const {
  return static_cast<uint64_t>(std::ranges::count(is_removed_, false));
}

PhonemeMatches BruteForcePhonemes::Query(const PhonemeRows& queries,
                                         const PhonemeRule& rule) const {
  using Kind = PhonemeRule::Kind;
  const PhonemeRows rows = {.bytes = rows_};
  PhonemeMatches all;
  for (size_t q = 0; q < queries.size(); ++q) {
    PhonemeMatches matches;
    for (size_t row = 0; row < rows.size(); ++row) {
      if (is_removed_[row]) continue;
      const PhonemeTriple cosines = ComputeCosines(CountsOf(queries[q]), CountsOf(rows[row]));
      if (rule.kind == Kind::kThresholds && !rule.model.Model1(cosines)) continue;
      if (rule.kind == Kind::kSimilarity && !rule.model.Model2(cosines)) continue;
      matches.push_back({static_cast<uint32_t>(q), row, rule.model.Similarity(cosines)});
    }
    std::ranges::sort(matches, IsBetter);
    if (rule.kind == Kind::kNearest && matches.size() > rule.count) matches.resize(rule.count);
    all.insert(all.end(), matches.begin(), matches.end());
  }
  return all;
}

uint64_t BruteForcePhonemes::Insert(std::span<const uint8_t> rows) {
  const uint64_t first = is_removed_.size();
  rows_.insert(rows_.end(), rows.begin(), rows.end());
  is_removed_.resize(rows_.size() / kPhonemeCount);
  return first;
}

uint64_t BruteForcePhonemes::Remove(std::span<const uint64_t> numbers) {
  const uint64_t before = size();
  for (const uint64_t number : numbers) {
    if (number < is_removed_.size()) is_removed_[number] = true;
  }
  return before - size();
}

}  // namespace zhiwen
