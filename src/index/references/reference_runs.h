#ifndef ZHIWEN_INDEX_REFERENCES_REFERENCE_RUNS_H_
#define ZHIWEN_INDEX_REFERENCES_REFERENCE_RUNS_H_

// Looks up runs of a reference by their keys (index/references/reference_windows.h) where there may
// be many millions: one range of keys after another, each with as many runs as fit.
//
// Out         for each key of a range the first run that has it
// Guarantees  the ranges together hold every key
// Cost        a walk over the reference and some sorts for each range; some megabytes at most

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "index/references/reference_windows.h"

namespace zhiwen {

class ReferenceRuns {
 public:
  struct Run {
    uint64_t key, begin;
    auto operator<=>(const Run&) const = default;
  };

  // Holds at most `room` runs. `symbols` must outlive the object.
  ReferenceRuns(const ReferenceWindows& windows, std::span<const uint32_t> symbols,
                size_t room = kRoom)
      : windows_(windows), symbols_(symbols), room_(std::max<size_t>(room, 2)) {
    runs_.reserve(std::min(room_, symbols.size()));
  }

  // Goes to the next range; false when there is none.
  bool Next() {
    if (last_ == kMost) return false;
    first_ = is_begun_ ? last_ + 1 : 0;
    is_begun_ = true;
    last_ = kMost;
    runs_.clear();
    windows_.VisitAll(symbols_, [&](uint64_t begin, uint64_t key) {
      if (key >= first_ && key <= last_) Take({key, begin});
      return true;
    });
    SortDistinct();
    return true;
  }

  // Returns the first run of the range that has the key; null when none has it.
  const Run* Find(uint64_t key) const {
    const auto found = std::lower_bound(runs_.begin(), runs_.end(), Run{key, 0});
    return found != runs_.end() && found->key == key ? &*found : nullptr;
  }

 private:
  static constexpr size_t kRoom = size_t{1} << 18;
  static constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

  // When the room is full, the greater half waits for another range.
  void Take(const Run& run) {
    runs_.push_back(run);
    if (runs_.size() < room_) return;
    SortDistinct();
    if (runs_.size() <= room_ / 2) return;
    runs_.resize(room_ / 2);
    last_ = runs_.back().key;
  }

  void SortDistinct() {
    std::sort(runs_.begin(), runs_.end());
    const auto same = [](const Run& a, const Run& b) { return a.key == b.key; };
    runs_.erase(std::unique(runs_.begin(), runs_.end(), same), runs_.end());
  }

  const ReferenceWindows windows_;
  const std::span<const uint32_t> symbols_;
  const size_t room_;
  bool is_begun_ = false;
  uint64_t first_ = 0, last_ = 0;
  std::vector<Run> runs_;  // of keys in [first_, last_], ascending
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_REFERENCES_REFERENCE_RUNS_H_
