#ifndef ZHIWEN_BODY_TREE_H_
#define ZHIWEN_BODY_TREE_H_

// The tree of a document's body: which paragraphs stand under which heading. 熊忠阳 et al. 2013,
// §3.2, with the nodes and rules of 黄仁 et al. 2010.
//
// In          the lines of an extracted document, or a plain text, whose lines are its paragraphs.
//             Of a document, bylines at the beginning and the end of the body, and the title that
//             is there again, are none: pages differ in them, and one of them may move all other
//             lines to another depth
// Out         BodyTree: the title as the root, and every other paragraph as a node below it
// Guarantees  the tree is unique: marks of one class give weights (MarkClass), and a paragraph is
//             the sibling of the one before it when their weights are equal, its child when its own
//             is lower, and is compared with that one's parent when it is higher. A node's weight
//             is above those of its children. The depth of a tree is at most the number of weights
// Cost        linear; 48 bytes a paragraph
// Threads     free functions
// Not for     pages whose headings differ from their text by style sheets only

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/extract.h"
#include "zhiwen/offsets.h"

namespace zhiwen {

// The marks that set headings apart from text. Those of the first class that a document has count,
// others do not.
enum class MarkClass : uint8_t {
  // 第三章, 一、, （一）, 1., 1.1, (1), 1), ①. A form counts where two of its numbers follow one
  // another, such as 1. and 2.; 第三章 and the like also alone, when a space or a mark stands
  // behind.
  kNumbering,
  // Headings by their level; then paragraphs that are bold or emphasized as a whole; then larger
  // letters, the largest first, another font, another colour than most of the text has.
  kTags,
  kShortParagraphs,  // of at most kShortParagraphUnits, without a mark such as 。 or ， at the end
  kNone,             // every paragraph is a child of the root
};

// "numbering", "tags", "short_paragraphs" or "none".
std::string_view MarkClassName(MarkClass marks);

inline constexpr size_t kShortParagraphUnits = 20;  // Han characters, or words of other scripts

inline constexpr uint32_t kTitleWeight = std::numeric_limits<uint32_t>::max();
inline constexpr uint32_t kTextWeight = 0;  // of a paragraph without a mark

// S1's TNode.
struct BodyNode {
  uint32_t weight = kTextWeight;
  uint32_t depth = 0;     // that of the root is 0
  uint32_t parent = 0;    // a paragraph; the root's own is 0
  std::string_view mark;  // "第N章", "一、", "h2", "strong"; "" of text; "title" of the root
  ByteSpan text = {};     // in the text of the document; the root's is empty where no line is the
                          // title
};

struct BodyTree {
  MarkClass marks = MarkClass::kNone;
  std::string title;            // the text of the root; empty where the document states none
  std::vector<BodyNode> nodes;  // paragraphs in their order, behind the root; parents are in front
                                // of their children
  std::vector<ByteSpan> bylines = {};  // lines that are no paragraphs, in order
};

// The root is the title that the document states; the first line that repeats it is the root, and
// no other node.
BodyTree MakeBodyTree(const ExtractedDocument& document);

// Lines of a plain text are paragraphs, lines without text are not.
BodyTree MakeBodyTree(std::string_view utf8, std::string_view title = {});

// The depth of each line of the text that the tree was made of, in order: "1 2 2 1"; 0 of the line
// that is the root, and of bylines and repeated titles. Lines without text have none.
std::string BodyLevels(const BodyTree& tree);

// {"marks", "weight", "mark", "paragraph", "text", "children": [{"weight", …}]}: the root with the
// class of marks; the weight of the root, which is infinite, is null. `text` is that of the
// document.
std::string BodyTreeToJson(const BodyTree& tree, std::string_view text);

}  // namespace zhiwen

#endif  // ZHIWEN_BODY_TREE_H_
