#ifndef ZHIWEN_APPS_ZHIWEN_OPTION_VALUES_H_
#define ZHIWEN_APPS_ZHIWEN_OPTION_VALUES_H_

// The values of options as people type them. Fails, all of them: kInvalidArgument, quoting what was
// typed and saying what is accepted.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct CountRange {
  uint64_t least = 0;
  uint64_t most = INT64_MAX;
};

// A whole number in `range`.
Result<uint64_t> ParseCount(std::string_view text, const CountRange& range);

// A decimal number such as 0.8; no exponent, no infinity.
Result<double> ParseDecimal(std::string_view text);

// "N" fails a run above N failed records, "P%" above that share of the records read.
Result<FailureLimit> ParseFailureLimit(std::string_view text);

// "title,content": at least one name, none of them empty.
Result<std::vector<std::string>> ParseNames(std::string_view text);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_OPTION_VALUES_H_
