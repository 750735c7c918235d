#ifndef ZHIWEN_FINGERPRINT_SCHEME_FAMILY_H_
#define ZHIWEN_FINGERPRINT_SCHEME_FAMILY_H_

// The families of schemes and features with their parameters: the one table from which names are
// completed, printed and described.
//
// In          a SchemeName as typed
// Out         ResolvedName: family, version and every parameter; its print is the canonical name
// Guarantees  resolving a canonical name and printing it gives the same name
// Fails       kInvalidArgument, naming the unknown family, version, parameter or value, its
//             position and what exists

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/scheme_name.h"
#include "zhiwen/channel.h"
#include "zhiwen/result.h"

namespace zhiwen {

enum class ParameterKind : uint8_t { kChannel, kInteger, kWord, kFeature };

struct ParameterSpec {
  std::string_view name;
  ParameterKind kind;
  std::string_view default_value;  // a short name is completed
  std::string_view meaning;
  uint64_t least = 0, most = 0;                  // kInteger
  std::span<const std::string_view> words = {};  // kWord: what exists
};

struct SchemeFamily {
  std::string_view name;  // without version
  uint32_t version;       // the newest
  std::string_view main_parameter;
  std::span<const ParameterSpec> parameters;  // ascending by name
  std::string_view source, value, distance, use_for, not_for;
};

struct ResolvedName;

struct ParameterValue {
  std::string text;                  // canonical
  uint64_t integer = 0;              // kInteger
  std::vector<ResolvedName> nested;  // kFeature: one
  std::optional<Channel> channel;    // kChannel
};

struct ResolvedName {
  const SchemeFamily* family = nullptr;
  std::vector<ParameterValue> values;  // in the order of family->parameters

  // `name` is one of the family's parameters.
  const ParameterValue& operator[](std::string_view name) const;
  std::string Print() const;
};

// The families of schemes, in the order in which they are described.
std::span<const SchemeFamily> SchemeFamilies();

// Resolves a whole scheme name. `text` is what was typed, for messages; `channel` is that of a name
// that says none. Fails also as OpenChannel
// (zhiwen/channel.h).
Result<ResolvedName> ResolveSchemeName(std::string_view text,
                                       const std::shared_ptr<const Language>& language = nullptr,
                                       const std::optional<Channel>& channel = std::nullopt);

// "integer 1…64", "xxh3", "folded.v2 | exact.v1".
std::string DescribeType(const ParameterSpec& parameter);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_SCHEME_FAMILY_H_
