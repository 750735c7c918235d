// Makes an index; reference_query.cc has the queries.

#include "index/references/reference_index.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "feature/shingles.h"
#include "index/references/rare_shingles.h"
#include "index/references/reference_windows.h"
#include "index/thresholds/containment_threshold.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMostCounters = uint64_t{1} << 30;

uint64_t CountersFor(uint64_t shingles) {
  return std::bit_ceil(std::clamp<uint64_t>(shingles, 2, kMostCounters));
}

uint64_t PostingBytes(uint64_t entries) {
  return HashPostings::BytesFor(entries) + BitFilter::BytesFor(entries);
}

}  // namespace

uint64_t ReferenceIndex::Bytes(const ReferenceIndexOptions& options,
                               const ReferenceCounts& counts) {
  const uint64_t of_references = counts.references * 12;
  switch (options.rule) {
    case ReferenceRule::kNear:
    case ReferenceRule::kContains: {
      const double rare = std::ceil((1 - options.threshold) * static_cast<double>(counts.symbols));
      const uint64_t entries =
          std::min(static_cast<uint64_t>(rare) + counts.references * 5, counts.symbols);
      const uint64_t of_short = options.rule == ReferenceRule::kContains
                                    ? ShortReferences::BytesFor(counts.references)
                                    : 0;
      return of_references + counts.symbols * 8 + CountersFor(counts.symbols) +
             PostingBytes(entries) + of_short;
    }
    case ReferenceRule::kContainedIn:
      return of_references + counts.symbols * 8 + PostingBytes(counts.symbols);
    case ReferenceRule::kOverlap:
      break;
  }
  const uint64_t stride = ReferenceWindows::For(options.run).stride;
  const uint64_t entries = std::min(counts.symbols / stride + counts.references, counts.symbols);
  return of_references + counts.symbols * 4 + PostingBytes(entries);
}

uint64_t ReferenceIndex::bytes() const {
  return sizes_.capacity() * sizeof(uint32_t) + set_starts_.capacity() * sizeof(uint64_t) +
         sets_.capacity() * sizeof(uint64_t) + symbols_.capacity() * sizeof(uint32_t) +
         filter_.bytes() + postings_.bytes() + short_references_.bytes();
}

Result<ReferenceIndex::Builder> ReferenceIndex::Builder::Create(
    const ReferenceIndexOptions& options, const ReferenceCounts& counts) {
  if (options.rule != ReferenceRule::kOverlap &&
      !(options.threshold > 0 && options.threshold <= 1)) {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("cannot index references: threshold {} is outside (0, 1]", options.threshold));
  }
  if (options.rule == ReferenceRule::kOverlap && options.run < kShingleLength) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot index references: a run of {} units is under {}", options.run,
                            kShingleLength));
  }
  Builder builder(options);
  ReferenceIndex& index = builder.index_;
  index.sizes_.reserve(counts.references);
  index.set_starts_.reserve(counts.references);
  if (options.rule == ReferenceRule::kOverlap) {
    index.symbols_.reserve(counts.symbols);
  } else {
    index.sets_.reserve(counts.symbols);
  }
  return builder;
}

Status ReferenceIndex::Builder::Add(std::span<const uint32_t> symbols) {
  ZHIWEN_RETURN_IF_ERROR(BeginReference());
  if (index_.options_.rule == ReferenceRule::kOverlap) {
    index_.symbols_.insert(index_.symbols_.end(), symbols.begin(), symbols.end());
  } else {
    ComputeShingles(symbols, shingles_);
    MakeShingleSet(shingles_, sorting_);
    TakeLeftOut(shingles_);
    index_.sets_.insert(index_.sets_.end(), shingles_.begin(), shingles_.end());
    piece_.assign(symbols.begin(), symbols.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                         symbols.size(), kShingleLength - 1)));
  }
  return EndReference(symbols.size());
}

Status ReferenceIndex::Builder::AddPiece(std::span<const uint32_t> symbols) {
  if (!std::exchange(in_pieces_, true)) {
    ZHIWEN_RETURN_IF_ERROR(BeginReference());
    symbols_in_pieces_ = 0;
    piece_.clear();
  }
  symbols_in_pieces_ += symbols.size();
  if (index_.options_.rule == ReferenceRule::kOverlap) {
    index_.symbols_.insert(index_.symbols_.end(), symbols.begin(), symbols.end());
    return {};
  }
  piece_.insert(piece_.end(), symbols.begin(), symbols.end());
  ComputeShingles(piece_, shingles_);
  TakeLeftOut(shingles_);
  index_.sets_.insert(index_.sets_.end(), shingles_.begin(), shingles_.end());
  const size_t kept = std::min(piece_.size(), kShingleLength - 1);
  piece_.erase(piece_.begin(), piece_.end() - static_cast<std::ptrdiff_t>(kept));
  return {};
}

// Works in place: MakeShingleSet would take the memory of the set a second time.
Status ReferenceIndex::Builder::EndPieces() {
  ZHIWEN_RETURN_IF_ERROR(AddPiece({}));
  in_pieces_ = false;
  if (index_.options_.rule != ReferenceRule::kOverlap) {
    const auto begin =
        index_.sets_.begin() + static_cast<std::ptrdiff_t>(index_.set_starts_.back());
    std::sort(begin, index_.sets_.end());
    index_.sets_.erase(std::unique(begin, index_.sets_.end()), index_.sets_.end());
  }
  return EndReference(symbols_in_pieces_);
}

Status ReferenceIndex::Builder::BeginReference() {
  if (index_.sizes_.size() >= UINT32_MAX) {
    return Fail(ErrorCode::kExhausted, "cannot index 2^32 references or more; use fewer");
  }
  const bool of_symbols = index_.options_.rule == ReferenceRule::kOverlap;
  index_.set_starts_.push_back(of_symbols ? index_.symbols_.size() : index_.sets_.size());
  return {};
}

void ReferenceIndex::Builder::TakeLeftOut(std::vector<uint64_t>& shingles) {
  if (left_out_.empty()) return;
  const auto taken = std::erase_if(shingles, [&](uint64_t shingle) {
    return std::binary_search(left_out_.begin(), left_out_.end(), shingle);
  });
  loses_ = loses_ || taken > 0;
}

// Ends the reference that has so many symbols; those of a short one are in piece_.
Status ReferenceIndex::Builder::EndReference(uint64_t symbols) {
  const auto reference = static_cast<uint32_t>(index_.sizes_.size());
  const uint64_t start = index_.set_starts_.back();
  if (symbols > UINT32_MAX) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("cannot index reference {} of {} symbols: the limit is 2^32",
                            uint64_t{reference} + 1, symbols));
  }
  if (index_.options_.rule == ReferenceRule::kOverlap) {
    index_.sizes_.push_back(static_cast<uint32_t>(symbols));
    index_.unmatchable_ += symbols < index_.options_.run ? 1 : 0;
    if (index_.symbols_.size() <= UINT32_MAX) return {};
    return Fail(ErrorCode::kExhausted,
                "cannot index references of 2^32 symbols or more; use fewer references");
  }
  if (std::exchange(loses_, false) && index_.sets_.size() - start < least_left_) {
    index_.sets_.resize(start);
    index_.emptied_.push_back(reference);
  }
  index_.sizes_.push_back(static_cast<uint32_t>(index_.sets_.size() - start));
  if (index_.sizes_.back() > 0) return {};
  const bool is_short = symbols > 0 && symbols < kShingleLength;
  if (index_.options_.rule == ReferenceRule::kContains && is_short) {
    index_.short_references_.Add(reference, piece_);
  } else {
    ++index_.unmatchable_;
  }
  return {};
}

Result<ReferenceIndex> ReferenceIndex::Builder::Finish() && {
  switch (index_.options_.rule) {
    case ReferenceRule::kNear:
    case ReferenceRule::kContains:
      ZHIWEN_RETURN_IF_ERROR(IndexRare());
      index_.short_references_.Finish();
      break;
    case ReferenceRule::kContainedIn:
      ZHIWEN_RETURN_IF_ERROR(IndexAll());
      break;
    case ReferenceRule::kOverlap:
      ZHIWEN_RETURN_IF_ERROR(IndexWindows());
      break;
  }
  return std::move(index_);
}

void ReferenceIndex::Builder::CountFrequencies() {
  frequencies_.assign(CountersFor(index_.sets_.size()), 0);
  frequency_shift_ = 64 - std::countr_zero(frequencies_.size());
  for (const uint64_t shingle : index_.sets_) {
    uint8_t& frequency = frequencies_[shingle >> frequency_shift_];
    frequency = static_cast<uint8_t>(frequency + (frequency < UINT8_MAX ? 1 : 0));
  }
}

// Calls visit(shingle) for the rarest shingles of a reference, ascending within a frequency. The
// theorem holds for any order, so shared counters cost selectivity alone.
template <typename Visit>
void ReferenceIndex::Builder::VisitRare(uint32_t reference, const Visit& visit) const {
  const auto set = index_.SetOf(reference);
  uint64_t left = RareShingles::For(set.size(), index_.options_.threshold).indexed;
  const auto frequency = [&](uint64_t shingle) {
    return frequencies_[shingle >> frequency_shift_];
  };
  if (left >= set.size()) {
    for (const uint64_t shingle : set) visit(shingle);
    return;
  }
  std::array<uint32_t, UINT8_MAX + 1> shingles_of = {};
  for (const uint64_t shingle : set) ++shingles_of[frequency(shingle)];
  size_t last = 0;  // the frequency of which `left` are taken, and all below it
  while (left > shingles_of[last]) left -= shingles_of[last++];
  for (const uint64_t shingle : set) {
    const size_t own = frequency(shingle);
    if (own > last || (own == last && left == 0)) continue;
    left -= own == last ? 1 : 0;
    visit(shingle);
  }
}

Status ReferenceIndex::Builder::IndexRare() {
  CountFrequencies();
  uint64_t entries = 0;
  for (const uint32_t size : index_.sizes_) {
    entries += RareShingles::For(size, index_.options_.threshold).indexed;
  }
  index_.filter_ = BitFilter(entries);
  auto postings = HashPostings::Create(entries, [&](const HashPostings::Visit& visit) {
    for (uint32_t reference = 0; reference < index_.size(); ++reference) {
      VisitRare(reference, [&](uint64_t shingle) { visit(shingle, reference); });
    }
  });
  if (!postings) return Fail(std::move(postings));
  index_.postings_ = *std::move(postings);
  frequencies_ = {};
  for (const uint64_t shingle : index_.postings_.keys()) index_.filter_.Insert(shingle);
  return {};
}

Status ReferenceIndex::Builder::IndexAll() {
  auto postings = HashPostings::Create(index_.sets_.size(), [&](const HashPostings::Visit& visit) {
    for (uint32_t reference = 0; reference < index_.size(); ++reference) {
      for (const uint64_t shingle : index_.SetOf(reference)) visit(shingle, reference);
    }
  });
  if (!postings) return Fail(std::move(postings));
  index_.postings_ = *std::move(postings);
  index_.sets_ = {};
  index_.filter_ = BitFilter(index_.postings_.size());
  for (const uint64_t shingle : index_.postings_.keys()) index_.filter_.Insert(shingle);
  return {};
}

Status ReferenceIndex::Builder::IndexWindows() {
  const ReferenceWindows windows = ReferenceWindows::For(index_.options_.run);
  const auto count_of = [&](uint64_t size) {
    return size < windows.length ? 0 : (size - windows.length) / windows.stride + 1;
  };
  uint64_t entries = 0;
  for (const uint32_t size : index_.sizes_) entries += count_of(size);
  index_.filter_ = BitFilter(entries);
  auto postings = HashPostings::Create(entries, [&](const HashPostings::Visit& visit) {
    for (uint32_t reference = 0; reference < index_.size(); ++reference) {
      const auto symbols = index_.SymbolsOf(reference);
      for (uint64_t i = 0; i < count_of(index_.sizes_[reference]); ++i) {
        const uint64_t place = i * windows.stride;
        ComputeShingles(symbols.subspan(place, windows.length), shingles_);
        index_.filter_.Insert(shingles_.front());
        visit(windows.KeyAt(shingles_.data()),
              static_cast<uint32_t>(index_.set_starts_[reference] + place));
      }
    }
  });
  if (!postings) return Fail(std::move(postings));
  index_.postings_ = *std::move(postings);
  return {};
}

}  // namespace zhiwen
