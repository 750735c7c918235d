#include "text/fold.h"

#include <span>

#include "text/fold_machine.h"
#include "text/symbol_buffer.h"
#include "text/wide_table.h"

namespace zhiwen {
namespace {

const WideTable& WideSymbols(const FoldTable& folds) {
  if (folds == NewestFoldTable()) return FoldedWideTable();
  static const WideTable of_v1 = MakeFoldedWideTable(FoldedV1Table());
  return of_v1;
}

template <typename Take>
class SymbolSink {
 public:
  static constexpr bool kExplains = false;

  SymbolSink(const WideTable& table, const Take& take) : table_(table), buffer_(take) {}

  void Emit(uint32_t symbol, const uint8_t*, const uint8_t*) { buffer_.Add(symbol); }
  size_t FoldWide(const uint8_t* at, size_t size) {
    return buffer_.FoldWide(table_.data(), at, size);
  }
  void Flush() { buffer_.Flush(); }

 private:
  const WideTable& table_;
  BasicSymbolBuffer<Take> buffer_;
};

template <typename Take>
void Fold(std::string_view utf8, const FoldTable& folds, const Take& take) {
  SymbolSink<Take> sink(WideSymbols(folds), take);
  const auto* begin = reinterpret_cast<const uint8_t*>(utf8.data());
  FoldMachine<SymbolSink<Take>>(sink, folds).Run(begin, begin + utf8.size());
  sink.Flush();
}

}  // namespace

void FoldInto(std::string_view utf8, std::vector<uint32_t>& symbols, const FoldTable& table) {
  Fold(utf8, table, [&](std::span<const uint32_t> more) {
    symbols.insert(symbols.end(), more.begin(), more.end());
  });
}

void VisitFolded(std::string_view utf8, const SymbolVisitor& visit, const FoldTable& table) {
  Fold(utf8, table, visit);
}

}  // namespace zhiwen
