#include "zhiwen/body_tree.h"

#include <algorithm>
#include <span>

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

BodyTree PlaceBlocks(std::string_view text, std::span<const ExtractedBlock> blocks,
                     std::string_view title) {
  const auto root = std::ranges::find_if(blocks, [&](const ExtractedBlock& block) {
    return !title.empty() && text.substr(block.text.begin.value, block.text.size()) == title;
  });
  std::vector<ExtractedBlock> paragraphs(blocks.begin(), root);
  if (root != blocks.end()) paragraphs.insert(paragraphs.end(), root + 1, blocks.end());
  const ParagraphMarks marks = ChooseMarks(text, paragraphs);
  BodyTree tree{.marks = marks.marks, .title = std::string(title), .nodes = {}};
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
  return PlaceBlocks(document.text, document.blocks, document.title);
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
  return PlaceBlocks(utf8, blocks, title);
}

std::string BodyLevels(const BodyTree& tree) {
  std::string levels;
  const BodyNode& root = tree.nodes.front();
  bool has_root = root.text.size() == 0;
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    if (!has_root && root.text.begin < tree.nodes[i].text.begin) {
      levels += "0 ";
      has_root = true;
    }
    levels += fmt::format("{} ", tree.nodes[i].depth);
  }
  if (!has_root) levels += "0 ";
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
