#include "fingerprint/scheme_family.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zhiwen/channel.h"

namespace zhiwen {
namespace {

using enum ParameterKind;

constexpr std::string_view kXxh128[] = {"xxh128"};
constexpr std::string_view kXxh3[] = {"xxh3"};
constexpr std::string_view kMethods[] = {"k_permutation", "one_permutation"};
constexpr std::string_view kUnits[] = {"symbol"};
constexpr std::string_view kWeights[] = {"tf"};

constexpr ParameterSpec kChannelFolded = {"channel", kChannel, "folded",
                                          "the view of the text that is fingerprinted"};
constexpr ParameterSpec kFeatureShingle = {"feature", kFeature, "shingle",
                                           "what the text is cut into"};

constexpr ParameterSpec kExactParameters[] = {
    {"channel", kChannel, "exact", "the view of the text that must be equal"},
    {"hash", kWord, "xxh128", "hash of the whole text", 0, 0, kXxh128},
};
constexpr ParameterSpec kMinhashParameters[] = {
    kChannelFolded,
    {"feature", kFeature, "shingle", "what the text is cut into; k is 5"},
    {"method", kWord, "one_permutation",
     "one operation a shingle, or one a shingle and permutation", 0, 0, kMethods},
    {"permutations", kInteger, "128",
     "how many values; the error falls with their square root; k_permutation: a multiple of 16", 1,
     4096},
    {"seed", kInteger, "0", "chooses the permutations", 0, ~uint64_t{0}},
};
constexpr ParameterSpec kShinglesParameters[] = {
    kChannelFolded,
    kFeatureShingle,
    {"hash", kWord, "xxh3", "hash of a shingle", 0, 0, kXxh3},
};
constexpr ParameterSpec kSimhashParameters[] = {
    kChannelFolded,
    kFeatureShingle,
    {"hash", kWord, "xxh3", "hash of a shingle", 0, 0, kXxh3},
    {"weight", kWord, "tf", "what a shingle counts: how often it occurs", 0, 0, kWeights},
};
constexpr ParameterSpec kShingleParameters[] = {
    {"k", kInteger, "5", "units of a shingle", 1, 64},
    {"unit", kWord, "symbol", "what is counted", 0, 0, kUnits},
};

constexpr SchemeFamily kSchemeFamilies[] = {
    {"exact", 1, "channel", kExactParameters, "Y. Collet, XXH3, 2020", "16 bytes",
     "none: equal or not", "copies that are equal on a channel", "texts with any edit"},
    {"minhash", 1, "permutations", kMinhashParameters,
     "A. Broder, On the resemblance and containment of documents, 1997, §3; P. Li, A. Owen, "
     "C.-H. Zhang, One Permutation Hashing, 2012, §2",
     "4 bytes a permutation",
     "the share of equal values estimates the resemblance of the shingle sets",
     "near-duplicates of any length, with a known error",
     "a short text inside a long one: use containment of shingles"},
    {"shingles", 1, "feature", kShinglesParameters,
     "A. Broder, On the resemblance and containment of documents, 1997, §2",
     "8 bytes a distinct shingle", "resemblance and containment are exact",
     "verifying matches, containment", "storing many long texts"},
    {"simhash64", 1, "feature", kSimhashParameters,
     "M. Charikar, Similarity Estimation Techniques from Rounding Algorithms, 2002, §3; G. Manku, "
     "A. Jain, A. Das Sarma, Detecting Near-Duplicates for Web Crawling, 2007, §2",
     "8 bytes", "few differing bits mean a small angle of the shingle counts",
     "near-copies of long texts at eight bytes each", "short texts, or resemblance below 0.9"},
};
constexpr SchemeFamily kFeatureFamilies[] = {
    {"shingle", 1, "k", kShingleParameters,
     "A. Broder, On the resemblance and containment of documents, 1997, §2", "", "", "", ""},
};

template <typename Rows>
std::string Names(const Rows& rows) {
  std::string names;
  for (const auto& row : rows) fmt::format_to(std::back_inserter(names), "{}, ", row.name);
  names.resize(names.size() - 2);
  return names;
}

// "folded.v2 | pinyin.v1(reading=default|phrase)": all that can be opened.
std::string ListChannels() {
  std::string names;
  for (const ChannelDescription& channel : DescribeChannels()) {
    fmt::format_to(std::back_inserter(names), "{}{}", names.empty() ? "" : " | ", channel.name);
    if (channel.parameters.empty()) continue;
    fmt::format_to(std::back_inserter(names), "({})", channel.parameters);
  }
  return names;
}

bool ParseInteger(std::string_view digits, uint64_t& value) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size();
}

class Resolver {
 public:
  Resolver(std::string_view text, const std::shared_ptr<const Language>& language,
           const std::optional<Channel>& channel)
      : text_(text), language_(language), channel_(channel) {}

  Result<ResolvedName> Resolve(const SchemeName& name, std::span<const SchemeFamily> families,
                               std::string_view kind) const {
    ResolvedName resolved;
    ZHIWEN_ASSIGN_OR_RETURN(resolved.family, FindFamily(name, families, kind));
    const SchemeFamily& family = *resolved.family;
    ZHIWEN_ASSIGN_OR_RETURN(const std::vector<const SchemeArgument*> given,
                            AssignArguments(name, family));
    for (size_t i = 0; i < given.size(); ++i) {
      const ParameterSpec& parameter = family.parameters[i];
      if (parameter.kind == kChannel && channel_) {
        if (given[i] != nullptr) return NamedTwice(*given[i]);
        resolved.values.push_back({channel_->name(), 0, {}, channel_});
        continue;
      }
      const SchemeName by_default = {std::string(parameter.default_value), name.position, {}};
      ZHIWEN_ASSIGN_OR_RETURN(
          ParameterValue value,
          ResolveValue(parameter, given[i] == nullptr ? by_default : given[i]->value));
      resolved.values.push_back(std::move(value));
    }
    return resolved;
  }

 private:
  tl::unexpected<Error> NamedTwice(const SchemeArgument& argument) const {
    return FailAt(text_, argument.position, "it names its channel", "leave the other one out");
  }

  // Looks `name.word`, "family" or "family.vN", up.
  Result<const SchemeFamily*> FindFamily(const SchemeName& name,
                                         std::span<const SchemeFamily> families,
                                         std::string_view kind) const {
    const size_t dot = name.word.find('.');
    const std::string_view wanted = std::string_view(name.word).substr(0, dot);
    const auto family = std::ranges::find(families, wanted, &SchemeFamily::name);
    if (family == families.end()) {
      return FailAt(text_, name.position, fmt::format("there is no {} \"{}\"", kind, wanted),
                    fmt::format("there is {}", Names(families)));
    }
    const std::string canonical = fmt::format("{}.v{}", family->name, family->version);
    if (dot != std::string::npos && name.word != canonical) {
      return FailAt(text_, name.position, fmt::format("there is no version \"{}\"", name.word),
                    fmt::format("the newest is {}", canonical));
    }
    return &*family;
  }

  // For each parameter of the family the argument that gives it, or null.
  Result<std::vector<const SchemeArgument*>> AssignArguments(const SchemeName& name,
                                                             const SchemeFamily& family) const {
    std::vector<const SchemeArgument*> given(family.parameters.size());
    for (const SchemeArgument& argument : name.arguments) {
      if (argument.key.empty() && &argument != &name.arguments.front()) {
        return FailAt(text_, argument.position, "a value without a parameter",
                      fmt::format("only the first may be one, it is {}", family.main_parameter));
      }
      const std::string_view key =
          argument.key.empty() ? family.main_parameter : std::string_view(argument.key);
      const auto parameter = std::ranges::find(family.parameters, key, &ParameterSpec::name);
      if (parameter == family.parameters.end()) {
        return FailAt(text_, argument.position,
                      fmt::format("{} has no parameter \"{}\"", family.name, key),
                      fmt::format("it has {}", Names(family.parameters)));
      }
      const SchemeArgument*& place =
          given[static_cast<size_t>(parameter - family.parameters.begin())];
      if (place != nullptr) {
        return FailAt(text_, argument.position, fmt::format("{} is given twice", key),
                      "give it once");
      }
      place = &argument;
    }
    return given;
  }

  Result<ParameterValue> ResolveValue(const ParameterSpec& parameter,
                                      const SchemeName& name) const {
    ParameterValue value = {name.word, 0, {}, {}};
    if (parameter.kind == kFeature) {
      ZHIWEN_ASSIGN_OR_RETURN(ResolvedName nested, Resolve(name, kFeatureFamilies, "feature"));
      value.text = nested.Print();
      value.nested.push_back(std::move(nested));
      return value;
    }
    if (parameter.kind == kChannel) return ResolveChannel(parameter, name);
    if (!name.arguments.empty() || !ResolveWord(parameter, value)) {
      return FailAt(text_, name.position,
                    fmt::format("{} cannot be \"{}\"", parameter.name, name.word),
                    fmt::format("it is {}", DescribeType(parameter)));
    }
    return value;
  }

  Result<ParameterValue> ResolveChannel(const ParameterSpec& parameter,
                                        const SchemeName& name) const {
    Result<Channel> channel = OpenChannel(PrintSchemeName(name), language_);
    if (!channel && channel.error().code != ErrorCode::kInvalidArgument) {
      return Fail(std::move(channel));
    }
    if (!channel) {
      return FailAt(text_, name.position,
                    fmt::format("{} cannot be \"{}\"", parameter.name, PrintSchemeName(name)),
                    fmt::format("it is {}", DescribeType(parameter)));
    }
    return ParameterValue{channel->name(), 0, {}, *channel};
  }

  // Makes value.text canonical; false when the parameter does not allow it.
  static bool ResolveWord(const ParameterSpec& parameter, ParameterValue& value) {
    if (parameter.kind == kWord) {
      return std::ranges::find(parameter.words, value.text) != parameter.words.end();
    }
    if (!ParseInteger(value.text, value.integer)) return false;
    value.text = std::to_string(value.integer);
    return parameter.least <= value.integer && value.integer <= parameter.most;
  }

  std::string_view text_;
  const std::shared_ptr<const Language>& language_;
  const std::optional<Channel>& channel_;
};

}  // namespace

const ParameterValue& ResolvedName::operator[](std::string_view name) const {
  const auto parameter = std::ranges::find(family->parameters, name, &ParameterSpec::name);
  return values[static_cast<size_t>(parameter - family->parameters.begin())];
}

std::string ResolvedName::Print() const {
  std::string arguments;
  for (size_t i = 0; i < values.size(); ++i) {
    fmt::format_to(std::back_inserter(arguments), "{}{}={}", i == 0 ? "" : ",",
                   family->parameters[i].name, values[i].text);
  }
  return fmt::format("{}.v{}({})", family->name, family->version, arguments);
}

std::span<const SchemeFamily> SchemeFamilies() { return kSchemeFamilies; }

Result<ResolvedName> ResolveSchemeName(std::string_view text,
                                       const std::shared_ptr<const Language>& language,
                                       const std::optional<Channel>& channel) {
  ZHIWEN_ASSIGN_OR_RETURN(const SchemeName name, ParseSchemeName(text));
  return Resolver(text, language, channel).Resolve(name, kSchemeFamilies, "scheme");
}

std::string DescribeType(const ParameterSpec& parameter) {
  switch (parameter.kind) {
    case kChannel:
      return ListChannels();
    case kInteger:
      return fmt::format("integer {}…{}", parameter.least, parameter.most);
    case kWord:
      return fmt::format("{}", fmt::join(parameter.words, " | "));
    case kFeature:
      break;
  }
  return "shingle(k=1…64)";
}

}  // namespace zhiwen
