#ifndef ZHIWEN_TEXT_SEGMENTER_HIDDEN_WORDS_H_
#define ZHIWEN_TEXT_SEGMENTER_HIDDEN_WORDS_H_

// Finds the most probable states of a hidden Markov model along a run of Han characters (Viterbi's
// algorithm), and the words that these states mark.
//
// A long run is processed in chunks: forward once, keeping the probabilities at the end of each
// chunk; backward, to know the state at the end of each; forward again, passing on the states.
// Every probability is computed from the same values in the same order, so the result is that of
// the run as a whole.
//
// In          characters of three bytes each
// Cost        a chunk of rows, and the values kept for each chunk
// Threads     one object a thread

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/segmenter/segmenter_data.h"

namespace zhiwen {

// A Model has
//   Values                          the probability of each state at one character
//   Row                             the state before each state
//   void Start(han, values)         at the first character
//   void Step(values, han, row)     from one character to the next
//   uint8_t Last(values)            the most probable state at the end
//   uint8_t Before(row, state)
//   WordPosition position(state)
template <typename Model>
class HiddenWords {
 public:
  explicit HiddenWords(uint32_t chunk = 8192) : chunk_(chunk) {}

  // Calls take(begin, end, state) for every word, with its first byte, the byte after its last, and
  // the state of its last character.
  template <typename Take>
  void ForEach(const Model& model, const uint8_t* begin, const uint8_t* end, const Take& take) {
    const uint8_t* word = begin;
    const uint8_t* next = begin;  // end of the last word
    uint8_t rest = 0;
    Decode(model, begin, end, [&](const uint8_t* at, uint8_t state) {
      const WordPosition position = model.position(state);
      if (at == next) rest = state;
      if (position == WordPosition::kBegin) {
        word = at;
      } else if (position != WordPosition::kMiddle) {
        next = at + kHanBytes;
        take(position == WordPosition::kEnd ? word : at, next, state);
      }
    });
    if (next < end) take(next, end, rest);
  }

 private:
  static uint32_t Han(const uint8_t* at) { return HanCode(at, at + kHanBytes) - 1; }

  // Calls take(at, state) for every character.
  template <typename Take>
  void Decode(const Model& model, const uint8_t* begin, const uint8_t* end, const Take& take) {
    const size_t count = static_cast<size_t>(end - begin) / kHanBytes;
    const size_t chunks = (count + chunk_ - 1) / chunk_;
    rows_.resize(std::min<size_t>(std::max(rows_.size(), count), chunk_));
    states_.resize(rows_.size());
    kept_.resize(std::max(kept_.size(), chunks - 1));
    const auto size_of = [&](size_t chunk) {
      return std::min<size_t>(count - chunk * chunk_, chunk_);
    };
    for (size_t chunk = 0; chunk < chunks; ++chunk) {
      Forward(model, begin, chunk, size_of(chunk));
      if (chunk + 1 < chunks) kept_[chunk] = values_;
    }
    uint8_t state = model.Last(values_);
    if (chunks == 1) {
      Trace(model, count, state);
      for (size_t i = 0; i < count; ++i) take(begin + i * kHanBytes, states_[i]);
      return;
    }
    last_states_.resize(chunks);
    for (size_t chunk = chunks; chunk-- > 0;) {
      last_states_[chunk] = state;
      if (chunk == 0) break;
      if (chunk + 1 < chunks) Forward(model, begin, chunk, size_of(chunk));
      state = Trace(model, size_of(chunk), state);
    }
    for (size_t chunk = 0; chunk < chunks; ++chunk) {
      Forward(model, begin, chunk, size_of(chunk));
      Trace(model, size_of(chunk), last_states_[chunk]);
      const uint8_t* at = begin + chunk * chunk_ * kHanBytes;
      for (size_t i = 0; i < size_of(chunk); ++i) take(at + i * kHanBytes, states_[i]);
    }
  }

  // Fills the rows of a chunk, and values_ with the values of its last character.
  void Forward(const Model& model, const uint8_t* begin, size_t chunk, size_t size) {
    const uint8_t* at = begin + chunk * chunk_ * kHanBytes;
    if (chunk > 0) values_ = kept_[chunk - 1];
    for (size_t i = 0; i < size; ++i, at += kHanBytes) {
      if (i == 0 && chunk == 0) {
        model.Start(Han(at), values_);
      } else {
        model.Step(values_, Han(at), rows_[i]);
      }
    }
  }

  // Fills the states of a chunk from the last one. Returns the state before its first character.
  uint8_t Trace(const Model& model, size_t size, uint8_t state) {
    for (size_t i = size; i-- > 0;) {
      states_[i] = state;
      state = model.Before(rows_[i], state);
    }
    return state;
  }

  size_t chunk_;
  typename Model::Values values_ = {};
  std::vector<typename Model::Row> rows_;
  std::vector<uint8_t> states_;
  std::vector<typename Model::Values> kept_;
  std::vector<uint8_t> last_states_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SEGMENTER_HIDDEN_WORDS_H_
