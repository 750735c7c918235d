#ifndef ZHIWEN_DOCUMENT_HTML_BLOCK_FEATURES_H_
#define ZHIWEN_DOCUMENT_HTML_BLOCK_FEATURES_H_

// What is known of a block of a page before anything is decided: its text, its element, its place,
// its repetitions, its neighbours, and the nodes around it. The first stage of the model of bodies
// (document/html/body_model.h) weighs these numbers.
//
// In          a page and the counts of its blocks
// Out         kFirstFeatures numbers a block
// Guarantees  the names of a node that holds 60 % of the tokens of the page are left out of the
//             groups of nodes around a block: they say the same of nearly every block
// Cost        about 4 GB of HTML a second; 45 bytes a block and 32 a node
// Threads     const after the constructor
// Persisted   the order of the numbers is that of the weights in body_weights.cc; a change of their
//             meaning needs new weights (tools/train_body_model.py)

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "document/html/block_statistics.h"
#include "document/html/html_page.h"
#include "document/html/place_words.h"

namespace zhiwen {

inline constexpr size_t kDenseFeatures = 89;
inline constexpr size_t kBends = 31;  // what a straight line cannot say of some of the dense ones
inline constexpr size_t kNodeNumbers = 7;  // of the text in a node around a block
inline constexpr size_t kNumbers = kDenseFeatures + kBends;
inline constexpr size_t kFirstFeatures = kNumbers + kPhraseGroups + 2 * kPlaceGroups;

using FirstFeatures = std::array<float, kFirstFeatures>;
using NodeNumbers = std::array<float, kNodeNumbers>;
using NumberFeatures = std::array<float, kNumbers>;

// The features behind kNumbers: 1 for groups of words that occur, 0 for others.
struct GroupFeatures {
  uint32_t phrases = 0;     // kPhraseGroups, in the text
  uint32_t own_places = 0;  // kPlaceGroups, of the node and two nodes around it
  uint32_t all_places = 0;  // kPlaceGroups, of nodes around it, but of those of most of the page
};

// Sums over the blocks before each one, so that those of any stretch are a difference.
struct BlockSums {
  uint32_t tokens = 0, unlinked_tokens = 0, marks = 0, bytes = 0, link_bytes = 0, paragraphs = 0,
           long_blocks = 0;
};

// Features of a block and those of its neighbours have these numbers in common.
struct BlockShares {
  float log_tokens = 0, link = 0, marks = 0;
};

inline constexpr size_t kTitleEnds = 1024;

class BlockFeatures {
 public:
  // Both must outlive the object.
  BlockFeatures(const HtmlPage& page, std::span<const BlockStatistics> statistics);

  // Computes the features of a block that are numbers, and those that are groups of words.
  void ComputeNumbers(size_t block, NumberFeatures& out) const;
  GroupFeatures GroupsOf(size_t block) const;

  // Computes all features of a block as numbers.
  void Compute(size_t block, FirstFeatures& out) const;

  // Shares of the tokens of a block that are in the title, and of those of the title in the block.
  struct TitleOverlap {
    float share = 0, covered = 0;
  };
  TitleOverlap TitleOverlapOf(size_t block) const;

  // Return what the second stage needs, too.
  std::span<const uint32_t> places() const { return places_; }  // by block: equal for signatures
  size_t place_count() const { return place_sums_.size(); }
  uint32_t tokens() const { return sums_.back().tokens; }

 private:
  struct PlaceSum {
    uint32_t blocks = 0, tokens = 0, bytes = 0, link_bytes = 0, sentences = 0;
  };
  class Row;

  void CountRepetitions();
  void GatherPlaceWords();
  void ComputeNodeNumbers();
  void FindHeadings();
  void FindTitle();
  void AddOwnText(size_t block, Row& row) const;
  void AddOwnKind(size_t block, Row& row) const;
  void AddPlace(size_t block, Row& row) const;
  void AddRepetition(size_t block, Row& row) const;
  void AddNeighbours(size_t block, Row& row) const;
  void AddLevels(size_t block, Row& row) const;
  static void AddBends(const NumberFeatures& dense, Row& row);
  void AddNeighbour(size_t block, ptrdiff_t offset, bool is_near, Row& row) const;

  const HtmlPage& page_;
  std::span<const BlockStatistics> statistics_;
  std::vector<BlockSums> sums_;            // blocks + 1
  std::vector<BlockShares> shares_;        // by block
  std::vector<uint32_t> places_;           // number of its signature, by block
  std::vector<PlaceSum> place_sums_;       // by that number
  std::vector<uint8_t> repetitions_;       // of the text, by block
  std::vector<uint32_t> place_words_;      // kPlaceGroups, by node: of it and of those around it
  std::vector<NodeNumbers> node_numbers_;  // by node: of the text inside
  std::vector<int32_t> since_h1_, since_heading_;
  std::vector<uint64_t> title_;                       // hashes of the tokens of <title>, sorted
  std::array<bool, kTitleEnds> has_title_ends_ = {};  // which ends of such tokens there are
  float log_blocks_ = 0, log_tokens_ = 0, page_han_ = 0, page_link_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_BLOCK_FEATURES_H_
