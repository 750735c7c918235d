#include "zhiwen/body_tree.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/json/json_writer.h"
#include "base/utf8/ascii.h"
#include "document/tree/paragraph_marks.h"

namespace zhiwen {
namespace {

// Rules 1 to 3: climbs from the paragraph before, until a parent has a higher weight. That of the
// root is higher than any.
uint32_t FindParent(const std::vector<BodyNode>& nodes, uint32_t weight) {
  auto above = static_cast<uint32_t>(nodes.size() - 1);
  while (nodes[above].weight <= weight) above = nodes[above].parent;
  return above;
}

std::string_view TextOfBlock(std::string_view text, const ExtractedBlock& block) {
  return text.substr(block.text.begin.value, block.text.size());
}

// Takes the bylines out of the first and the last paragraphs, and the title where it stands in
// front of all others. Returns where they are.
std::vector<ByteSpan> TakeBylines(std::string_view text, std::string_view title,
                                  std::vector<ExtractedBlock>& paragraphs) {
  constexpr size_t kAtTheBeginning = 4, kAtTheEnd = 3;  // paragraphs
  const size_t count = paragraphs.size();
  size_t at = 0;
  std::vector<ByteSpan> bylines;
  std::erase_if(paragraphs, [&](const ExtractedBlock& block) {
    const bool is_first = at < kAtTheBeginning, is_last = at + kAtTheEnd >= count;
    ++at;
    const std::string_view line = TextOfBlock(text, block);
    const bool is_title = bylines.size() + 1 == at && line == title;
    if (!is_title && !((is_first || is_last) && IsByline(line))) return false;
    bylines.push_back(block.text);
    return true;
  });
  return bylines;
}

enum class LinesOf : uint8_t { kPage, kPlainText };

BodyTree PlaceBlocks(std::string_view text, std::span<const ExtractedBlock> blocks,
                     std::string_view title, LinesOf lines) {
  const auto root = std::ranges::find_if(blocks, [&](const ExtractedBlock& block) {
    return !title.empty() && TextOfBlock(text, block) == title;
  });
  std::vector<ExtractedBlock> paragraphs(blocks.begin(), root);
  if (root != blocks.end()) paragraphs.insert(paragraphs.end(), root + 1, blocks.end());
  std::vector<ByteSpan> bylines;
  if (lines == LinesOf::kPage) bylines = TakeBylines(text, title, paragraphs);
  const ParagraphMarks marks = ChooseMarks(text, paragraphs);
  BodyTree tree{.marks = marks.marks,
                .title = std::string(title),
                .nodes = {},
                .bylines = std::move(bylines)};
  tree.nodes.reserve(paragraphs.size() + 1);
  tree.nodes.push_back({.weight = kTitleWeight, .mark = "title"});
  if (root != blocks.end()) tree.nodes.front().text = root->text;
  for (size_t i = 0; i < paragraphs.size(); ++i) {
    const ParagraphMark& mark = marks.of_blocks[i];
    const uint32_t parent = FindParent(tree.nodes, mark.weight);
    tree.nodes.push_back({.weight = mark.weight,
                          .depth = tree.nodes[parent].depth + 1,
                          .parent = parent,
                          .mark = mark.name,
                          .text = paragraphs[i].text});
  }
  return tree;
}

}  // namespace

std::string_view MarkClassName(MarkClass marks) {
  switch (marks) {
    case MarkClass::kNumbering:
      return "numbering";
    case MarkClass::kTags:
      return "tags";
    case MarkClass::kShortParagraphs:
      return "short_paragraphs";
    case MarkClass::kNone:
      return "none";
  }
  return "";
}

BodyTree MakeBodyTree(const ExtractedDocument& document) {
  return PlaceBlocks(document.text, document.blocks, document.title, LinesOf::kPage);
}

BodyTree MakeBodyTree(std::string_view utf8, std::string_view title) {
  std::vector<ExtractedBlock> blocks;
  for (size_t at = 0; at < utf8.size();) {
    const size_t end = std::min(utf8.find('\n', at), utf8.size());
    const std::string_view line = Trim(utf8.substr(at, end - at), kLineBlanks);
    at = end + 1;
    if (line.empty()) continue;
    const auto begin = static_cast<uint64_t>(line.data() - utf8.data());
    blocks.push_back({.text = {ByteOffset{begin}, ByteOffset{begin + line.size()}}, .source = {}});
  }
  return PlaceBlocks(utf8, blocks, title, LinesOf::kPlainText);
}

std::string BodyLevels(const BodyTree& tree) {
  std::vector<std::pair<ByteOffset, uint32_t>> lines;
  for (const BodyNode& node : tree.nodes) {
    if (node.text.size() > 0) lines.emplace_back(node.text.begin, node.depth);
  }
  for (const ByteSpan& byline : tree.bylines) lines.emplace_back(byline.begin, 0);
  std::ranges::sort(lines);
  std::string levels;
  for (const auto& [begin, depth] : lines) levels += fmt::format("{} ", depth);
  if (!levels.empty()) levels.pop_back();
  return levels;
}

std::string BodyTreeToJson(const BodyTree& tree, std::string_view text) {
  std::string out;
  JsonWriter json(out);
  uint32_t open = 0;  // nodes
  for (uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const BodyNode& node = tree.nodes[i];
    for (; open > node.depth; --open) json.EndArray().EndObject();
    json.BeginObject();
    if (i == 0) {
      json.Key("marks").String(MarkClassName(tree.marks)).Key("weight").Null();
    } else {
      json.Key("weight").Unsigned(node.weight);
    }
    json.Key("mark").String(node.mark).Key("paragraph").Unsigned(i).Key("text");
    json.String(i == 0 ? tree.title : text.substr(node.text.begin.value, node.text.size()));
    json.Key("children").BeginArray();
    ++open;
  }
  for (; open > 0; --open) json.EndArray().EndObject();
  return out;
}

}  // namespace zhiwen
