#ifndef ZHIWEN_CLUSTER_KEEP_POLICY_H_
#define ZHIWEN_CLUSTER_KEEP_POLICY_H_

// A keep policy declares which of several matching documents is kept.
//
// In          "longest, earliest(date)": first, longest, shortest, earliest(f), latest(f),
//             highest(f), lowest(f), prefer(f=value,…), most important first; a field or value
//             with , ( ) = or spaces at its ends is written in double quotes, \ escapes. "none",
//             alone or with others, keeps no document that matches another; alone it orders as
//             "longest" does
// Out         for each document a key: a byte string; smaller keys rank first
// Guarantees  a missing or unparsable value ranks last and is counted; the order of input matters
//             only under `first`
// Cost        8 to 9 bytes a criterion; no allocation beyond the key
// Threads     const after Parse: share freely
// Fails       Parse: kInvalidArgument, naming the word, its position and what exists

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

  // Returns the distinct fields that the policy reads, in the order in which AppendKey takes their
  // values.
  const std::vector<std::string>& fields() const { return fields_; }

  // Returns true when none of several matching documents is kept. The order still determines which
  // of them represents the others.
  bool keeps_none() const { return keeps_none_; }

  // Returns true when the order of input decides.
  bool uses_position() const { return uses_position_; }

  // Returns the canonical spelling, such as "longest,earliest(date)", which parses to an equal
  // policy.
  std::string ToString() const;

  // Appends the key of one document. `length` is in code points; `values` are the values of
  // fields(). Where uses_position(), the key ends at `first`, and the caller orders documents with
  // equal keys by position. Adds 1 to missing[i] for each field i whose value is absent or cannot
  // be read as the policy needs. All keys of one policy have the same length and compare as byte
  // strings.
  //   earliest, latest   values as ParseDate reads them (document/parse_date.h)
  //   highest, lowest    values as ParseNumber reads them
  //   prefer             the listed values in their order, then other values, then a missing value
  void AppendKey(uint64_t length, std::span<const std::optional<std::string_view>> values,
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
    size_t field = 0;                  // index into fields_
    std::vector<std::string> choices;  // for kPrefer, best first
  };
  KeepPolicy() = default;

  static bool ReadsField(Term::Kind kind) { return kind >= Term::Kind::kEarliest; }
  size_t FieldIndex(const std::string& name);
  // Appends the key of a criterion that reads a field. Returns false when the value is missing.
  static bool AppendFieldKey(const Term& term, std::optional<std::string_view> value,
                             std::string& key);

  std::vector<Term> terms_;
  std::vector<std::string> fields_;
  bool uses_position_ = false;
  bool keeps_none_ = false;
};

// Parses a decimal number with optional sign and exponent ("-12.5", "+3e4"), ignoring surrounding
// white space. Returns nothing for any other text and for numbers out of the range of a double.
std::optional<double> ParseNumber(std::string_view text);

}  // namespace zhiwen

#endif  // ZHIWEN_CLUSTER_KEEP_POLICY_H_
