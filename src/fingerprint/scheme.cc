#include "zhiwen/scheme.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "feature/shingles.h"
#include "feature/shingles_xxh3.h"
#include "fingerprint/minhash.h"
#include "fingerprint/one_permutation.h"
#include "fingerprint/scheme_family.h"
#include "fingerprint/simhash.h"
#include "text/channel_view.h"
#include "text/fold.h"
#include "zhiwen/channel.h"

namespace zhiwen {
namespace {

Fingerprint NoFingerprint() { return {}; }

// The low `size` bytes of `value`, most significant first.
void AppendBigEndian(std::vector<uint8_t>& bytes, uint64_t value, int size) {
  for (int i = size - 1; i >= 0; --i) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

std::vector<uint32_t> SymbolsOf(const Channel& channel, std::string_view utf8) {
  std::vector<uint32_t> symbols;
  channel.view().ComputeInto(utf8, symbols);
  return symbols;
}

// What all schemes share: the name, the channel, the check of the text.
class ChannelScheme : public Scheme {
 public:
  explicit ChannelScheme(const ResolvedName& name)
      : canonical_name_(name.Print()), channel_(*name["channel"].channel) {}

  const std::string& canonical_name() const final { return canonical_name_; }

  Result<Fingerprint> Compute(std::string_view utf8) const final {
    const size_t valid = FindInvalidUtf8(utf8);
    if (valid < utf8.size()) {
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("cannot fingerprint a text: invalid UTF-8 at byte {}", valid));
    }
    return ComputeValid(utf8);
  }

 protected:
  const Channel& channel() const { return channel_; }

 private:
  virtual Fingerprint ComputeValid(std::string_view utf8) const = 0;

  std::string canonical_name_;
  Channel channel_;
};

class ExactScheme final : public ChannelScheme {
 public:
  using ChannelScheme::ChannelScheme;

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    if (utf8.empty()) return NoFingerprint();
    if (channel() == ExactChannel()) return FingerprintOf(HashExactChannel(utf8));
    const std::vector<uint32_t> symbols = SymbolsOf(channel(), utf8);
    if (symbols.empty()) return NoFingerprint();
    return FingerprintOf(HashBytes128(
        {reinterpret_cast<const char*>(symbols.data()), symbols.size() * sizeof(uint32_t)}));
  }

  static Fingerprint FingerprintOf(const Hash128& hash) {
    Fingerprint fingerprint = {Fingerprint::Kind::kBytes, {}, {}};
    AppendBigEndian(fingerprint.bytes, hash.high, 8);
    AppendBigEndian(fingerprint.bytes, hash.low, 8);
    return fingerprint;
  }
};

class MinhashScheme final : public ChannelScheme {
 public:
  static Result<std::unique_ptr<Scheme>> Create(const ResolvedName& name) {
    if (const uint64_t k = name["feature"].nested[0]["k"].integer; k != kShingleLength) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("cannot use the scheme \"{}\": minhash hashes shingles of {} symbols,"
                              " not {}; use k={}",
                              name.Print(), kShingleLength, k, kShingleLength));
    }
    auto scheme = std::make_unique<MinhashScheme>(name);
    const auto values = static_cast<uint32_t>(name["permutations"].integer);
    const uint64_t seed = name["seed"].integer;
    if (name["method"].text == "one_permutation") {
      ZHIWEN_ASSIGN_OR_RETURN(scheme->one_permutation_,
                              OnePermutationMinHash::Create(values, seed));
    } else {
      ZHIWEN_ASSIGN_OR_RETURN(scheme->minhash_,
                              MinHash::Create({.permutations = values, .seed = seed}));
    }
    return scheme;
  }

 private:
  using ChannelScheme::ChannelScheme;

  Fingerprint ComputeValid(std::string_view utf8) const override {
    std::vector<uint64_t> shingles;
    ComputeShingles(SymbolsOf(channel(), utf8), shingles);
    if (shingles.empty()) return NoFingerprint();
    std::vector<uint32_t> values(one_permutation_ ? one_permutation_->bins()
                                                  : minhash_->permutations());
    if (one_permutation_) {
      one_permutation_->Compute(shingles, values);
    } else {
      minhash_->Compute(shingles, values);
    }
    Fingerprint fingerprint = {Fingerprint::Kind::kBytes, {}, {}};
    for (const uint32_t value : values) AppendBigEndian(fingerprint.bytes, value, 4);
    return fingerprint;
  }

  std::optional<OnePermutationMinHash> one_permutation_;  // or else
  std::optional<MinHash> minhash_;
};

// The schemes over shingles of any length.
class ShinglesScheme : public ChannelScheme {
 public:
  explicit ShinglesScheme(const ResolvedName& name)
      : ChannelScheme(name), length_(name["feature"].nested[0]["k"].integer) {}

 private:
  Fingerprint ComputeValid(std::string_view utf8) const final {
    std::vector<uint64_t> hashes;
    ComputeShinglesXxh3(SymbolsOf(channel(), utf8), length_, hashes);
    return hashes.empty() ? NoFingerprint() : FingerprintOf(std::move(hashes));
  }

  virtual Fingerprint FingerprintOf(std::vector<uint64_t> hashes) const = 0;

  size_t length_;
};

class SimhashScheme final : public ShinglesScheme {
 public:
  using ShinglesScheme::ShinglesScheme;

 private:
  Fingerprint FingerprintOf(std::vector<uint64_t> hashes) const override {
    Fingerprint fingerprint = {Fingerprint::Kind::kBytes, {}, {}};
    AppendBigEndian(fingerprint.bytes, ComputeSimhash64(hashes), 8);
    return fingerprint;
  }
};

class ShingleSetScheme final : public ShinglesScheme {
 public:
  using ShinglesScheme::ShinglesScheme;

 private:
  Fingerprint FingerprintOf(std::vector<uint64_t> hashes) const override {
    std::vector<uint64_t> scratch;
    MakeShingleSet(hashes, scratch);
    return {Fingerprint::Kind::kSet, {}, std::move(hashes)};
  }
};

SchemeDescription Describe(const SchemeFamily& family) {
  SchemeDescription description;
  description.family = fmt::format("{}.v{}", family.name, family.version);
  description.default_name = ResolveSchemeName(family.name)->Print();
  description.source = family.source;
  description.value = family.value;
  description.distance = family.distance;
  description.use_for = family.use_for;
  description.not_for = family.not_for;
  for (const ParameterSpec& parameter : family.parameters) {
    const ResolvedName name = *ResolveSchemeName(family.name);
    description.parameters.push_back({std::string(parameter.name), DescribeType(parameter),
                                      name[parameter.name].text, std::string(parameter.meaning)});
  }
  return description;
}

}  // namespace

Result<std::unique_ptr<Scheme>> Scheme::Create(std::string_view name,
                                               const std::shared_ptr<const Language>& language,
                                               const std::optional<Channel>& channel) {
  ZHIWEN_ASSIGN_OR_RETURN(const ResolvedName resolved, ResolveSchemeName(name, language, channel));
  const std::string_view family = resolved.family->name;
  if (family == "minhash") return MinhashScheme::Create(resolved);
  if (family == "exact") return std::make_unique<ExactScheme>(resolved);
  if (family == "shingles") return std::make_unique<ShingleSetScheme>(resolved);
  return std::make_unique<SimhashScheme>(resolved);
}

std::vector<SchemeDescription> DescribeSchemes() {
  std::vector<SchemeDescription> descriptions;
  for (const SchemeFamily& family : SchemeFamilies()) descriptions.push_back(Describe(family));
  return descriptions;
}

}  // namespace zhiwen
