#ifndef ZHIWEN_CLUSTER_KEEP_POLICY_H_
#define ZHIWEN_CLUSTER_KEEP_POLICY_H_

// Which of several matching documents stays: a declarative order.
//
// In          "longest, earliest(date)": first, longest, shortest, earliest(f), latest(f),
// highest(f), lowest(f), prefer(f=value,…),
//             most important first
// Out         for each document a key: a byte string; smaller keys rank first
// Guarantees  a missing or unparsable value ranks last and is counted; the order of input matters
// only under `first` Fails       Parse: kInvalidArgument, naming the word and what exists

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

class KeepPolicy {
 public:
  static Result<KeepPolicy> Parse(std::string_view text);

  // The distinct fields it reads, in the order that AppendKey takes their values.
  const std::vector<std::string>& fields() const { return fields_; }

  // True when the order of input decides.
  bool uses_position() const { return uses_position_; }

  // Canonical spelling: "longest,earliest(date)".
  std::string ToString() const;

  // Appends the key of one document: `length` in code points, `position` in the input, the values
  // of fields(). Adds 1 to missing[i] for each field i whose value is absent or cannot be read as
  // what the policy needs. Keys of one policy compare as byte strings.
  void AppendKey(uint64_t length, uint64_t position,
                 std::span<const std::optional<std::string_view>> values,
                 std::span<uint64_t> missing, std::string& key) const;

 private:
  struct Term {
    enum class Kind : uint8_t {
      kFirst,
      kLongest,
      kShortest,
      kEarliest,
      kLatest,
      kHighest,
      kLowest,
      kPrefer
    };
    Kind kind = Kind::kLongest;
    size_t field = 0;                  // into fields_
    std::vector<std::string> choices;  // kPrefer, best first
  };
  KeepPolicy() = default;

  std::vector<Term> terms_;
  std::vector<std::string> fields_;
  bool uses_position_ = false;
};

// Seconds since 1970-01-01 UTC of ISO 8601 ("2024-05-01", "2024-05-01T08:00:00+08:00"), epoch
// seconds or milliseconds, "2024/5/1", "2024年5月1日"; a time without zone is UTC. Nothing when it
// is none of these or no such day exists.
std::optional<int64_t> ParseDate(std::string_view text);

}  // namespace zhiwen

#endif  // ZHIWEN_CLUSTER_KEEP_POLICY_H_
