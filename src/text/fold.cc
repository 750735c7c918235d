#include "text/fold.h"

#include <span>

#include "text/fold_machine.h"
#include "text/symbol_sink.h"

namespace zhiwen {
namespace {

const WideTable& WideSymbols(const FoldTable& folds) {
  if (folds == NewestFoldTable()) return FoldedWideTable();
  static const WideTable of_v1 = MakeFoldedWideTable(FoldedV1Table());
  return of_v1;
}

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

std::vector<uint32_t> FoldedSymbolsOf(std::string_view utf8) {
  std::vector<uint32_t> symbols;
  FoldInto(utf8, symbols);
  return symbols;
}

void VisitFolded(std::string_view utf8, const SymbolVisitor& visit, const FoldTable& table) {
  Fold(utf8, table, visit);
}

}  // namespace zhiwen
