#include "document/html/page_posts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/utf8/ascii.h"
#include "document/html/numbered_keys.h"
#include "document/html/page_facts.h"

namespace zhiwen {
namespace {

constexpr uint32_t kMostMarkTokens = 30;
constexpr size_t kMostMarkBytes = 200;
constexpr float kMostPostMass = 100;    // tokens that count of one post
constexpr float kLeastPostMass = 0.25F;
constexpr size_t kFewestPosts = 2;
constexpr float kLeastPlaceMean = 0.2F;
constexpr size_t kPlaceLevels = 4;
constexpr size_t kMostNameTokens = 12;
constexpr size_t kMostLinkedDataBytes = size_t{1} << 16;

bool Contains(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Whether a number stands in front of one of `units`, with at most one blank between: 3 小时前.
bool HasNumberBefore(std::string_view text, std::span<const std::string_view> units) {
  return std::ranges::any_of(units, [&](std::string_view unit) {
    for (size_t at = text.find(unit); at != std::string_view::npos; at = text.find(unit, at + 1)) {
      const size_t last = at > 0 && text[at - 1] == ' ' ? at - 1 : at;
      if (last > 0 && IsDigit(text[last - 1])) return true;
    }
    return false;
  });
}

// Whether a line says which post it is of those of its topic: #3, 3楼.
bool IsFloor(std::string_view text) {
  static constexpr std::array<std::string_view, 2> kFloors = {"楼", "樓"};
  const size_t sign = text.find('#');
  const bool has_sign = sign != std::string_view::npos && sign + 1 < text.size();
  return (has_sign && IsDigit(text[sign + 1])) || HasNumberBefore(text, kFloors);
}

// Whether a line says when a post was written, or its floor.
bool IsPostMark(std::string_view text, const BlockStatistics& statistics) {
  if (statistics.tokens > kMostMarkTokens || text.size() > kMostMarkBytes) return false;
  if (statistics.digits == 0) return false;
  static constexpr std::array<std::string_view, 14> kUnits = {
      "分钟前", "小时前", "天前", "月前", "年前", "周前",
      "minute", "hour", "day", "week", "month", "year", "分鐘前", "小時前"};
  if (!FindDate(text).empty() || HasNumberBefore(text, kUnits) || IsFloor(text)) return true;
  static constexpr std::array<std::string_view, 12> kMonths = {
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};
  return statistics.digits >= 4 && Contains(LowerAsciiOf(text), kMonths);
}

// Whether a page says of itself that it is a forum.
bool SaysForum(const HtmlPage& page) {
  static constexpr std::array<std::string_view, 12> kTitles = {
      "论坛", "論壇", "贴吧", "百度知道", "知乎", "forum", "bbs", "discuz", "phpbb", "vbulletin",
      "问答", "社区"};
  static constexpr std::array<std::string_view, 10> kAddresses = {
      "bbs.", "/bbs", "forum", "viewthread", "showthread", "viewtopic", "/question", "discuss", "/topic", "/thread"};
  static constexpr std::array<std::string_view, 13> kPrograms = {
      "discuz", "phpbb",   "vbulletin", "flarum", "discourse", "nodebb",  "homeland",
      "mybb",   "xenforo", "vanilla",   "misago", "xiuno",     "phpwind"};
  static constexpr std::array<std::string_view, 2> kTypes = {"DiscussionForumPosting", "QAPage"};
  const HtmlFacts& facts = page.facts;
  for (const std::string_view text : {facts.title, facts.og_site}) {
    if (Contains(LowerAsciiOf(text), kTitles)) return true;
  }
  if (Contains(LowerAsciiOf(facts.generator), kPrograms)) return true;
  for (const std::string_view text : {facts.canonical, facts.og_url}) {
    if (Contains(LowerAsciiOf(text), kAddresses)) return true;
  }
  return Contains(facts.linked_data.substr(0, kMostLinkedDataBytes), kTypes);
}

// Looks for the node whose children are the posts.
class PostSearch {
 public:
  PostSearch(const HtmlPage& page, std::span<const BlockStatistics> statistics,
             std::span<const float> probabilities)
      : page_(page),
        statistics_(statistics),
        probabilities_(probabilities),
        is_mark_(page.blocks.size()),
        has_mark_(page.nodes.size()),
        sums_(page.blocks.size() + 1) {
    for (size_t i = 0; i < page.blocks.size(); ++i) {
      const HtmlBlock& block = page.blocks[i];
      is_mark_[i] = IsPostMark(page.TextOf(block), statistics[i]) ? 1 : 0;
      const bool counts = is_mark_[i] == 0 && !block.is_hidden && !block.is_button;
      sums_[i + 1] = sums_[i] + (counts ? Mass(i) : 0);
      if (is_mark_[i] == 0) continue;
      for (uint32_t node = block.node; has_mark_[node] == 0; node = page.nodes[node].parent) {
        has_mark_[node] = 1;
      }
    }
  }

  bool is_mark(size_t block) const { return is_mark_[block] != 0; }

  // Returns the children of the best node that are posts; too few are none.
  std::vector<uint32_t> Find() const {
    struct Children {
      double score = 0;
      size_t count = 0;
    };
    std::vector<Children> children(page_.nodes.size());
    uint32_t best = 0;
    for (uint32_t node = 1; node < page_.nodes.size(); ++node) {
      if (!IsPost(node)) continue;
      const uint32_t parent = page_.nodes[node].parent;
      children[parent].score += std::sqrt(std::min(MassOf(node), double{kMostPostMass}));
      ++children[parent].count;
    }
    for (uint32_t node = 0; node < children.size(); ++node) {
      const bool is_better = children[node].score > children[best].score;
      if (children[node].count >= kFewestPosts && (is_better || children[best].count < kFewestPosts)) {
        best = node;
      }
    }
    std::vector<uint32_t> posts;
    if (children[best].count < kFewestPosts) return posts;
    for (uint32_t node = 1; node < page_.nodes.size(); ++node) {
      if (page_.nodes[node].parent == best && IsPost(node)) posts.push_back(node);
    }
    return posts;
  }

 private:
  double Mass(size_t block) const {
    const HtmlBlock& of = page_.blocks[block];
    const double bytes = of.text_end - of.text_begin;
    const double unlinked = bytes > 0 ? 1 - of.link_bytes / bytes : 0;
    return statistics_[block].tokens * unlinked * static_cast<double>(probabilities_[block]);
  }
  double MassOf(uint32_t node) const {
    return sums_[page_.nodes[node].block_end] - sums_[page_.nodes[node].block_begin];
  }
  bool IsPost(uint32_t node) const {
    return has_mark_[node] != 0 && !page_.nodes[node].is_hidden &&
           MassOf(node) >= double{kLeastPostMass};
  }

  const HtmlPage& page_;
  std::span<const BlockStatistics> statistics_;
  std::span<const float> probabilities_;
  std::vector<uint8_t> is_mark_, has_mark_;  // by block, by node
  std::vector<double> sums_;                 // of the mass of the blocks before each one
};

// Where a block stands in its post: the same number for the same place in each of them.
uint64_t PlaceInPost(const HtmlPage& page, uint32_t node, uint32_t post) {
  uint64_t place = 0;
  for (size_t level = 0; level < kPlaceLevels && node != post; ++level) {
    const HtmlNode& at = page.nodes[node];
    place = (place ^ (uint64_t{at.own_words} << 8) ^ static_cast<uint64_t>(at.tag)) *
            0x9E3779B97F4A7C15U;
    place ^= place >> 31;
    node = at.parent;
  }
  return place;
}

// Whether a line is a link and may be a name.
bool IsName(const HtmlPage& page, std::span<const BlockStatistics> statistics, uint32_t block) {
  const HtmlBlock& of = page.blocks[block];
  return statistics[block].tokens > 0 && statistics[block].tokens <= kMostNameTokens &&
         of.links <= 1 && of.link_bytes == of.text_end - of.text_begin;
}

// Takes lines of posts into the body, and marks out of it, by the mean probability of each place.
void ChooseInPosts(const HtmlPage& page, std::span<const BlockStatistics> statistics,
                   std::span<const float> probabilities, const PostSearch& search,
                   std::span<const uint32_t> posts, std::vector<uint32_t>& body) {
  struct Place {
    double tokens = 0, body_tokens = 0;
  };
  std::vector<uint8_t> is_body(page.blocks.size());
  for (const uint32_t block : body) is_body[block] = 1;
  std::vector<uint32_t> blocks, place_of;
  std::vector<Place> places;
  NumberedKeys keys(page.blocks.size());
  for (const uint32_t post : posts) {
    for (uint32_t i = page.nodes[post].block_begin; i < page.nodes[post].block_end; ++i) {
            if (search.is_mark(i)) is_body[i] = 0;

      const HtmlBlock& block = page.blocks[i];
      const bool is_passed_over = block.is_hidden || block.is_button || search.is_mark(i) ||
                                  IsName(page, statistics, i);
      if (is_passed_over) continue;
      const uint32_t place = keys.NumberOf(PlaceInPost(page, block.node, post));
      if (place == places.size()) places.emplace_back();
      places[place].tokens += statistics[i].tokens;
      places[place].body_tokens +=
          statistics[i].tokens * static_cast<double>(probabilities[i]);
      blocks.push_back(i);
      place_of.push_back(place);
    }
  }
  for (size_t k = 0; k < blocks.size(); ++k) {
    const Place& place = places[place_of[k]];
    if (place.body_tokens >= place.tokens * double{kLeastPlaceMean} && place.tokens > 0) {
      is_body[blocks[k]] = 1;
    }
  }
  body.clear();
  for (uint32_t i = 0; i < is_body.size(); ++i) {
    if (is_body[i] != 0) body.push_back(i);
  }
}

// Finds author and date among the lines of a post.
void Describe(const HtmlPage& page, std::span<const BlockStatistics> statistics, PagePost& post) {
  for (uint32_t i = post.begin; i < post.end; ++i) {
    const std::string_view text = page.TextOf(page.blocks[i]);
    if (post.date.empty() && statistics[i].tokens <= kMostMarkTokens) post.date = FindDate(text);
    if (post.author.empty() && IsName(page, statistics, i)) post.author = text;
  }
}

}  // namespace

std::vector<PagePost> FindPosts(const HtmlPage& page, std::span<const BlockStatistics> statistics,
                                std::span<const float> probabilities, std::vector<uint32_t>& body) {
  std::vector<PagePost> found;
  if (body.empty()) return found;
  if (!SaysForum(page)) return found;
  const PostSearch search(page, statistics, probabilities);
  const std::vector<uint32_t> posts = search.Find();
  if (posts.empty()) return found;
  const uint32_t begin = page.nodes[posts.front()].block_begin;
  ChooseInPosts(page, statistics, probabilities, search, posts, body);
  const auto first = std::ranges::lower_bound(body, begin);
  if (first != body.begin()) found.push_back({.begin = body.front(), .end = begin});
  for (const uint32_t post : posts) {
    found.push_back({.begin = page.nodes[post].block_begin, .end = page.nodes[post].block_end});
  }
  std::erase_if(found, [&](const PagePost& post) {
    const auto at = std::ranges::lower_bound(body, post.begin);
    return at == body.end() || *at >= post.end;
  });
  if (found.size() < kFewestPosts) found.clear();
  for (PagePost& post : found) Describe(page, statistics, post);
  return found;
}

}  // namespace zhiwen
