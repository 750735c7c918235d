#ifndef ZHIWEN_FEATURE_SHINGLE_RANGES_H_
#define ZHIWEN_FEATURE_SHINGLE_RANGES_H_

// The distinct shingles of what is too large to hold them, ascending, a range at a time: who has
// them is walked over as often as needed.
//
// In          a walk that gives the same shingles each time
// Out         ranges of at most `room`, ascending and distinct
// Cost        a walk for each `room` · 0.4 to 0.8 distinct shingles; what repeats itself takes few.
//             Memory: 16 bytes a shingle of `room`
// Threads     one object a thread
// Fails       as `visit` does

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

class ShingleRanges {
 public:
  using Take = std::function<void(std::span<const uint64_t> shingles)>;

  explicit ShingleRanges(size_t room) : room_(room < 4 ? 4 : room) {}

  // `walk` calls its argument with all shingles, some at a time, repeats included; `expected` is
  // about how many.
  Status Visit(size_t expected, const std::function<void(const Take&)>& walk,
               const std::function<Status(std::span<const uint64_t> range)>& visit);

  // Gives back what Visit took.
  void Shrink();

 private:
  void Collect(std::span<const uint64_t> shingles);
  void SortCollected();

  size_t room_;
  // What was met of [first_, last_], which shrinks until it fits.
  uint64_t first_ = 0, last_ = 0;
  std::vector<uint64_t> collected_, sorting_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FEATURE_SHINGLE_RANGES_H_
