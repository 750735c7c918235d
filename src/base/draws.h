#ifndef ZHIWEN_BASE_DRAWS_H_
#define ZHIWEN_BASE_DRAWS_H_

// A sequence of pseudo-random numbers: the hashes of 0, 1, 2 … The same seed gives the same numbers
// on every machine.

#include <cstddef>
#include <cstdint>

#include "base/hash.h"
#include "base/value_bytes.h"

namespace zhiwen {

class Draws {
 public:
  explicit Draws(uint64_t seed) : seed_(seed) {}

  // Returns the next number, from 0 to `end` − 1.
  size_t Next(size_t end) {
    __extension__ using Product = unsigned __int128;
    const uint64_t hash = HashBytes64(BytesOfValue(drawn_++), seed_);
    return static_cast<size_t>(Product{hash} * end >> 64);
  }

 private:
  uint64_t seed_, drawn_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_DRAWS_H_
