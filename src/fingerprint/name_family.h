#ifndef ZHIWEN_FINGERPRINT_NAME_FAMILY_H_
#define ZHIWEN_FINGERPRINT_NAME_FAMILY_H_

// The families that scheme names are resolved against, with their parameters. A scheme has a family
// (fingerprint/scheme_family.h), and so has each part that a parameter may name: shingle, word,
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
  kDecimal,    // a number of the same range, in millionths
  kChoice,     // one of `words`, or one of `parts` with its arguments
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
  // Completes a short name. A parameter of SchemeResources takes the given resource first; when
  // there is none it takes this default, and fails if the default is empty.
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
  std::string text;  // canonical spelling
  // The number for kInteger; in millionths for kDecimal.
  uint64_t integer = 0;
  // For kChoice: the nested name, unless the value is a word.
  std::vector<ResolvedName> nested;
  std::optional<Channel> channel;  // kChannel

  bool is_none() const { return text == kNoneWord; }
};

struct ResolvedName {
  const NameFamily* family = nullptr;
  std::vector<ParameterValue> values;  // in the order of family->parameters

  // `name` must be one of the family's parameters.
  const ParameterValue& operator[](std::string_view name) const;
  // Returns the canonical name, such as "shingle.v1(k=5,unit=symbol)".
  std::string Print() const;
};

// The families that a name may belong to, and the noun that messages use for them: "scheme",
// "feature".
struct NameChoice {
  std::string_view noun;
  std::span<const NameFamily* const> families;
};

// Resolves a whole name. `text` is what the user typed. Resources that the name needs and that can
// be made are added to `resources`. Fails: kInvalidArgument for an unknown family, version,
// parameter or value, naming it, its position and what exists; kNotFound where a resource is
// missing that the name needs; kConflict where the resource is not the one that the name states; as
// OpenChannel (zhiwen/channel.h).
Result<ResolvedName> ResolveName(std::string_view text, const NameChoice& choice,
                                 SchemeResources& resources);

// Describes the values that a parameter accepts: "integer 1…64", "folded.v3 | exact.v1", "symbol |
// word(terms=…)".
std::string DescribeType(const ParameterSpec& parameter);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_NAME_FAMILY_H_
