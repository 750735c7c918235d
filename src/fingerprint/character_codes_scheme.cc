#include <memory>
#include <optional>
#include <vector>

#include "fingerprint/channel_scheme.h"
#include "fingerprint/scheme_family.h"
#include "text/gb2312.h"

namespace zhiwen {
namespace {

constexpr ParameterSpec kCharacterCodesParameters[] = {
    kChannelParameter,
    {"k", ParameterKind::kInteger, "4", "consecutive characters of a code", 1, 5},
};

class CharacterCodesScheme final : public ChannelScheme {
 public:
  explicit CharacterCodesScheme(const ResolvedName& name)
      : ChannelScheme(name), length_(name["k"].integer) {}

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    std::vector<uint32_t> numbers;
    for (const uint32_t symbol : SymbolsOf(utf8)) {
      const std::optional<uint32_t> number = Gb2312Number(symbol);
      if (number && *number < kCommonCharacters) numbers.push_back(*number);
    }
    if (numbers.size() < length_) return NoFingerprint();
    uint64_t top = 1;  // place value of the first character of a code
    for (size_t i = 1; i < length_; ++i) top *= kCommonCharacters;
    CodeSequence codes = {.width = sizeof(uint64_t), .bytes = {}};
    codes.bytes.reserve((numbers.size() - length_ + 1) * codes.width);
    uint64_t code = 0;
    for (size_t i = 0; i < numbers.size(); ++i) {
      code = code % top * kCommonCharacters + numbers[i];
      if (i + 1 >= length_) AppendBigEndian(codes.bytes, code, codes.width);
    }
    return codes;
  }

  size_t length_;
};

}  // namespace

constinit const SchemeFamily kCharacterCodesScheme = {
    .name = {"character_codes", 1, "k", kCharacterCodesParameters},
    .source = "基于语义指纹的中文文本快速去重, 基于摘要技术的方法 [12]",
    .input = "runs of common Chinese characters",
    .value = "8 bytes a character",
    .distance = "the longest sequence of codes that both have in order",
    .use_for = "comparison by common characters: different runs of them never have one code",
    .not_for =
        "telling names apart: rarer characters, as they have, do not count; large libraries: a "
        "value is longer than its text; texts without Chinese",
    .measure = "subsequence",
    .create = CreateOf<CharacterCodesScheme>,
};

}  // namespace zhiwen
