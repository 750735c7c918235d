#include "document/html/block_features.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "document/html/html_text.h"
#include "document/html/numbered_keys.h"
#include "document/html/steady_math.h"

namespace zhiwen {
namespace {

constexpr uint32_t kLongTokens = 25;
constexpr float kFewLinks = 0.4F;
constexpr size_t kWindow = 6;  // blocks on either side
constexpr uint32_t kMostTitleTokens = 50;
constexpr float kMostOfPage = 0.6F;  // of its tokens
constexpr int32_t kNoHeading = -1;

// Where some of the dense numbers stand.
struct At {
  static constexpr size_t kTokens = 0, kLink = 1, kMarks = 3, kEndsSentence = 5;
  static constexpr size_t kPosition = 28, kTokenPosition = 29;
  static constexpr size_t kWindowTokens = 45, kTokensBefore = 47, kLinkBefore = 48,
                          kTokensBehind = 52, kLinkBehind = 53;
  static constexpr size_t kFirstLevel = 61, kLevelShare = 4;
};
constexpr size_t kLevels = 4;
static_assert(At::kFirstLevel + kLevels * kNodeNumbers == kDenseFeatures);

float Share(float part, float whole) { return whole > 0 ? part / whole : 0; }
float Share(uint32_t part, uint32_t whole) {
  return Share(static_cast<float>(part), static_cast<float>(whole));
}

constexpr auto kSmallLogs = [] {
  std::array<float, 1024> logs = {};
  for (size_t i = 0; i < logs.size(); ++i) logs[i] = SteadyLog2(1.0 + static_cast<double>(i));
  return logs;
}();

// A number of the first and the last byte of a token, without case.
size_t EndsOfToken(std::string_view token) {
  const auto first = static_cast<uint8_t>(token.front() | 0x20);
  const auto last = static_cast<uint8_t>(token.back() | 0x20);
  return (size_t{first} << 2 ^ last) % kTitleEnds;
}

inline float Log(uint32_t count) {
  if (count < kSmallLogs.size()) return kSmallLogs[count];
  return SteadyLog2(1.0 + static_cast<double>(count));
}

float AtMost(uint32_t count, uint32_t most) { return static_cast<float>(std::min(count, most)); }

template <typename Word>
uint64_t LoadWord(const char* at) {
  Word word = 0;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

// A hash of the length and of the first and the last eight bytes, without case: enough to tell the
// words of a title from others.
inline uint64_t HashToken(std::string_view token) {
  constexpr uint64_t kSmallLetters = 0x2020202020202020U;
  const char* const begin = token.data();
  const char* const end = begin + token.size();
  uint64_t first = 0, last = 0;
  if (token.size() >= 8) {
    first = LoadWord<uint64_t>(begin);
    last = LoadWord<uint64_t>(end - 8);
  } else if (token.size() >= 4) {
    first = LoadWord<uint32_t>(begin);
    last = LoadWord<uint32_t>(end - 4);
  } else {
    for (const char c : token) first = first << 8 | static_cast<uint8_t>(c);
  }
  uint64_t hash = (first | kSmallLetters) * 0x9E3779B97F4A7C15U;
  hash = (hash ^ hash >> 32 ^ (last | kSmallLetters)) * 0xC2B2AE3D27D4EB4FU + token.size();
  return hash ^ hash >> 29;
}

}  // namespace

// Writes numbers one behind another.
class BlockFeatures::Row {
 public:
  explicit Row(NumberFeatures& out) : out_(out) {}
  void Add(float value) { out_[at_++] = value; }
  void Add(const NodeNumbers& values) {
    std::ranges::copy(values, out_.begin() + at_);
    at_ += values.size();
  }
  void Flag(bool is_so) { Add(is_so ? 1.0F : 0.0F); }

 private:
  NumberFeatures& out_;
  size_t at_ = 0;
};

BlockFeatures::BlockFeatures(const HtmlPage& page, std::span<const BlockStatistics> statistics)
    : page_(page), statistics_(statistics) {
  BlockSums sum;
  sums_.reserve(statistics.size() + 1);
  sums_.push_back(sum);
  shares_.reserve(statistics.size());
  uint32_t han = 0;
  for (size_t i = 0; i < statistics.size(); ++i) {
    const HtmlBlock& block = page.blocks[i];
    const BlockStatistics& counts = statistics[i];
    const float link = std::min(1.0F, Share(block.link_bytes, block.text_end - block.text_begin));
    shares_.push_back({Log(counts.tokens), link, Share(counts.marks, counts.tokens)});
    sum.tokens += counts.tokens;
    sum.unlinked_tokens += static_cast<uint32_t>(static_cast<float>(counts.tokens) * (1 - link));
    sum.marks += counts.marks;
    sum.bytes += block.text_end - block.text_begin;
    sum.link_bytes += block.link_bytes;
    sum.paragraphs += page.nodes[block.node].tag == HtmlTag::kP ? 1 : 0;
    sum.long_blocks += counts.tokens >= kLongTokens && link < kFewLinks ? 1 : 0;
    han += counts.han;
    sums_.push_back(sum);
  }
  log_blocks_ = Log(static_cast<uint32_t>(page.blocks.size()));
  log_tokens_ = Log(sum.tokens);
  page_han_ = Share(han, sum.tokens);
  page_link_ = Share(sum.link_bytes, sum.bytes);
  CountRepetitions();
  GatherPlaceWords();
  ComputeNodeNumbers();
  FindHeadings();
  FindTitle();
}

void BlockFeatures::CountRepetitions() {
  NumberedKeys signatures(page_.blocks.size()), texts(page_.blocks.size());
  places_.resize(page_.blocks.size());
  std::vector<uint32_t> text_numbers(page_.blocks.size());
  std::vector<uint8_t> counts(page_.blocks.size() + 1);
  for (size_t i = 0; i < page_.blocks.size(); ++i) {
    const HtmlBlock& block = page_.blocks[i];
    places_[i] = signatures.NumberOf(page_.nodes[block.node].signature);
    if (places_[i] == place_sums_.size()) place_sums_.emplace_back();
    PlaceSum& sum = place_sums_[places_[i]];
    ++sum.blocks;
    sum.tokens += statistics_[i].tokens;
    sum.bytes += block.text_end - block.text_begin;
    sum.link_bytes += block.link_bytes;
    sum.sentences += statistics_[i].ends_sentence ? 1 : 0;
    text_numbers[i] = texts.NumberOf(statistics_[i].hash);
    uint8_t& count = counts[text_numbers[i]];
    count = std::min<uint8_t>(9, count + 1);
  }
  repetitions_.resize(page_.blocks.size());
  for (size_t i = 0; i < page_.blocks.size(); ++i) repetitions_[i] = counts[text_numbers[i]];
}

void BlockFeatures::GatherPlaceWords() {
  const float most = kMostOfPage * static_cast<float>(tokens());
  place_words_.reserve(page_.nodes.size());
  for (const HtmlNode& node : page_.nodes) {
    const uint32_t inside = sums_[node.block_end].tokens - sums_[node.block_begin].tokens;
    const uint32_t around = place_words_.empty() ? 0 : place_words_[node.parent];
    place_words_.push_back(around | (static_cast<float>(inside) < most ? node.own_words : 0));
  }
}

void BlockFeatures::FindHeadings() {
  const size_t count = page_.blocks.size();
  since_h1_.assign(count, -99);
  since_heading_.assign(count, kNoHeading);
  ptrdiff_t heading = -1, first_h1 = -1;
  for (size_t i = 0; i < count; ++i) {
    const HtmlTag tag = page_.nodes[page_.blocks[i].node].tag;
    if (HeadingLevel(tag) > 0) heading = static_cast<ptrdiff_t>(i);
    if (tag == HtmlTag::kH1 && first_h1 < 0) first_h1 = static_cast<ptrdiff_t>(i);
    if (heading >= 0) {
      since_heading_[i] =
          static_cast<int32_t>(std::min<ptrdiff_t>(60, static_cast<ptrdiff_t>(i) - heading));
    }
  }
  if (first_h1 < 0) return;
  for (size_t i = 0; i < count; ++i) {
    since_h1_[i] =
        static_cast<int32_t>(std::clamp<ptrdiff_t>(static_cast<ptrdiff_t>(i) - first_h1, -50, 50));
  }
}

void BlockFeatures::FindTitle() {
  const std::string title = DecodeHtmlText(page_.facts.title);
  VisitTokens(title, [&](size_t begin, size_t end) {
    if (title_.size() == 4 * kMostTitleTokens) return;
    const std::string_view token = std::string_view(title).substr(begin, end - begin);
    title_.push_back(HashToken(token));
    has_title_ends_[EndsOfToken(token)] = true;
  });
  std::ranges::sort(title_);
  title_.erase(std::ranges::unique(title_).begin(), title_.end());
}

void BlockFeatures::ComputeNumbers(size_t block, NumberFeatures& out) const {
  Row row(out);
  AddOwnText(block, row);
  AddOwnKind(block, row);
  AddPlace(block, row);
  AddRepetition(block, row);
  AddNeighbours(block, row);
  AddLevels(block, row);
  AddBends(out, row);
}

GroupFeatures BlockFeatures::GroupsOf(size_t block) const {
  const HtmlNode& node = page_.nodes[page_.blocks[block].node];
  const HtmlNode& parent = page_.nodes[node.parent];
  return {.phrases = statistics_[block].phrases,
          .own_places = node.own_words | parent.own_words | page_.nodes[parent.parent].own_words,
          .all_places = place_words_[page_.blocks[block].node]};
}

void BlockFeatures::Compute(size_t block, FirstFeatures& out) const {
  NumberFeatures numbers = {};
  ComputeNumbers(block, numbers);
  auto at = std::ranges::copy(numbers, out.begin()).out;
  const GroupFeatures groups = GroupsOf(block);
  const auto add = [&at](uint32_t bits, size_t count) {
    for (size_t i = 0; i < count; ++i) *at++ = static_cast<float>(bits >> i & 1);
  };
  add(groups.phrases, kPhraseGroups);
  add(groups.own_places, kPlaceGroups);
  add(groups.all_places, kPlaceGroups);
}

// 19 + 4 × 3 numbers: bends of a number at some value, and products of two.
void BlockFeatures::AddBends(const NumberFeatures& dense, Row& row) {
  const auto above = [](float value, float bend) { return std::max(0.0F, value - bend); };
  const float tokens = dense[At::kTokens], link = dense[At::kLink];
  const float before = dense[At::kTokensBefore], behind = dense[At::kTokensBehind];
  for (const float bend : {2.0F, 3.0F, 4.5F}) row.Add(above(tokens, bend));
  row.Add(above(link, 0.3F));
  row.Flag(link > 0.6F);
  row.Add(tokens * link);
  row.Add(tokens * dense[At::kEndsSentence]);
  row.Add(tokens * dense[At::kMarks]);
  for (const size_t position : {At::kPosition, At::kTokenPosition}) {
    row.Add(above(0.05F, dense[position]));
    row.Add(above(dense[position], position == At::kPosition ? 0.9F : 0.95F));
  }
  row.Add(before * dense[At::kLinkBefore]);
  row.Add(behind * dense[At::kLinkBehind]);
  row.Add(above(before, 4));
  row.Add(above(behind, 4));
  for (const float other : {before, behind, dense[At::kWindowTokens]}) row.Add(tokens * other);
  for (size_t level = 0; level < kLevels; ++level) {
    const size_t at = At::kFirstLevel + level * kNodeNumbers;
    row.Add(dense[at] * dense[at + 1]);
    row.Add(above(dense[at + At::kLevelShare], 0.5F));
    row.Add(above(0.1F, dense[at + At::kLevelShare]));
  }
}

// 13 numbers.
void BlockFeatures::AddOwnText(size_t block, Row& row) const {
  const HtmlBlock& of = page_.blocks[block];
  const BlockStatistics& counts = statistics_[block];
  const uint32_t bytes = of.text_end - of.text_begin;
  const BlockShares& shares = shares_[block];
  row.Add(shares.log_tokens);
  row.Add(shares.link);
  row.Add(AtMost(of.links, 20));
  row.Add(shares.marks);
  row.Add(Share(counts.commas, counts.tokens));
  row.Flag(counts.ends_sentence);
  row.Add(Share(counts.digits, counts.characters));
  row.Add(Share(counts.capitals, counts.characters));
  row.Add(std::min(20.0F, Share(counts.word_characters, counts.words)));
  row.Add(Share(counts.han, counts.tokens));
  row.Add(AtMost(counts.separators, 10));
  row.Add(std::min(1.0F, Share(of.bold_bytes, bytes)));
  row.Add(std::min(1.0F, Share(of.emphasis_bytes, bytes)));
}

// 15 numbers.
void BlockFeatures::AddOwnKind(size_t block, Row& row) const {
  const HtmlBlock& of = page_.blocks[block];
  const HtmlTag tag = page_.nodes[of.node].tag;
  row.Flag(tag == HtmlTag::kP);
  row.Flag(tag == HtmlTag::kTd);
  row.Flag(tag == HtmlTag::kLi);
  row.Add(HeadingLevel(tag) > 0 ? static_cast<float>(7 - HeadingLevel(tag)) : 0.0F);
  row.Flag(tag == HtmlTag::kDiv);
  row.Flag(tag == HtmlTag::kPre);
  row.Flag(tag == HtmlTag::kDd);
  row.Flag(tag == HtmlTag::kTh);
  row.Add(AtMost(of.line_breaks, 3));
  row.Flag(of.is_button);
  row.Flag(of.is_hidden);
  row.Flag(of.is_label);
  row.Add(AtMost(of.images, 5));
  const TitleOverlap overlap = TitleOverlapOf(block);
  row.Add(overlap.share);
  row.Add(overlap.covered);
}

BlockFeatures::TitleOverlap BlockFeatures::TitleOverlapOf(size_t block) const {
  const BlockStatistics& counts = statistics_[block];
  const HtmlBlock& of = page_.blocks[block];
  TitleOverlap overlap;
  if (counts.tokens > 0 && counts.tokens <= kMostTitleTokens && of.links < 2 && !title_.empty()) {
    uint32_t found = 0;
    const std::string_view text = page_.TextOf(of);
    VisitTokens(text, [&](size_t begin, size_t end) {
      const std::string_view token = text.substr(begin, end - begin);
      if (!has_title_ends_[EndsOfToken(token)]) return;
      found += std::ranges::binary_search(title_, HashToken(token)) ? 1 : 0;
    });
    overlap.share = Share(found, counts.tokens);
    overlap.covered = std::min(1.0F, Share(found, static_cast<uint32_t>(title_.size())));
  }
  return overlap;
}

// 11 numbers.
void BlockFeatures::AddPlace(size_t block, Row& row) const {
  const HtmlNode& node = page_.nodes[page_.blocks[block].node];
  const auto count = static_cast<uint32_t>(page_.blocks.size());
  row.Add(Share(static_cast<uint32_t>(block), count));
  row.Add(Share(sums_[block].tokens, tokens()));
  row.Add(log_blocks_);
  row.Add(log_tokens_);
  row.Add(page_link_);
  row.Add(page_han_);
  row.Add(AtMost(node.depth, 60));
  row.Flag(node.is_in_form);
  row.Flag(node.is_hidden);
  row.Add(static_cast<float>(since_h1_[block]));
  row.Add(static_cast<float>(since_heading_[block]));
}

// 6 numbers.
void BlockFeatures::AddRepetition(size_t block, Row& row) const {
  const PlaceSum& place = place_sums_[places_[block]];
  row.Add(static_cast<float>(repetitions_[block]));
  row.Add(Log(place.blocks));
  row.Add(Log(place.tokens / place.blocks));
  row.Add(Share(place.link_bytes, place.bytes));
  row.Add(Share(place.sentences, place.blocks));
  row.Add(Share(place.tokens, tokens()));
}

// 2 + 2 × 5 + 2 × 2 numbers.
void BlockFeatures::AddNeighbours(size_t block, Row& row) const {
  const size_t begin = block < kWindow ? 0 : block - kWindow;
  const size_t end = std::min(block + kWindow + 1, page_.blocks.size());
  const uint32_t unlinked = sums_[end].unlinked_tokens - sums_[begin].unlinked_tokens;
  const uint32_t window_tokens = sums_[end].tokens - sums_[begin].tokens;
  row.Add(Log(unlinked));
  row.Add(Share(sums_[end].marks - sums_[begin].marks, window_tokens));
  AddNeighbour(block, -1, true, row);
  AddNeighbour(block, 1, true, row);
  AddNeighbour(block, -2, false, row);
  AddNeighbour(block, 2, false, row);
}

void BlockFeatures::AddNeighbour(size_t block, ptrdiff_t offset, bool is_near, Row& row) const {
  const ptrdiff_t at = static_cast<ptrdiff_t>(block) + offset;
  if (at < 0 || at >= static_cast<ptrdiff_t>(page_.blocks.size())) {
    for (int i = 0; i < (is_near ? 5 : 2); ++i) row.Add(-1);
    return;
  }
  const auto other = static_cast<size_t>(at);
  const BlockShares& shares = shares_[other];
  row.Add(shares.log_tokens);
  row.Add(shares.link);
  if (!is_near) return;
  const uint32_t node = page_.blocks[block].node, other_node = page_.blocks[other].node;
  const bool is_same_place = places_[block] == places_[other];
  row.Add(shares.marks);
  row.Add(node == other_node ? 2.0F : is_same_place ? 1.0F : 0.0F);
  row.Flag(HeadingLevel(page_.nodes[other_node].tag) > 0);
}

// 4 × 7 numbers.
void BlockFeatures::AddLevels(size_t block, Row& row) const {
  uint32_t index = page_.blocks[block].node;
  for (size_t level = 0; level < kLevels; ++level) {
    row.Add(node_numbers_[index]);
    index = page_.nodes[index].parent;
  }
}

void BlockFeatures::ComputeNodeNumbers() {
  node_numbers_.resize(page_.nodes.size());
  for (size_t i = 0; i < page_.nodes.size(); ++i) {
    const HtmlNode& node = page_.nodes[i];
    if (node.block_begin == node.block_end) continue;  // around no block
    const BlockSums& from = sums_[node.block_begin];
    const BlockSums& to = sums_[node.block_end];
    const uint32_t node_tokens = to.tokens - from.tokens;
    node_numbers_[i] = {Log(node_tokens),
                        Share(to.link_bytes - from.link_bytes, to.bytes - from.bytes),
                        Share(to.marks - from.marks, node_tokens),
                        Log(node.block_end - node.block_begin),
                        Share(node_tokens, tokens()),
                        Log(to.paragraphs - from.paragraphs),
                        Log(to.long_blocks - from.long_blocks)};
  }
}

}  // namespace zhiwen
