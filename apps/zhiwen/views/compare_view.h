#ifndef ZHIWEN_APPS_ZHIWEN_VIEWS_COMPARE_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_VIEWS_COMPARE_VIEW_H_

// Renders a comparison for people: figures, then each shared run side by side with its context, so
// that the run begins in the same column of both texts.

#include <cstddef>
#include <string>
#include <string_view>

#include "terminal/terminal.h"
#include "zhiwen/compare.h"

namespace zhiwen {

// The two texts as they were compared. Their names are in the options.
struct ComparedTexts {
  std::string_view a, b;
};

// With at least this many columns, the two texts are printed side by side; with fewer, b is printed
// below a.
inline constexpr size_t kSideBySideColumns = 60;

// At most this many runs are shown, the longest ones.
inline constexpr size_t kMaxRunsShown = 20;

// Returns "2 invisible characters, 1 split character", or "nothing".
std::string DescribeDisguise(const DisguiseCounts& counts);

std::string RenderComparison(const Comparison& comparison, const ComparedTexts& texts,
                             const CompareOptions& options, size_t columns, const Palette& palette);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_VIEWS_COMPARE_VIEW_H_
