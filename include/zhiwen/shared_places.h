#ifndef ZHIWEN_SHARED_PLACES_H_
#define ZHIWEN_SHARED_PLACES_H_

// Where two texts agree, by schemes whose values have places: winnowing, and initials_dna.
//
// Threads     free functions

#include <cstdint>
#include <string_view>
#include <vector>

#include "zhiwen/environment.h"
#include "zhiwen/fingerprint.h"
#include "zhiwen/offsets.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

// --- selected shingles (winnowing) ---------------------------------------------------------------

// A hash that both texts have, with every place of it in both; neither is empty.
struct SharedShingle {
  SelectedShingles a, b;

  friend bool operator==(const SharedShingle&, const SharedShingle&) = default;
};

// Of two values of one scheme, in the order of the first places in a, equal ones by their hashes.
// Cost: n log n.
std::vector<SharedShingle> FindSharedShingles(const SelectedShingles& a, const SelectedShingles& b);

// The bytes that shared shingles lie on, of those that any lie on, in both texts together: 0 to 1;
// 0 where the shingles have no bytes. Symmetric. Cost: n log n.
double ShingleCoverage(const SelectedShingles& a, const SelectedShingles& b);

// --- granules (initials_dna) ---------------------------------------------------------------------

// A granule of a, and the first of the stretches of b whose letters are closest to its own.
struct ClosestGranule {
  ByteSpan a, b;
  uint32_t distance = 0;  // L1 of their digits

  friend bool operator==(const ClosestGranule&, const ClosestGranule&) = default;
};

// One for each granule that the scheme makes of `a`, none where a text has no letters. Over `b`
// they slide character by character, so that a copy is found wherever it begins, and one missing
// character changes only the granules around it. Cost: granules of a · characters of b, a tenth
// of a nanosecond each. Fails: kInvalidArgument for another scheme than initials_dna; kUnreadable
// for a text that is not valid UTF-8; kInterrupted, kTerminated.
Result<std::vector<ClosestGranule>> FindClosestGranules(const Scheme& scheme, std::string_view a,
                                                        std::string_view b,
                                                        const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_SHARED_PLACES_H_
