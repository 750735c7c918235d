#ifndef ZHIWEN_APPS_ZHIWEN_VIEWS_INSPECT_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_VIEWS_INSPECT_VIEW_H_

// Renders an inspection for people: figures on what each channel made of the text, then the text
// line by line, and below each character what every channel reads there, down to the words.
//
//   bytes    0         6
//   text     氵   州   ，
//   folded   氵   州   ·        · is dropped; what was changed is marked
//   pinyin   zhou      ·

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/terminal.h"
#include "zhiwen/inspect.h"

namespace zhiwen {

// The name of the inspected text, and the labels of the rows of its channels.
struct InspectedText {
  std::string_view name;
  std::vector<std::string> labels;
};

std::string RenderInspection(const Inspection& inspection, const InspectedText& source,
                             size_t columns, const Palette& palette);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_VIEWS_INSPECT_VIEW_H_
