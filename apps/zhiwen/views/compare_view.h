#ifndef ZHIWEN_APPS_ZHIWEN_VIEWS_COMPARE_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_VIEWS_COMPARE_VIEW_H_

// Renders a comparison for people: figures, then each passage side by side with its context, so
// that it begins in the same column of both texts, and what differs in it. Texts too short to share
// a passage are shown with their shared runs.

#include <cstddef>
#include <string>
#include <string_view>

#include "terminal/terminal.h"
#include "zhiwen/compare.h"
#include "zhiwen/compare_page.h"
#include "zhiwen/passages.h"

namespace zhiwen {

// The two texts as they were compared, and what they are called beside their passages. Their names
// are in the options.
struct ComparedTexts {
  std::string_view a, b;
  std::string_view a_label = "a", b_label = "b";
};

// With at least this many columns, the two texts are printed side by side; with fewer, b is printed
// below a.
inline constexpr size_t kSideBySideColumns = 60;

// At most this many passages or runs are shown, the longest ones, and of a passage this many edits.
inline constexpr size_t kMaxRunsShown = 20;
inline constexpr size_t kMaxEditsShown = 8;

// Returns "2 invisible characters, 1 split character", or "nothing".
std::string DescribeDisguise(const DisguiseCounts& counts);

std::string RenderComparison(const Comparison& comparison, const PassageComparison& passages,
                             const ComparedTexts& texts, const CompareOptions& options,
                             size_t columns, const Palette& palette);

// Renders what a text repeats of itself in the same way.
std::string RenderRepeats(const PassageComparison& repeats, const ComparedDocument& text,
                          const SearchedChannels& searched, size_t columns, const Palette& palette);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_VIEWS_COMPARE_VIEW_H_
