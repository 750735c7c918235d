#include "zhiwen/web_page.h"

#include <span>
#include <utility>
#include <vector>

#include "document/html/body_choice.h"
#include "document/html/body_model.h"
#include "document/html/html_page.h"
#include "document/html/page_encoding.h"
#include "document/html/page_facts.h"

namespace zhiwen {
namespace {

constexpr uint64_t kPrivateShare = 100;  // one in so many characters makes a text obfuscated

void AddBlocks(const HtmlPage& html, std::span<const uint32_t> body, const DecodedPage& decoded,
               WebPage& page) {
  uint64_t at = 0;
  for (const uint32_t index : body) {
    const HtmlBlock& block = html.blocks[index];
    const uint64_t size = block.text_end - block.text_begin;
    page.blocks.push_back({.text = {ByteOffset{at}, ByteOffset{at + size}},
                           .source = {ByteOffset{decoded.SourceOffset(block.source_begin)},
                                      ByteOffset{decoded.SourceOffset(block.source_end)}},
                           .element = NameOf(html.nodes[block.node].tag)});
    at += size + 1;
  }
}

// What the counts of the body say.
void Describe(std::span<const BlockStatistics> statistics, std::span<const uint32_t> body,
              WebPage& page) {
  uint64_t tokens = 0, of_page = 0, characters = 0, private_use = 0;
  for (const BlockStatistics& counts : statistics) of_page += counts.tokens;
  for (const uint32_t block : body) {
    tokens += statistics[block].tokens;
    characters += statistics[block].characters;
    private_use += statistics[block].private_use;
  }
  page.share = of_page == 0 ? 0 : static_cast<double>(tokens) / static_cast<double>(of_page);
  page.kind = page.text.empty()                          ? PageKind::kEmpty
              : private_use * kPrivateShare > characters ? PageKind::kObfuscated
                                                         : PageKind::kArticle;
}

}  // namespace

std::string_view PageKindName(PageKind kind) {
  switch (kind) {
    case PageKind::kArticle:
      return "article";
    case PageKind::kEmpty:
      return "empty";
    case PageKind::kObfuscated:
      return "obfuscated";
  }
  return "";
}

Result<WebPage> ExtractWebPage(std::string_view bytes) {
  if (bytes.size() > kMostHtmlBytes) {
    return Fail(ErrorCode::kExhausted, "a web page of more than 1 GiB is not read");
  }
  ZHIWEN_ASSIGN_OR_RETURN(const DecodedPage decoded, DecodedPage::Decode(bytes));
  const HtmlPage html = ParseHtml(decoded.text());
  std::vector<BlockStatistics> statistics;
  statistics.reserve(html.blocks.size());
  for (const HtmlBlock& block : html.blocks) statistics.push_back(CountBlock(html.TextOf(block)));
  const std::vector<float> probabilities =
      ComputeBodyProbabilities(html, statistics, TrainedBodyWeights());
  const std::vector<uint32_t> body = ChooseBody(html, statistics, probabilities);

  WebPage page;
  page.text = JoinBlocks(html, body);
  AddBlocks(html, body, decoded, page);
  Describe(statistics, body, page);
  PageFacts facts = ReadPageFacts(html, body);
  page.title = std::move(facts.title);
  page.author = std::move(facts.author);
  page.date = std::move(facts.date);
  page.site = std::move(facts.site);
  page.url = std::move(facts.url);
  page.language = std::move(facts.language);
  page.encoding = decoded.encoding();
  page.declared_encoding = decoded.declared();
  page.encoding_errors = decoded.errors();
  return page;
}

}  // namespace zhiwen
