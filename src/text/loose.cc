#include "text/loose.h"

#include <array>
#include <memory>
#include <utility>

#include "text/channel_view.h"
#include "text/fold_machine.h"
#include "text/fold_variants.h"
#include "text/span_sink.h"
#include "text/symbol_sink.h"
#include "text/unit_name.h"

namespace zhiwen {
namespace {

// A sink before `Next` that holds symbol units back after a Han character until it is known whether
// another one follows in the same line; then they are dropped. More than InsertedMarks::kMost in a
// row are kept, so that nothing is held without bound.
template <typename Next>
class DroppingSink {
 public:
  static constexpr bool kExplains = Next::kExplains;

  DroppingSink(Next& next, const FoldTable& table) : next_(next), table_(table) {}

  void Emit(uint32_t symbol, const uint8_t* begin, const uint8_t* end) {
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

  size_t FoldWide(const uint8_t* at, size_t size) {
    return count_ > 0 ? 0 : next_.FoldWide(at, size);
  }

  void NoteSource(uint32_t code_point, FoldRecord record, bool in_emoji) {
    if constexpr (kExplains) next_.NoteSource(code_point, record, in_emoji);
    if (code_point != '\n') return;
    Release();
    line_begin_ = next_.emitted();
  }

  void NoteAscii(const uint8_t* begin, const uint8_t* end) {
    if constexpr (kExplains) next_.NoteAscii(begin, end);
  }

  void NoteSymbolUnit() {
    if constexpr (kExplains) next_.NoteSymbolUnit();
    next_is_symbol_ = true;
  }

  // Hands on what is held; at the end of the text.
  void Release() {
    for (size_t i = 0; i < count_; ++i) next_.Emit(held_[i].symbol, held_[i].begin, held_[i].end);
    count_ = 0;
  }

 private:
  struct Held {
    uint32_t symbol;
    const uint8_t* begin;
    const uint8_t* end;
  };

  bool IsHan(uint32_t symbol) const {
    return symbol < 0x110000 && table_.LookUp(symbol).fold_class() == FoldClass::kHan;
  }
  bool StandsAfterHan() const { return next_.emitted() > line_begin_ && IsHan(next_.last()); }

  Next& next_;
  const FoldTable table_;
  uint64_t line_begin_ = 0;
  bool next_is_symbol_ = false;
  size_t count_ = 0;
  std::array<Held, InsertedMarks::kMost> held_{};
};

class LooseView final : public ChannelView {
 public:
  LooseView(std::string name, StoredFoldTable table, bool drops_symbols)
      : ChannelView(std::move(name)),
        stored_(std::move(table)),
        table_(stored_.table()),
        wide_(MakeFoldedWideTable(table_)),
        drops_symbols_(drops_symbols) {
    if (!drops_symbols_) return;
    for (uint32_t c = 0x800; c < 0x10000; ++c) {
      if (table_.LookUp(c).fold_class() == FoldClass::kSymbol) wide_[c] = kFoldStop;
    }
  }

  void Visit(std::string_view utf8, const SymbolVisitor& visit) const override {
    SymbolSink<SymbolVisitor> sink(wide_, visit);
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
    return name.empty() ? ChannelView::NameIn(source, symbol) : name;
  }

 private:
  template <typename Sink>
  void Run(std::string_view utf8, Sink& sink) const {
    const auto* begin = reinterpret_cast<const uint8_t*>(utf8.data());
    const auto* end = begin + utf8.size();
    if (!drops_symbols_) return FoldMachine<Sink>(sink, table_).Run(begin, end);
    DroppingSink<Sink> dropping(sink, table_);
    FoldMachine<DroppingSink<Sink>>(dropping, table_).Run(begin, end);
    dropping.Release();
  }

  StoredFoldTable stored_;
  FoldTable table_;
  WideTable wide_;
  bool drops_symbols_;
};

}  // namespace

Result<Channel> OpenLoose(const ChannelRequest& request) {
  const auto takes = [&](std::string_view step) {
    return request.values.find(step)->second == "yes";
  };
  StoredFoldTable table = StoredV2Table();
  if (takes("numbers")) table.Apply({kFoldNumbers, kFoldNumbersSize}, LastChange::kVersion);
  if (takes("slang")) table.Apply({kFoldSlang, kFoldSlangSize}, LastChange::kSlang);
  return Channel(std::make_shared<LooseView>(request.CanonicalName("loose.v1"), std::move(table),
                                             takes("drop_symbols")));
}

}  // namespace zhiwen
