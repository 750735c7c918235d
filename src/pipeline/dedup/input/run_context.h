#ifndef ZHIWEN_PIPELINE_DEDUP_INPUT_RUN_CONTEXT_H_
#define ZHIWEN_PIPELINE_DEDUP_INPUT_RUN_CONTEXT_H_

// What a run has open: the outside world, its inputs, its scratch, and the rows that the first pass
// leaves there. Every stage gets it as one argument.
//
// Threads     as each member says

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/scratch/scratch.h"
#include "document/parse_date.h"
#include "document/record.h"
#include "document/url_key.h"
#include "pipeline/dedup/input/inputs.h"
#include "pipeline/dedup/input/text_features.h"
#include "pipeline/dedup/rows/removal_rules.h"
#include "pipeline/dedup/rows/run_spools.h"
#include "pipeline/reader/record_blocks.h"
#include "zhiwen/dedup.h"

namespace zhiwen {

// How every pass reads the records of the inputs.
struct ReadingOptions {
  RecordFields fields;             // in `policy`: the fields of the keep policy, then those below
  std::optional<size_t> group_by;  // place in fields.policy: groups never match across
  std::optional<size_t> key;       // place in fields.policy: equal values are duplicates
  bool key_is_url = false;
  std::optional<size_t> date;  // place in fields.policy: dates that lie far apart never match
  BlockOptions blocks;
  size_t in_flight = 8;                           // blocks that are worked on at once
  uint64_t large_text_bytes = uint64_t{4} << 20;  // large_blocks.h
  size_t range_shingles = size_t{1} << 20;        // of a large text, in memory at once
  uint64_t cut_bytes = UINT64_MAX;                // for a line out of which a passage is cut
};

// Returns the group of a document (HashGroup); 0 where there are no groups.
inline uint64_t GroupOf(const ReadingOptions& reading, const Document& document) {
  return reading.group_by ? HashGroup(document.policy[*reading.group_by]) : 0;
}

// Returns the key of a document; empty: it has none.
inline std::string KeyOf(const ReadingOptions& reading, const Document& document) {
  const auto value = reading.key ? document.policy[*reading.key] : std::nullopt;
  if (!value) return {};
  return reading.key_is_url ? UrlKey(*value) : std::string(*value);
}

// Returns the date that a value says; kNoDate if it says none.
inline int64_t DateOfValue(const std::optional<std::string_view>& value) {
  return value ? ParseDate(*value).value_or(kNoDate) : kNoDate;
}

inline int64_t DateOf(const ReadingOptions& reading, const Document& document) {
  return reading.date ? DateOfValue(document.policy[*reading.date]) : kNoDate;
}

// All members outlive it.
struct RunContext {
  const DedupEnvironment& environment;
  const DedupInputs& inputs;
  const ReadingOptions& reading;
  const RemovalRules& rules;
  Scratch& scratch;
  const RunSpools& spools;
  uint64_t work_bytes = 0;  // memory of one stage; 0 until the documents are counted
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_INPUT_RUN_CONTEXT_H_
