#ifndef ZHIWEN_INDEX_HAMMING_HAMMING_JOIN_H_
#define ZHIWEN_INDEX_HAMMING_HAMMING_JOIN_H_

// Finds all pairs of codes of a set that differ in at most `radius` bits. Codes are sorted, so that
// those with a common prefix form a range. Two ranges are halved by their next bit, and halves are
// compared with halves: those with the same bit for free, those with the other bit for one of the
// remaining differences. By the pigeonhole principle of half_keys.h this is done twice: once with
// ⌊r/2⌋ differences in the upper halves of codes, and once, with the halves exchanged, with
// ⌊(r−1)/2⌋.
//
// In          distinct codes, in any order
// Out         each pair once, the smaller code first, in an order that depends on the codes alone
// Guarantees  exact for every radius; biased codes cost little more than uniform ones
// Cost        16 bytes a code; for r = 3 about as long as sorting the codes a few times
// Threads     any
// Fails       std::bad_alloc, as operator new does

#include <cstdint>
#include <functional>
#include <span>

#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct CodePair {
  uint64_t a = 0, b = 0;  // a < b

  friend auto operator<=>(const CodePair&, const CodePair&) = default;
};

// Receives pairs as they are found, many at a time.
using PairSink = std::function<void(std::span<const CodePair> pairs)>;

// Joins the codes. Progress is reported as the stage "join", in codes. Fails as `cancellation`
// says, within milliseconds.
Status JoinWithin(std::span<const uint64_t> codes, uint32_t radius, const PairSink& sink,
                  ProgressSink& progress, const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_HAMMING_HAMMING_JOIN_H_
