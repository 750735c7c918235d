#include "text/segmenter/tag_model.h"

#include <bit>
#include <limits>

namespace zhiwen {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
using States = TagModel::States;

bool IsEmpty(const States& states) { return (states[0] | states[1] | states[2] | states[3]) == 0; }

void AddState(States& states, uint32_t state) { states[state / 64] |= uint64_t{1} << state % 64; }

uint32_t FirstState(const States& states) {
  uint32_t word = 0;
  while (word + 1 < states.size() && states[word] == 0) ++word;
  return word * 64 + static_cast<uint32_t>(std::countr_zero(states[word]));
}

// Calls take(state) for each state, in ascending order.
template <typename Take>
void ForEachState(const States& states, const Take& take) {
  for (uint32_t word = 0; word < states.size(); ++word) {
    for (uint64_t left = states[word]; left != 0; left &= left - 1) {
      take(word * 64 + static_cast<uint32_t>(std::countr_zero(left)));
    }
  }
}

// Looks up the emissions of one character, for states in ascending order.
class Emissions {
 public:
  explicit Emissions(std::span<const TagEmission> known) : known_(known) {}
  double Of(uint32_t state) {
    while (at_ < known_.size() && known_[at_].state < state) ++at_;
    return at_ < known_.size() && known_[at_].state == state ? known_[at_].probability
                                                             : kNeverProbability;
  }

 private:
  std::span<const TagEmission> known_;
  size_t at_ = 0;
};

}  // namespace

TagModel::TagModel(const SegmenterData& data)
    : states_(data.tag_states),
      move_begins_(data.tag_move_begins),
      moves_(data.tag_moves),
      emission_begins_(data.tag_emission_begins),
      emissions_(data.tag_emissions),
      following_(data.tag_states.size()) {
  for (uint32_t state = 0; state < states_.size(); ++state) {
    AddState(all_, state);
    for (uint32_t i = move_begins_[state]; i < move_begins_[state + 1]; ++i) {
      AddState(following_[moves_[i].from], state);
    }
  }
}

// Returns the states that a character is tried in: those listed, or all when none is listed.
States TagModel::ListedStates(uint32_t han) const {
  States listed = {};
  for (const TagEmission& emission : EmissionsOf(han)) {
    if (emission.listed != 0) AddState(listed, emission.state);
  }
  return IsEmpty(listed) ? all_ : listed;
}

void TagModel::Start(uint32_t han, Values& values) const {
  values.value.fill(kImpossible);
  values.tried = ListedStates(han);
  Emissions emissions(EmissionsOf(han));
  ForEachState(values.tried, [&](uint32_t state) {
    values.value[state] = states_[state].start + emissions.Of(state);
  });
}

void TagModel::Step(Values& values, uint32_t han, Row& row) const {
  const Values before = values;
  States expected = {}, tried = ListedStates(han);
  ForEachState(before.tried, [&](uint32_t state) {
    for (size_t i = 0; i < expected.size(); ++i) expected[i] |= following_[state][i];
  });
  for (size_t i = 0; i < expected.size(); ++i) tried[i] &= expected[i];
  if (IsEmpty(tried)) tried = IsEmpty(expected) ? all_ : expected;
  values.value.fill(kImpossible);
  values.tried = tried;
  Emissions emissions(EmissionsOf(han));
  ForEachState(tried, [&](uint32_t state) {
    const double emission = emissions.Of(state);
    double best = kImpossible;
    uint32_t best_from = 0;
    // A sum from a state that was not tried is kImpossible, which no other sum is (IsProbability).
    for (uint32_t i = move_begins_[state]; i < move_begins_[state + 1]; ++i) {
      const TagMove& move = moves_[i];
      const double value = before.value[move.from] + move.probability + emission;
      if (value < best) continue;
      best = value;
      best_from = move.from;
    }
    if (best == kImpossible)
      best_from = FirstState(before.tried);  // a tried state, whose row is filled
    values.value[state] = best;
    row[state] = static_cast<uint8_t>(best_from);
  });
}

uint8_t TagModel::Last(const Values& values) const {
  double best = kImpossible;
  uint32_t last = 0;
  ForEachState(values.tried, [&](uint32_t state) {
    if (values.value[state] < best) return;
    best = values.value[state];
    last = state;
  });
  return static_cast<uint8_t>(last);
}

}  // namespace zhiwen
