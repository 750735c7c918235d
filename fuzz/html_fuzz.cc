// Any bytes are a page: its blocks and nodes hold together, time is linear, and what is extracted
// is UTF-8 that leads back to the bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8/utf8.h"
#include "document/html/html_page.h"
#include "document/html/web_page.h"
#include "require.h"
#include "zhiwen/body_tree.h"

namespace {

using namespace zhiwen;

void CheckBlocks(const HtmlPage& page, size_t html_size) {
  uint32_t text = 0, source = 0;
  for (const HtmlBlock& block : page.blocks) {
    Require(block.text_begin == text && block.text_end > block.text_begin);
    Require(block.source_begin >= source && block.source_end > block.source_begin);
    Require(block.node < page.nodes.size());
    const uint32_t length = block.text_end - block.text_begin;
    Require(block.link_bytes <= length && block.bold_bytes <= length);
    text = block.text_end;
    source = block.source_end;
  }
  Require(text == page.text.size() && source <= html_size);
}

void CheckNodes(const HtmlPage& page) {
  Require(page.nodes.front().block_begin == 0);
  Require(page.nodes.front().block_end == page.blocks.size());
  for (size_t i = 1; i < page.nodes.size(); ++i) {
    const HtmlNode& node = page.nodes[i];
    const HtmlNode& parent = page.nodes[node.parent];
    Require(node.parent < i && node.depth == parent.depth + 1 && node.depth < kMostDepth);
    Require(parent.block_begin <= node.block_begin && node.block_begin <= node.block_end &&
            node.block_end <= parent.block_end);
  }
}

// Weights fall from parents to children, and the tree of the text with its levels has as many
// lines.
void CheckTree(const ExtractedDocument& document) {
  const BodyTree tree = MakeBodyTree(document);
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    const BodyNode& node = tree.nodes[i];
    const BodyNode& parent = tree.nodes[node.parent];
    Require(node.parent < i && node.depth == parent.depth + 1 && node.weight < parent.weight);
    Require(node.text.end.value <= document.text.size());
  }
  const std::string levels = BodyLevels(tree);
  const auto spaces = static_cast<size_t>(std::ranges::count(levels, ' '));
  Require(spaces + (levels.empty() ? 0 : 1) == document.blocks.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // A heap copy of exact size, so that a read behind it is seen.
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::string html = ReplaceBrokenUtf8(bytes);
  const HtmlPage page = ParseHtml(html);
  CheckBlocks(page, html.size());
  CheckNodes(page);
  Require(IsValidUtf8(page.text));
  Require(page.steps <= 16 * html.size() + 64);

  const ExtractedDocument extracted = ExtractWebPage(bytes).value();
  Require(IsValidUtf8(extracted.text));
  Require(extracted.text.empty() == (extracted.kind == ExtractedKind::kEmpty));
  Require(std::ranges::all_of(extracted.blocks, [&](const ExtractedBlock& block) {
    return block.text.end.value <= extracted.text.size() && block.source.end.value <= size &&
           block.source.begin <= block.source.end;
  }));
  CheckTree(extracted);
  return 0;
}
