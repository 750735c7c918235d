#ifndef ZHIWEN_PIPELINE_COMPARE_COMPARE_ALL_PAGE_H_
#define ZHIWEN_PIPELINE_COMPARE_COMPARE_ALL_PAGE_H_

// The page of compare --all: figures, families, and the pairs that share most, which lead to pages
// of their own. What is not shown is counted.
//
// Cost        bounded tables, whatever there is
// Threads     free functions

#include <string>

#include "zhiwen/compare_all.h"

namespace zhiwen {

// "pairs/3-17.html": the numbers of both texts, from 1.
std::string NameOfPairPage(const ComparedPair& pair);

std::string RenderCompareAllPage(const CompareAllOptions& options,
                                 const CompareAllSummary& summary);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COMPARE_COMPARE_ALL_PAGE_H_
