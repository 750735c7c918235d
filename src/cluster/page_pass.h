#ifndef ZHIWEN_CLUSTER_PAGE_PASS_H_
#define ZHIWEN_CLUSTER_PAGE_PASS_H_

// Clusters a stream of pages by the levels of their body trees: a page that is a copy of a source
// page joins it, any other becomes a source page. 熊忠阳 et al. 2013, §5: a page is a copy where
// more than kAlikePages of the levels are alike (match/level_similarity.h).
//
// In          pages, one after another: for each level the hashes of its feature strings
// Out         for each the source page that it joins. First: of those that it is a copy of the one
//             that came first, as in the source, which compares Bloom filters. Best: the most
//             similar one; of equally similar ones the one with the highest rank, of these the one
//             that came first
// Guarantees  the indexed form gives what comparing all source pages gives. A page without a string
//             is in no cluster and becomes no source page
// Cost        all source pages are compared, or, indexed, those that share one of the page's rarest
//             strings of one level; 12 bytes a string of a source page, 50 more for each that no
//             other page has
// Threads     one at a time

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "match/level_similarity.h"

namespace zhiwen {

inline constexpr double kAlikePages = 0.90;  // the source's β′: similarities above it are copies

struct StreamPage {
  uint64_t number = 0;  // the caller's
  std::span<const LevelFeatures> levels = {};
  double rank = 0;  // PageRank; a higher one is preferred
};

struct PagePassStep {
  uint64_t source = 0;    // number of the source page
  bool is_new = false;    // the page has become it
  double similarity = 1;  // with the source page
  size_t compared = 0;    // source pages
};

class PagePass {
 public:
  virtual ~PagePass() = default;
  // Returns nothing for a page without a string.
  virtual std::optional<PagePassStep> Take(const StreamPage& page) = 0;
};

enum class PageChoice : uint8_t { kFirst, kBest };

// Compares all source pages, up to the first copy where that is chosen.
std::unique_ptr<PagePass> MakeComparingPagePass(PageChoice choice);

// The source's own form (§5.2): the first of all source pages of which the page is a copy, by Bloom
// filters, which may take a page for a copy that is none.
std::unique_ptr<PagePass> MakeFilteringPagePass();

// Finds source pages by their strings; the choice is kBest.
std::unique_ptr<PagePass> MakeIndexedPagePass();

}  // namespace zhiwen

#endif  // ZHIWEN_CLUSTER_PAGE_PASS_H_
