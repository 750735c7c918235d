#include "text/fold.h"

#include <span>

#include "text/fold_machine.h"
#include "text/located_symbols.h"
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

class LocatingSink {
 public:
  static constexpr bool kExplains = false;

  LocatingSink(const WideTable& table, std::string_view utf8) : table_(table), symbols_(utf8) {}

  void Emit(uint32_t symbol, const uint8_t* begin, const uint8_t* end) {
    symbols_.Add(symbol, begin, end);
  }
  size_t FoldWide(const uint8_t* at, size_t size) { return symbols_.FoldWide(table_, at, size); }
  SpannedSymbols Take() { return symbols_.Take(); }

 private:
  const WideTable& table_;
  LocatedSymbols symbols_;
};

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

SpannedSymbols LocateFolded(std::string_view utf8, FoldedVersion version) {
  LocatingSink sink(WideTableOf(version), utf8);
  const auto* begin = reinterpret_cast<const uint8_t*>(utf8.data());
  FoldMachine<LocatingSink>(sink, FoldTableOf(version)).Run(begin, begin + utf8.size());
  return sink.Take();
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
