#ifndef ZHIWEN_APPS_ZHIWEN_VIEWS_COMPARE_ALL_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_VIEWS_COMPARE_ALL_VIEW_H_

// Shows what came of comparing all texts with each other, for people.

#include <cstddef>
#include <string>
#include <vector>

#include "zhiwen/compare_all.h"

namespace zhiwen {

// Returns the counts and the pairs with most in common; `folder` has the files. A last column may
// be wider than `columns`.
std::string FormatCompareAll(const CompareAllSummary& summary, const std::string& folder,
                             size_t columns);

// Returns what a user should know of the inputs, and of pairs that were not compared.
std::vector<std::string> WarningsOfCompareAll(const CompareAllSummary& summary);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_VIEWS_COMPARE_ALL_VIEW_H_
