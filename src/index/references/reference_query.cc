#include <algorithm>
#include <iterator>
#include <utility>

#include "feature/shingle_ranges.h"
#include "feature/shingles.h"
#include "index/references/rare_shingles.h"
#include "index/references/reference_index.h"
#include "index/references/reference_runs.h"
#include "index/references/reference_windows.h"
#include "index/thresholds/containment_threshold.h"
#include "kernels/kernels.h"

namespace zhiwen {
namespace {

// The number of shingles of a reference that are compared at once with an input.
constexpr size_t kRangeShingles = size_t{1} << 18;

uint64_t CountShared(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  return ActiveKernels().intersection_size(a.data(), a.size(), b.data(), b.size());
}

void SortDistinct(std::vector<uint64_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

void SortByReference(std::vector<ReferenceHit>& hits, size_t max_hits) {
  std::sort(hits.begin(), hits.end(),
            [](const ReferenceHit& a, const ReferenceHit& b) { return a.reference < b.reference; });
  if (hits.size() > max_hits) hits.resize(max_hits);
}

}  // namespace

void ReferenceIndex::Query(const ReferenceInput& input, size_t max_hits, Scratch& scratch,
                           std::vector<ReferenceHit>& hits) const {
  hits.clear();
  if (max_hits == 0) return;
  Prepare(scratch);
  switch (options_.rule) {
    case ReferenceRule::kNear:
      return QueryRare(input, max_hits, scratch, hits);
    case ReferenceRule::kContains:
      QueryRare(input, max_hits, scratch, hits);
      return QueryShort(input, max_hits, scratch, hits);
    case ReferenceRule::kContainedIn:
      return QueryContainedIn(input, max_hits, scratch, hits);
    case ReferenceRule::kOverlap:
      return QueryRuns(input, max_hits, scratch, hits);
  }
}

void ReferenceIndex::Prepare(Scratch& scratch) const {
  if (scratch.hit_.size() < sizes_.size()) scratch.hit_.assign(sizes_.size(), false);
  scratch.places_.resize(kPiece);
  scratch.set_.clear();
}

// Finds the references of the distinct shingles that have any, ascending by shingle.
void ReferenceIndex::LookUp(std::span<const uint64_t> shingles, Scratch& scratch) const {
  auto& found = scratch.found_;
  found.clear();
  VisitFound(shingles, scratch.places_, [&](size_t place, std::span<const uint32_t> references) {
    found.push_back({shingles[place], references});
  });
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.shingle < b.shingle; });
  const auto same = [](const auto& a, const auto& b) { return a.shingle == b.shingle; };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
}

void ReferenceIndex::MakeInputSet(const ReferenceInput& input, Scratch& scratch) {
  if (!scratch.set_.empty()) return;
  scratch.set_.assign(input.shingles.begin(), input.shingles.end());
  MakeShingleSet(scratch.set_, scratch.sorting_);
}

// Answers kNear and kContains.
void ReferenceIndex::QueryRare(const ReferenceInput& input, size_t max_hits, Scratch& scratch,
                               std::vector<ReferenceHit>& hits) const {
  LookUp(input.shingles, scratch);
  GatherMet(scratch);
  SelectMet(scratch);
  if (scratch.met_.empty()) return;
  MakeInputSet(input, scratch);
  for (const uint32_t reference : scratch.met_) {
    const auto set = SetOf(reference);
    const ReferenceHit hit = {.reference = reference,
                              .shared = CountShared(scratch.set_, set),
                              .input_size = scratch.set_.size(),
                              .reference_size = set.size()};
    if (!Matches(hit)) continue;
    hits.push_back(hit);
    if (hits.size() == max_hits) return;
  }
}

// Gathers the references of every found shingle.
void ReferenceIndex::GatherMet(Scratch& scratch) const {
  scratch.met_.clear();
  for (const auto& found : scratch.found_) {
    scratch.met_.insert(scratch.met_.end(), found.references.begin(), found.references.end());
  }
}

// Keeps in met_ the references of which enough rare shingles were found, ascending.
void ReferenceIndex::SelectMet(Scratch& scratch) const {
  std::vector<uint32_t>& met = scratch.met_;
  std::sort(met.begin(), met.end());
  size_t kept = 0;
  for (size_t begin = 0; begin < met.size();) {
    size_t end = begin + 1;
    while (end < met.size() && met[end] == met[begin]) ++end;
    const uint32_t reference = met[begin];
    const auto rare = RareShingles::For(sizes_[reference], options_.threshold);
    if (end - begin >= rare.least_met) met[kept++] = reference;
    begin = end;
  }
  met.resize(kept);
}

bool ReferenceIndex::Matches(const ReferenceHit& hit) const {
  if (options_.rule == ReferenceRule::kNear) {
    const uint64_t united = hit.input_size + hit.reference_size - hit.shared;
    return ReachesThreshold(hit.shared, united, options_.threshold);
  }
  return ContainmentReaches(hit.shared, hit.reference_size, options_.threshold);
}

// Adds the references without a shingle to the hits of kContains.
void ReferenceIndex::QueryShort(const ReferenceInput& input, size_t max_hits, Scratch& scratch,
                                std::vector<ReferenceHit>& hits) const {
  if (short_references_.empty()) return;
  const size_t long_hits = hits.size();
  short_references_.Find(input.symbols, [&](uint32_t reference, uint64_t begin, uint64_t length) {
    if (scratch.hit_[reference]) return;
    scratch.hit_[reference] = true;
    hits.push_back({.reference = reference, .run_length = length, .input_begin = begin});
  });
  if (hits.size() == long_hits) return;
  MakeInputSet(input, scratch);
  for (auto hit = hits.begin() + static_cast<std::ptrdiff_t>(long_hits); hit != hits.end(); ++hit) {
    scratch.hit_[hit->reference] = false;
    hit->input_size = scratch.set_.size();
  }
  SortByReference(hits, max_hits);
}

void ReferenceIndex::QueryContainedIn(const ReferenceInput& input, size_t max_hits,
                                      Scratch& scratch, std::vector<ReferenceHit>& hits) const {
  if (LacksTooMany(input.shingles, scratch)) return;
  MakeInputSet(input, scratch);
  const uint64_t input_size = scratch.set_.size();
  const uint64_t required = RequiredShared(input_size, options_.threshold);
  LookUp(scratch.set_, scratch);
  auto& found = scratch.found_;
  if (found.size() < required) return;
  // A reference that has `required` of the found ones has one of any found.size() − required + 1.
  const auto rare_end = found.begin() + static_cast<std::ptrdiff_t>(found.size() - required + 1);
  std::nth_element(found.begin(), rare_end - 1, found.end(), [](const auto& a, const auto& b) {
    return a.references.size() < b.references.size();
  });
  scratch.met_.clear();
  for (auto it = found.begin(); it != rare_end; ++it) {
    scratch.met_.insert(scratch.met_.end(), it->references.begin(), it->references.end());
  }
  std::sort(scratch.met_.begin(), scratch.met_.end());
  scratch.met_.erase(std::unique(scratch.met_.begin(), scratch.met_.end()), scratch.met_.end());
  CountMet(scratch);
  for (size_t i = 0; i < scratch.met_.size() && hits.size() < max_hits; ++i) {
    if (scratch.shared_[i] < required) continue;
    const uint32_t reference = scratch.met_[i];
    hits.push_back({.reference = reference,
                    .shared = scratch.shared_[i],
                    .input_size = input_size,
                    .reference_size = sizes_[reference]});
  }
}

// Returns whether the filter alone shows more distinct shingles that are in no reference than a
// matching input may have. The first few tell for an input with some phrase of a reference.
bool ReferenceIndex::LacksTooMany(std::span<const uint64_t> shingles, Scratch& scratch) const {
  scratch.places_.resize(std::max(shingles.size(), kPiece));
  const size_t passed = filter_.Select(shingles, scratch.places_.data());
  if (passed == 0) return true;
  const uint64_t limit = LargestReached(passed, options_.threshold, shingles.size()) - passed;
  if (limit >= shingles.size() / 4) return false;   // a sort of all is as fast
  std::vector<uint64_t>& others = scratch.shared_;  // distinct now and then
  others.clear();
  size_t next_sort = 2 * limit + 2;
  size_t next_passed = 0;
  for (size_t i = 0; i < shingles.size(); ++i) {
    if (next_passed < passed && scratch.places_[next_passed] == i) {
      ++next_passed;
      continue;
    }
    others.push_back(shingles[i]);
    if (others.size() < next_sort) continue;
    SortDistinct(others);
    if (others.size() > limit) return true;
    next_sort = 2 * others.size() + limit + 2;
  }
  SortDistinct(others);
  return others.size() > limit;
}

// Sets shared_[i] to the number of found shingles that reference met_[i] has.
void ReferenceIndex::CountMet(Scratch& scratch) const {
  scratch.shared_.assign(scratch.met_.size(), 0);
  for (const auto& found : scratch.found_) CountReferences(found.references, scratch);
}

void ReferenceIndex::CountReferences(std::span<const uint32_t> references, Scratch& scratch) {
  constexpr size_t kGallopRatio = 16;
  const std::vector<uint32_t>& met = scratch.met_;
  const bool search = references.size() > met.size() * kGallopRatio;
  auto at = references.begin();
  for (size_t i = 0; i < met.size() && at != references.end(); ++i) {
    if (search) {
      at = std::lower_bound(at, references.end(), met[i]);
    } else {
      while (at != references.end() && *at < met[i]) ++at;
    }
    if (at != references.end() && *at == met[i]) ++scratch.shared_[i];
  }
}

void ReferenceIndex::QueryRuns(const ReferenceInput& input, size_t max_hits, Scratch& scratch,
                               std::vector<ReferenceHit>& hits) const {
  const auto windows = ReferenceWindows::For(options_.run);
  if (input.symbols.size() < windows.length) return;
  const auto starts = input.shingles.first(input.symbols.size() - windows.length + 1);
  scratch.met_.clear();
  scratch.steps_left_ = StepsFor(input);
  for (size_t begin = 0; begin < starts.size(); begin += kPiece) {
    const auto piece = starts.subspan(begin, std::min(kPiece, starts.size() - begin));
    const size_t count = filter_.Select(piece, scratch.places_.data());
    for (const uint32_t place : std::span(scratch.places_).first(count)) {
      ExtendWindows(input, begin + place, windows.KeyAt(&piece[place]), scratch, hits);
    }
  }
  for (const uint32_t reference : scratch.met_) scratch.hit_[reference] = false;
  SortByReference(hits, max_hits);
}

// Extends the places that agree in the window at `begin` of the input, except in references that
// are decided.
void ReferenceIndex::ExtendWindows(const ReferenceInput& input, uint64_t begin, uint64_t key,
                                   Scratch& scratch, std::vector<ReferenceHit>& hits) const {
  const auto places = postings_.Find(key);
  for (auto place = places.begin(); place != places.end();) {
    const uint32_t reference = ReferenceAt(*place);
    if (scratch.hit_[reference]) {
      const uint64_t end = set_starts_[reference] + sizes_[reference];
      place = std::lower_bound(place, places.end(), end);
      continue;
    }
    const ReferenceHit hit = Extend(input, begin, reference, *place - set_starts_[reference]);
    ++place;
    const uint64_t steps = hit.run_length + 1;
    scratch.steps_left_ -= std::min(steps, scratch.steps_left_);
    if (hit.run_length < options_.run && scratch.steps_left_ > 0) continue;
    scratch.hit_[reference] = true;
    scratch.met_.push_back(reference);
    if (hit.run_length >= options_.run) {
      hits.push_back(hit);
    } else {
      SearchWholeRuns(input, reference, hits);
      scratch.steps_left_ = StepsFor(input);
    }
  }
}

// Returns how many symbols are compared before one reference is searched in another way.
uint64_t ReferenceIndex::StepsFor(const ReferenceInput& input) {
  return 1'000'000 + 32 * input.symbols.size();
}

// Returns the run of equal symbols, as long as it goes, that holds these two places.
ReferenceHit ReferenceIndex::Extend(const ReferenceInput& input, uint64_t begin, uint32_t reference,
                                    uint64_t reference_begin) const {
  const auto symbols = SymbolsOf(reference);
  uint64_t before = 0, length = 0;
  while (begin + length < input.symbols.size() && reference_begin + length < symbols.size() &&
         input.symbols[begin + length] == symbols[reference_begin + length]) {
    ++length;
  }
  while (before < begin && before < reference_begin &&
         input.symbols[begin - before - 1] == symbols[reference_begin - before - 1]) {
    ++before;
  }
  return {.reference = reference,
          .run_length = before + length,
          .input_begin = begin - before,
          .reference_begin = reference_begin - before};
}

// Searches a reference by whole runs. Texts that repeat something shorter than a run again and
// again agree in too many windows to extend them all. Here the keys are those of whole runs: every
// run of the reference, as many at once as fit, is compared with every run of the input. The first
// run of the input that equals one is the hit.
void ReferenceIndex::SearchWholeRuns(const ReferenceInput& input, uint32_t reference,
                                     std::vector<ReferenceHit>& hits) const {
  const ReferenceWindows runs = {.length = options_.run, .stride = 1};
  ReferenceRuns of_reference(runs, SymbolsOf(reference));
  ReferenceHit first;
  uint64_t first_begin = input.symbols.size();
  while (of_reference.Next()) {
    runs.VisitAll(input.symbols, [&](uint64_t begin, uint64_t key) {
      if (begin >= first_begin) return false;
      const auto* run = of_reference.Find(key);
      if (run == nullptr) return true;
      const ReferenceHit hit = Extend(input, begin, reference, run->begin);
      if (hit.run_length < options_.run) return true;
      first = hit;
      first_begin = begin;
      return false;
    });
  }
  if (first.run_length > 0) hits.push_back(first);
}

void ReferenceIndex::CompareShingles(std::span<const uint64_t> input_set, ReferenceHit& hit) const {
  const auto symbols = SymbolsOf(hit.reference);
  hit.shared = hit.reference_size = 0;
  hit.input_size = input_set.size();
  std::vector<uint64_t> shingles;
  const auto walk = [&](const ShingleRanges::Take& take) {
    for (size_t begin = 0; begin + kShingleLength <= symbols.size(); begin += kPiece) {
      ComputeShingles(
          symbols.subspan(begin, std::min(kPiece + kShingleLength - 1, symbols.size() - begin)),
          shingles);
      take(shingles);
    }
  };
  // The visitor never fails.
  (void)ShingleRanges(kRangeShingles)
      .Visit(symbols.size(), walk, [&](std::span<const uint64_t> range) -> Status {
        if (range.empty()) return {};
        const auto begin = std::ranges::lower_bound(input_set, range.front());
        const auto end = std::upper_bound(begin, input_set.end(), range.back());
        hit.shared += CountShared({begin, end}, range);
        hit.reference_size += range.size();
        return {};
      });
}

}  // namespace zhiwen
