#ifndef ZHIWEN_FEATURE_SHINGLE_RANGES_H_
#define ZHIWEN_FEATURE_SHINGLE_RANGES_H_

// Visits the distinct shingles of a set too large for memory in ascending order, one range of
// values at a time. The source of the shingles is walked over as often as needed.
//
// In          a walk that gives the same shingles each time
// Out         ranges of at most `room` shingles, ascending and distinct
// Cost        one walk for each 0.4 to 0.8 · `room` distinct shingles; a set with many repeats
//             takes few walks. Memory: 16 bytes a shingle of `room`
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

  // Calls `visit` for each range. `walk` must call its argument with all shingles, in parts,
  // repeats included; `expected` is their approximate number.
  Status Visit(size_t expected, const std::function<void(const Take&)>& walk,
               const std::function<Status(std::span<const uint64_t> range)>& visit);

  // Releases the memory that Visit allocated.
  void Shrink();

 private:
  void Collect(std::span<const uint64_t> shingles);
  void SortCollected();

  size_t room_;
  // The shingles collected so far in [first_, last_], a range that is narrowed until they fit.
  uint64_t first_ = 0, last_ = 0;
  std::vector<uint64_t> collected_, sorting_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FEATURE_SHINGLE_RANGES_H_
