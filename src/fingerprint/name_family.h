#ifndef ZHIWEN_FINGERPRINT_NAME_FAMILY_H_
#define ZHIWEN_FINGERPRINT_NAME_FAMILY_H_

// What names of schemes are looked up in: families with their parameters. A scheme has a family
// (fingerprint/scheme_family.h), and so have the parts that a parameter may name: shingle, word,
// tfidf.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/channel.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

enum class ParameterKind : uint8_t {
  kChannel,    // a channel
  kInteger,    // from `least` to `most`
  kDecimal,    // the same in millionths
  kChoice,     // one of `words`, or a name of one of `parts`
  kTerms,      // SchemeResources::terms
  kSnapshot,   // SchemeResources::snapshot, or "none"
  kStopWords,  // SchemeResources::stop_words, or "none"
  kKey,        // SchemeResources::key, or "none"
  kPhonemes,   // SchemeResources::phonemes, or one of `words`
};

inline constexpr uint64_t kMillion = 1'000'000;
inline constexpr std::string_view kNoneWord = "none";  // a parameter without a value

struct NameFamily;

struct ParameterSpec {
  std::string_view name;
  ParameterKind kind;
  // A short name is completed with it; of those of SchemeResources with what these have, and
  // where they have none with it, if there is a default, or not at all.
  std::string_view default_value;
  std::string_view meaning;
  uint64_t least = 0, most = 0;                   // kInteger, kDecimal
  std::span<const std::string_view> words = {};   // kChoice, kPhonemes
  std::span<const NameFamily* const> parts = {};  // kChoice
};

struct NameFamily {
  std::string_view name;  // without version
  uint32_t version;       // the newest
  std::string_view main_parameter;
  std::span<const ParameterSpec> parameters;  // ascending by name
};

struct ResolvedName;

struct ParameterValue {
  std::string text;                  // canonical
  uint64_t integer = 0;              // kInteger; kDecimal: millionths
  std::vector<ResolvedName> nested;  // kChoice: one where it is no word
  std::optional<Channel> channel;    // kChannel

  bool is_none() const { return text == kNoneWord; }
};

struct ResolvedName {
  const NameFamily* family = nullptr;
  std::vector<ParameterValue> values;  // in the order of family->parameters

  // `name` is one of the family's parameters.
  const ParameterValue& operator[](std::string_view name) const;
  // "shingle.v1(k=5,unit=symbol)".
  std::string Print() const;
};

// What kinds of things a name may be, for messages: "scheme", "feature".
struct NameChoice {
  std::string_view noun;
  std::span<const NameFamily* const> families;
};

// Resolves a whole name. `text` is what was typed; what is needed of `resources` and not there is
// made, where it can be. Fails: kInvalidArgument, naming the unknown family, version, parameter or
// value, its position and what exists; kNotFound where a resource is missing that the name needs;
// kConflict where it is another one than the name says; as OpenChannel (zhiwen/channel.h).
Result<ResolvedName> ResolveName(std::string_view text, const NameChoice& choice,
                                 SchemeResources& resources);

// "integer 1…64", "folded.v3 | exact.v1", "symbol | word(terms=…)".
std::string DescribeType(const ParameterSpec& parameter);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_NAME_FAMILY_H_
