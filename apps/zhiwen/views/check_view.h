#ifndef ZHIWEN_APPS_ZHIWEN_VIEWS_CHECK_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_VIEWS_CHECK_VIEW_H_

// Shows what a library knows of a text, for people.

#include <cstddef>
#include <string>

#include "terminal/terminal.h"
#include "zhiwen/library_files.h"

namespace zhiwen {

// Returns the verdict on a document and a line for each match, at most `columns` wide.
std::string FormatCheck(const CheckedDocument& checked, size_t columns, const Palette& palette);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_VIEWS_CHECK_VIEW_H_
