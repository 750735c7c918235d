// Any bytes fold to the same symbols in the fast form on every instruction set, whole or in pieces,
// and in the explaining form; spans ascend, lie inside the text, and the exact channel agrees with
// itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "text/explain.h"
#include "text/fold.h"
#include "zhiwen/simd.h"

namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

void RequireOrderedSpans(const zhiwen::SpannedSymbols& text, size_t size) {
  Require(text.spans.size() == text.symbols.size());
  zhiwen::ByteSpan last;
  for (const zhiwen::ByteSpan& span : text.spans) {
    Require(span.begin < span.end && span.end.value <= size);
    Require(last.begin <= span.begin && last.end <= span.end);
    last = span;
  }
}

std::vector<uint32_t> InPieces(void (*visit)(std::string_view, const zhiwen::SymbolVisitor&),
                               std::string_view text) {
  std::vector<uint32_t> symbols;
  visit(text, [&](std::span<const uint32_t> piece) {
    symbols.insert(symbols.end(), piece.begin(), piece.end());
  });
  return symbols;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const zhiwen::SpannedSymbols folded = zhiwen::ExplainFolded(text);
  RequireOrderedSpans(folded, size);
  for (const zhiwen::SimdLevel level : zhiwen::SupportedSimdLevels()) {
    Require(zhiwen::SelectKernels(level).has_value());
    std::vector<uint32_t> symbols;
    zhiwen::FoldInto(text, symbols);
    Require(symbols == folded.symbols);
    Require(InPieces(zhiwen::VisitFolded, text) == symbols);
  }
  const zhiwen::SpannedSymbols exact = zhiwen::ExplainExact(text);
  RequireOrderedSpans(exact, size);
  std::vector<uint32_t> symbols;
  zhiwen::ExactInto(text, symbols);
  Require(symbols == exact.symbols);
  Require(InPieces(zhiwen::VisitExact, text) == symbols);
  zhiwen::HashExactChannel(text);
  const bool is_valid = zhiwen::FindInvalidUtf8(text) == size;
  Require(is_valid == zhiwen::ComputeSymbols(zhiwen::FoldedChannel(), text).has_value());
  return 0;
}
