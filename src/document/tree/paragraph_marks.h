#ifndef ZHIWEN_DOCUMENT_TREE_PARAGRAPH_MARKS_H_
#define ZHIWEN_DOCUMENT_TREE_PARAGRAPH_MARKS_H_

// The marks of paragraphs and their weights, all of one class (zhiwen/body_tree.h).
//
// In          blocks and the text that they stand in
// Out         a mark for each block; marks with lower weights belong to lower headings
// Cost        linear
// Threads     free functions

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "zhiwen/body_tree.h"

namespace zhiwen {

struct ParagraphMark {
  uint32_t weight = kTextWeight;
  std::string_view name;  // lives as long as the program
};

struct ParagraphMarks {
  MarkClass marks = MarkClass::kNone;
  std::vector<ParagraphMark> of_blocks;
};

// Whether a line says only when and where a text appeared, or who wrote it: 2024-05-01 08:30
// 来源：晨报, 责任编辑：小林.
bool IsByline(std::string_view line);

ParagraphMarks ChooseMarks(std::string_view text, std::span<const ExtractedBlock> blocks);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_TREE_PARAGRAPH_MARKS_H_
