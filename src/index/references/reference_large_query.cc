// Queries of large inputs (LargeReferenceInput). One walk over the input marks which keys of the
// index it has, a bit each; hardly any input is read further.

#include <algorithm>
#include <array>
#include <utility>

#include "feature/shingles.h"
#include "index/references/rare_shingles.h"
#include "index/references/reference_index.h"
#include "index/references/reference_windows.h"
#include "index/thresholds/containment_threshold.h"
#include "kernels/kernels.h"

namespace zhiwen {
namespace {

// The number of shingles examined before the set of an input is made.
constexpr uint64_t kMostOthers = uint64_t{1} << 16;

// Sorts hits by reference.
void Take(const ReferenceHit& hit, std::vector<uint32_t>& matched, ReferenceHit& keeper) {
  if (matched.empty()) keeper = hit;
  matched.push_back(hit.reference);
}

// Moves the references of `bits` to `references`, ascending.
void TakeBits(std::vector<bool>& bits, std::vector<uint32_t>& references) {
  for (uint32_t reference = 0; reference < bits.size(); ++reference) {
    if (bits[reference]) references.push_back(reference);
    bits[reference] = false;
  }
}

}  // namespace

Status ReferenceIndex::QueryLarge(LargeReferenceInput& input, const MayMatch& may_match,
                                  Scratch& scratch, std::vector<uint32_t>& matched,
                                  ReferenceHit& keeper) const {
  matched.clear();
  keeper = {};
  Prepare(scratch);
  switch (options_.rule) {
    case ReferenceRule::kNear:
      return QueryLargeRare(input, may_match, scratch, matched, keeper);
    case ReferenceRule::kContains:
      ZHIWEN_RETURN_IF_ERROR(QueryLargeRare(input, may_match, scratch, matched, keeper));
      return QueryLargeShort(input, may_match, scratch, matched, keeper);
    case ReferenceRule::kContainedIn:
      return QueryLargeContainedIn(input, may_match, scratch, matched, keeper);
    case ReferenceRule::kOverlap:
      break;
  }
  return QueryLargeRuns(input, may_match, scratch, matched, keeper);
}

ReferenceIndex::Marked ReferenceIndex::MarkFound(LargeReferenceInput& input,
                                                 Scratch& scratch) const {
  Marked marked;
  scratch.entries_.assign(postings_.size(), false);
  input.Walk([&](const LargeReferenceInput::Piece& piece) {
    marked.shingles += piece.shingles.size();
    VisitFound(piece.shingles, scratch.places_, [&](size_t, std::span<const uint32_t> references) {
      auto entry = scratch.entries_[postings_.PlaceOf(references)];
      marked.found += entry ? 0 : 1;
      entry = true;
    });
  });
  return marked;
}

// Answers kNear and kContains.
Status ReferenceIndex::QueryLargeRare(LargeReferenceInput& input, const MayMatch& may_match,
                                      Scratch& scratch, std::vector<uint32_t>& matched,
                                      ReferenceHit& keeper) const {
  scratch.met_.clear();
  if (MarkFound(input, scratch).found > 0) {
    VisitMarked(scratch, [&](std::span<const uint32_t> references) {
      scratch.met_.insert(scratch.met_.end(), references.begin(), references.end());
    });
  }
  SelectMet(scratch);
  if (scratch.met_.empty()) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const std::span<const uint64_t> set, input.ShingleSet());
  for (const uint32_t reference : scratch.met_) {
    const auto own = SetOf(reference);
    const uint64_t shared =
        ActiveKernels().intersection_size(set.data(), set.size(), own.data(), own.size());
    const ReferenceHit hit = {.reference = reference,
                              .shared = shared,
                              .input_size = set.size(),
                              .reference_size = own.size()};
    if (Matches(hit) && may_match(reference)) Take(hit, matched, keeper);
  }
  return {};
}

// Adds the references without a shingle to the hits of kContains. None of them is longer than the
// part of a piece that repeats the one before.
Status ReferenceIndex::QueryLargeShort(LargeReferenceInput& input, const MayMatch& may_match,
                                       Scratch& scratch, std::vector<uint32_t>& matched,
                                       ReferenceHit& keeper) const {
  if (short_references_.empty()) return {};
  ReferenceHit first = {.reference = UINT32_MAX};
  input.Walk([&](const LargeReferenceInput::Piece& piece) {
    short_references_.Find(piece.symbols, [&](uint32_t reference, uint64_t, uint64_t length) {
      if (!may_match(reference)) return;
      scratch.hit_[reference] = true;
      if (reference < first.reference) first = {.reference = reference, .run_length = length};
    });
  });
  if (first.run_length == 0) return {};
  if (matched.empty() || first.reference < keeper.reference) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::span<const uint64_t> set, input.ShingleSet());
    keeper = first;
    keeper.input_size = set.size();
  }
  TakeBits(scratch.hit_, matched);
  std::sort(matched.begin(), matched.end());
  return {};
}

Status ReferenceIndex::QueryLargeContainedIn(LargeReferenceInput& input, const MayMatch& may_match,
                                             Scratch& scratch, std::vector<uint32_t>& matched,
                                             ReferenceHit& keeper) const {
  const Marked marked = MarkFound(input, scratch);
  if (LacksTooMany(input, marked, scratch)) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const std::span<const uint64_t> set, input.ShingleSet());
  const uint64_t required = RequiredShared(set.size(), options_.threshold);
  if (marked.found < required) return {};
  // A reference that has `required` of the found ones has one of any found − required + 1.
  MeetRarest(marked.found - required + 1, required, scratch);
  scratch.shared_.assign(scratch.met_.size(), 0);
  VisitMarked(scratch,
              [&](std::span<const uint32_t> references) { CountReferences(references, scratch); });
  for (size_t i = 0; i < scratch.met_.size(); ++i) {
    if (scratch.shared_[i] < required || !may_match(scratch.met_[i])) continue;
    Take({.reference = scratch.met_[i],
          .shared = scratch.shared_[i],
          .input_size = set.size(),
          .reference_size = sizes_[scratch.met_[i]]},
         matched, keeper);
  }
  return {};
}

// Returns whether more distinct shingles are in no reference than a matching input with all the
// marked ones may have. The first few tell for an input with some phrase of a reference.
bool ReferenceIndex::LacksTooMany(LargeReferenceInput& input, const Marked& marked,
                                  Scratch& scratch) const {
  if (marked.found == 0) return true;
  const uint64_t limit =
      LargestReached(marked.found, options_.threshold, marked.shingles) - marked.found;
  if (limit >= kMostOthers) return false;
  std::vector<uint64_t>& others = scratch.set_;  // distinct now and then
  others.clear();
  const auto sort = [&] {
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
  };
  size_t next_sort = 2 * limit + 2;
  bool lacks = false;
  input.Walk([&](const LargeReferenceInput::Piece& piece) {
    for (const uint64_t shingle : piece.shingles) {
      if (lacks) return;
      if (filter_.MayContain(shingle)) continue;
      others.push_back(shingle);
      if (others.size() < next_sort) continue;
      sort();
      lacks = others.size() > limit;
      next_sort = 2 * others.size() + limit + 2;
    }
  });
  sort();
  return others.size() > limit;
}

// Sets met_ to the references of the `count` rarest marked keys that have at least `least_size`
// shingles.
void ReferenceIndex::MeetRarest(uint64_t count, uint64_t least_size, Scratch& scratch) const {
  std::array<uint64_t, 256> keys_of = {};  // by the number of their references
  const auto number_of = [](std::span<const uint32_t> references) {
    return std::min<size_t>(references.size(), 255);
  };
  VisitMarked(scratch,
              [&](std::span<const uint32_t> references) { ++keys_of[number_of(references)]; });
  size_t last = 0;  // the number of which `count` keys are taken, and all below it
  while (count > keys_of[last]) count -= keys_of[last++];
  VisitMarked(scratch, [&](std::span<const uint32_t> references) {
    const size_t number = number_of(references);
    if (number > last || (number == last && count == 0)) return;
    count -= number == last ? 1 : 0;
    for (const uint32_t reference : references) {
      if (sizes_[reference] >= least_size) scratch.hit_[reference] = true;
    }
  });
  scratch.met_.clear();
  TakeBits(scratch.hit_, scratch.met_);
}

Status ReferenceIndex::QueryLargeRuns(LargeReferenceInput& input, const MayMatch& may_match,
                                      Scratch& scratch, std::vector<uint32_t>& matched,
                                      ReferenceHit& keeper) const {
  ZHIWEN_ASSIGN_OR_RETURN(const std::span<const uint32_t> symbols, input.Symbols());
  const ReferenceInput whole = {.symbols = symbols, .shingles = {}};
  scratch.met_.clear();
  scratch.steps_left_ = StepsFor(whole);
  VisitWindows(symbols, scratch, [&](uint64_t begin, uint64_t key) {
    scratch.hits_.clear();
    ExtendWindows(whole, begin, key, scratch, scratch.hits_);
    for (const ReferenceHit& hit : scratch.hits_) {
      if (!may_match(hit.reference)) continue;
      if (matched.empty() || hit.reference < keeper.reference) keeper = hit;
      matched.push_back(hit.reference);
    }
  });
  for (const uint32_t reference : scratch.met_) scratch.hit_[reference] = false;
  std::sort(matched.begin(), matched.end());
  return {};
}

void ReferenceIndex::VisitWindows(
    std::span<const uint32_t> symbols, Scratch& scratch,
    const std::function<void(uint64_t begin, uint64_t key)>& visit) const {
  const auto windows = ReferenceWindows::For(options_.run);
  if (symbols.size() < windows.length) return;
  const size_t starts = symbols.size() - windows.length + 1;
  for (size_t begin = 0; begin < starts; begin += kPiece) {
    const size_t size = std::min(kPiece, starts - begin);
    ComputeShingles(symbols.subspan(begin, size + kShingleLength - 1), scratch.set_);
    const size_t count = filter_.Select(scratch.set_, scratch.places_.data());
    for (const uint32_t place : std::span(scratch.places_).first(count)) {
      visit(begin + place, windows.KeyOf(&symbols[begin + place]));
    }
  }
}

}  // namespace zhiwen
