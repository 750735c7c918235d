#ifndef ZHIWEN_TEXT_SPAN_SINK_H_
#define ZHIWEN_TEXT_SPAN_SINK_H_

// The sink of explaining forms (text/fold_machine.h). It collects symbols with their bytes, and
// counts what was dropped or rewritten. docs/formats/channels.md defines the counts.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "text/fold_tables.h"
#include "zhiwen/channel.h"

namespace zhiwen {

// Counts marks that stand directly between two Han characters: 法*轮, 习★近.
class InsertedMarks {
 public:
  // At most this many marks in a row are inserted ones; more are a ruler or a heading.
  static constexpr uint32_t kMost = 4;

  void TakeHan(uint64_t& inserted) {
    if (state_ == State::kMarks) inserted += marks_;
    state_ = State::kMarks;
    marks_ = 0;
  }
  void TakeMark() {
    if (++marks_ > kMost) state_ = State::kOther;
  }
  void TakeOther() { state_ = State::kOther; }

 private:
  // What was seen since the last Han character: other text, or only marks.
  enum class State : uint8_t { kOther, kMarks };
  State state_ = State::kOther;
  uint32_t marks_ = 0;
};

class SpanSink {
 public:
  static constexpr bool kExplains = true;

  SpanSink(const uint8_t* origin, SpannedSymbols& out) : origin_(origin), out_(out) {}

  void Emit(uint32_t symbol, const uint8_t* begin, const uint8_t* end) {
    out_.symbols.push_back(symbol);
    out_.spans.push_back(
        {{static_cast<uint64_t>(begin - origin_)}, {static_cast<uint64_t>(end - origin_)}});
  }

  void NoteSource(uint32_t code_point, FoldRecord record, bool in_emoji);

  // Counts a number character that the channel reads as a digit.
  void NoteNumber(FoldRecord record);

  void NoteAscii(const uint8_t* begin, const uint8_t* end) {
    out_.disguise.letter_case += static_cast<uint64_t>(
        std::count_if(begin, end, [](uint8_t byte) { return byte >= 'A' && byte <= 'Z'; }));
    inserted_.TakeOther();
  }

  void NoteSymbolUnit() { ++out_.disguise.symbols; }
  void NoteOperator(FoldRecord record) {
    if (record.changed_by_nfkc()) ++out_.disguise.compatibility;
  }

  // Return the number of symbols so far, and the last of them, if any.
  uint64_t emitted() const { return out_.symbols.size(); }
  uint32_t last() const { return out_.symbols.back(); }

 private:
  void NoteChange(FoldRecord record);

  const uint8_t* origin_;
  SpannedSymbols& out_;
  InsertedMarks inserted_;
};

// Runs Machine over the whole text, constructed with a sink and `arguments`.
template <template <typename> typename Machine, typename... Arguments>
SpannedSymbols ExplainWith(std::string_view utf8, const Arguments&... arguments) {
  SpannedSymbols result;
  // Reserves for a text that consists of Han characters only.
  result.symbols.reserve(utf8.size() / 3 + 1);
  result.spans.reserve(utf8.size() / 3 + 1);
  const auto* begin = reinterpret_cast<const uint8_t*>(utf8.data());
  SpanSink sink(begin, result);
  Machine<SpanSink>(sink, arguments...).Run(begin, begin + utf8.size());
  return result;
}

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SPAN_SINK_H_
