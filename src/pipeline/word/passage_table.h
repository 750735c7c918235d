#ifndef ZHIWEN_PIPELINE_WORD_PASSAGE_TABLE_H_
#define ZHIWEN_PIPELINE_WORD_PASSAGE_TABLE_H_

// The parts of a table of comparison (比对表) in a Word file, above all the passages that two texts
// share, in two columns.
//
// Out         of each passage a row with its number, its places, its length and its kind, and a row
//             with both texts, whole, or several rows of a long one. What is the same in both is
//             red, what is disguised red and underlined, what was edited, and what is between the
//             pieces of a passage, black
// Cost        linear in the passages
// Threads     free functions

#include <span>
#include <string>
#include <string_view>

#include "pipeline/run_report/page_words.h"
#include "zhiwen/passages.h"

namespace zhiwen {

// One of the two texts: "suspect", "可疑文", and its name as HTML.
struct TableSide {
  Words who;
  std::string name;
  std::string_view text;
};

// How the file begins: its title, `lead`, and what it is not.
std::string TableBegin(const Words& lead);

// Figures as a table of two columns.
std::string GlanceTable(std::span<const GlanceRow> rows);

// Says what the colours of passages mean.
std::string PassageLegend();

std::string PassageTable(const TableSide& a, const TableSide& b,
                         std::span<const CopiedPassage> passages);

// The passages that do not count, in a table for each reason; nothing where there are none.
std::string ExcludedTables(const TableSide& a, const TableSide& b,
                           std::span<const ExcludedPassage> excluded);

// The command as it can be typed again.
std::string CommandNote(std::span<const std::string> command);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_WORD_PASSAGE_TABLE_H_
