#include "document/html/web_page.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/utf8/utf8.h"
#include "document/decoded_text.h"
#include "document/html/body_choice.h"
#include "document/html/body_model.h"
#include "document/html/html_page.h"
#include "document/html/page_facts.h"
#include "document/html/page_posts.h"

namespace zhiwen {
namespace {

constexpr uint64_t kPrivateShare = 100;  // one in so many characters makes a text obfuscated

bool IsHeading(HtmlTag tag) { return tag >= HtmlTag::kH1 && tag <= HtmlTag::kH6; }

bool IsList(HtmlTag tag) {
  return tag == HtmlTag::kUl || tag == HtmlTag::kOl || tag == HtmlTag::kDl;
}

bool IsCell(HtmlTag tag) { return tag == HtmlTag::kTd || tag == HtmlTag::kTh; }

// What a node says of the text inside of it.
std::optional<BlockKind> KindOfTag(HtmlTag tag) {
  if (IsHeading(tag)) return BlockKind::kHeading;
  if (tag == HtmlTag::kLi || tag == HtmlTag::kDt || tag == HtmlTag::kDd) {
    return BlockKind::kListItem;
  }
  if (tag == HtmlTag::kPre) return BlockKind::kCode;
  if (tag == HtmlTag::kBlockquote) return BlockKind::kQuote;
  return std::nullopt;
}

// Whether the block at a place of the body has a neighbour there that stands in the same node.
bool SharesNode(const HtmlPage& html, std::span<const uint32_t> body, size_t place) {
  const auto node_of = [&](size_t at) { return html.blocks[body[at]].node; };
  return (place > 0 && node_of(place - 1) == node_of(place)) ||
         (place + 1 < body.size() && node_of(place + 1) == node_of(place));
}

// The kind of a block by the nodes around it. A paragraph of its own in a cell is a paragraph, and
// so are several lines of one: tables are also used for layout.
void SetKind(const HtmlPage& html, std::span<const uint32_t> body, size_t place,
             ExtractedBlock& block) {
  uint32_t node = html.blocks[body[place]].node;
  if (IsCell(html.nodes[node].tag) && !SharesNode(html, body, place)) {
    block.kind = BlockKind::kTableRow;
    return;
  }
  for (; node != 0 && !IsCell(html.nodes[node].tag); node = html.nodes[node].parent) {
    const std::optional<BlockKind> kind = KindOfTag(html.nodes[node].tag);
    if (!kind) continue;
    block.kind = *kind;
    break;
  }
  if (block.kind == BlockKind::kHeading) {
    block.level = static_cast<uint8_t>(1 + static_cast<int>(html.nodes[node].tag) -
                                       static_cast<int>(HtmlTag::kH1));
  }
  if (block.kind != BlockKind::kListItem) return;
  for (; node != 0 && block.level < UINT8_MAX; node = html.nodes[node].parent) {
    if (IsList(html.nodes[node].tag)) ++block.level;
  }
}

void AddBlocks(const HtmlPage& html, std::span<const uint32_t> body, const DecodedText& decoded,
               ExtractedDocument& page) {
  uint64_t at = 0;
  for (size_t place = 0; place < body.size(); ++place) {
    const HtmlBlock& block = html.blocks[body[place]];
    const uint64_t size = block.text_end - block.text_begin;
    ExtractedBlock& added = page.blocks.emplace_back();
    SetKind(html, body, place, added);
    added.style = block.style;
    added.style.is_strong = block.is_strong;
    added.text = {ByteOffset{at}, ByteOffset{at + size}};
    added.source = {ByteOffset{decoded.SourceOffset(block.source_begin)},
                    ByteOffset{decoded.SourceOffset(block.source_end)}};
    at += size + 1;
  }
}

// Takes hidden blocks out of the body. A body most of which is hidden stays: a script shows it.
void LeaveOutHidden(const HtmlPage& html, std::span<const BlockStatistics> statistics,
                    std::vector<uint32_t>& body, ExtractedDocument& page) {
  uint64_t hidden_tokens = 0, tokens = 0, hidden = 0;
  for (const uint32_t block : body) {
    const bool is_hidden = html.blocks[block].is_hidden;
    (is_hidden ? hidden_tokens : tokens) += statistics[block].tokens;
    if (is_hidden) hidden += statistics[block].characters;
  }
  page.hidden = html.hidden_characters;
  if (hidden == 0) return;
  if (hidden_tokens > tokens) {
    page.notes.push_back(
        fmt::format("{} of its characters are hidden, as those are that a script shows", hidden));
    return;
  }
  std::erase_if(body, [&](uint32_t block) { return html.blocks[block].is_hidden; });
  page.hidden += hidden;
}

// Counts pictures in the lines of the body, in front of them, and behind the last one.
void CountPictures(const HtmlPage& html, std::span<const uint32_t> body, ExtractedDocument& page) {
  constexpr uint64_t kFewCharacters = 200, kManyPictures = 3;
  for (const uint32_t block : body) page.pictures += html.blocks[block].images;
  const size_t behind = body.empty() ? 0 : body.back() + 1;
  if (behind < html.blocks.size()) page.pictures += html.blocks[behind].images;
  if (page.pictures < kManyPictures || CountCodePoints(page.text) > kFewCharacters) return;
  page.notes.push_back(fmt::format(
      "there are {} pictures and hardly any text; what is written in pictures is not read",
      page.pictures));
}

// What the counts of the body say.
void Describe(const HtmlPage& html, std::span<const BlockStatistics> statistics,
              std::span<const uint32_t> body, ExtractedDocument& page) {
  uint64_t tokens = 0, of_page = 0, characters = 0, private_use = 0, link_bytes = 0, bytes = 0;
  for (const BlockStatistics& counts : statistics) of_page += counts.tokens;
  for (const uint32_t block : body) {
    tokens += statistics[block].tokens;
    characters += statistics[block].characters;
    private_use += statistics[block].private_use;
    link_bytes += html.blocks[block].link_bytes;
    bytes += html.blocks[block].text_end - html.blocks[block].text_begin;
  }
  page.obfuscated = private_use;
  page.share = of_page == 0 ? 0 : static_cast<double>(tokens) / static_cast<double>(of_page);
  page.kind = page.text.empty()                          ? ExtractedKind::kEmpty
              : private_use * kPrivateShare > characters ? ExtractedKind::kObfuscated
              : !page.posts.empty()                      ? ExtractedKind::kForum
              : link_bytes * 2 > bytes                   ? ExtractedKind::kList
                                                         : ExtractedKind::kArticle;
}

// Which blocks of a page are its text.
enum class PagePart : uint8_t { kBody, kWhole };

// The blocks that are the text of a page, and where posts are in it.
struct ChosenBlocks {
  std::vector<uint32_t> body;
  std::vector<PagePost> posts;
};

ChosenBlocks ChooseBlocks(const HtmlPage& html, std::span<const BlockStatistics> statistics,
                          PagePart part) {
  ChosenBlocks chosen;
  if (part == PagePart::kBody) {
    const std::vector<float> probabilities =
        ComputeBodyProbabilities(html, statistics, TrainedBodyWeights());
    chosen.body = ChooseBody(html, statistics, probabilities);
    chosen.posts = FindPosts(html, statistics, probabilities, chosen.body);
    return chosen;
  }
  for (uint32_t i = 0; i < html.blocks.size(); ++i) {
    if (!html.blocks[i].is_hidden) chosen.body.push_back(i);
  }
  return chosen;
}

// Says which lines of the text are posts.
void AddPosts(std::span<const uint32_t> body, std::span<PagePost> posts, ExtractedDocument& page) {
  const auto number = [&](uint32_t block) {
    return static_cast<size_t>(std::ranges::lower_bound(body, block) - body.begin());
  };
  for (PagePost& post : posts) {
    const size_t begin = number(post.begin), end = number(post.end);
    if (begin == end) continue;
    page.posts.push_back({begin, end, std::move(post.author), std::move(post.date)});
  }
}

Result<ExtractedDocument> ExtractPage(std::string_view bytes, const DocumentHints& hints,
                                      PagePart part) {
  if (bytes.size() > kMostHtmlBytes) {
    return Fail(ErrorCode::kExhausted, "a web page of more than 1 GiB is not read");
  }
  ZHIWEN_ASSIGN_OR_RETURN(const DecodedText decoded,
                          DecodedText::Decode(bytes, {.inner = InnerDeclaration::kHtml,
                                                      .outer = hints.encoding,
                                                      .asked = hints.asked_encoding}));
  const HtmlPage html = ParseHtml(decoded.text());
  std::vector<BlockStatistics> statistics;
  statistics.reserve(html.blocks.size());
  for (const HtmlBlock& block : html.blocks) statistics.push_back(CountBlock(html.TextOf(block)));
  ChosenBlocks chosen = ChooseBlocks(html, statistics, part);
  std::vector<uint32_t>& body = chosen.body;

  ExtractedDocument page;
  LeaveOutHidden(html, statistics, body, page);
  page.type = DocumentType::kHtml;
  page.text = JoinBlocks(html, body);
  AddBlocks(html, body, decoded, page);
  AddPosts(body, chosen.posts, page);
  Describe(html, statistics, body, page);
  CountPictures(html, body, page);
  PageFacts facts = ReadPageFacts(html, body);
  page.title = std::move(facts.title);
  page.author = std::move(facts.author);
  page.date = std::move(facts.date);
  page.site = std::move(facts.site);
  page.url = std::move(facts.url);
  page.language = std::move(facts.language);
  page.next = std::move(facts.next);
  DescribeEncoding(decoded, page);
  return page;
}

}  // namespace

Result<ExtractedDocument> ExtractWebPage(std::string_view bytes, const DocumentHints& hints) {
  return ExtractPage(bytes, hints, PagePart::kBody);
}

Result<ExtractedDocument> ExtractWholePage(std::string_view bytes) {
  return ExtractPage(bytes, {}, PagePart::kWhole);
}

}  // namespace zhiwen
