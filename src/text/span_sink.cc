#include "text/span_sink.h"

#include <string_view>

namespace zhiwen {
namespace {

// Returns whether a character by itself contributes to the symbols.
bool YieldsUnit(FoldRecord record) {
  const auto is_kept = [](FoldClass fold_class) {
    return fold_class != FoldClass::kDropped && fold_class != FoldClass::kTransparent &&
           fold_class != FoldClass::kPoint && fold_class != FoldClass::kMark &&
           fold_class != FoldClass::kOperator;
  };
  if (record.fold_class() != FoldClass::kExpansion) return is_kept(record.fold_class());
  return std::ranges::any_of(record.expansion(),
                             [&](uint32_t part) { return is_kept(LookUpFold(part).fold_class()); });
}

// Returns whether a mark is ordinary between two Han characters: marks of sentences, quotations,
// brackets, names, ranges and percentages. '.' is not, because a Chinese sentence ends with 。
bool IsOrdinary(uint32_t mark) {
  static constexpr std::u32string_view kMarks =
      U" ,;:?!()[]{}\"'-/%、。“”‘’《》〈〉「」『』【】〔〕〖〗—–―‐·・•‧〜";
  return kMarks.find(mark) != std::u32string_view::npos;
}

bool IsMark(uint32_t code_point, FoldRecord record) {
  switch (record.fold_class()) {
    case FoldClass::kSymbol:
      return true;
    case FoldClass::kDropped:
    case FoldClass::kPoint:
    case FoldClass::kOperator:
      // Neither a control nor a line end.
      return record.grapheme_break() == GraphemeBreak::kOther &&
             !IsOrdinary(record.Map(code_point));
    default:
      return false;
  }
}

}  // namespace

void SpanSink::NoteSource(uint32_t code_point, FoldRecord record, bool in_emoji) {
  const FoldClass fold_class = record.fold_class();
  if (fold_class == FoldClass::kTransparent) {
    if (!in_emoji) ++out_.disguise.invisible;
  } else if (fold_class == FoldClass::kHan) {
    inserted_.TakeHan(out_.disguise.inserted);
  } else if (IsMark(code_point, record)) {
    inserted_.TakeMark();
  } else {
    inserted_.TakeOther();
  }
  if (YieldsUnit(record)) NoteChange(record);
}

void SpanSink::NoteNumber(FoldRecord record) {
  inserted_.TakeHan(out_.disguise.inserted);
  ++out_.disguise.numbers;
  if (record.changed_by_nfkc()) ++out_.disguise.compatibility;
}

void SpanSink::NoteChange(FoldRecord record) {
  DisguiseCounts& counts = out_.disguise;
  if (record.changed_by_nfkc()) ++counts.compatibility;
  switch (record.last_change()) {
    case LastChange::kNone:
      if (!record.is_unchanged() && !record.changed_by_nfkc()) ++counts.letter_case;
      return;
    case LastChange::kScript:
      ++counts.traditional;
      return;
    case LastChange::kVersion:
      if (record.fold_class() == FoldClass::kHan) {
        ++counts.variants;
      } else if (record.fold_class() != FoldClass::kRun) {
        ++counts.compatibility;  // a circled digit, as ❶ for ①
      } else {
        ++counts.look_alikes;
      }
      return;
    case LastChange::kSlang:
      ++counts.slang;
      return;
  }
}

}  // namespace zhiwen
