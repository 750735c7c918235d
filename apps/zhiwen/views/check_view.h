#ifndef ZHIWEN_APPS_ZHIWEN_VIEWS_CHECK_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_VIEWS_CHECK_VIEW_H_

// Shows what a library knows of texts, for people. What is not known has no row.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "terminal/terminal.h"
#include "zhiwen/check_files.h"

namespace zhiwen {

// Returns what people see first of a document, a row for each figure, and its matches; lines are at
// most `columns` wide.
std::string FormatCheck(const CheckedDocument& checked, size_t columns, const Palette& palette);

// Returns a document among many: a line with the verdict, and one with its strongest match.
std::string FormatCheckLine(const CheckedDocument& checked, size_t columns, const Palette& palette);

// Returns how many documents have which verdict: "12 documents: 相同 same 3 · 未见 none 9".
std::string FormatVerdicts(const CheckFilesSummary& summary);

// Returns the line that says what was searched.
std::string FormatSearched(const CheckFilesSummary& summary);

// Returns the warning that indexes lack changes of a library.
std::string SayLacking(uint64_t changes, std::string_view folder);

// Returns the warning that passages of granules were not looked for in all documents; "" where they
// were.
std::string SayGranulesNotSearched(const CheckFilesSummary& summary, std::string_view folder);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_VIEWS_CHECK_VIEW_H_
