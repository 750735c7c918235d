#include <memory>

#include <fmt/format.h>

#include "feature/phoneme_counts.h"
#include "fingerprint/channel_scheme.h"
#include "fingerprint/phoneme_model.h"
#include "fingerprint/phoneme_vector.h"
#include "fingerprint/scheme_family.h"

namespace zhiwen {
namespace {

constexpr std::string_view kPhonemesForms[] = {"quantised", "counts"};
constexpr ParameterSpec kPhonemesParameters[] = {
    {"channel", ParameterKind::kChannel, "phonemes", "what reads the characters"},
    {"form", ParameterKind::kChoice, "quantised", "a byte for each phoneme, or how often it occurs",
     0, 0, kPhonemesForms},
};

class PhonemesScheme final : public ChannelScheme {
 public:
  explicit PhonemesScheme(const ResolvedName& name)
      : ChannelScheme(name), is_quantised_(name["form"].text == "quantised") {}

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    const PhonemeCounts counts = CountPhonemes(channel(), utf8);
    if (counts.characters() == 0) return NoFingerprint();
    FingerprintBytes bytes;
    if (is_quantised_) {
      const PhonemeVector vector = QuantisePhonemes(counts);
      bytes.assign(vector.bytes.begin(), vector.bytes.end());
      return bytes;
    }
    for (const uint64_t count : counts.InOrder()) AppendBigEndian(bytes, count, 8);
    return bytes;
  }

  bool is_quantised_;
};

Result<std::unique_ptr<Scheme>> CreatePhonemes(const ResolvedName& name, const SchemeResources&) {
  if (!name["channel"].text.starts_with("phonemes.")) {
    return FailScheme(name, "only the channel phonemes has initials, finals and tones");
  }
  return std::make_unique<PhonemesScheme>(name);
}

}  // namespace

constinit const SchemeFamily kPhonemesScheme = {
    .name = {"phonemes", 1, "form", kPhonemesParameters},
    .source = "金哲凡 等, 基于音位的网络盗版文本查重方法, 2017",
    .input = "initials, finals and tones",
    .value = "63 bytes, or 504 (form=counts)",
    .distance = "the cosines of initials, finals and tones: each above a threshold, or their sum",
    .use_for = "excluding what cannot sound alike, before an exact check",
    .not_for = "deciding: unrelated texts have cosines of 0.9; texts without Chinese",
    .measure = "phonemes",
    .threshold = PhonemeModel().similarity,
    .threshold_meaning = "model 2, table 4",
    .create = CreatePhonemes,
};

}  // namespace zhiwen
