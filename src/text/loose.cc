#include "text/loose.h"

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "base/utf8/utf8.h"
#include "text/channel_view.h"
#include "text/fold_machine.h"
#include "text/fold_variants.h"
#include "text/span_sink.h"
#include "text/symbol_sink.h"
#include "text/unit_hash.h"
#include "text/unit_name.h"
#include "text/wide_table.h"

namespace zhiwen {
namespace {

// Returns the digit for a number character among the symbols that kFoldNumbers leaves, or 0 for
// other symbols.
uint32_t DigitOf(uint32_t symbol) {
  static constexpr std::u32string_view kNumbers = U"〇一二三四五六七八九";
  if (symbol < U'〇' || symbol > U'鿿') return 0;
  const size_t digit = kNumbers.find(static_cast<char32_t>(symbol));
  return digit == std::u32string_view::npos ? 0 : '0' + static_cast<uint32_t>(digit);
}

// Returns the symbols that a code point becomes; `mapped` holds the symbol when there is one.
std::span<const uint32_t> PartsOf(uint32_t code_point, const FoldTable& table, uint32_t& mapped) {
  const FoldRecord record = table.LookUp(code_point);
  if (record.fold_class() == FoldClass::kExpansion) return record.expansion();
  mapped = record.Map(code_point);
  return {&mapped, 1};
}

// Reads the digits of a run that consists of digits only, at most kMost.
class RunDigits {
 public:
  static constexpr size_t kMost = 32;

  explicit RunDigits(const FoldTable& table) : table_(table) {}

  // Returns whether the unit with this symbol may consist of digits only.
  static bool MayBe(uint32_t symbol, const uint8_t* begin) {
    return !IsHashedUnit(symbol) ? symbol - '0' < 10 : (*begin | 0x20U) - 'a' >= 26;
  }

  // Reads the unit with this symbol from its source, which it may share with other units of a
  // cluster (㏠ is 1 and 日). Returns whether the unit consists of digits.
  bool Read(uint32_t symbol, const uint8_t* at, const uint8_t* end) {
    count_ = 0;
    while (at < end) {
      const DecodedCodePoint decoded = DecodeCodePoint(at, end);
      uint32_t mapped = 0;
      for (const uint32_t part : PartsOf(decoded.code_point, table_, mapped)) {
        const bool is_digit = part - '0' < 10;
        if (!is_digit && Says(symbol)) return true;
        if (!Take(part, is_digit, table_.LookUp(part).fold_class())) return false;
      }
      at += decoded.length;
    }
    return Says(symbol);
  }

  std::span<const uint32_t> digits() const { return {digits_.data(), count_}; }

 private:
  bool Take(uint32_t part, bool is_digit, FoldClass fold_class) {
    if (is_digit) {
      if (count_ == kMost) return false;
      digits_[count_++] = part;
    } else if (fold_class == FoldClass::kRun || fold_class == FoldClass::kMark) {
      return false;
    } else if (fold_class != FoldClass::kTransparent) {
      count_ = 0;  // the digits belong to another unit
    }
    return true;
  }

  bool Says(uint32_t symbol) const {
    if (count_ == 0) return false;
    UnitHash unit;
    unit.Start(digits_[0]);
    for (size_t i = 1; i < count_; ++i) unit.Append(digits_[i]);
    return unit.Symbol() == symbol;
  }

  const FoldTable table_;
  size_t count_ = 0;
  std::array<uint32_t, kMost> digits_{};
};

// A sink before `Next` that joins number characters, and the runs of digits beside them, to one run
// within a line. A run of digits waits unread until the next unit is known.
template <typename Next>
class NumberSink {
 public:
  static constexpr bool kExplains = Next::kExplains;

  NumberSink(Next& next, const FoldTable& table, const WideTable& wide, bool reads_numbers)
      : next_(next), digits_(table), wide_(wide), reads_numbers_(reads_numbers) {}

  void Emit(uint32_t symbol, const uint8_t* begin, const uint8_t* end) {
    const bool may_join = open_ != Open::kNothing || (reads_numbers_ && MayBeNumber(symbol, begin));
    if (!may_join) return next_.Emit(symbol, begin, end);
    Join(symbol, begin, end);
  }

  size_t FoldWide(const uint8_t* at, size_t size) {
    if (open_ != Open::kNothing && !IsUnit(at, size)) return 0;
    Close();
    return next_.FoldWide(at, size);
  }

  void NoteSource(uint32_t code_point, FoldRecord record, bool in_emoji) {
    const bool is_number = reads_numbers_ && record.fold_class() == FoldClass::kHan &&
                           DigitOf(record.Map(code_point)) != 0;
    if (is_number) {
      next_.NoteNumber(record);
    } else {
      next_.NoteSource(code_point, record, in_emoji);
    }
  }

  void NoteAscii(const uint8_t* begin, const uint8_t* end) { next_.NoteAscii(begin, end); }
  void NoteSymbolUnit() { next_.NoteSymbolUnit(); }

  // Ends the open run. Called at the end of a line.
  void Close() {
    if (open_ == Open::kNothing) return;
    next_.Emit(open_ == Open::kUnread ? last_ : unit_.Symbol(), begin_, end_);
    open_ = Open::kNothing;
  }

  // Return the number of units so far, and the symbol of the last one, if any, on folded.
  uint64_t emitted() const { return next_.emitted() + (open_ == Open::kNothing ? 0 : 1); }
  uint32_t last() const { return open_ == Open::kNothing ? next_.last() : last_; }

 private:
  // The run that may go on: one that ends with a number character, one that ends with digits after
  // a number character, or a unit of the source that may be digits.
  enum class Open : uint8_t { kNothing, kNumber, kDigits, kUnread };

  static bool MayBeNumber(uint32_t symbol, const uint8_t* begin) {
    return RunDigits::MayBe(symbol, begin) || (symbol >= U'〇' && symbol <= U'鿿');
  }

  // Returns whether the character at `at` is a unit, but neither a number nor a symbol that may be
  // dropped.
  bool IsUnit(const uint8_t* at, size_t size) const {
    return size >= 3 && IsContinuation(at[1]) && IsContinuation(at[2]) &&
           wide_[(at[0] & 0xFU) << 12 | (at[1] & 0x3FU) << 6 | (at[2] & 0x3FU)] < kFoldDropped;
  }

  void Join(uint32_t symbol, const uint8_t* begin, const uint8_t* end) {
    if (const uint32_t digit = DigitOf(symbol); digit != 0) {
      if (open_ == Open::kUnread && !ReadWaiting()) Close();
      Append(std::span(&digit, 1), begin);
      Keep(symbol, end, Open::kNumber);
    } else if (!RunDigits::MayBe(symbol, begin)) {
      Close();
      next_.Emit(symbol, begin, end);
    } else if (open_ == Open::kNumber && digits_.Read(symbol, begin, end)) {
      Append(digits_.digits(), begin);
      Keep(symbol, end, Open::kDigits);
    } else {
      Close();
      begin_ = begin;
      Keep(symbol, end, Open::kUnread);
    }
  }

  bool ReadWaiting() {
    if (!digits_.Read(last_, begin_, end_)) return false;
    open_ = Open::kNothing;
    Append(digits_.digits(), begin_);
    return true;
  }

  void Append(std::span<const uint32_t> digits, const uint8_t* begin) {
    for (const uint32_t digit : digits) {
      if (open_ == Open::kNothing) {
        begin_ = begin;
        unit_.Start(digit);
        open_ = Open::kDigits;
      } else {
        unit_.Append(digit);
      }
    }
  }

  void Keep(uint32_t symbol, const uint8_t* end, Open open) {
    last_ = symbol;
    end_ = end;
    open_ = open;
  }

  Next& next_;
  RunDigits digits_;
  const WideTable& wide_;
  const bool reads_numbers_;
  Open open_ = Open::kNothing;
  UnitHash unit_;  // of a run that was read
  const uint8_t* begin_ = nullptr;
  const uint8_t* end_ = nullptr;
  uint32_t last_ = 0;
};

// Returns the digits that a run of number characters was joined to, or an empty string when the
// symbol is not theirs.
std::string NameOfNumber(uint32_t symbol, std::string_view source, const FoldTable& table) {
  std::string name;
  UnitHash unit;
  VisitCodePoints(source, [&](DecodedCodePoint decoded, size_t) {
    uint32_t mapped = 0;
    for (const uint32_t part : PartsOf(decoded.code_point, table, mapped)) {
      const uint32_t digit = part - '0' < 10 ? part : DigitOf(part);
      if (digit == 0) continue;
      name.empty() ? unit.Start(digit) : unit.Append(digit);
      name += static_cast<char>(digit);
    }
  });
  return !name.empty() && unit.Symbol() == symbol ? name : "";
}

struct LooseSteps {
  bool drops_symbols;
  bool reads_numbers;
};

// A sink before a NumberSink that holds back symbol units after a Han character until it is known
// whether another Han character follows in the same line. If so, they are dropped. More than
// InsertedMarks::kMost in a row are kept, which bounds what is held.
template <typename Next>
class DroppingSink {
 public:
  static constexpr bool kExplains = Next::kExplains;

  DroppingSink(Next& next, const FoldTable& table, const WideTable& wide, LooseSteps steps)
      : next_(next, table, wide, steps.reads_numbers),
        table_(table),
        drops_symbols_(steps.drops_symbols) {}

  void Emit(uint32_t symbol, const uint8_t* begin, const uint8_t* end) {
    if (!next_is_symbol_ && count_ == 0) return next_.Emit(symbol, begin, end);
    TakeAmongSymbols(symbol, begin, end);
  }

  size_t FoldWide(const uint8_t* at, size_t size) {
    return count_ > 0 ? 0 : next_.FoldWide(at, size);
  }

  void NoteSource(uint32_t code_point, FoldRecord record, bool in_emoji) {
    if constexpr (kExplains) next_.NoteSource(code_point, record, in_emoji);
    if (code_point == '\n') EndLine();
  }

  void NoteAscii(const uint8_t* begin, const uint8_t* end) {
    if constexpr (kExplains) next_.NoteAscii(begin, end);
  }

  void NoteSymbolUnit() {
    if constexpr (kExplains) next_.NoteSymbolUnit();
    next_is_symbol_ = drops_symbols_;
  }

  // Passes on the held units. Called at the end of each line and of the text.
  void EndLine() {
    Release();
    next_.Close();
    line_begin_ = next_.emitted();
  }

 private:
  struct Held {
    uint32_t symbol;
    const uint8_t* begin;
    const uint8_t* end;
  };

  void TakeAmongSymbols(uint32_t symbol, const uint8_t* begin, const uint8_t* end) {
    const bool is_symbol = std::exchange(next_is_symbol_, false);
    if (is_symbol && count_ < held_.size() && StandsAfterHan()) {
      held_[count_++] = {symbol, begin, end};
      return;
    }
    if (count_ > 0) {
      if (is_symbol || !IsHan(symbol)) Release();
      count_ = 0;
    }
    next_.Emit(symbol, begin, end);
  }

  void Release() {
    for (size_t i = 0; i < count_; ++i) next_.Emit(held_[i].symbol, held_[i].begin, held_[i].end);
    count_ = 0;
  }

  bool IsHan(uint32_t symbol) const {
    return symbol < 0x110000 && table_.LookUp(symbol).fold_class() == FoldClass::kHan;
  }
  bool StandsAfterHan() const { return next_.emitted() > line_begin_ && IsHan(next_.last()); }

  NumberSink<Next> next_;
  const FoldTable table_;
  const bool drops_symbols_;
  uint64_t line_begin_ = 0;
  bool next_is_symbol_ = false;
  size_t count_ = 0;
  std::array<Held, InsertedMarks::kMost> held_{};
};

class LooseView final : public ChannelView {
 public:
  LooseView(std::string name, StoredFoldTable table, LooseSteps steps)
      : ChannelView(std::move(name)),
        stored_(std::move(table)),
        table_(stored_.table()),
        wide_(MakeFoldedWideTable(table_)),
        steps_(steps) {
    for (uint32_t c = 0x800; c < 0x10000; ++c) {
      const bool may_drop =
          steps_.drops_symbols && table_.LookUp(c).fold_class() == FoldClass::kSymbol;
      if (may_drop || (steps_.reads_numbers && DigitOf(wide_[c]) != 0)) wide_[c] = kFoldStop;
    }
  }

  void VisitPieces(std::string_view utf8, size_t most, const SymbolVisitor& visit) const override {
    SymbolSink<SymbolVisitor> sink(wide_, visit, most);
    Run(utf8, sink);
    sink.Flush();
  }

  SpannedSymbols Explain(std::string_view utf8) const override {
    SpannedSymbols result;
    SpanSink sink(reinterpret_cast<const uint8_t*>(utf8.data()), result);
    Run(utf8, sink);
    return result;
  }

  std::string NameIn(std::string_view source, uint32_t symbol) const override {
    std::string name = NameOfUnit(symbol, source, table_);
    if (name.empty()) name = NameOfNumber(symbol, source, table_);
    return name.empty() ? ChannelView::NameIn(source, symbol) : name;
  }

 private:
  template <typename Sink>
  void Run(std::string_view utf8, Sink& sink) const {
    const auto* begin = reinterpret_cast<const uint8_t*>(utf8.data());
    const auto* end = begin + utf8.size();
    DroppingSink<Sink> dropping(sink, table_, wide_, steps_);
    FoldMachine<DroppingSink<Sink>>(dropping, table_).Run(begin, end);
    dropping.EndLine();
  }

  StoredFoldTable stored_;
  FoldTable table_;
  WideTable wide_;
  LooseSteps steps_;
};

}  // namespace

Result<Channel> OpenLoose(const ChannelRequest& request) {
  const auto takes = [&](std::string_view step) {
    return request.values.find(step)->second == "yes";
  };
  StoredFoldTable table = StoredV2Table();
  if (takes("numbers")) table.Apply({kFoldNumbers, kFoldNumbersSize}, LastChange::kVersion);
  if (takes("slang")) table.Apply({kFoldSlang, kFoldSlangSize}, LastChange::kSlang);
  return Channel(std::make_shared<LooseView>(
      request.CanonicalName("loose.v1"), std::move(table),
      LooseSteps{.drops_symbols = takes("drop_symbols"), .reads_numbers = takes("numbers")}));
}

}  // namespace zhiwen
