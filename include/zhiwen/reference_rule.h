#ifndef ZHIWEN_REFERENCE_RULE_H_
#define ZHIWEN_REFERENCE_RULE_H_

// When a text matches a reference; exactly: docs/dedup-rules.md, "Against references".

#include <cstdint>
#include <string_view>

namespace zhiwen {

enum class ReferenceRule : uint8_t {
  kNear,         // both resemble each other
  kContainedIn,  // the text lies in the reference
  kContains,     // the text holds the reference
  kOverlap,      // both have a long run of symbols
};

constexpr std::string_view ReferenceRuleName(ReferenceRule rule) {
  switch (rule) {
    case ReferenceRule::kNear:
      return "near";
    case ReferenceRule::kContainedIn:
      return "contained-in";
    case ReferenceRule::kContains:
      return "contains";
    case ReferenceRule::kOverlap:
      return "overlap";
  }
  return "";
}

}  // namespace zhiwen

#endif  // ZHIWEN_REFERENCE_RULE_H_
