#include "index/references/reference_shingles.h"

#include <algorithm>
#include <utility>

#include "feature/shingles.h"

namespace zhiwen {
namespace {

// The filter's survivors of so many shingles fit the first cache.
constexpr size_t kShinglesAtOnce = 2048;

}  // namespace

uint64_t ReferenceShingles::BytesFor(uint64_t symbols) {
  return symbols * 8 + HashPostings::BytesFor(symbols) + BitFilter::BytesFor(symbols);
}

void ReferenceShingles::Add(std::span<const uint32_t> symbols) {
  ComputeShingles(symbols, shingles_);
  added_.insert(added_.end(), shingles_.begin(), shingles_.end());
}

// Sorts in place: MakeShingleSet would take the memory of all a second time.
Status ReferenceShingles::Finish() {
  std::sort(added_.begin(), added_.end());
  added_.erase(std::unique(added_.begin(), added_.end()), added_.end());
  auto postings = HashPostings::Create(added_.size(), [&](const HashPostings::Visit& visit) {
    for (const uint64_t shingle : added_) visit(shingle, 0);
  });
  if (!postings) return Fail(std::move(postings));
  postings_ = *std::move(postings);
  added_ = {};
  shingles_ = {};
  filter_ = BitFilter(postings_.size());
  for (const uint64_t shingle : postings_.keys()) filter_.Insert(shingle);
  return {};
}

// Calls found(number) for each of `shingles` that a reference has.
template <typename Found>
void ReferenceShingles::VisitFound(std::span<const uint64_t> shingles, Scratch& scratch,
                                   const Found& found) const {
  scratch.places_.resize(kShinglesAtOnce);
  for (size_t begin = 0; begin < shingles.size(); begin += kShinglesAtOnce) {
    const auto piece = shingles.subspan(begin, std::min(kShinglesAtOnce, shingles.size() - begin));
    const size_t count = filter_.Select(piece, scratch.places_.data());
    const auto selected = std::span(scratch.places_).first(count);
    for (const uint32_t place : selected) postings_.PrefetchBucket(piece[place]);
    for (const uint32_t place : selected) postings_.PrefetchEntries(piece[place]);
    for (const uint32_t place : selected) {
      const auto value = postings_.Find(piece[place]);
      if (!value.empty()) found(static_cast<uint32_t>(postings_.PlaceOf(value)));
    }
  }
}

void ReferenceShingles::Find(std::span<const uint64_t> shingles, Scratch& scratch,
                             std::vector<uint32_t>& numbers) const {
  numbers.clear();
  VisitFound(shingles, scratch, [&](uint32_t number) { numbers.push_back(number); });
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

void ReferenceShingles::FindInPieces(const std::function<void(const Take& take)>& walk,
                                     Scratch& scratch, std::vector<uint32_t>& numbers) const {
  numbers.clear();
  scratch.marked_.assign(size(), false);
  walk([&](std::span<const uint64_t> shingles) {
    VisitFound(shingles, scratch, [&](uint32_t number) { scratch.marked_[number] = true; });
  });
  for (uint32_t number = 0; number < size(); ++number) {
    if (scratch.marked_[number]) numbers.push_back(number);
  }
}

}  // namespace zhiwen
