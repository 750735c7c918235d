#ifndef ZHIWEN_FINGERPRINT_WINNOWING_H_
#define ZHIWEN_FINGERPRINT_WINNOWING_H_

// Winnowing keeps the smallest block hash of every window of consecutive blocks, so that two texts
// that share a run of g units keep a block of it in common. 语义指纹提取的几种方法, 具体算法 (S0),
// steps 2 and 3; S. Schleimer, D. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document
// Fingerprinting", 2003, §3.
//
// In          units (words or symbols) of one text, in order, one after another
// Guarantees  with blocks of k units and windows of g − k + 1 blocks, every run of g units that two
//             sequences share has a block that is selected in both (winnowing_test.cc); of equal
//             minima of a window the last is selected
// Cost        linear whatever k and the window; memory for k units and two windows
// Threads     none: one text, one object

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fingerprint/feature_parts.h"
#include "zhiwen/fingerprint.h"

namespace zhiwen {

struct WinnowingOptions {
  size_t block = 1;   // k units
  size_t window = 1;  // g − k + 1 blocks
};

class Winnower {
 public:
  explicit Winnower(const WinnowingOptions& options);

  // Adds the next unit, and appends the smallest block of the window that ends with this unit,
  // unless the block was already selected. The hash of a block is the polynomial of its units
  // modulo 2⁶¹ − 1, with the first unit as the highest coefficient (R. Karp, M. Rabin, 1987).
  void Add(const TextUnit& unit, SelectedShingles& selected);

  // Appends the smallest block of the current run, if the run has blocks but fewer than a window.
  void AddOfShortRun(SelectedShingles& selected) const;

  // Ends the run. Neither blocks nor windows cross the end of a run; positions are counted on.
  void EndRun();

  // Counts a unit between runs, which is in no block.
  void Skip() { ++units_; }

  // Returns the number of units added or skipped.
  uint64_t units() const { return units_; }

 private:
  // The data of a unit that is needed until its last block is complete.
  struct Recent {
    uint64_t value = 0;
    ByteOffset begin;
  };

  void TakeBlock(const SelectedShingle& block, SelectedShingles& selected);

  WinnowingOptions options_;
  uint64_t power_ = 1;  // base to the power of k
  uint64_t units_ = 0;

  // State of the current run.
  uint64_t hash_ = 0;
  std::vector<Recent> recent_;  // the last k units, in a ring once there are k
  size_t oldest_ = 0;           // index of the oldest unit in recent_
  uint64_t blocks_ = 0;
  // The blocks from `head_` on are those of the window whose hashes are smaller than all later
  // ones. Their hashes ascend, and the first is the smallest of the window.
  std::vector<SelectedShingle> candidates_;
  size_t head_ = 0;
  bool has_selected_head_ = false;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_WINNOWING_H_
