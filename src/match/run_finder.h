#ifndef ZHIWEN_MATCH_RUN_FINDER_H_
#define ZHIWEN_MATCH_RUN_FINDER_H_

// Tells whether texts share a long enough run of symbols with one given text, quicker than finding
// all shared runs (match/shared_runs.h): blocks of the given text are in a table, and only equal
// blocks are extended. R. Karp, M. Rabin, "Efficient randomized pattern-matching algorithms", 1987.
//
// In          symbols of texts on one channel
// Guarantees  exact: equal hashes are compared symbol by symbol (run_finder_test.cc)
// Cost        a nanosecond or two a symbol of the other text, and its equal blocks; where repeats
//             make very many of these, the linear FindLongestSharedRun answers instead
// Threads     const after construction: share freely

#include <cstdint>
#include <span>
#include <vector>

namespace zhiwen {

class RunFinder {
 public:
  // Finds runs of at least `least` symbols (≥ 1) of `text`, which must outlive the object.
  RunFinder(std::span<const uint32_t> text, uint32_t least);

  // Returns whether `other` shares such a run with the text.
  bool SharesRun(std::span<const uint32_t> other) const;

 private:
  struct Block {
    uint64_t hash;
    uint32_t begin;
  };

  const std::span<const uint32_t> text_;
  const uint32_t least_;
  // Length of a block. Blocks begin at its multiples, so that a run of twice its length less one
  // has a whole one.
  const uint32_t length_;
  uint64_t power_ = 1;              // of the base, to take the first symbol out of a hash
  std::vector<Block> blocks_;       // ascending by hash
  std::vector<uint64_t> has_hash_;  // a bit for each value of some bits of a hash
  uint64_t mask_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_RUN_FINDER_H_
