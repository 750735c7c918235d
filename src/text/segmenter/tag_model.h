#ifndef ZHIWEN_TEXT_SEGMENTER_TAG_MODEL_H_
#define ZHIWEN_TEXT_SEGMENTER_TAG_MODEL_H_

// The model of words with tags, evaluated as jieba.posseg does. A state is a position in a word and
// a tag. A character is tried only in the states that its table lists and that can follow the
// states of the character before; when none is left, in all states that can follow. Sums are added
// in jieba's order. Of equal sums the later state wins, ordered by position and tag as texts.

#include <array>
#include <cstdint>
#include <vector>

#include "text/segmenter/segmenter_data.h"

namespace zhiwen {

class TagModel {
 public:
  using States = std::array<uint64_t, kMostTagStates / 64>;  // one bit for each state
  struct Values {
    std::array<double, kMostTagStates> value;  // −∞ for states that are not tried
    States tried;
  };
  using Row = std::array<uint8_t, kMostTagStates>;

  explicit TagModel(const SegmenterData& data);

  void Start(uint32_t han, Values& values) const;
  void Step(Values& values, uint32_t han, Row& row) const;
  uint8_t Last(const Values& values) const;
  uint8_t Before(const Row& row, uint8_t state) const { return row[state]; }
  WordPosition position(uint8_t state) const { return states_[state].position; }
  uint32_t tag(uint8_t state) const { return states_[state].tag; }

 private:
  std::span<const TagEmission> EmissionsOf(uint32_t han) const {
    return emissions_.subspan(emission_begins_[han],
                              emission_begins_[han + 1] - emission_begins_[han]);
  }
  States ListedStates(uint32_t han) const;

  std::span<const TagState> states_;
  std::span<const uint32_t> move_begins_;
  std::span<const TagMove> moves_;
  std::span<const uint32_t> emission_begins_;
  std::span<const TagEmission> emissions_;
  States all_ = {};
  std::vector<States> following_;  // by state: the states that can follow
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SEGMENTER_TAG_MODEL_H_
