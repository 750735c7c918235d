// Any bytes give the same symbols in the fast form on every instruction set and in the explaining
// form, on every version of folded and on loose, also with a step left out; spans ascend and lie
// inside the text; the symbols of a text are those of its lines; the exact channel agrees with
// itself.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/utf8/utf8.h"
#include "channel_check.h"
#include "require.h"
#include "text/channel_view.h"
#include "text/fold.h"
#include "zhiwen/channel.h"
#include "zhiwen/simd.h"

namespace {

using zhiwen::Require;

void RequireAgreement(const zhiwen::Channel& channel, std::string_view text) {
  const zhiwen::SpannedSymbols explained = zhiwen::ExplainChecked(channel, text);
  for (const zhiwen::SimdLevel level : zhiwen::SupportedSimdLevels()) {
    Require(zhiwen::SelectKernels(level).has_value());
    zhiwen::RequireSymbols(channel, text, explained.symbols);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const zhiwen::Channel kLoose[] = {*zhiwen::OpenChannel("loose"),
                                           *zhiwen::OpenChannel("loose(drop_symbols=no)"),
                                           *zhiwen::OpenChannel("loose(numbers=no,slang=no)")};
  RequireAgreement(zhiwen::FoldedChannel(), text);
  RequireAgreement(zhiwen::FoldedV2Channel(), text);
  RequireAgreement(zhiwen::FoldedV1Channel(), text);
  for (const zhiwen::Channel& loose : kLoose) RequireAgreement(loose, text);
  const zhiwen::SpannedSymbols exact = zhiwen::ExplainChecked(zhiwen::ExactChannel(), text);
  std::vector<uint32_t> symbols;
  zhiwen::ExactInto(text, symbols);
  Require(symbols == exact.symbols);
  zhiwen::RequireSymbols(zhiwen::ExactChannel(), text, symbols);
  zhiwen::HashExactChannel(text);
  const bool is_valid = zhiwen::FindInvalidUtf8(text) == size;
  Require(is_valid == zhiwen::ComputeSymbols(zhiwen::FoldedChannel(), text).has_value());
  return 0;
}
