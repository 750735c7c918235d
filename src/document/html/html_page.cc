#include "document/html/html_page.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/utf8/ascii.h"
#include "base/utf8/utf8.h"
#include "document/html/html_scanner.h"
#include "document/html/html_text.h"
#include "document/html/html_tree.h"

namespace zhiwen {
namespace {

using enum HtmlTag;

// Adds one, up to the most that the count holds.
void CountUp(uint16_t& count) {
  if (count < std::numeric_limits<uint16_t>::max()) ++count;
}

// Whether linked data name a type of schema.org that is an article.
bool NamesArticle(std::string_view json) {
  return json.find("Article\"") != std::string_view::npos ||
         json.find("\"BlogPosting\"") != std::string_view::npos;
}

// Gathers the text of blocks; a sink of VisitHtmlText.
class BlockWriter {
 public:
  BlockWriter(std::string_view html, HtmlPage& page, const HtmlTree& tree)
      : html_(html), page_(page), tree_(tree) {}

  void Run(size_t begin, size_t end) { Add(html_.substr(begin, end - begin), begin, end); }
  void Character(std::string_view utf8, size_t begin, size_t end) { Add(utf8, begin, end); }
  void Space(bool has_line_end, size_t, size_t) {
    if (has_line_end && tree_.is_open(kPre)) return EndBlock();
    has_space_ = true;
  }

  void BeginLink() { has_link_ = true; }
  void BreakLine() {
    EndBlock();
    CountUp(line_breaks_);
  }
  void AddImage() { CountUp(is_open_ ? page_.blocks.back().images : images_); }

  void EndBlock() {
    has_space_ = false;
    if (page_.blocks.size() < kMostBlocks) is_open_ = false;
    if (is_open_) has_space_ = true;  // of the last block
  }

 private:
  void Add(std::string_view text, size_t begin, size_t end);
  void Open(size_t begin);
  void NoteStyle(HtmlBlock& block) const;

  std::string_view html_;
  HtmlPage& page_;
  const HtmlTree& tree_;
  bool is_open_ = false;    // the last block
  bool is_styled_ = false;  // what has begun of it
  bool has_space_ = false, has_link_ = false;
  uint16_t line_breaks_ = 0, images_ = 0;
};

void BlockWriter::Open(size_t begin) {
  const auto at = static_cast<uint32_t>(page_.text.size());
  page_.blocks.push_back({.text_begin = at,
                          .text_end = at,
                          .source_begin = static_cast<uint32_t>(begin),
                          .node = tree_.node(),
                          .line_breaks = std::exchange(line_breaks_, uint16_t{0}),
                          .images = std::exchange(images_, uint16_t{0}),
                          .is_hidden = tree_.is_hidden(),
                          .is_button = tree_.is_button(),
                          .is_label = tree_.is_label(),
                          .is_strong = true,
                          .style = tree_.style()});
  is_open_ = true;
  is_styled_ = tree_.has_style();
  has_space_ = false;
}

void BlockWriter::Add(std::string_view text, size_t begin, size_t end) {
  if (tree_.is_hidden() && !page_.nodes[tree_.node()].is_hidden) {
    page_.hidden_characters += CountCodePoints(text);
    return;
  }
  if (!is_open_) Open(begin);
  HtmlBlock& block = page_.blocks.back();
  if (has_space_) page_.text += ' ';
  has_space_ = false;
  page_.text += text;
  const auto length = static_cast<uint32_t>(text.size());
  if (tree_.is_link()) {
    block.link_bytes += length;
    if (has_link_) CountUp(block.links);
    has_link_ = false;
  }
  if (tree_.is_bold()) block.bold_bytes += length;
  if (tree_.is_emphasis()) block.emphasis_bytes += length;
  block.is_strong &= tree_.is_strong();
  if (is_styled_) NoteStyle(block);
  block.text_end = static_cast<uint32_t>(page_.text.size());
  block.source_end = static_cast<uint32_t>(end);
}

void BlockWriter::NoteStyle(HtmlBlock& block) const {
  const BlockStyle& style = tree_.style();
  if (block.style.size != style.size) block.style.size = 0;
  if (block.style.font != style.font) block.style.font = 0;
  if (block.style.color != style.color) block.style.color = 0;
}

class HtmlParser {
 public:
  HtmlParser(std::string_view html, HtmlPage& page)
      : html_(html), page_(page), scanner_(html), tree_(page), writer_(html, page, tree_) {}

  void Parse();

 private:
  size_t TakeStartTag(const HtmlToken& token);
  void TakeEndTag(HtmlTag tag);
  void TakeBlock(HtmlTag tag);
  void BeginLink();
  void EndLink();
  size_t TakeRaw(const HtmlToken& token);
  void NoteMeta();
  void NoteLink();

  std::string_view html_;
  HtmlPage& page_;
  HtmlScanner scanner_;
  HtmlTree tree_;
  BlockWriter writer_;
  std::string_view link_;  // where the last link leads
  size_t link_text_ = 0;   // where its text begins
};

// Whether the text of a link says that the page goes on behind it.
bool IsNextPage(std::string_view text) {
  constexpr size_t kMostBytes = 40;
  if (text.size() > kMostBytes) return false;
  const std::string lower = LowerAsciiOf(text);
  constexpr std::array<std::string_view, 6> kNames = {"下一页", "下一頁",    "下页",
                                                      "下頁",   "next page", "次のページ"};
  const auto name = std::ranges::find_if(
      kNames, [&](std::string_view known) { return lower.find(known) != std::string::npos; });
  // Brackets and arrows may be around it, and nothing else.
  return name != kNames.end() && CountCodePoints(lower) <= CountCodePoints(*name) + 4;
}

void HtmlParser::BeginLink() {
  writer_.BeginLink();
  link_ = scanner_.attributes().href;
  link_text_ = page_.text.size();
}

void HtmlParser::EndLink() {
  const std::string_view link = std::exchange(link_, {});
  if (link.empty() || link.starts_with('#') || link.starts_with("javascript")) return;
  if (!page_.facts.next.empty()) return;
  if (IsNextPage(std::string_view(page_.text).substr(link_text_))) page_.facts.next = link;
}

void HtmlParser::Parse() {
  for (size_t at = 0; at < html_.size();) {
    const size_t markup = VisitHtmlText(html_, at, writer_);
    if (markup == html_.size()) break;
    const HtmlToken token = scanner_.Read(markup);
    at = token.end;
    switch (token.markup) {
      case HtmlMarkup::kText:
        writer_.Run(markup, markup + 1);
        break;
      case HtmlMarkup::kStartTag:
        at = TakeStartTag(token);
        break;
      case HtmlMarkup::kEndTag:
        TakeEndTag(token.tag);
        break;
      case HtmlMarkup::kIgnored:
        break;
    }
  }
  writer_.EndBlock();
  tree_.Finish();
  page_.steps = scanner_.steps();
}

// Returns where the page goes on.
size_t HtmlParser::TakeStartTag(const HtmlToken& token) {
  const HtmlTag tag = token.tag;
  switch (KindOf(tag)) {
    case HtmlTagKind::kPassed:
      if (tag == kHtml && page_.facts.language.empty()) {
        page_.facts.language = scanner_.attributes().lang;
      }
      // Scripts show pages whose root is hidden at first.
      if (tag != kHtml && HidesText(tag, scanner_.attributes())) {
        tree_.Open(tag, scanner_.attributes());
      }
      break;
    case HtmlTagKind::kBlock:
      TakeBlock(tag);
      break;
    case HtmlTagKind::kInline:
      if (tag == kTime && page_.facts.time.empty()) {
        page_.facts.time = scanner_.attributes().datetime;
      }
      tree_.Open(tag, scanner_.attributes());
      if (tag == kA && tree_.is_link()) BeginLink();
      break;
    case HtmlTagKind::kVoid:
      if (tag == kBr) writer_.BreakLine();
      if (tag == kHr) writer_.EndBlock();
      if (tag == kImg) writer_.AddImage();
      if (tag == kMeta) NoteMeta();
      if (tag == kLink) NoteLink();
      if (tag == kBase && page_.facts.base.empty()) page_.facts.base = scanner_.attributes().href;
      break;
    case HtmlTagKind::kRaw:
      return TakeRaw(token);
    case HtmlTagKind::kSkipped: {
      if (token.closes_itself && tag == kSvg) break;
      const size_t end = scanner_.FindOwnEndTag(tag, token.end);
      if (end != std::string_view::npos) return end;
      break;
    }
  }
  return token.end;
}

void HtmlParser::TakeBlock(HtmlTag tag) {
  writer_.EndBlock();
  if (tag == kBody && tree_.is_open(kBody)) return;
  tree_.ImplyEnds(tag);
  tree_.Open(tag, scanner_.attributes());
}

void HtmlParser::TakeEndTag(HtmlTag tag) {
  switch (KindOf(tag)) {
    case HtmlTagKind::kBlock:
      writer_.EndBlock();
      if (tag != kBody) tree_.Close(tag);
      break;
    case HtmlTagKind::kInline:
      if (tag == kA && !link_.empty()) EndLink();
      tree_.Close(tag);
      break;
    case HtmlTagKind::kVoid:
      if (tag == kBr) writer_.BreakLine();
      break;
    case HtmlTagKind::kPassed:
      if (tree_.is_open(tag)) tree_.Close(tag);  // it hides text
      break;
    case HtmlTagKind::kRaw:
    case HtmlTagKind::kSkipped:
      break;
  }
}

// Passes over what is inside. Without an end tag a script or a style takes the rest of the page,
// as in browsers, and others take nothing.
size_t HtmlParser::TakeRaw(const HtmlToken& token) {
  const std::string_view type = scanner_.attributes().type;
  const size_t end = scanner_.FindEndTag(token.tag, token.end);
  if (end == std::string_view::npos) {
    return token.tag == kScript || token.tag == kStyle ? html_.size() : token.end;
  }
  const std::string_view inside = html_.substr(token.end, end - token.end);
  HtmlFacts& facts = page_.facts;
  if (token.tag == kTitle && facts.title.empty()) facts.title = inside;
  if (token.tag == kScript && type == "application/ld+json") {
    if (facts.linked_data.empty()) facts.linked_data = inside;
    facts.has_article_data = facts.has_article_data || NamesArticle(inside);
  }
  return end;
}

void HtmlParser::NoteMeta() {
  struct Named {
    std::string_view name;
    std::string_view HtmlFacts::*fact;
  };
  static constexpr std::array<Named, 13> kNamed = {{
      {"og:title", &HtmlFacts::og_title},
      {"og:url", &HtmlFacts::og_url},
      {"og:site_name", &HtmlFacts::og_site},
      {"og:type", &HtmlFacts::type},
      {"author", &HtmlFacts::author},
      {"generator", &HtmlFacts::generator},
      {"article:author", &HtmlFacts::author},
      {"article:published_time", &HtmlFacts::published},
      {"datePublished", &HtmlFacts::published},
      {"pubdate", &HtmlFacts::published},
      {"PubDate", &HtmlFacts::published},
      {"publishdate", &HtmlFacts::published},
      {"date", &HtmlFacts::published},
  }};
  const HtmlAttributes& attributes = scanner_.attributes();
  for (const Named& named : kNamed) {
    std::string_view& fact = page_.facts.*named.fact;
    if (fact.empty() && (attributes.property == named.name || attributes.name == named.name ||
                         attributes.itemprop == named.name)) {
      fact = attributes.content;
    }
  }
}

void HtmlParser::NoteLink() {
  const HtmlAttributes& attributes = scanner_.attributes();
  if (attributes.rel == "canonical" && page_.facts.canonical.empty()) {
    page_.facts.canonical = attributes.href;
  }
}

}  // namespace

HtmlPage ParseHtml(std::string_view html) {
  HtmlPage page;
  const size_t expected = std::min(html.size(), kMostHtmlBytes);
  page.text.reserve(expected / 4);
  page.blocks.reserve(expected / 512);
  page.nodes.reserve(expected / 512);
  HtmlParser(html.substr(0, kMostHtmlBytes), page).Parse();
  return page;
}

}  // namespace zhiwen
