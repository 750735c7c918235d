#include "text/fold.h"

#include <span>

#include "text/fold_machine.h"
#include "text/symbol_sink.h"

namespace zhiwen {
namespace {

const WideTable& WideTableOf(FoldedVersion version) {
  switch (version) {
    case FoldedVersion::kV1: {
      static const WideTable of_v1 = MakeFoldedWideTable(FoldedV1Table());
      return of_v1;
    }
    case FoldedVersion::kV2:
      static_assert(kBaseFolded == FoldedVersion::kV2);
      break;
    case FoldedVersion::kV3: {
      static const WideTable of_v3 = MakeFoldedWideTable(FoldedV3Table());
      return of_v3;
    }
  }
  return BaseFoldedWideTable();
}

template <typename Take>
void Fold(std::string_view utf8, FoldedVersion version, size_t most, const Take& take) {
  SymbolSink<Take> sink(WideTableOf(version), take, most);
  const auto* begin = reinterpret_cast<const uint8_t*>(utf8.data());
  FoldMachine<SymbolSink<Take>>(sink, FoldTableOf(version)).Run(begin, begin + utf8.size());
  sink.Flush();
}

}  // namespace

void FoldInto(std::string_view utf8, std::vector<uint32_t>& symbols, FoldedVersion version) {
  Fold(utf8, version, kLargestPiece, [&](std::span<const uint32_t> more) {
    symbols.insert(symbols.end(), more.begin(), more.end());
  });
}

std::vector<uint32_t> BaseFoldedSymbolsOf(std::string_view utf8) {
  std::vector<uint32_t> symbols;
  FoldInto(utf8, symbols, kBaseFolded);
  return symbols;
}

void VisitFolded(std::string_view utf8, FoldedVersion version, size_t most,
                 const SymbolVisitor& visit) {
  Fold(utf8, version, most, visit);
}

}  // namespace zhiwen
