// How an index is made; reference_query.cc has the queries.

#include "index/reference_index.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "feature/shingles.h"
#include "index/containment_threshold.h"
#include "index/rare_shingles.h"
#include "index/reference_windows.h"

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
  if (index_.sizes_.size() >= UINT32_MAX || symbols.size() > UINT32_MAX) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("cannot index reference {} of {} symbols: the limit of both is 2^32",
                            index_.sizes_.size() + 1, symbols.size()));
  }
  if (index_.options_.rule == ReferenceRule::kOverlap) {
    index_.set_starts_.push_back(index_.symbols_.size());
    index_.sizes_.push_back(static_cast<uint32_t>(symbols.size()));
    index_.symbols_.insert(index_.symbols_.end(), symbols.begin(), symbols.end());
    index_.unmatchable_ += symbols.size() < index_.options_.run ? 1 : 0;
    if (index_.symbols_.size() > UINT32_MAX) {
      return Fail(ErrorCode::kExhausted,
                  "cannot index references of 2^32 symbols or more; use fewer references");
    }
  } else {
    AddSet(symbols);
  }
  return {};
}

void ReferenceIndex::Builder::AddSet(std::span<const uint32_t> symbols) {
  ComputeShingles(symbols, shingles_);
  MakeShingleSet(shingles_, sorting_);
  const auto reference = static_cast<uint32_t>(index_.sizes_.size());
  index_.set_starts_.push_back(index_.sets_.size());
  index_.sizes_.push_back(static_cast<uint32_t>(shingles_.size()));
  index_.sets_.insert(index_.sets_.end(), shingles_.begin(), shingles_.end());
  if (!shingles_.empty()) return;
  if (index_.options_.rule == ReferenceRule::kContains && !symbols.empty()) {
    index_.short_references_.Add(reference, symbols);
  } else {
    ++index_.unmatchable_;
  }
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

// Replaces `rare` by the rarest shingles of a reference. The theorem holds for any order, so that
// counters that shingles share cost selectivity alone.
void ReferenceIndex::Builder::SelectRare(uint32_t reference, std::vector<uint64_t>& rare) const {
  const auto set = index_.SetOf(reference);
  rare.assign(set.begin(), set.end());
  const uint64_t count = RareShingles::For(set.size(), index_.options_.threshold).indexed;
  if (count >= rare.size()) return;
  const auto frequency = [&](uint64_t shingle) {
    return frequencies_[shingle >> frequency_shift_];
  };
  std::nth_element(rare.begin(), rare.begin() + static_cast<std::ptrdiff_t>(count), rare.end(),
                   [&](uint64_t a, uint64_t b) {
                     return std::pair(frequency(a), a) < std::pair(frequency(b), b);
                   });
  rare.resize(count);
}

Status ReferenceIndex::Builder::IndexRare() {
  CountFrequencies();
  uint64_t entries = 0;
  for (const uint32_t size : index_.sizes_) {
    entries += RareShingles::For(size, index_.options_.threshold).indexed;
  }
  index_.filter_ = BitFilter(entries);
  std::vector<uint64_t> rare;
  auto postings = HashPostings::Create(entries, [&](const HashPostings::Visit& visit) {
    for (uint32_t reference = 0; reference < index_.size(); ++reference) {
      SelectRare(reference, rare);
      for (const uint64_t shingle : rare) visit(shingle, reference);
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
      ComputeShingles(index_.SymbolsOf(reference), shingles_);
      for (uint64_t i = 0; i < count_of(index_.sizes_[reference]); ++i) {
        const uint64_t place = i * windows.stride;
        index_.filter_.Insert(shingles_[place]);
        visit(windows.KeyAt(&shingles_[place]),
              static_cast<uint32_t>(index_.set_starts_[reference] + place));
      }
    }
  });
  if (!postings) return Fail(std::move(postings));
  index_.postings_ = *std::move(postings);
  return {};
}

}  // namespace zhiwen
