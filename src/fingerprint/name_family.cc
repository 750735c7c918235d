#include "fingerprint/name_family.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/digest.h"
#include "fingerprint/scheme_name.h"
#include "zhiwen/phoneme_snapshot.h"
#include "zhiwen/term_snapshot.h"
#include "zhiwen/terms.h"

namespace zhiwen {
namespace {

using enum ParameterKind;

std::string NamesOf(std::span<const NameFamily* const> families) {
  std::vector<std::string_view> names;
  for (const NameFamily* family : families) names.push_back(family->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string NamesOf(std::span<const ParameterSpec> parameters) {
  std::vector<std::string_view> names;
  for (const ParameterSpec& parameter : parameters) names.push_back(parameter.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// Lists all channels that can be opened, as "folded.v3 | pinyin.v1(reading=default|phrase)".
std::string ListChannels() {
  std::vector<std::string> names;
  for (const ChannelDescription& channel : DescribeChannels()) {
    names.emplace_back(channel.name);
    if (!channel.parameters.empty()) names.back() += fmt::format("({})", channel.parameters);
  }
  return fmt::format("{}", fmt::join(names, " | "));
}

// Lists the values of a kChoice parameter, as "symbol | word(terms=…)".
std::string ListChoices(const ParameterSpec& parameter) {
  std::vector<std::string> choices(parameter.words.begin(), parameter.words.end());
  for (const NameFamily* part : parameter.parts) {
    std::vector<std::string> values;
    for (const ParameterSpec& inner : part->parameters) {
      values.push_back(inner.kind == kInteger
                           ? fmt::format("{}={}…{}", inner.name, inner.least, inner.most)
                           : fmt::format("{}=…", inner.name));
    }
    choices.push_back(fmt::format("{}({})", part->name, fmt::join(values, ",")));
  }
  return fmt::format("{}", fmt::join(choices, " | "));
}

std::string PrintDecimal(uint64_t millionths) {
  std::string text = fmt::format("{}.{:06}", millionths / kMillion, millionths % kMillion);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

bool ParseInteger(std::string_view digits, uint64_t& value) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size();
}

// Returns whether `text` is an id: 16 hex digits, which stand for a resource of any kind but terms.
bool IsId(std::string_view text) {
  return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Parses "0.25" as 250000: digits, then optionally a point and up to six more.
bool ParseDecimal(std::string_view text, uint64_t& millionths) {
  const size_t point = std::min(text.find('.'), text.size());
  std::string decimals(text.substr(std::min(point + 1, text.size())));
  if (decimals.size() > 6 || (point < text.size() && decimals.empty())) return false;
  decimals.resize(6, '0');
  uint64_t whole = 0;
  uint64_t rest = 0;
  if (!ParseInteger(text.substr(0, point), whole) || !ParseInteger(decimals, rest)) return false;
  if (whole > kMillion) return false;
  millionths = whole * kMillion + rest;
  return true;
}

class Resolver {
 public:
  Resolver(std::string_view text, SchemeResources& resources)
      : text_(text), resources_(resources) {}

  Result<ResolvedName> Resolve(const SchemeName& name, const NameChoice& choice) {
    ResolvedName resolved;
    ZHIWEN_ASSIGN_OR_RETURN(resolved.family, FindFamily(name, choice));
    const NameFamily& family = *resolved.family;
    ZHIWEN_ASSIGN_OR_RETURN(const std::vector<const SchemeArgument*> given,
                            AssignArguments(name, family));
    for (size_t i = 0; i < given.size(); ++i) {
      const SchemeName* const typed = given[i] == nullptr ? nullptr : &given[i]->value;
      ZHIWEN_ASSIGN_OR_RETURN(ParameterValue value,
                              ResolveValue(family.parameters[i], typed, name.position));
      resolved.values.push_back(std::move(value));
    }
    return resolved;
  }

 private:
  // Looks up `name.word`, which is "family" or "family.vN".
  Result<const NameFamily*> FindFamily(const SchemeName& name, const NameChoice& choice) const {
    const size_t dot = name.word.find('.');
    const std::string_view wanted = std::string_view(name.word).substr(0, dot);
    const auto family = std::ranges::find(choice.families, wanted, &NameFamily::name);
    if (family == choice.families.end()) {
      return FailAt(text_, name.position, fmt::format("there is no {} \"{}\"", choice.noun, wanted),
                    fmt::format("there is {}", NamesOf(choice.families)));
    }
    const std::string canonical = fmt::format("{}.v{}", (*family)->name, (*family)->version);
    if (dot != std::string::npos && name.word != canonical) {
      return FailAt(text_, name.position, fmt::format("there is no version \"{}\"", name.word),
                    fmt::format("the newest is {}", canonical));
    }
    return *family;
  }

  // Returns for each parameter of the family the argument that gives it, or null.
  Result<std::vector<const SchemeArgument*>> AssignArguments(const SchemeName& name,
                                                             const NameFamily& family) const {
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
                      fmt::format("it has {}", NamesOf(family.parameters)));
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

  // `typed` is null when the name does not give the parameter; `position` is then the position of
  // the name.
  Result<ParameterValue> ResolveValue(const ParameterSpec& parameter, const SchemeName* typed,
                                      size_t position) {
    switch (parameter.kind) {
      case kTerms:
      case kSnapshot:
      case kStopWords:
      case kKey:
      case kPhonemes:
        return ResolveResource(parameter, typed);
      case kChannel:
        if (!resources_.channel) break;
        if (typed != nullptr) {
          return FailAt(text_, typed->position, "it names its channel", "leave the other one out");
        }
        return ParameterValue{resources_.channel->name(), 0, {}, resources_.channel};
      default:
        break;
    }
    SchemeName name;
    if (typed != nullptr) {
      name = *typed;
    } else {
      ZHIWEN_ASSIGN_OR_RETURN(name, ParseSchemeName(parameter.default_value));
      name.position = position;
    }
    if (parameter.kind == kChannel) return ResolveChannel(parameter, name);
    if (parameter.kind == kChoice) return ResolveChoice(parameter, name);
    return ResolveNumber(parameter, name);
  }

  Result<ParameterValue> ResolveChannel(const ParameterSpec& parameter,
                                        const SchemeName& name) const {
    Result<Channel> channel = OpenChannel(PrintSchemeName(name), resources_.language);
    if (channel) return ParameterValue{channel->name(), 0, {}, *channel};
    if (channel.error().code != ErrorCode::kInvalidArgument) return Fail(std::move(channel));
    return Refuse(parameter, name);
  }

  Result<ParameterValue> ResolveChoice(const ParameterSpec& parameter, const SchemeName& name) {
    const bool is_word = std::ranges::find(parameter.words, name.word) != parameter.words.end();
    if (is_word && name.arguments.empty()) return ParameterValue{name.word, 0, {}, {}};
    if (parameter.parts.empty() || is_word) return Refuse(parameter, name);
    // Where words are allowed too, an unknown value is reported with all allowed values, and not as
    // an unknown part.
    const std::string_view wanted = std::string_view(name.word).substr(0, name.word.find('.'));
    const bool is_part =
        std::ranges::find(parameter.parts, wanted, &NameFamily::name) != parameter.parts.end();
    if (!is_part && !parameter.words.empty()) return Refuse(parameter, name);
    ZHIWEN_ASSIGN_OR_RETURN(ResolvedName nested, Resolve(name, {parameter.name, parameter.parts}));
    ParameterValue value = {nested.Print(), 0, {}, {}};
    value.nested.push_back(std::move(nested));
    return value;
  }

  Result<ParameterValue> ResolveNumber(const ParameterSpec& parameter,
                                       const SchemeName& name) const {
    ParameterValue value;
    const bool is_decimal = parameter.kind == kDecimal;
    const bool is_number =
        name.arguments.empty() && (is_decimal ? ParseDecimal(name.word, value.integer)
                                              : ParseInteger(name.word, value.integer));
    if (!is_number || value.integer < parameter.least || value.integer > parameter.most) {
      return Refuse(parameter, name);
    }
    value.text = is_decimal ? PrintDecimal(value.integer) : std::to_string(value.integer);
    return value;
  }

  tl::unexpected<Error> Refuse(const ParameterSpec& parameter, const SchemeName& name) const {
    return FailAt(text_, name.position,
                  fmt::format("{} cannot be \"{}\"", parameter.name, PrintSchemeName(name)),
                  fmt::format("it is {}", DescribeType(parameter)));
  }

  // --- what the resources decide -----------------------------------------------------------------

  Result<ParameterValue> ResolveResource(const ParameterSpec& parameter, const SchemeName* typed) {
    const bool may_be_none = parameter.default_value == kNoneWord || parameter.kind == kStopWords;
    const std::string wanted = typed == nullptr ? "" : PrintSchemeName(*typed);
    const bool is_word = (wanted == kNoneWord && may_be_none) ||
                         std::ranges::find(parameter.words, wanted) != parameter.words.end();
    if (is_word) return ParameterValue{wanted, 0, {}, {}};
    if (typed != nullptr && parameter.kind != kTerms && !IsId(wanted)) {
      return Refuse(parameter, *typed);
    }
    ZHIWEN_ASSIGN_OR_RETURN(const std::string there, NameOfResource(parameter));
    if (there.empty() && wanted.empty() && !parameter.default_value.empty()) {
      return ParameterValue{std::string(parameter.default_value), 0, {}, {}};
    }
    if (there.empty()) return FailMissing(parameter, wanted);
    if (wanted.empty() || wanted == there) return ParameterValue{there, 0, {}, {}};
    const auto [what, advice] = AdviceOn(parameter);
    return Fail(ErrorCode::kConflict,
                fmt::format("cannot use the scheme \"{}\": its {} is {}, and that of this run is "
                            "{}; {}",
                            text_, parameter.name, wanted, there, what),
                {advice});
  }

  // Returns the name of the resource, or an empty string when there is none.
  Result<std::string> NameOfResource(const ParameterSpec& parameter) {
    if (parameter.kind == kSnapshot) {
      return resources_.snapshot == nullptr ? std::string() : resources_.snapshot->id();
    }
    if (parameter.kind == kKey) return resources_.key.empty() ? "" : KeyId(resources_.key);
    if (parameter.kind == kPhonemes) {
      return resources_.phonemes == nullptr ? std::string() : resources_.phonemes->id();
    }
    if (parameter.kind == kStopWords) {
      if (resources_.stop_words == nullptr) resources_.stop_words = StopWords::Usual();
      return resources_.stop_words->id();
    }
    if (resources_.terms == nullptr) {
      if (resources_.language == nullptr) {
        return Fail(ErrorCode::kNotFound,
                    fmt::format("cannot use the scheme \"{}\": it needs language data, and none is "
                                "loaded",
                                text_));
      }
      ZHIWEN_ASSIGN_OR_RETURN(auto segmenter, Segmenter::Create(resources_.language));
      resources_.terms = std::make_shared<TermExtractor>(std::move(segmenter));
    }
    return resources_.terms->name();
  }

  tl::unexpected<Error> FailMissing(const ParameterSpec& parameter, std::string_view wanted) const {
    const auto [what, advice] = AdviceOn(parameter);
    return Fail(ErrorCode::kNotFound,
                fmt::format("cannot use the scheme \"{}\": it needs {}{}{}; {}", text_,
                            parameter.meaning, wanted.empty() ? "" : ", ", wanted, what),
                {advice});
  }

  // Returns the text that says what to give instead, and its advice.
  static std::pair<std::string_view, Advice> AdviceOn(const ParameterSpec& parameter) {
    switch (parameter.kind) {
      case kSnapshot:
        return {"give the snapshot (zhiwen terms build makes one)", Advice::kGiveFrequencies};
      case kPhonemes:
        return {"give the snapshot (zhiwen phonemes train makes one)", Advice::kGivePhonemes};
      case kStopWords:
        return {"give the list, or none to have it filled in", Advice::kGiveStopWords};
      case kKey:
        return {"give the file with the key that it was made with", Advice::kGiveKey};
      default:
        return {
            "give the dictionaries and synonyms that it was made with, and the same language "
            "data",
            Advice::kGiveWords};
    }
  }

  std::string_view text_;
  SchemeResources& resources_;
};

}  // namespace

std::string KeyId(std::string_view key) {
  const Sha256Digest digest = ComputeHmacSha256(key, "zhiwen key");
  return fmt::format("{:02x}", fmt::join(std::span(digest).first(8), ""));
}

const ParameterValue& ResolvedName::operator[](std::string_view name) const {
  const auto parameter = std::ranges::find(family->parameters, name, &ParameterSpec::name);
  return values[static_cast<size_t>(parameter - family->parameters.begin())];
}

std::string ResolvedName::Print() const {
  std::vector<std::string> arguments;
  arguments.reserve(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    arguments.push_back(fmt::format("{}={}", family->parameters[i].name, values[i].text));
  }
  return fmt::format("{}.v{}({})", family->name, family->version, fmt::join(arguments, ","));
}

Result<ResolvedName> ResolveName(std::string_view text, const NameChoice& choice,
                                 SchemeResources& resources) {
  ZHIWEN_ASSIGN_OR_RETURN(const SchemeName name, ParseSchemeName(text));
  return Resolver(text, resources).Resolve(name, choice);
}

std::string DescribeType(const ParameterSpec& parameter) {
  switch (parameter.kind) {
    case kChannel:
      return ListChannels();
    case kInteger:
      return fmt::format("integer {}…{}", parameter.least, parameter.most);
    case kDecimal:
      return fmt::format("number {}…{}", PrintDecimal(parameter.least),
                         PrintDecimal(parameter.most));
    case kChoice:
      return ListChoices(parameter);
    case kTerms:
      return "of the language data, dictionaries and synonyms";
    case kSnapshot:
      return parameter.default_value == kNoneWord ? "none | of a snapshot" : "of a snapshot";
    case kStopWords:
      return "none | of a list, or the usual one";
    case kKey:
      return "none | of a key";
    case kPhonemes:
      return ListChoices(parameter) + " | of a snapshot";
  }
  return {};
}

}  // namespace zhiwen
