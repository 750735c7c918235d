#include <array>
#include <memory>

#include "base/hash.h"
#include "base/value_bytes.h"
#include "fingerprint/channel_scheme.h"
#include "fingerprint/scheme_family.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

constexpr std::string_view kExactHashes[] = {"xxh128"};
constexpr ParameterSpec kExactParameters[] = {
    {"channel", ParameterKind::kChannel, "exact", "the view of the text that must be equal"},
    {"hash", ParameterKind::kChoice, "xxh128", "hash of the whole text", 0, 0, kExactHashes},
};

class ExactScheme final : public ChannelScheme {
 public:
  using ChannelScheme::ChannelScheme;

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    if (utf8.empty()) return NoFingerprint();
    if (channel() == ExactChannel()) return FingerprintOf(HashExactChannel(utf8));
    const std::vector<uint32_t> symbols = SymbolsOf(utf8);
    if (symbols.empty()) return NoFingerprint();
    return FingerprintOf(HashBytes128(BytesOfValues(symbols)));
  }

  static FingerprintBytes FingerprintOf(const Hash128& hash) {
    FingerprintBytes bytes;
    AppendBigEndian(bytes, hash.high, 8);
    AppendBigEndian(bytes, hash.low, 8);
    return bytes;
  }
};

}  // namespace

constinit const SchemeFamily kExactScheme = {
    .name = {"exact", 1, "channel", kExactParameters},
    .source = "Y. Collet, XXH3, 2020",
    .input = "the whole text",
    .value = "16 bytes",
    .distance = "none: equal or not",
    .use_for = "copies that are equal on a channel",
    .not_for = "texts with any edit",
    .measure = "equal",
    .threshold = 1,
    .threshold_meaning = "equal",
    .create = CreateOf<ExactScheme>,
};

}  // namespace zhiwen
