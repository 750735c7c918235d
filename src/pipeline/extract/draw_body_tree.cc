#include "pipeline/extract/draw_body_tree.h"

#include <cstdint>
#include <vector>

#include "zhiwen/display.h"

namespace zhiwen {
namespace {

constexpr size_t kColumnsOfBranch = 3;
constexpr size_t kLeastColumnsOfText = 8;

// For each paragraph: whether it is the last child of its parent.
std::vector<bool> FindLastChildren(const BodyTree& tree) {
  std::vector<bool> is_last(tree.nodes.size());
  std::vector<bool> has_later(tree.nodes.size());  // a child behind
  for (size_t i = tree.nodes.size() - 1; i > 0; --i) {
    const uint32_t parent = tree.nodes[i].parent;
    is_last[i] = !has_later[parent];
    has_later[parent] = true;
  }
  return is_last;
}

void AddTreeLine(std::string_view branches, std::string_view line, size_t depth, size_t columns,
                 std::string& out) {
  if (!out.empty()) out += '\n';
  out += branches;
  const std::string shown = MakePrintable(line);
  const size_t used = kColumnsOfBranch * depth;
  const size_t left = columns > used + kLeastColumnsOfText ? columns - used : kLeastColumnsOfText;
  if (columns == 0 || DisplayWidth(shown) <= left) {
    out += shown;
    return;
  }
  out += TruncateToWidth(shown, left - 1);
  out += "…";
}

}  // namespace

std::string DrawBodyTree(const BodyTree& tree, std::string_view text, size_t columns) {
  const std::vector<bool> is_last = FindLastChildren(tree);
  std::string out;
  if (!tree.title.empty()) AddTreeLine("", tree.title, 0, columns, out);
  std::vector<bool> goes_on;  // for each depth from 1: whether the branch has more children
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    const BodyNode& node = tree.nodes[i];
    std::string branches;
    for (size_t depth = 0; depth + 1 < node.depth; ++depth) {
      branches += goes_on[depth] ? "│  " : "   ";
    }
    branches += is_last[i] ? "└─ " : "├─ ";
    goes_on.resize(node.depth);
    goes_on.back() = !is_last[i];
    AddTreeLine(branches, text.substr(node.text.begin.value, node.text.size()), node.depth, columns,
                out);
  }
  return out;
}

}  // namespace zhiwen
