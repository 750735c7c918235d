#ifndef ZHIWEN_PIPELINE_EXTRACT_DRAW_BODY_TREE_H_
#define ZHIWEN_PIPELINE_EXTRACT_DRAW_BODY_TREE_H_

// Draws a body tree for people.
//
// In          a tree, and the text that it was made of
// Out         a line for each paragraph, behind lines that lead to its parent; the first one is the
//             title, if there is one. No line end behind the last. Control characters are replaced
// Cost        linear in the text, and in the paragraphs times their depths
// Threads     free function

#include <cstddef>
#include <string>
#include <string_view>

#include "zhiwen/body_tree.h"

namespace zhiwen {

// Texts that reach beyond `columns` are cut, to no fewer than 8 columns; 0: none is. A tree without
// paragraphs and title is "".
std::string DrawBodyTree(const BodyTree& tree, std::string_view text, size_t columns);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_EXTRACT_DRAW_BODY_TREE_H_
