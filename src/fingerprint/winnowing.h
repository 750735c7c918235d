#ifndef ZHIWEN_FINGERPRINT_WINNOWING_H_
#define ZHIWEN_FINGERPRINT_WINNOWING_H_

// Winnowing: of every window of consecutive block hashes the smallest is kept, so that two texts
// that share a run of g units keep a block of it alike. 语义指纹提取的几种方法, 具体算法 (S0),
// steps 2 and 3; S. Schleimer, D. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document
// Fingerprinting", 2003, §3.
//
// In          units (words or symbols) of one text, in order, one after another
// Guarantees  with blocks of k units and windows of g − k + 1 blocks, every run of g units that two
//             sequences share has a block that is selected in both (winnowing_test.cc); of equal
//             minima of a window the last
// Cost        linear whatever k and the window; memory for k units and two windows
// Threads     none: one text, one object

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fingerprint/feature_parts.h"
#include "zhiwen/fingerprint.h"

namespace zhiwen {

struct WinnowingOptions {
  size_t block = 1;   // units, k
  size_t window = 1;  // blocks, g − k + 1
};

class Winnower {
 public:
  explicit Winnower(const WinnowingOptions& options);

  // Takes the next unit, and appends the block that is the smallest of the window that ends with
  // it, unless it was selected before. The hash of a block is the polynomial of its units modulo
  // 2⁶¹ − 1, the first unit the highest (R. Karp, M. Rabin, 1987).
  void Add(const TextUnit& unit, SelectedShingles& selected);

  // Appends the smallest block of the run where there are some, and fewer than a window.
  void AddOfShortRun(SelectedShingles& selected) const;

  // Ends the run: neither blocks nor windows go beyond it. Positions go on.
  void EndRun();

  // Counts a unit between runs, of which no block is made.
  void Skip() { ++units_; }

  // How many units were taken or skipped.
  uint64_t units() const { return units_; }

 private:
  // What is needed of a unit until its last block is complete.
  struct Recent {
    uint64_t value = 0;
    ByteOffset begin;
  };

  void TakeBlock(const SelectedShingle& block, SelectedShingles& selected);

  WinnowingOptions options_;
  uint64_t power_ = 1;  // of the base, to the k
  uint64_t units_ = 0;

  // Of the run.
  uint64_t hash_ = 0;
  std::vector<Recent> recent_;  // the last k units, a ring once they are k
  size_t oldest_ = 0;           // of them
  uint64_t blocks_ = 0;
  // From `head_` on the blocks of the window whose hashes are below all that follow them: ascending
  // hashes, the first the smallest of the window.
  std::vector<SelectedShingle> candidates_;
  size_t head_ = 0;
  bool has_selected_head_ = false;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_WINNOWING_H_
