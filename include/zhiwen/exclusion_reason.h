#ifndef ZHIWEN_EXCLUSION_REASON_H_
#define ZHIWEN_EXCLUSION_REASON_H_

// Why a passage that two texts share does not count.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

enum class ExclusionReason : uint8_t {
  kSetPhrase,    // many texts of the library say it
  kQuotation,    // the copy quotes it, and names the source
  kReferences,   // it stands in a list of sources
  kBoilerplate,  // it is in a text that was declared to be a form
  kOwnWork,      // the original is by the author of the copy
  kLicensed,     // the original may be used
};
inline constexpr size_t kExclusionReasons = 6;

// "set_phrase", "quotation", "references", "boilerplate", "own_work", "licensed".
std::string_view ExclusionReasonName(ExclusionReason reason);

// People call a reason this: "引文", "quotations".
struct ExclusionWords {
  std::string_view zh, en;
};
ExclusionWords WordsOf(ExclusionReason reason);

// A set of reasons.
class ExclusionReasons {
 public:
  constexpr ExclusionReasons() = default;
  constexpr ExclusionReasons(std::initializer_list<ExclusionReason> reasons) {
    for (const ExclusionReason reason : reasons) Add(reason);
  }

  constexpr bool Has(ExclusionReason reason) const { return (bits_ & BitOf(reason)) != 0; }
  constexpr void Add(ExclusionReason reason) { bits_ |= BitOf(reason); }
  constexpr void Add(ExclusionReasons reasons) { bits_ |= reasons.bits_; }
  constexpr void Remove(ExclusionReasons reasons) { bits_ &= ~reasons.bits_; }
  constexpr bool empty() const { return bits_ == 0; }

  friend bool operator==(const ExclusionReasons&, const ExclusionReasons&) = default;

 private:
  static constexpr uint32_t BitOf(ExclusionReason reason) {
    return 1U << static_cast<uint32_t>(reason);
  }

  uint32_t bits_ = 0;
};

// All reasons there are.
ExclusionReasons EveryExclusionReason();

// Parses names such as "quotation,references", or "all". Fails: kInvalidArgument, naming those
// there are.
Result<ExclusionReasons> ParseExclusionReasons(std::string_view names);

}  // namespace zhiwen

#endif  // ZHIWEN_EXCLUSION_REASON_H_
