#ifndef ZHIWEN_DOCUMENT_HTML_BLOCK_CONTEXT_H_
#define ZHIWEN_DOCUMENT_HTML_BLOCK_CONTEXT_H_

// What is known of a block once every block of the page has a first probability of being body: how
// probable its neighbours, its nodes and its place in the template are. The second stage of the
// model of bodies weighs these numbers beside those of the first.
//
// In          a page, the counts of its blocks, and a probability for each
// Out         kContextFeatures numbers a block
// Cost        linear in the blocks and nodes; 60 bytes a block
// Threads     const after the constructor
// Persisted   as document/html/block_features.h says

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "document/html/block_features.h"
#include "document/html/html_page.h"

namespace zhiwen {

inline constexpr size_t kContextFeatures = 25;

using ContextFeatures = std::array<float, kContextFeatures>;

class BlockContext {
 public:
  // All must outlive the object; `probabilities` are by block.
  BlockContext(const HtmlPage& page, std::span<const BlockStatistics> statistics,
               const BlockFeatures& features, std::span<const float> probabilities);

  // Computes the numbers of a block.
  void Compute(size_t block, ContextFeatures& out) const;

 private:
  // Sums over the blocks before each one.
  struct Mass {
    double tokens = 0, body_tokens = 0;
    double Mean() const { return tokens > 0 ? body_tokens / tokens : 0; }
    Mass operator-(const Mass& other) const {
      return {tokens - other.tokens, body_tokens - other.body_tokens};
    }
  };
  struct Subtree {
    uint32_t begin = 0, end = 0;
    double f1 = 0, share = 0;
  };

  void VisitNodes();
  void SumPlaces();
  void FindSure();
  float ProbabilityAt(ptrdiff_t block) const;
  float NearMean(size_t block) const;

  const HtmlPage& page_;
  std::span<const BlockStatistics> statistics_;
  const BlockFeatures& features_;
  std::span<const float> probabilities_;
  std::vector<Mass> sums_;                          // blocks + 1
  std::vector<float> node_mean_;                    // of the tokens inside
  std::vector<float> place_mean_;                   // by place of BlockFeatures
  std::vector<uint8_t> sure_before_, sure_behind_;  // distance to a sure block, in blocks
  Subtree best_;
  float most_ = 0;  // the largest probability of a block of some length
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_BLOCK_CONTEXT_H_
