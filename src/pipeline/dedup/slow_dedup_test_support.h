#ifndef ZHIWEN_PIPELINE_DEDUP_SLOW_DEDUP_TEST_SUPPORT_H_
#define ZHIWEN_PIPELINE_DEDUP_SLOW_DEDUP_TEST_SUPPORT_H_

// The rules of dedup word by word (docs/dedup-rules.md), the oracle of the pipeline's tests: sets
// of five symbols instead of hashes (slow_similarity.h), and every pair compared. It shares with
// the pipeline the channels and the hash that breaks ties, nothing else.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/dedup/audit/slow_similarity.h"
#include "zhiwen/channel.h"
#include "zhiwen/dedup.h"

namespace zhiwen {

struct SlowDocument {
  std::string id;
  std::string text;
  std::string key = {};              // empty: none
  std::optional<int64_t> date = {};  // days
};

struct SlowDecision {
  size_t keeper = SIZE_MAX;  // SIZE_MAX: kept
  bool exact = false;
  bool by_key = false;
  double resemblance = 1, containment = 1, containment_of_kept = 1;

  bool removed() const { return keeper != SIZE_MAX; }
};

// The near rule under the keep policy `longest`. With `within_days`, documents whose dates lie
// farther apart never match.
std::vector<SlowDecision> SlowDedup(const std::vector<SlowDocument>& documents,
                                    const Channel& channel, double threshold,
                                    std::optional<int64_t> within_days = {});

// The contained rule under the same policy.
std::vector<SlowDecision> SlowContainedDedup(const std::vector<SlowDocument>& documents,
                                             const Channel& channel, double threshold,
                                             std::optional<int64_t> within_days = {});

// The exact rule.
std::vector<SlowDecision> SlowExactDedup(const std::vector<SlowDocument>& documents,
                                         std::optional<int64_t> within_days = {});

// The rule of references, which of all inputs match which reference.
class SlowReferences {
 public:
  // `options`: what they say of references, and the threshold.
  SlowReferences(const std::vector<SlowDocument>& inputs,
                 const std::vector<SlowDocument>& references, const Channel& channel,
                 const DedupOptions& options);

  bool Matches(size_t input, size_t reference) const;

  // References by number, and shingles with the number of inputs that have each.
  std::vector<size_t> TooShort() const;
  std::vector<size_t> TooCommon() const;
  using Shingle = std::array<uint32_t, 5>;
  const std::map<Shingle, size_t>& common() const { return common_; }

 private:
  struct Text {
    bool is_empty = false;
    std::vector<uint32_t> exact, symbols;
    std::vector<Shingle> shingles;  // ascending, distinct; of a reference: those that count
    bool lost = false;              // it had others
  };
  Text Read(const std::string& text) const;
  size_t Least() const;
  bool HasEnough(const Text& reference) const;

  const Channel channel_;
  const DedupOptions options_;
  std::vector<Text> inputs_, references_;
  std::map<Shingle, size_t> common_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SLOW_DEDUP_TEST_SUPPORT_H_
