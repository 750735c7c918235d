#ifndef ZHIWEN_INDEX_POSTINGS_DOCUMENT_COUNTS_H_
#define ZHIWEN_INDEX_POSTINGS_DOCUMENT_COUNTS_H_

// Counts in how many lists each document is: in an array over all document numbers, or in a table
// of the documents met. Both call met(count) for a document that is in one more list.
//
// Threads  one

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/prefetch.h"
#include "index/postings/overlap_index.h"

namespace zhiwen {

// Uses two bytes for each number below the end. This is faster when lists have a good part of the
// numbers.
class DenseCounts {
 public:
  static constexpr uint64_t kMostLists = 0x7FFF;

  explicit DenseCounts(uint64_t documents_end)
      : counts_((documents_end + kWord - 1) / kWord * kWord) {}

  template <typename Met>
  void Count(std::span<const uint32_t> documents, const Met& met) {
    uint16_t* const counts = counts_.data();
    for (const uint32_t document : documents) met(++counts[document]);
  }

  // Also counts documents that were never met; they stay below those that can be among the best.
  template <typename Met>
  void CountAgain(std::span<const uint32_t> documents, const Met& met) {
    Count(documents, met);
  }

  // Returns the documents met at least `least` times, and at least once.
  std::vector<OverlapMatch> MetAtLeast(uint32_t least) const {
    constexpr uint64_t kOnes = 0x0001000100010001;
    constexpr uint64_t kTops = kOnes << 15;
    if (least == 0) least = 1;
    const uint64_t missing = (kMostLists + 1 - least) * kOnes;
    std::vector<OverlapMatch> met;
    for (size_t i = 0; i < counts_.size(); i += kWord) {
      uint64_t word;
      std::memcpy(&word, &counts_[i], sizeof(word));
      if (((word + missing) & kTops) == 0) continue;  // all of these are below `least`
      for (size_t k = i; k < i + kWord; ++k) {
        if (counts_[k] >= least) met.push_back({static_cast<uint32_t>(k), counts_[k]});
      }
    }
    return met;
  }

 private:
  static constexpr size_t kWord = 4;
  std::vector<uint16_t> counts_;
};

// Uses 16 to 32 bytes for each document met.
class SparseCounts {
 public:
  SparseCounts() { MakeRoom(1 << 10); }

  template <typename Met>
  void Count(std::span<const uint32_t> documents, const Met& met) {
    PrefetchHomes(documents);
    for (const uint32_t document : documents) {
      OverlapMatch& slot = slots_[PlaceOf(document)];
      if (slot.overlap > 0) {
        met(++slot.overlap);
        continue;
      }
      slot = {document, 1};
      met(1U);
      if (++used_ * 2 > slots_.size()) MakeRoom(slots_.size() * 2);
    }
  }

  // Counts only documents that were met before.
  template <typename Met>
  void CountAgain(std::span<const uint32_t> documents, const Met& met) {
    PrefetchHomes(documents);
    for (const uint32_t document : documents) {
      OverlapMatch& slot = slots_[PlaceOf(document)];
      if (slot.overlap > 0) met(++slot.overlap);
    }
  }

  // Returns the documents met at least `least` times, and at least once.
  std::vector<OverlapMatch> MetAtLeast(uint32_t least) const {
    std::vector<OverlapMatch> met;
    for (const OverlapMatch& slot : slots_) {
      if (slot.overlap > 0 && slot.overlap >= least) met.push_back(slot);
    }
    return met;
  }

 private:
  size_t HomeOf(uint32_t document) const { return document * 0x9E3779B1U >> shift_; }
  size_t PlaceOf(uint32_t document) const {
    size_t at = HomeOf(document);
    while (slots_[at].overlap > 0 && slots_[at].document != document) {
      at = (at + 1) & (slots_.size() - 1);
    }
    return at;
  }
  void PrefetchHomes(std::span<const uint32_t> documents) const {
    if (documents.size() < 4) return;
    for (const uint32_t document : documents) Prefetch(&slots_[HomeOf(document)]);
  }
  void MakeRoom(size_t size) {
    std::vector<OverlapMatch> before(size);
    before.swap(slots_);
    shift_ = 32 - std::countr_zero(size);
    for (const OverlapMatch& slot : before) {
      if (slot.overlap > 0) slots_[PlaceOf(slot.document)] = slot;
    }
  }

  std::vector<OverlapMatch> slots_;  // 2ᵏ, at most half of them used
  size_t used_ = 0;
  int shift_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_DOCUMENT_COUNTS_H_
