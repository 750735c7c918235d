#ifndef ZHIWEN_PIPELINE_COMPARE_TEXT_FAMILIES_H_
#define ZHIWEN_PIPELINE_COMPARE_TEXT_FAMILIES_H_

// The families of compare --all: texts that are connected by pairs.
//
// Threads     free function

#include <cstdint>
#include <vector>

#include "zhiwen/compare_all.h"

namespace zhiwen {

// Returns the texts that pairs connect of which one text is to at least `share` in the other, in
// the order of CompareAllSummary::families.
std::vector<std::vector<uint32_t>> FindFamilies(const CompareAllSummary& summary, double share);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COMPARE_TEXT_FAMILIES_H_
