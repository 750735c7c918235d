#include "document/html/article_bounds.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "document/html/page_posts.h"
#include "document/html/place_words.h"

namespace zhiwen {
namespace {

constexpr uint32_t kNoArticle = UINT32_MAX;  // no <article>
constexpr float kLeastTitleShare = 0.6F;     // of the tokens of a heading
constexpr uint32_t kLeastTitleTokens = 2;
constexpr float kLeastBodyProbability = 0.4F;  // of a block that may be body
constexpr double kLeastBodyTokens = 20;        // of body that a page keeps

// Why a block is outside, as bits.
enum Outside : uint8_t {
  kBesideText = 1,
  kRelated = 2,
  kUnmarked = 4,
  kOtherArticle = 8,
  kComment = 16,
  kNoArticleAround = 32,
};
constexpr std::array kOutside = {kBesideText,   kRelated, kUnmarked,
                                 kOtherArticle, kComment, kNoArticleAround};

class OutsideSearch {
 public:
  OutsideSearch(const HtmlPage& page, std::span<const BlockStatistics> statistics,
                const BlockFeatures& features)
      : page_(page), statistics_(statistics), features_(features) {}

  // Returns why each block is outside of the article.
  std::vector<uint8_t> Find() {
    VisitNodes();
    const bool is_marked = std::ranges::any_of(page_.nodes, &HtmlNode::is_article_body);
    const bool has_data = page_.facts.has_article_data;
    const bool says_article = is_marked || has_data || page_.facts.type == "article";
    const uint32_t main = says_article ? FindMainArticle() : kNoArticle;
    const bool tells_comments = is_marked || has_data || main != kNoArticle;
    const bool has_one = says_article && main == kNoArticle && CountArticles() == 1;
    std::vector<uint8_t> outside(page_.blocks.size());
    for (size_t i = 0; i < outside.size(); ++i) {
      const uint32_t node = page_.blocks[i].node;
      const uint32_t places = features_.GroupsOf(i).all_places;
      if (is_beside_[node] != 0) outside[i] |= kBesideText;
      if ((places & kRelatedPlaces) != 0) outside[i] |= kRelated;
      if (is_marked && !page_.nodes[node].is_article_body) outside[i] |= kUnmarked;
      if (main != kNoArticle && article_[node] != main) outside[i] |= kOtherArticle;
      if (tells_comments && (places & kCommentPlaces) != 0) outside[i] |= kComment;
      if (has_one && article_[node] == kNoArticle) outside[i] |= kNoArticleAround;
    }
    return outside;
  }

 private:
  // Notes for each node the innermost <article> around it, and whether it is in <aside>, <footer>
  // or <nav>.
  void VisitNodes() {
    article_.reserve(page_.nodes.size());
    is_beside_.reserve(page_.nodes.size());
    for (uint32_t i = 0; i < page_.nodes.size(); ++i) {
      const HtmlNode& node = page_.nodes[i];
      const HtmlTag tag = node.tag;
      const bool is_beside =
          tag == HtmlTag::kAside || tag == HtmlTag::kFooter || tag == HtmlTag::kNav;
      const bool is_root = i == 0;
      const uint32_t around = is_root ? kNoArticle : article_[node.parent];
      article_.push_back(tag == HtmlTag::kArticle ? i : around);
      is_beside_.push_back(is_beside || (!is_root && is_beside_[node.parent] != 0) ? 1 : 0);
    }
  }

  size_t CountArticles() const {
    return static_cast<size_t>(std::ranges::count(page_.nodes, HtmlTag::kArticle, &HtmlNode::tag));
  }

  // Returns the <article> that has the title of the page as a heading.
  uint32_t FindMainArticle() const {
    for (size_t i = 0; i < page_.blocks.size(); ++i) {
      const uint32_t node = page_.blocks[i].node;
      if (article_[node] == kNoArticle || HeadingLevel(page_.nodes[node].tag) == 0) continue;
      const bool is_title = statistics_[i].tokens >= kLeastTitleTokens &&
                            features_.TitleOverlapOf(i).share >= kLeastTitleShare;
      if (is_title) return article_[node];
    }
    return kNoArticle;
  }

  const HtmlPage& page_;
  std::span<const BlockStatistics> statistics_;
  const BlockFeatures& features_;
  std::vector<uint32_t> article_;   // by node
  std::vector<uint8_t> is_beside_;  // by node
};

}  // namespace

void LeaveOutOutsideOfArticle(const HtmlPage& page, std::span<const BlockStatistics> statistics,
                              const BlockFeatures& features, std::span<float> probabilities) {
  const std::vector<uint8_t> outside = OutsideSearch(page, statistics, features).Find();
  if (std::ranges::all_of(outside, [](uint8_t bits) { return bits == 0; })) return;
  if (SaysForum(page)) return;
  for (const Outside kind : kOutside) {
    double all = 0, left = 0;
    for (size_t i = 0; i < outside.size(); ++i) {
      if (probabilities[i] <= kLeastBodyProbability) continue;
      const double expected = statistics[i].tokens * static_cast<double>(probabilities[i]);
      all += expected;
      if ((outside[i] & kind) == 0) left += expected;
    }
    if (left < kLeastBodyTokens || (kind == kNoArticleAround && left * 2 < all)) continue;
    for (size_t i = 0; i < outside.size(); ++i) {
      if ((outside[i] & kind) != 0) probabilities[i] = 0;
    }
  }
}

}  // namespace zhiwen
