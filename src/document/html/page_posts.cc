#include "document/html/page_posts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/utf8/ascii.h"
#include "document/html/numbered_keys.h"
#include "document/html/page_facts.h"

namespace zhiwen {
namespace {

constexpr uint32_t kMostMarkTokens = 30;
constexpr size_t kMostMarkBytes = 200;
constexpr float kMostPostMass = 100;  // tokens that count of one post
constexpr float kLeastPostMass = 0.25F;
constexpr size_t kFewestPosts = 2;
constexpr double kLeastPlaceMean = 0.2;
constexpr uint32_t kCommonPosts = 3;
constexpr size_t kPlaceLevels = 4;
constexpr size_t kMostNameTokens = 12;
constexpr size_t kMostLinkedDataBytes = size_t{1} << 16;

bool ContainsAny(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// Whether a number stands in front of one of `units`, with at most one blank between: 3 小时前.
bool HasNumberBefore(std::string_view text, std::span<const std::string_view> units) {
  return std::ranges::any_of(units, [&](std::string_view unit) {
    for (size_t at = text.find(unit); at != std::string_view::npos; at = text.find(unit, at + 1)) {
      const size_t last = at > 0 && text[at - 1] == ' ' ? at - 1 : at;
      if (last > 0 && IsAsciiDigit(text[last - 1])) return true;
    }
    return false;
  });
}

// Whether a line says which post it is of those of its topic: #3, 3楼.
bool IsFloor(std::string_view text) {
  static constexpr std::array<std::string_view, 2> kFloors = {"楼", "樓"};
  const size_t sign = text.find('#');
  const bool has_sign = sign != std::string_view::npos && sign + 1 < text.size();
  return (has_sign && IsAsciiDigit(text[sign + 1])) || HasNumberBefore(text, kFloors);
}

// Whether a line says when a post was written, or its floor.
bool IsPostMark(std::string_view text, const BlockStatistics& statistics) {
  if (statistics.tokens > kMostMarkTokens || text.size() > kMostMarkBytes) return false;
  if (statistics.digits == 0) return false;
  static constexpr std::array<std::string_view, 14> kUnits = {
      "分钟前", "小时前", "天前", "月前",  "年前", "周前",   "minute",
      "hour",   "day",    "week", "month", "year", "分鐘前", "小時前"};
  if (!FindDate(text).empty() || HasNumberBefore(text, kUnits) || IsFloor(text)) return true;
  static constexpr std::array<std::string_view, 12> kMonths = {
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};
  return statistics.digits >= 4 && ContainsAny(LowerAsciiOf(text), kMonths);
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
      if (children[node].count >= kFewestPosts &&
          (is_better || children[best].count < kFewestPosts)) {
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

// In how many posts a text is.
struct PostText {
  uint32_t posts = 0, last = 0;  // the node of the last one

  void Add(uint32_t post) {
    if (posts == 0 || last != post) ++posts;
    last = post;
  }
  bool IsCommon(size_t of_posts) const { return posts >= kCommonPosts && posts * 2 > of_posts; }
};

// What the lines at one place of the posts are, taken together.
struct PostPlace {
  uint32_t lines = 0, labels = 0;
  double tokens = 0, body_tokens = 0;

  // Whether most posts have a name here, or words that most posts have.
  bool IsPanel(size_t posts) const { return lines * 2 > posts && labels == lines; }
  bool IsText() const { return tokens > 0 && body_tokens >= tokens * kLeastPlaceMean; }
};

// Returns the lines of posts that may be text.
std::vector<uint32_t> LinesOfPosts(const HtmlPage& page, const PostSearch& search,
                                   std::span<const uint32_t> posts) {
  std::vector<uint32_t> lines;
  for (const uint32_t post : posts) {
    for (uint32_t i = page.nodes[post].block_begin; i < page.nodes[post].block_end; ++i) {
      const HtmlBlock& block = page.blocks[i];
      if (!search.is_mark(i) && !block.is_hidden && !block.is_button) lines.push_back(i);
    }
  }
  return lines;
}

// Whether a block is a mark, and in one of the posts or between them.
bool IsMarkOfPosts(const HtmlPage& page, const PostSearch& search, std::span<const uint32_t> posts,
                   uint32_t block) {
  return search.is_mark(block) && block >= page.nodes[posts.front()].block_begin &&
         block < page.nodes[posts.back()].block_end;
}

// Returns the body with all lines at those places of the posts where their text is, and without
// marks and panels.
std::vector<uint32_t> ChooseInPosts(const HtmlPage& page,
                                    std::span<const BlockStatistics> statistics,
                                    std::span<const float> probabilities, const PostSearch& search,
                                    std::span<const uint32_t> posts,
                                    std::span<const uint32_t> body) {
  const std::vector<uint32_t> lines = LinesOfPosts(page, search, posts);
  NumberedKeys texts(lines.size()), keys(lines.size());
  std::vector<uint32_t> text_of, place_of;
  std::vector<PostText> post_texts;
  size_t post = 0;
  for (const uint32_t line : lines) {
    while (line >= page.nodes[posts[post]].block_end) ++post;
    place_of.push_back(keys.NumberOf(PlaceInPost(page, page.blocks[line].node, posts[post])));
    text_of.push_back(texts.NumberOf(statistics[line].hash));
    if (text_of.back() == post_texts.size()) post_texts.emplace_back();
    post_texts[text_of.back()].Add(posts[post]);
  }
  std::vector<PostPlace> places(lines.size());
  for (size_t k = 0; k < lines.size(); ++k) {
    PostPlace& place = places[place_of[k]];
    const bool is_label =
        IsName(page, statistics, lines[k]) || post_texts[text_of[k]].IsCommon(posts.size());
    ++place.lines;
    place.labels += is_label ? 1 : 0;
    place.tokens += statistics[lines[k]].tokens;
    place.body_tokens += statistics[lines[k]].tokens * static_cast<double>(probabilities[lines[k]]);
  }
  std::vector<uint8_t> is_body(page.blocks.size());
  for (const uint32_t block : body)
    is_body[block] = IsMarkOfPosts(page, search, posts, block) ? 0 : 1;
  for (size_t k = 0; k < lines.size(); ++k) {
    const PostPlace& place = places[place_of[k]];
    if (place.IsPanel(posts.size())) {
      is_body[lines[k]] = 0;
    } else if (place.IsText() && !IsName(page, statistics, lines[k])) {
      is_body[lines[k]] = 1;
    }
  }
  std::vector<uint32_t> chosen;
  for (uint32_t i = 0; i < is_body.size(); ++i) {
    if (is_body[i] != 0) chosen.push_back(i);
  }
  return chosen;
}

// Finds the author in front of the text of a post, and the date on any of its lines.
void DescribePost(const HtmlPage& page, std::span<const BlockStatistics> statistics,
                  uint32_t text_begin, PagePost& post) {
  for (uint32_t i = post.begin; i < post.end; ++i) {
    const std::string_view text = page.TextOf(page.blocks[i]);
    if (post.date.empty() && statistics[i].tokens <= kMostMarkTokens) post.date = FindDate(text);
    if (i < text_begin && post.author.empty() && IsName(page, statistics, i)) post.author = text;
  }
}

}  // namespace

bool SaysForum(const HtmlPage& page) {
  static constexpr std::array<std::string_view, 12> kTitles = {
      "论坛", "論壇",   "贴吧",  "百度知道",  "知乎", "forum",
      "bbs",  "discuz", "phpbb", "vbulletin", "问答", "社区"};
  static constexpr std::array<std::string_view, 10> kAddresses = {
      "bbs.",      "/bbs",      "forum",   "viewthread", "showthread",
      "viewtopic", "/question", "discuss", "/topic",     "/thread"};
  static constexpr std::array<std::string_view, 13> kPrograms = {
      "discuz", "phpbb",   "vbulletin", "flarum", "discourse", "nodebb", "homeland",
      "mybb",   "xenforo", "vanilla",   "misago", "xiuno",     "phpwind"};
  static constexpr std::array<std::string_view, 2> kTypes = {"DiscussionForumPosting", "QAPage"};
  const HtmlFacts& facts = page.facts;
  for (const std::string_view text : {facts.title, facts.og_site}) {
    if (ContainsAny(LowerAsciiOf(text), kTitles)) return true;
  }
  if (ContainsAny(LowerAsciiOf(facts.generator), kPrograms)) return true;
  for (const std::string_view text : {facts.canonical, facts.og_url}) {
    if (ContainsAny(LowerAsciiOf(text), kAddresses)) return true;
  }
  return ContainsAny(facts.linked_data.substr(0, kMostLinkedDataBytes), kTypes);
}

std::vector<PagePost> FindPosts(const HtmlPage& page, std::span<const BlockStatistics> statistics,
                                std::span<const float> probabilities, std::vector<uint32_t>& body) {
  std::vector<PagePost> found;
  if (body.empty() || !SaysForum(page)) return found;
  const PostSearch search(page, statistics, probabilities);
  const std::vector<uint32_t> posts = search.Find();
  if (posts.empty()) return found;
  std::vector<uint32_t> chosen =
      ChooseInPosts(page, statistics, probabilities, search, posts, body);
  const uint32_t begin = page.nodes[posts.front()].block_begin;
  const auto add = [&](uint32_t from, uint32_t to) {
    const auto first = std::ranges::lower_bound(chosen, from);
    if (first == chosen.end() || *first >= to) return;
    DescribePost(page, statistics, *first, found.emplace_back(PagePost{.begin = from, .end = to}));
  };
  if (!chosen.empty()) add(chosen.front(), begin);
  for (const uint32_t post : posts) {
    add(page.nodes[post].block_begin, page.nodes[post].block_end);
  }
  if (found.size() < kFewestPosts) return {};
  body = std::move(chosen);
  return found;
}

}  // namespace zhiwen
