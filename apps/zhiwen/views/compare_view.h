#ifndef ZHIWEN_APPS_ZHIWEN_VIEWS_COMPARE_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_VIEWS_COMPARE_VIEW_H_

// A comparison as people read it: figures, then each shared run side by side with what stands
// around it, so that the run begins in the same column of both texts.

#include <cstddef>
#include <string>
#include <string_view>

#include "terminal/terminal.h"
#include "zhiwen/compare.h"

namespace zhiwen {

// The two texts as compared; names are in the options.
struct ComparedTexts {
  std::string_view a, b;
};

// Two texts stand side by side in at least this many columns; in fewer, b stands under a.
inline constexpr size_t kSideBySideColumns = 60;

// This many runs are shown, the longest ones.
inline constexpr size_t kMaxRunsShown = 20;

// "2 invisible characters, 1 split character", or "nothing".
std::string DescribeDisguise(const DisguiseCounts& counts);

std::string RenderComparison(const Comparison& comparison, const ComparedTexts& texts,
                             const CompareOptions& options, size_t columns, const Palette& palette);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_VIEWS_COMPARE_VIEW_H_
