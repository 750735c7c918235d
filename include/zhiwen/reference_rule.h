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

// What becomes of a text that matches a reference.
enum class ReferenceAction : uint8_t {
  kRemove,  // it is left out
  kMark,    // it stays, with a field that says so
  kCut,     // it stays without the passage; kContains and kOverlap
};

constexpr std::string_view ReferenceActionName(ReferenceAction action) {
  switch (action) {
    case ReferenceAction::kRemove:
      return "remove";
    case ReferenceAction::kMark:
      return "mark";
    case ReferenceAction::kCut:
      return "cut";
  }
  return "";
}

}  // namespace zhiwen

#endif  // ZHIWEN_REFERENCE_RULE_H_
