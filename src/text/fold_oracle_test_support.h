#ifndef ZHIWEN_TEXT_FOLD_ORACLE_TEST_SUPPORT_H_
#define ZHIWEN_TEXT_FOLD_ORACLE_TEST_SUPPORT_H_

// folded a second time, slowly and from ICU's data: BreakIterator, NFKC, case folding, general
// categories and scripts. It shares no table and no code with the program but the script table,
// which OpenCC alone has and which it reads through single characters, and the list of variants
// (text/fold_variants.h), which it looks up character by character.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/fold_table.h"

namespace zhiwen {

// The symbols of a version of folded as docs/formats/channels.md defines them.
std::vector<uint32_t> FoldByIcu(std::string_view utf8, FoldedVersion version);

// UTF-8 of code points.
std::string Utf8(const std::vector<uint32_t>& code_points);
std::string Utf8(std::u32string_view code_points);

// A text of a published vector, in which \u1234 stands for a character.
std::string Unescape(const std::string& text);

// The code points of UTF-8, U+FFFD for each broken byte, by ICU.
std::vector<uint32_t> DecodeByIcu(std::string_view utf8);

// Ends of the grapheme clusters of a text, in code points, by ICU; no limit on length.
std::vector<size_t> ClusterEndsByIcu(const std::vector<uint32_t>& code_points);

// The symbol of a unit of several code points, straight from its definition.
uint32_t HashUnitByDefinition(const std::vector<uint32_t>& unit);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_FOLD_ORACLE_TEST_SUPPORT_H_
