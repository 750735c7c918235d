#ifndef ZHIWEN_INDEX_WIDE_WIDE_JOIN_H_
#define ZHIWEN_INDEX_WIDE_WIDE_JOIN_H_

// Every pair of codes of 128 bits of a set that differ in at most `radius` bits: each code is a
// query of a FourPartIndex of all.
//
// In          distinct codes, in any order
// Out         each pair once, the smaller code first
// Guarantees  exact for every radius
// Cost        the index, and a query a code; where codes share a part, all of these are compared
//             with one another
// Threads     any
// Fails       std::bad_alloc, as operator new does

#include <cstdint>
#include <functional>
#include <span>

#include "index/wide/wide_hamming_index.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct WidePair {
  Code128 a, b;  // a < b

  friend auto operator<=>(const WidePair&, const WidePair&) = default;
};

// Hands over pairs as they are found, many at a time.
using WidePairSink = std::function<void(std::span<const WidePair> pairs)>;

// Fails as `cancellation` says, between some queries.
Status JoinWithin(std::span<const Code128> codes, uint32_t radius, const WidePairSink& sink,
                  const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_WIDE_WIDE_JOIN_H_
