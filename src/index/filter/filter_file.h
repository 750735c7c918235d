#ifndef ZHIWEN_INDEX_FILTER_FILTER_FILE_H_
#define ZHIWEN_INDEX_FILTER_FILTER_FILE_H_

// The file of a filter (docs/formats/filters.md).

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/files/section_file.h"
#include "index/filter/filter_table.h"
#include "zhiwen/filter.h"

namespace zhiwen {

inline constexpr SectionFileKind kFilterFile = {.name = "filter", .version = 1};
inline constexpr std::string_view kFilterAbout = "about";
inline constexpr std::string_view kFilterShape = "shape";
inline constexpr std::string_view kFilterTable = "table";

// The section "about".
struct FilterAbout {
  uint64_t kind = 0, form = 0;
  uint64_t keys = 0;           // in it
  uint64_t made_for = 0;       // keys
  double false_positives = 0;  // that it was made for, too
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_FILTER_FILTER_FILE_H_
