#ifndef ZHIWEN_TEXT_GRAPHEME_H_
#define ZHIWEN_TEXT_GRAPHEME_H_

// Extended grapheme clusters, UAX #29 of Unicode 15.0, as a state machine over GraphemeBreak.
//
// Guarantees  equal to GraphemeBreakTest.txt and to ICU on random texts (grapheme_test.cc), except
//             for kMaxClusterLength: a cluster is cut after this many code points and the rest is
//             segmented separately, so that a text of marks alone costs linear time
// Cost        a shift and a mask for nearly every pair

#include <cstddef>
#include <cstdint>

#include "text/fold_tables.h"

namespace zhiwen {

inline constexpr size_t kMaxClusterLength = 256;

namespace grapheme_internal {

constexpr uint32_t Bit(GraphemeBreak value) { return 1U << static_cast<uint32_t>(value); }

// Returns the classes that join a first code point of a cluster, except for GB11 (ZWJ × emoji).
constexpr uint32_t JoinersOf(GraphemeBreak first) {
  using enum GraphemeBreak;
  constexpr uint32_t kAttached = Bit(kExtend) | Bit(kZwj) | Bit(kSpacingMark);
  switch (first) {
    case kCr:
      return Bit(kLf);
    case kLf:
    case kControl:
      return 0;
    case kPrepend:
      return 0xFFFF & ~(Bit(kCr) | Bit(kLf) | Bit(kControl));
    case kRegionalIndicator:
      return kAttached | Bit(kRegionalIndicator);
    case kL:
      return kAttached | Bit(kL) | Bit(kV) | Bit(kLv) | Bit(kLvt);
    case kV:
    case kLv:
      return kAttached | Bit(kV) | Bit(kT);
    case kT:
    case kLvt:
      return kAttached | Bit(kT);
    default:
      return kAttached;
  }
}

struct JoinerTable {
  uint16_t of[16] = {};
  constexpr JoinerTable() {
    for (uint8_t i = 0; i < 16; ++i) {
      of[i] = static_cast<uint16_t>(JoinersOf(static_cast<GraphemeBreak>(i)));
    }
  }
};
inline constexpr JoinerTable kJoiners;

}  // namespace grapheme_internal

// Returns whether `second` continues the cluster that the single code point `first` started.
inline bool JoinsFirst(GraphemeBreak first, GraphemeBreak second) {
  return (grapheme_internal::kJoiners.of[static_cast<size_t>(first)] >>
              static_cast<uint32_t>(second) &
          1) != 0;
}

// Grows one cluster code point by code point.
class GraphemeCluster {
 public:
  explicit GraphemeCluster(GraphemeBreak first)
      : last_(first), emoji_(first == GraphemeBreak::kPictographic ? Emoji::kOpen : Emoji::kNone) {}

  // Returns whether `next` belongs to the cluster, and if so makes it the last code point.
  bool Accept(GraphemeBreak next) {
    if (length_ == kMaxClusterLength || !Joins(next)) return false;
    if (next == GraphemeBreak::kPictographic) {
      emoji_ = Emoji::kOpen;
    } else if (emoji_ == Emoji::kOpen && next != GraphemeBreak::kExtend) {
      emoji_ = next == GraphemeBreak::kZwj ? Emoji::kJoiner : Emoji::kNone;
    } else if (emoji_ == Emoji::kJoiner) {
      emoji_ = Emoji::kNone;
    }
    after_flag_ =
        next == GraphemeBreak::kRegionalIndicator && last_ == GraphemeBreak::kRegionalIndicator;
    last_ = next;
    ++length_;
    return true;
  }

 private:
  enum class Emoji : uint8_t { kNone, kOpen, kJoiner };

  bool Joins(GraphemeBreak next) const {
    if (next == GraphemeBreak::kPictographic && emoji_ == Emoji::kJoiner) return true;
    if (next == GraphemeBreak::kRegionalIndicator && after_flag_) return false;
    return JoinsFirst(last_, next);
  }

  GraphemeBreak last_;
  Emoji emoji_;
  bool after_flag_ = false;  // the last two code points are a whole flag
  size_t length_ = 1;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_GRAPHEME_H_
