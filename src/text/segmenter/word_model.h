#ifndef ZHIWEN_TEXT_SEGMENTER_WORD_MODEL_H_
#define ZHIWEN_TEXT_SEGMENTER_WORD_MODEL_H_

// The model of words, evaluated as jieba.finalseg does. A state is a position in a word. Sums are
// added in jieba's order. Of equal sums the later letter wins, because jieba compares pairs.

#include <array>
#include <cstdint>

#include "text/segmenter/segmenter_data.h"

namespace zhiwen {

class WordModel {
 public:
  using Values = std::array<double, 4>;
  // One bit for each state, which selects one of its two predecessors.
  using Row = uint8_t;

  WordModel(const WordModelTable& table, std::span<const std::array<double, 4>> emissions)
      : table_(table), emissions_(emissions) {}

  void Start(uint32_t han, Values& values) const {
    for (size_t i = 0; i < values.size(); ++i) values[i] = table_.start[i] + emissions_[han][i];
  }

  void Step(Values& values, uint32_t han, Row& row) const {
    const std::array<double, 4>& emission = emissions_[han];
    Values next;
    uint32_t bits = 0;
    for (const size_t to : {kB, kE, kM, kS}) {
      const auto& [first, second] = kBefore[to];
      const double one = values[first] + table_.moves[to][first] + emission[to];
      const double two = values[second] + table_.moves[to][second] + emission[to];
      next[to] = two >= one ? two : one;
      bits |= static_cast<uint32_t>(two >= one) << to;
    }
    values = next;
    row = static_cast<Row>(bits);
  }

  // A word must end where the run ends.
  uint8_t Last(const Values& values) const { return values[kS] >= values[kE] ? kS : kE; }

  uint8_t Before(Row row, uint8_t state) const { return kBefore[state][row >> state & 1]; }
  WordPosition position(uint8_t state) const { return static_cast<WordPosition>(state); }

 private:
  enum State : uint8_t { kB, kE, kM, kS };
  // The possible predecessors of each state, in the order of their letters.
  static constexpr uint8_t kBefore[4][2] = {{kE, kS}, {kB, kM}, {kB, kM}, {kE, kS}};

  const WordModelTable& table_;
  std::span<const std::array<double, 4>> emissions_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SEGMENTER_WORD_MODEL_H_
