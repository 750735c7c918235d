#ifndef ZHIWEN_PIPELINE_CALIBRATE_PLANTED_CHANGES_H_
#define ZHIWEN_PIPELINE_CALIBRATE_PLANTED_CHANGES_H_

// Makes copies of texts in which a known number of units is changed: replaced by another unit,
// deleted, or preceded by an inserted one.
//
// In          valid UTF-8; units to put in, taken from texts of the same kind
// Out         the changed text
// Guarantees  the same seed gives the same copy. Units of words stay apart from their neighbours,
//             so that a change changes no unit beside it
// Cost        linear in the text
// Threads     free functions

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/offsets.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A unit of a text on the channel folded, and where it is.
struct TextUnit {
  uint32_t symbol = 0;
  ByteSpan span;
};

// Returns the units of `utf8`; several that come from the same bytes are one. Fails: kUnreadable
// when `utf8` is not valid UTF-8.
Result<std::vector<TextUnit>> UnitsOf(std::string_view utf8);

struct SpareUnit {
  uint32_t symbol = 0;
  std::string bytes;
};

// Appends `count` units of a text that has some, drawn with `seed`, to those that can be put in.
void DrawUnits(std::string_view utf8, std::span<const TextUnit> units, size_t count, uint64_t seed,
               std::vector<SpareUnit>& spare);

// Returns the number of changes that is nearest to this share of the units.
uint64_t CountChanges(size_t units, double share);

// Returns the text with `changes` of its units, at most all, changed. `spare` is not empty.
std::string PlantChanges(std::string_view utf8, std::span<const TextUnit> units, uint64_t changes,
                         std::span<const SpareUnit> spare, uint64_t seed);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_CALIBRATE_PLANTED_CHANGES_H_
