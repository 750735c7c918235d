// Any bytes give the same symbols in the fast form on every instruction set and in the explaining
// form, on every version of folded and on loose; spans ascend and lie inside the text; the symbols
// of a text are those of its lines; the exact channel agrees with itself.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "require.h"
#include "text/channel_view.h"
#include "text/explain.h"
#include "text/fold.h"
#include "zhiwen/channel.h"
#include "zhiwen/simd.h"

namespace {

using zhiwen::Require;

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

std::vector<uint32_t> Symbols(const zhiwen::Channel& channel, std::string_view text) {
  std::vector<uint32_t> symbols;
  channel.view().ComputeInto(text, symbols);
  return symbols;
}

std::vector<uint32_t> LineByLine(const zhiwen::Channel& channel, std::string_view text) {
  std::vector<uint32_t> symbols;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    channel.view().ComputeInto(text.substr(0, end), symbols);
    text.remove_prefix(end);
  }
  return symbols;
}

void RequireAgreement(const zhiwen::Channel& channel, std::string_view text) {
  const zhiwen::SpannedSymbols explained = channel.view().Explain(text);
  RequireOrderedSpans(explained, text.size());
  for (const zhiwen::SimdLevel level : zhiwen::SupportedSimdLevels()) {
    Require(zhiwen::SelectKernels(level).has_value());
    Require(Symbols(channel, text) == explained.symbols);
  }
  Require(LineByLine(channel, text) == explained.symbols);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const zhiwen::Channel loose = *zhiwen::OpenChannel("loose");
  RequireAgreement(zhiwen::FoldedChannel(), text);
  RequireAgreement(zhiwen::FoldedV1Channel(), text);
  RequireAgreement(loose, text);
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
